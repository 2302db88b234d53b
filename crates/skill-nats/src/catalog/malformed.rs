//! Entries of the catalog that cannot be used.

/// The maximum number of characters of a reason.
const MAX: usize = 300;

/// An entry of a living node that cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the catalog entry {subject} of the node `{node}` is malformed: {problem}")]
pub struct MalformedEntry {
    /// The node that wrote the entry.
    pub node: String,
    /// The subject of the entry on the server: `$KV.skills-catalog.<skill>.<node>`.
    pub subject: String,
    /// The reason why the entry cannot be used.
    pub problem: String,
}

impl MalformedEntry {
    /// Creates the report about an entry. All of it was written by another machine, so characters
    /// that a terminal would obey are escaped.
    pub(super) fn new(node: &str, subject: &str, problem: &str) -> Self {
        Self {
            node: escaped(node),
            subject: escaped(subject),
            problem: escaped(problem),
        }
    }
}

fn escaped(text: &str) -> String {
    let mut res = String::new();
    for c in text.chars().take(MAX) {
        match c {
            '"' | '\'' | '\\' => res.push(c),
            c => res.extend(c.escape_debug()),
        }
    }
    res
}
