//! Several directories that shards or workers wrote, put into one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use skill_loader::{
    Digest,
    fs::{Kind, resolve},
    store::{State, Store, StoreOptions},
};
use skill_model::LockedSkill;

use crate::last_time::has_stray_files_only;
use crate::{Error, Event, Observer};

/// Which directories are put together.
#[derive(Clone, Default, Debug)]
pub struct MergeShards {
    /// Directories that runs with a shard, or workers, wrote.
    pub shards: Vec<PathBuf>,
    /// Directory of skills; created if missing.
    pub out: PathBuf,
    /// Whether skills of `out` that are in no shard are removed.
    pub prune: bool,
    /// Whether to wait until the disk has everything.
    pub sync: bool,
}

/// The result of [`merge_shards`].
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct MergedShards {
    /// Skills on which the shards agree.
    pub n_skills: usize,
    /// Directories that were put together.
    pub n_shards: usize,
    /// Skills that were written.
    pub n_written: usize,
    /// Skills that were the same already.
    pub n_unchanged: usize,
    /// Skills of the output that are in no shard, and still there.
    pub n_stale: usize,
    /// Skills of the output that were in no shard, and are gone.
    pub n_removed: usize,
    /// Why skills stay as they are.
    pub conflicts: Vec<String>,
}

/// A directory that a shard or a worker wrote.
struct Part {
    path: PathBuf,
    store: Store,
}

/// What a skill of the parts came to.
enum Merged {
    Written,
    Unchanged,
    /// It stays as it is, and this is why.
    Conflict(String),
}

/// Puts the shards into one directory: every skill is checked against the lock of its shard and
/// copied with its digests, one at a time, whole or not at all.
///
/// # Errors
///
/// When a shard is missing or cannot be read, or the output cannot be written.
pub fn merge_shards(options: &MergeShards, observer: &Observer<'_>) -> Result<MergedShards, Error> {
    let out = resolve(&options.out)?;
    for shard in &options.shards {
        let shard = resolve(shard)?;
        if shard.starts_with(&out) || out.starts_with(&shard) {
            return Err(Error::NestedShard { shard });
        }
    }
    let parts = options.shards.iter().map(|path| open(path));
    let parts = parts.collect::<Result<Vec<Part>, Error>>()?;
    let (skills, conflicts) = union(&parts);
    let mut on_wait = || observer(Event::Waiting(&options.out));
    let sync = StoreOptions { sync: options.sync };
    let store = Store::open_with(&options.out, sync, &mut on_wait)?;
    let merged = skills
        .par_iter()
        .map(|(name, (part, entry))| put(&store, part, name, entry))
        .collect::<Result<Vec<Merged>, Error>>()?;
    let mut res = MergedShards {
        n_skills: skills.len(),
        n_shards: parts.len(),
        conflicts,
        ..MergedShards::default()
    };
    retire(options.prune, &store, &skills, &mut res)?;
    store.finish()?;
    for result in merged {
        match result {
            Merged::Written => res.n_written += 1,
            Merged::Unchanged => res.n_unchanged += 1,
            Merged::Conflict(message) => res.conflicts.push(message),
        }
    }
    Ok(res)
}

fn open(path: &Path) -> Result<Part, Error> {
    let store = Store::open_read_only(path)?;
    if store.root().is_none() {
        return Err(Error::NoDirectory {
            path: path.to_owned(),
        });
    }
    Ok(Part {
        path: path.to_owned(),
        store,
    })
}

type Skills<'p> = BTreeMap<&'p str, (&'p Part, &'p LockedSkill)>;

/// Every skill with the first part that has it, and where two parts do not agree. A worker that
/// was killed and the one that did its share again both have a skill, the same one.
fn union(parts: &[Part]) -> (Skills<'_>, Vec<String>) {
    let mut res = Skills::new();
    let mut conflicts = BTreeMap::new();
    for part in parts {
        for (name, entry) in &part.store.lock().skills {
            match res.get(name.as_str()) {
                None => {
                    res.insert(name, (part, entry));
                }
                Some((_, other)) if *other == entry => {}
                Some((other, _)) => {
                    let message = format!(
                        "the skill `{name}` of {} is not the one of {}",
                        part.path.display(),
                        other.path.display()
                    );
                    conflicts.entry(name.as_str()).or_insert(message);
                }
            }
        }
    }
    res.retain(|name, _| !conflicts.contains_key(name));
    (res, conflicts.into_values().collect())
}

fn put(store: &Store, part: &Part, name: &str, entry: &LockedSkill) -> Result<Merged, Error> {
    let found = part.store.state(name)?;
    if found != State::Clean && !has_stray_files_only(&found) {
        return Ok(Merged::Conflict(format!(
            "the skill `{name}` of {} is not as it was written",
            part.path.display()
        )));
    }
    let state = store.state(name)?;
    if state != State::Absent && store.holds(name, entry)? {
        keep_base(store, part, name, entry)?;
        store.record(name, entry.clone())?;
        return Ok(Merged::Unchanged);
    }
    if !matches!(state, State::Absent | State::Clean) && !has_stray_files_only(&state) {
        return Ok(Merged::Conflict(format!(
            "what lies in the place of the skill `{name}` was edited, or is not this tool's"
        )));
    }
    copy(store, part, name, entry).map_err(|source| Error::Copy {
        name: name.to_owned(),
        path: part.path.clone(),
        source: Box::new(source),
    })?;
    Ok(Merged::Written)
}

fn copy(store: &Store, part: &Part, name: &str, entry: &LockedSkill) -> Result<(), Error> {
    let root = part.store.root().ok_or(Error::Gone)?;
    let skill = root.open_dir(name)?;
    keep_base(store, part, name, entry)?;
    let mut staging = store.stage(name)?;
    for (path, digest) in &entry.files {
        let executable = matches!(skill.kind(path)?, Some(Kind::File(info)) if info.executable);
        staging.copy_from(&skill, path, path, executable, Digest::parse(digest))?;
    }
    store.commit(staging, entry.clone())?;
    Ok(())
}

/// Takes over what the plugin alone gave, which a later merge with edits by hand needs.
fn keep_base(store: &Store, part: &Part, name: &str, entry: &LockedSkill) -> Result<(), Error> {
    let base = part.store.base(name, entry.made())?;
    let texts: BTreeMap<&str, &[u8]> = base
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_slice()))
        .collect();
    if !texts.is_empty() {
        store.keep_base(name, entry.made(), &texts)?;
    }
    Ok(())
}

/// Skills of the output that no part has.
fn retire(
    prune: bool,
    store: &Store,
    skills: &Skills<'_>,
    acc: &mut MergedShards,
) -> Result<(), Error> {
    if !acc.conflicts.is_empty() {
        return Ok(());
    }
    for name in store.lock().skills.keys() {
        if skills.contains_key(name.as_str()) {
            continue;
        }
        match store.state(name)? {
            State::Absent => store.forget(name)?,
            _ if !prune => acc.n_stale += 1,
            State::Clean => {
                store.remove(name)?;
                acc.n_removed += 1;
            }
            _ => {
                let message = format!("the skill `{name}` is in no shard, and was edited");
                acc.conflicts.push(message);
            }
        }
    }
    Ok(())
}
