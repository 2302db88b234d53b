//! Notices during a migration, and the results of its subcommands, for people.

use std::io::{self, Write};

use skill_language::{Language, say};
use skill_loader::store::Rollback;
use skill_pipeline::{Event, MergedShards};

use skill_report::printable;

/// Returns one line for an event that a user should know of.
pub fn notice(event: Event<'_>, language: Language) -> Option<String> {
    match event {
        Event::Waiting(out) => Some(say!(
            language,
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
            Some(say!(
                language,
                "note: {what} was interrupted after {n_skills} skills; they are accounted for"
            ))
        }
        Event::IdlePattern(idle) => Some(say!(
            language,
            "warning: --carry '{}': {}",
            idle.glob,
            idle.problem
        )),
        Event::IdlePolish(name) => Some(say!(
            language,
            "note: polish.lock.json has texts for `{}`, which no plugin gives",
            printable(name)
        )),
        _ => None,
    }
}

/// Writes the result of a rollback to `out`, and conflicts to `err`. `None` is a rollback without
/// anything to restore.
pub fn rollback(
    done: Option<&Rollback>,
    language: Language,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<()> {
    let Some(done) = done else {
        return writeln!(out, "{}", language.say("there is nothing to roll back"));
    };
    if done.restored.is_empty() && done.removed.is_empty() && done.conflicts.is_empty() {
        let text = "no skill had changed; the entries of skills.lock were restored";
        return writeln!(out, "{}", language.say(text));
    }
    for (verb, names) in [("restored", &done.restored), ("removed", &done.removed)] {
        let skills = if names.len() == 1 { "skill" } else { "skills" };
        let text = match names.as_slice() {
            [] => say!(language, "0 skills {verb}"),
            names => say!(
                language,
                "{} {skills} {verb}: {}",
                names.len(),
                printable(&names.join(", "))
            ),
        };
        writeln!(out, "{text}")?;
    }
    for name in &done.conflicts {
        let text = say!(
            language,
            "error[conflict]: the skill `{name}` was edited since and is not changed"
        );
        writeln!(err, "{text}")?;
    }
    Ok(())
}

/// Writes the numbers of merged skills.
pub fn merged_shards(
    merged: &MergedShards,
    language: Language,
    out: &mut dyn Write,
) -> io::Result<()> {
    let text = say!(
        language,
        "{} skills of {} directories: {} written, {} unchanged",
        merged.n_skills,
        merged.n_shards,
        merged.n_written,
        merged.n_unchanged
    );
    writeln!(out, "{text}")?;
    let rows = [
        (
            merged.n_stale,
            if merged.is_incomplete {
                "in no shard, and kept: a shard could not read all of its input"
            } else {
                "in no shard (--prune removes them)"
            },
        ),
        (merged.n_removed, "removed"),
    ];
    for (n, what) in rows.into_iter().filter(|(n, _)| *n > 0) {
        writeln!(out, "  {n:>5}  {}", language.say(what))?;
    }
    Ok(())
}
