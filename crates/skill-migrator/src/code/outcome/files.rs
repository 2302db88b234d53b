//! All files of a program, for functions of other files.

use std::collections::BTreeSet;

use super::super::arguments::Reader;
use super::form::Answers;

/// All files of a program.
pub(super) struct Files<'t, 'a> {
    pub(super) readers: &'t [Reader<'t, 'a>],
    /// The values that select each command.
    pub(super) commands: &'t [Vec<String>],
    pub(super) answers: Answers,
    /// Returns true for the positions that count, by the number of the file.
    pub(super) is_reached: &'t dyn Fn(usize, usize) -> bool,
}

impl Files<'_, '_> {
    /// Returns those of files that are loaded by the name of a command, `brew_green` from `brew.js`; all if
    /// no name is that of a command.
    pub(super) fn of_commands(&self, files: Vec<usize>) -> Vec<usize> {
        let named = |file: &usize, value: &str| {
            let stem = self.readers[*file].stem();
            let rest = value.strip_prefix(stem).filter(|_| !stem.is_empty());
            rest.filter(|it| it.is_empty() || it.starts_with(['_', '-']))
                .map(|_| stem.len())
        };
        let values = self.commands.iter().flatten();
        let found = values.filter_map(|value| {
            let found = files.iter().filter(|it| named(it, value).is_some());
            found.max_by_key(|it| named(it, value)).copied()
        });
        let found: BTreeSet<usize> = found.collect();
        if found.is_empty() {
            files
        } else {
            found.into_iter().collect()
        }
    }
}
