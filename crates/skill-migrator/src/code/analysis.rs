//! The code of a program, read once for all questions about its calls.

use std::collections::BTreeSet;

use super::arguments::{Reader, readers};
use super::facts::CodeFacts;
use super::source::Source;

/// The reached code of a program.
pub(crate) struct Analysis<'t, 'a> {
    /// The facts that need no tokens any more.
    pub(crate) facts: &'t CodeFacts,
    /// The files with the objects in them that are the arguments of a call.
    pub(super) readers: Vec<Reader<'t, 'a>>,
}

impl<'t, 'a> Analysis<'t, 'a> {
    /// Follows the arguments of a call through the sources.
    pub(crate) fn new(facts: &'t CodeFacts, sources: &'t [Source<'a>]) -> Self {
        Self {
            facts,
            readers: readers(sources),
        }
    }

    /// Returns the names of the arguments that the files read. A file that the name of a command chooses may belong to
    /// one that no text has.
    pub(crate) fn arguments(&self) -> BTreeSet<String> {
        let always = self.readers.iter().filter(|it| !it.is_chosen);
        always.flat_map(Reader::names).collect()
    }
}

/// Asks about a program of one file.
#[cfg(test)]
pub(super) fn of_file<T>(path: &str, code: &str, ask: impl FnOnce(&Analysis<'_, '_>) -> T) -> T {
    use std::collections::BTreeMap;

    let files = BTreeSet::from([path.to_owned()]);
    let texts = BTreeMap::from([(path.to_owned(), code.to_owned())]);
    let sources = super::source::sources(&files, &texts);
    ask(&Analysis::new(&CodeFacts::default(), &sources))
}
