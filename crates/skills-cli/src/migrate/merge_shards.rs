//! Several directories that shards or workers wrote, put into one.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args as ClapArgs;
use rayon::prelude::*;
use skill_loader::{
    Digest,
    fs::{Kind, resolve},
    store::{State, Store, StoreOptions},
};
use skill_model::LockedSkill;

use super::last_time::is_littered;
use crate::{ExitStatus, output::Streams};

/// The command line of `skills-migrate merge-shards`.
#[derive(Debug, ClapArgs)]
pub(super) struct MergeArgs {
    /// Directories that runs with --shard or --worker wrote
    #[arg(value_name = "SHARD", required = true)]
    shards: Vec<PathBuf>,
    /// Directory of skills; created if missing
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Remove skills of OUT that are in no shard
    #[arg(long)]
    prune: bool,
    /// Wait until the disk has everything, so that not even a power cut can harm
    #[arg(long)]
    sync: bool,
    /// Say less: errors only
    #[arg(long, short)]
    quiet: bool,
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

/// Merges: every skill is checked against the lock of its part and copied with its digests, one at
/// a time, whole or not at all.
pub(super) fn run(args: &MergeArgs, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    let out = resolve(&args.out)?;
    for shard in &args.shards {
        let shard = resolve(shard)?;
        if shard.starts_with(&out) || out.starts_with(&shard) {
            bail!("{} and the output lie in one another", shard.display());
        }
    }
    let parts = args
        .shards
        .iter()
        .map(|path| open(path))
        .collect::<anyhow::Result<Vec<Part>>>()?;
    let (skills, mut conflicts) = union(&parts);
    let options = StoreOptions { sync: args.sync };
    let mut on_wait = || {
        let _ = writeln!(
            streams.stderr,
            "waiting: another process writes to {}",
            args.out.display()
        );
    };
    let store = Store::open_with(&args.out, options, &mut on_wait)?;
    let merged = skills
        .par_iter()
        .map(|(name, (part, entry))| put(&store, part, name, entry))
        .collect::<anyhow::Result<Vec<Merged>>>()?;
    let stale = retire(args, &store, &skills, &mut conflicts)?;
    store.finish()?;
    let [mut n_written, mut n_unchanged] = [0, 0];
    for result in merged {
        match result {
            Merged::Written => n_written += 1,
            Merged::Unchanged => n_unchanged += 1,
            Merged::Conflict(message) => conflicts.push(message),
        }
    }
    for message in &conflicts {
        writeln!(streams.stderr, "error[conflict]: {message}")?;
    }
    if !args.quiet {
        writeln!(
            streams.stdout,
            "{} skills of {} directories: {n_written} written, {n_unchanged} unchanged",
            skills.len(),
            parts.len()
        )?;
        for (n, what) in stale {
            writeln!(streams.stdout, "  {n:>5}  {what}")?;
        }
    }
    Ok(if conflicts.is_empty() {
        ExitStatus::Fine
    } else {
        ExitStatus::Findings
    })
}

fn open(path: &Path) -> anyhow::Result<Part> {
    let store = Store::open_read_only(path)?;
    if store.root().is_none() {
        bail!("there is no directory {}", path.display());
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

fn put(store: &Store, part: &Part, name: &str, entry: &LockedSkill) -> anyhow::Result<Merged> {
    let found = part.store.state(name)?;
    if found != State::Clean && !is_littered(&found) {
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
    if !matches!(state, State::Absent | State::Clean) && !is_littered(&state) {
        return Ok(Merged::Conflict(format!(
            "what lies in the place of the skill `{name}` was edited, or is not this tool's"
        )));
    }
    copy(store, part, name, entry)
        .with_context(|| format!("cannot take the skill `{name}` of {}", part.path.display()))?;
    Ok(Merged::Written)
}

fn copy(store: &Store, part: &Part, name: &str, entry: &LockedSkill) -> anyhow::Result<()> {
    let root = part.store.root().context("the directory is gone")?;
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
fn keep_base(store: &Store, part: &Part, name: &str, entry: &LockedSkill) -> anyhow::Result<()> {
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
    args: &MergeArgs,
    store: &Store,
    skills: &Skills<'_>,
    conflicts: &mut Vec<String>,
) -> anyhow::Result<Vec<(usize, &'static str)>> {
    let [mut n_stale, mut n_removed] = [0, 0];
    let has_conflicts = !conflicts.is_empty();
    for name in store.lock().skills.keys() {
        if skills.contains_key(name.as_str()) || has_conflicts {
            continue;
        }
        match store.state(name)? {
            State::Absent => store.forget(name)?,
            _ if !args.prune => n_stale += 1,
            State::Clean => {
                store.remove(name)?;
                n_removed += 1;
            }
            _ => conflicts.push(format!("the skill `{name}` is in no shard, and was edited")),
        }
    }
    let rows = [
        (n_stale, "in no shard (--prune removes them)"),
        (n_removed, "removed"),
    ];
    Ok(rows.into_iter().filter(|(n, _)| *n > 0).collect())
}
