//! Notices during a migration, and the results of its subcommands, for people.

use std::io::{self, Write};

use skill_loader::store::Rollback;
use skill_pipeline::{Event, MergedShards};

use skill_report::printable;

/// Returns one line for an event that a user should know of.
pub fn notice(event: Event<'_>) -> Option<String> {
    match event {
        Event::Waiting(out) => Some(format!(
            "waiting: another process writes to {}",
            out.display()
        )),
        Event::Recovered(recovery) => {
            let n_skills = recovery.written.len() + recovery.removed.len();
            let what = if recovery.rolled_back {
                "a rollback"
            } else {
                "a run"
            };
            Some(format!(
                "note: {what} was interrupted after {n_skills} skills; they are accounted for"
            ))
        }
        Event::IdlePattern(idle) => Some(format!(
            "warning: --carry '{}': {}",
            idle.glob, idle.problem
        )),
        _ => None,
    }
}

/// Writes the result of a rollback to `out`, and conflicts to `err`. `None` is a rollback without
/// anything to restore.
pub fn rollback(
    done: Option<&Rollback>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<()> {
    let Some(done) = done else {
        return writeln!(out, "there is nothing to roll back");
    };
    for (verb, names) in [("restored", &done.restored), ("removed", &done.removed)] {
        let skills = if names.len() == 1 { "skill" } else { "skills" };
        match names.as_slice() {
            [] => writeln!(out, "0 skills {verb}")?,
            names => writeln!(
                out,
                "{} {skills} {verb}: {}",
                names.len(),
                printable(&names.join(", "))
            )?,
        }
    }
    for name in &done.conflicts {
        writeln!(
            err,
            "error[conflict]: the skill `{name}` was edited since and is not changed"
        )?;
    }
    Ok(())
}

/// Writes the numbers of merged skills.
pub fn merged_shards(merged: &MergedShards, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "{} skills of {} directories: {} written, {} unchanged",
        merged.n_skills, merged.n_shards, merged.n_written, merged.n_unchanged
    )?;
    let rows = [
        (merged.n_stale, "in no shard (--prune removes them)"),
        (merged.n_removed, "removed"),
    ];
    for (n, what) in rows.into_iter().filter(|(n, _)| *n > 0) {
        writeln!(out, "  {n:>5}  {what}")?;
    }
    Ok(())
}
