//! The journal of a run: one line of JSON per change, written before the change is made.
//!
//! The journal is in `run` and moves with it to `previous`. After a kill it lists the changes to
//! add to `skills.lock`, and later it lists for a rollback the changes of the run.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use skill_model::LockedSkill;

use super::{StoreError, dir};
use crate::fs::Root;
use crate::fs::sys::{self, Cause, File, SysError};

/// The file's name in `run` and `previous`.
const NAME: &str = "journal";

/// The file in which it is sorted.
const SORTED: &str = "journal.new";

/// One planned change.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Line<'l> {
    /// Put a skill in place.
    Put {
        /// The name of the skill.
        name: Cow<'l, str>,
        /// True if it replaces an existing entry.
        replaces: bool,
        /// Its new entry.
        entry: Cow<'l, LockedSkill>,
    },
    /// Remove a skill.
    Remove {
        /// The name of the skill.
        name: Cow<'l, str>,
    },
}

/// The journal of the current run.
#[derive(Debug)]
pub(super) struct Journal {
    file: Mutex<End>,
}

/// An open journal and the length of its complete lines; `None` once that length is unknown.
#[derive(Debug)]
struct End {
    file: File,
    n_bytes: Option<u64>,
}

impl Journal {
    /// Creates the journal in `run`. Before it exists, nothing is changed.
    pub(super) fn create(run: &Root) -> Result<Self, StoreError> {
        let file = sys::create_to_append(run.dir(), NAME, dir::MODE_FILE)
            .map_err(|err| dir::failed("create", run, NAME, err))?;
        let n_bytes = Some(0);
        Ok(Self {
            file: Mutex::new(End { file, n_bytes }),
        })
    }

    /// Appends one line. A partially written line is truncated away.
    pub(super) fn append(&self, run: &Root, line: &Line<'_>, sync: bool) -> Result<(), StoreError> {
        let mut bytes = serde_json::to_vec(line).expect("a line is maps and strings");
        bytes.push(b'\n');
        let mut end = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let fail = |err| dir::failed("write", run, NAME, err);
        let Some(n_bytes) = end.n_bytes else {
            let why = "an earlier line was written only in part";
            return Err(fail(SysError::because(Cause::Other, why)));
        };
        let mut res = sys::write_all(&end.file, &bytes);
        if sync && res.is_ok() {
            res = end.file.sync_data().map_err(SysError::from);
        }
        end.n_bytes = match res {
            Ok(()) => Some(n_bytes + bytes.len() as u64),
            Err(_) => end.file.set_len(n_bytes).ok().map(|()| n_bytes),
        };
        res.map_err(fail)
    }
}

/// Sorts the closed journal of a complete run by skill, so that it does not depend on the order in which
/// threads were done. The lines about one skill stay in their order.
pub(super) fn sort(run: &Root) -> Result<(), StoreError> {
    let Some(lines) = read(run)? else {
        return Ok(());
    };
    let mut bytes = Vec::new();
    for line in lines.values().flatten() {
        serde_json::to_writer(&mut bytes, line).expect("a line is maps and strings");
        bytes.push(b'\n');
    }
    dir::write(run, SORTED, &bytes, false)?;
    Ok(dir::rename_over((run, SORTED), (run, NAME))?)
}

/// The lines about each skill, oldest first.
pub(super) type Intentions = BTreeMap<String, Vec<Line<'static>>>;

/// Reads the journal in `dir`; `None` if there is none. A truncated last line was never acted upon,
/// and is ignored.
pub(super) fn read(dir: &Root) -> Result<Option<Intentions>, StoreError> {
    let Some(bytes) = dir::read(dir, NAME)? else {
        return Ok(None);
    };
    let mut res = Intentions::new();
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let Ok(line) = serde_json::from_slice::<Line<'static>>(line) else {
            continue;
        };
        let name = match &line {
            Line::Put { name, .. } | Line::Remove { name } => name.clone().into_owned(),
        };
        if super::names::check_name(&name).is_ok() {
            res.entry(name).or_default().push(line);
        }
    }
    Ok(Some(res))
}

/// Returns the entries among the lines, newest first.
pub(super) fn entries<'l>(lines: &'l [Line<'_>]) -> impl Iterator<Item = &'l LockedSkill> {
    lines.iter().rev().filter_map(|line| match line {
        Line::Put { entry, .. } => Some(entry.as_ref()),
        Line::Remove { .. } => None,
    })
}

/// Returns whether the name was taken when the run first changed it.
pub(super) fn was_there(lines: &[Line<'_>]) -> bool {
    match lines.first() {
        Some(Line::Put { replaces, .. }) => *replaces,
        Some(Line::Remove { .. }) => true,
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(name: &'static str, is_put: bool) -> Line<'static> {
        let name = Cow::Borrowed(name);
        if is_put {
            let entry = Cow::Owned(crate::store::tests::entry(&[]));
            Line::Put {
                name,
                replaces: false,
                entry,
            }
        } else {
            Line::Remove { name }
        }
    }

    /// Writes lines in an order, sorts them, and compares what is in the file.
    #[track_caller]
    fn check(lines: &[(&'static str, bool)], sorted: &[(&'static str, bool)]) {
        let dir = tempfile::tempdir().unwrap();
        let run = Root::open(dir.path()).unwrap();
        let journal = Journal::create(&run).unwrap();
        for (name, is_put) in lines {
            journal.append(&run, &line(name, *is_put), false).unwrap();
        }
        drop(journal);
        sort(&run).unwrap();
        let text = |(name, is_put): &(&'static str, bool)| {
            serde_json::to_string(&line(name, *is_put)).unwrap() + "\n"
        };
        let expected: String = sorted.iter().map(text).collect();
        let bytes = dir::read(&run, NAME).unwrap().unwrap();
        assert_eq!(String::from_utf8(bytes).unwrap(), expected);
        assert_eq!(dir::kind(&run, SORTED).unwrap(), None);
    }

    #[test]
    fn a_complete_journal_is_sorted_by_skill() {
        check(&[], &[]);
        check(
            &[("tea", true), ("cup", true), ("pot", false)],
            &[("cup", true), ("pot", false), ("tea", true)],
        );
        // What was done to one skill stays in its order: it was removed, and then put in place again.
        check(
            &[("tea", false), ("cup", true), ("tea", true), ("cup", false)],
            &[("cup", true), ("cup", false), ("tea", false), ("tea", true)],
        );
    }

    #[test]
    fn a_line_that_was_cut_is_not_in_the_sorted_journal() {
        let dir = tempfile::tempdir().unwrap();
        let run = Root::open(dir.path()).unwrap();
        let journal = Journal::create(&run).unwrap();
        journal.append(&run, &line("tea", false), false).unwrap();
        let end = journal.file.lock().unwrap();
        sys::write_all(&end.file, b"{\"remove\":{\"na").unwrap();
        drop(end);
        drop(journal);
        sort(&run).unwrap();
        let bytes = dir::read(&run, NAME).unwrap().unwrap();
        assert_eq!(bytes, b"{\"remove\":{\"name\":\"tea\"}}\n");
    }
}
