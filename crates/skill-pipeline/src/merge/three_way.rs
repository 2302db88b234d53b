//! Merges three trees into one: the earlier output, the edited skill, and the plan.

use std::collections::{BTreeMap, BTreeSet};

use similar::{MergeResolution, TextMerge};
use skill_migrator::TRIGGERS;
use skill_model::conflict::{OURS_LABEL, Side, THEIRS_LABEL};

use super::rename::renames;
use super::tests_of_triggers::rows_of_tests;
use super::tree::{Conflict, File, FileSource, Kind, MergeResult, Tree};

/// A file with its name in each of the three trees.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Row<'a> {
    base: Option<&'a str>,
    ours: Option<&'a str>,
    theirs: Option<&'a str>,
}

/// The result for one file.
enum Step {
    Nothing,
    Take(FileSource),
    /// Both versions, between conflict markers.
    Marked(FileSource),
    Stuck(Kind),
}

/// Merges three trees. With a `favor`, that side wins every conflict.
pub(super) fn merge(
    base: &Tree<'_>,
    ours: &Tree<'_>,
    theirs: &Tree<'_>,
    favor: Option<Side>,
) -> MergeResult {
    let mut work = Work {
        base,
        ours,
        theirs,
        favor,
        res: MergeResult::default(),
    };
    for row in rows(base, ours, theirs) {
        work.row(row);
    }
    work.clashes();
    work.res.conflicts.sort();
    work.res.conflicts.dedup();
    work.res
}

/// Aligns the files of the three trees; a renamed file is in the row of its old name.
fn rows<'a>(base: &Tree<'a>, ours: &Tree<'a>, theirs: &Tree<'a>) -> Vec<Row<'a>> {
    let mut rows: BTreeMap<&'a str, Row<'a>> = BTreeMap::new();
    let [mut in_ours, mut in_theirs] = [(); 2].map(|()| BTreeSet::new());
    for (side, taken, is_ours) in [(ours, &mut in_ours, true), (theirs, &mut in_theirs, false)] {
        for (old, new) in renames(base, side) {
            let row = rows.entry(old).or_default();
            *(if is_ours {
                &mut row.ours
            } else {
                &mut row.theirs
            }) = Some(new);
            taken.insert(new);
        }
    }
    for path in base.keys() {
        let row = rows.entry(path).or_default();
        row.base = Some(path);
    }
    for path in ours.keys().filter(|path| !in_ours.contains(*path)) {
        rows.entry(path).or_default().ours = Some(path);
    }
    for path in theirs.keys().filter(|path| !in_theirs.contains(*path)) {
        rows.entry(path).or_default().theirs = Some(path);
    }
    rows.into_values().collect()
}

/// The state of a merge.
struct Work<'w, 'a> {
    base: &'w Tree<'a>,
    ours: &'w Tree<'a>,
    theirs: &'w Tree<'a>,
    favor: Option<Side>,
    res: MergeResult,
}

impl Work<'_, '_> {
    fn row(&mut self, row: Row<'_>) {
        let path = match self.path(row) {
            Ok(path) => path,
            Err(path) => return self.stuck(path, Kind::Renamed, row),
        };
        match self.step(row) {
            Step::Nothing => {}
            Step::Take(taken) => self.put(path, taken, row),
            Step::Marked(taken) => {
                self.conflict(path, Kind::Lines);
                self.put(path, taken, row);
            }
            Step::Stuck(kind) => self.stuck(path, kind, row),
        }
    }

