//! The table of `data/shapes.txt`: what files, services and errors are about.

use std::sync::OnceLock;

/// The table; `#` begins a comment.
const TABLE: &str = include_str!("../../data/shapes.txt");

/// The subject of a part of a request: a skill that has one of the words has all of them.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Topic {
    words: &'static str,
}

impl Topic {
    /// Returns the words, the most important first.
    pub(crate) fn words(&self) -> impl Iterator<Item = &'static str> {
        self.words.split_whitespace()
    }
}

/// The rows of the table by their kind.
pub(crate) struct ShapeTable {
    topics: Vec<Topic>,
    /// Extensions and names of files, sorted, with the places of their topics.
    files: Vec<(&'static str, usize)>,
    hosts: Vec<(&'static str, usize)>,
    /// Names of errors of one language.
    errors: Vec<(&'static str, usize)>,
    error: usize,
    address: usize,
    formula: usize,
}

impl ShapeTable {
    /// Returns the table that is compiled in.
    pub(super) fn shipped() -> &'static Self {
        static SHIPPED: OnceLock<ShapeTable> = OnceLock::new();
        SHIPPED.get_or_init(|| Self::parse(TABLE))
    }

    fn parse(table: &'static str) -> Self {
        let mut res = Self {
            topics: Vec::new(),
            files: Vec::new(),
            hosts: Vec::new(),
            errors: Vec::new(),
            error: 0,
            address: 0,
            formula: 0,
        };
        let rows = table.lines().filter(|line| !line.starts_with('#'));
        for (keys, words) in rows.filter_map(|line| line.split_once(": ")) {
            let place = res.topics.len();
            res.topics.push(Topic { words });
            let mut keys = keys.split_whitespace();
            match keys.next() {
                Some("file") => res.files.extend(keys.map(|key| (key, place))),
                Some("host") => res.hosts.extend(keys.map(|key| (key, place))),
                Some("errors") => res.errors.extend(keys.map(|key| (key, place))),
                Some("error") => res.error = place,
                Some("formula") => res.formula = place,
                _ => res.address = place,
            }
        }
        res.files.sort_unstable();
        res
    }

    /// Returns what files with this extension, or of this name, hold.
    pub(super) fn file(&self, key: &str) -> Option<&Topic> {
        let found = self.files.binary_search_by_key(&key, |row| row.0).ok()?;
        self.topics.get(self.files[found].1)
    }

    /// Returns what the service at a host is; the longest name decides.
    pub(super) fn host(&self, host: &str) -> Option<&Topic> {
        let is_end = |name: &str| {
            let before = host.strip_suffix(name);
            before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
        };
        let found = self.hosts.iter().filter(|(name, _)| is_end(name));
        let longest = found.max_by_key(|(name, _)| name.len());
        longest.and_then(|(_, place)| self.topics.get(*place))
    }

    /// Returns the language of an error by its name.
    pub(super) fn error_of(&self, name: &str) -> Option<&Topic> {
        let found = self.errors.iter().find(|(known, _)| *known == name);
        found.and_then(|(_, place)| self.topics.get(*place))
    }

    /// Returns what a pasted error is about.
    pub(super) fn error(&self) -> &Topic {
        &self.topics[self.error]
    }

    /// Returns what a formula is about.
    pub(super) fn formula(&self) -> &Topic {
        &self.topics[self.formula]
    }

    /// Returns what every address is about.
    pub(super) fn address(&self) -> &Topic {
        &self.topics[self.address]
    }
}
