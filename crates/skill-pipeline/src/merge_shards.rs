//! Merges the directories that shards or workers wrote into one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use skill_loader::{
    Digest,
    fs::{Kind, resolve},
    store::{State, Store, StoreOptions},
};
use skill_model::LockedSkill;

use crate::stray::has_stray_files_only;
use crate::{Error, Event, Observer, polishing};

/// The directories to merge.
#[derive(Clone, Default, Debug)]
pub struct MergeShards {
    /// The directories that runs with `--shard`, or workers, wrote.
    pub shards: Vec<PathBuf>,
    /// The directory of skills; created if it is missing.
    pub out: PathBuf,
    /// True if skills of `out` that are in no shard are removed.
    pub prune: bool,
    /// True to wait until everything is on the disk (`fsync`).
    pub sync: bool,
}

/// The result of [`merge_shards`].
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct MergedShards {
    /// The number of skills on which the shards agree.
    pub n_skills: usize,
    /// The number of directories that were merged.
    pub n_shards: usize,
    /// The number of skills that were written.
    pub n_written: usize,
    /// The number of skills that were already the same.
    pub n_unchanged: usize,
    /// Skills of the output that are in no shard and were kept.
    pub n_stale: usize,
    /// True if a shard could not read the whole of its input, so that no skill is removed.
    pub is_incomplete: bool,
    /// Skills of the output that were in no shard and were removed.
    pub n_removed: usize,
    /// The reasons why skills were not replaced.
    pub conflicts: Vec<String>,
}

/// A directory that a shard or a worker wrote.
struct Part {
    path: PathBuf,
    store: Store,
}

/// The result for one skill.
enum Merged {
    Written,
    Unchanged,
    /// The skill was not replaced, for this reason.
    Conflict(String),
}

/// Merges the shards into one directory. Every skill is checked against the lock of its shard and
/// copied with its digests, one at a time, completely or not at all.
///
/// # Errors
///
/// Fails if a shard is missing or cannot be read, or the output cannot be written.
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
    let incomplete = parts.iter().map(|part| part.store.is_incomplete());
    let incomplete = incomplete.collect::<Result<Vec<bool>, _>>()?;
    let mut res = MergedShards {
        is_incomplete: incomplete.contains(&true),
        n_skills: skills.len(),
        n_shards: parts.len(),
        conflicts,
        ..MergedShards::default()
    };
    let prunes = options.prune && !res.is_incomplete;
    retire(prunes, &store, &skills, &mut res)?;
    if let Some(out) = store.root() {
        let roots = parts.iter().map(|part| part.store.root());
        let conflicts = polishing::merge_locks(roots, out)?;
        res.conflicts.extend(conflicts);
    }
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

/// Returns every skill with the first shard that has it, and the skills on which two shards differ.
/// A worker that was killed and the one that repeated its share both have the same skill.
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
                        "the skill `{name}` of {} differs from that of {}",
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
            "`{name}` was edited by hand or was not written by skills-migrate"
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
    let skill = root.open_dir(&part.store.path(name))?;
    keep_base(store, part, name, entry)?;
    let mut staging = store.stage(name)?;
    for (path, digest) in &entry.files {
        let executable = matches!(skill.kind(path)?, Some(Kind::File(info)) if info.executable);
        staging.copy_from(&skill, path, path, executable, Digest::parse(digest))?;
    }
    store.commit(staging, entry.clone())?;
    Ok(())
}

/// Copies the base, the files as the plugin gave them, which a later merge with edits by hand
/// needs.
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

/// Returns the skills of the output that no shard has.
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