    /// Returns the path of the merged file, or an error if both sides renamed it.
    fn path<'r>(&self, row: Row<'r>) -> Result<&'r str, &'r str> {
        match (row.base, row.ours, row.theirs) {
            (_, Some(ours), Some(theirs)) if ours == theirs => Ok(ours),
            (Some(base), Some(ours), Some(theirs)) if base == ours => Ok(theirs),
            (Some(base), Some(ours), Some(theirs)) if base == theirs => Ok(ours),
            (_, Some(ours), Some(theirs)) => match self.favor {
                Some(Side::Theirs) => Ok(theirs),
                Some(Side::Ours) => Ok(ours),
                None => Err(ours),
            },
            (base, ours, theirs) => Ok(ours.or(theirs).or(base).unwrap_or_default()),
        }
    }

    fn step(&mut self, row: Row<'_>) -> Step {
        let base = row.base.and_then(|path| self.base.get(path));
        let ours = row.ours.and_then(|path| Some((path, self.ours.get(path)?)));
        let theirs = row
            .theirs
            .and_then(|path| Some((path, self.theirs.get(path)?)));
        match (ours, theirs) {
            (None, None) => Step::Nothing,
            (Some((path, file)), None) => match base {
                Some(base) if base.digest != file.digest || row.base != Some(path) => {
                    Step::Stuck(Kind::GoneFromPlugin)
                }
                Some(_) => Step::Nothing,
                None => Step::Take(FileSource::Ours(path.to_owned())),
            },
            (None, Some((path, file))) => match base {
                Some(_) if path == TRIGGERS => Step::Nothing,
                Some(base) if base.digest != file.digest => Step::Stuck(Kind::RemovedByHand),
                Some(_) => Step::Nothing,
                None => Step::Take(FileSource::Theirs(path.to_owned())),
            },
            (Some(ours), Some(theirs)) => self.both(base, ours, theirs),
        }
    }

    fn both(
        &mut self,
        base: Option<&File<'_>>,
        (ours_path, ours): (&str, &File<'_>),
        (theirs_path, theirs): (&str, &File<'_>),
    ) -> Step {
        let is_base = |file: &File<'_>| base.is_some_and(|base| base.digest == file.digest);
        if ours.digest == theirs.digest || is_base(theirs) {
            return Step::Take(FileSource::Ours(ours_path.to_owned()));
        }
        if is_base(ours) {
            return Step::Take(FileSource::Theirs(theirs_path.to_owned()));
        }
        let (Some(ours), Some(theirs)) = (ours.text, theirs.text) else {
            return Step::Stuck(Kind::Binary);
        };
        if theirs_path == TRIGGERS {
            let base = base.and_then(|base| base.text).unwrap_or_default();
            return Step::Take(match rows_of_tests(base, ours, theirs) {
                Some(text) => FileSource::Text {
                    text,
                    ours: ours_path.to_owned(),
                    theirs: theirs_path.to_owned(),
                },
                None => FileSource::Ours(ours_path.to_owned()),
            });
        }
        // Two files that both sides added have nothing in common that is certain.
        let base = match base {
            None => "",
            Some(File {
                text: Some(text), ..
            }) => text,
            Some(File { text: None, .. }) => return Step::Stuck(Kind::NoBase),
        };
        let merge = Lines::merge(base, ours, theirs, self.favor);
        self.res.overruled |= merge.overruled;
        let taken = FileSource::Text {
            text: merge.text,
            ours: ours_path.to_owned(),
            theirs: theirs_path.to_owned(),
        };
        if merge.is_conflicted {
            Step::Marked(taken)
        } else {
            Step::Take(taken)
        }
    }

    fn put(&mut self, path: &str, taken: FileSource, row: Row<'_>) {
        if self.res.files.contains_key(path) {
            return self.stuck(path, Kind::Clash, row);
        }
        self.res.files.insert(path.to_owned(), taken);
    }

    /// Decides between two changes to a whole file: one side wins, or it is a conflict.
    fn stuck(&mut self, path: &str, kind: Kind, row: Row<'_>) {
        let taken = match self.favor {
            None => {
                self.conflict(path, kind);
                row.ours.map(|path| FileSource::Ours(path.to_owned()))
            }
            Some(Side::Ours) => row.ours.map(|path| FileSource::Ours(path.to_owned())),
            Some(Side::Theirs) => {
                self.res.overruled |= row.ours.is_some();
                row.theirs.map(|path| FileSource::Theirs(path.to_owned()))
            }
        };
        let wins = |taken: &FileSource| {
            matches!(
                (self.favor, taken),
                (Some(Side::Ours), FileSource::Ours(_))
                    | (Some(Side::Theirs), FileSource::Theirs(_))
            )
        };
        let is_free = |taken: &FileSource| !self.res.files.contains_key(path) || wins(taken);
        if let Some(taken) = taken.filter(is_free) {
            self.res.files.insert(path.to_owned(), taken);
        }
    }

    fn conflict(&mut self, path: &str, kind: Kind) {
        let path = path.to_owned();
        self.res.conflicts.push(Conflict { path, kind });
    }

    /// Reports a file at a path where another file needs a directory.
    fn clashes(&mut self) {
        let paths: Vec<String> = self.res.files.keys().cloned().collect();
        for path in &paths {
            let ends = path.match_indices('/').map(|(at, _)| &path[..at]);
            for parent in ends {
                if self.res.files.contains_key(parent) {
                    self.conflict(path, Kind::Clash);
                }
            }
        }
    }
}

/// Merges a text line by line.
struct Lines {
    text: String,
    is_conflicted: bool,
    overruled: bool,
}

impl Lines {
    fn merge(base: &str, ours: &str, theirs: &str, favor: Option<Side>) -> Self {
        let mut merge = TextMerge::from_lines(base, ours, theirs);
        merge.labels("as it was made", OURS_LABEL, THEIRS_LABEL);
        let is_conflicted = merge.is_conflicted();
        let Some(side) = favor.filter(|_| is_conflicted) else {
            return Self {
                text: merge.to_string(),
                is_conflicted,
                overruled: false,
            };
        };
        let mut text = String::new();
        for region in merge.regions() {
            let takes_theirs = match region.resolution() {
                MergeResolution::Theirs => true,
                MergeResolution::Conflict => side == Side::Theirs,
                _ => false,
            };
            let range = if takes_theirs {
                region.theirs_range()
            } else {
                region.ours_range()
            };
            for at in range {
                let line = if takes_theirs {
                    merge.theirs_line(at)
                } else {
                    merge.ours_line(at)
                };
                if !text.is_empty() && !text.ends_with('\n') {
                    text.push('\n');
                }
                text.push_str(line.unwrap_or_default());
            }
        }
        Self {
            text,
            is_conflicted: false,
            overruled: side == Side::Theirs,
        }
    }
}
