//! The lines of an env file without values, for an example that anybody may see.

use std::collections::BTreeSet;

use super::pattern::{Assignment, assignments, normalize};

/// A line of an env file that means something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EnvLine {
    /// A comment, without `#`.
    Comment(String),
    /// An empty line.
    Blank,
    /// A key; its value is not kept.
    Key(String),
    /// A key in a comment: an optional setting.
    Optional(String),
}

/// Returns the lines of an env file without any value. A value over several lines is one line, and
/// lines that the host ignores are left out.
pub fn env_lines(text: &str) -> Vec<EnvLine> {
    let text = normalize(text);
    let mut acc = Vec::new();
    let mut at = 0;
    for Assignment { key, value } in assignments(&text) {
        if is_comment(&text[key.clone()]) {
            continue;
        }
        let line_start = text[..key.start].rfind('\n').map_or(0, |end| end + 1);
        add_others(&text[at..line_start], &mut acc);
        acc.push(EnvLine::Key(text[key].to_owned()));
        let rest = text[value.end..].find('\n');
        at = rest.map_or(text.len(), |length| value.end + length + 1);
    }
    add_others(&text[at..], &mut acc);
    acc
}

/// Returns the keys that an env file sets.
pub fn env_keys(text: &str) -> BTreeSet<String> {
    let lines = env_lines(text).into_iter();
    lines
        .filter_map(|line| match line {
            EnvLine::Key(key) => Some(key),
            _ => None,
        })
        .collect()
}

/// Returns true if a key is a comment for people. The host allows `#` in keys, so it reads
/// `#KEY=x` as the key `#KEY`.
fn is_comment(key: &str) -> bool {
    key.starts_with('#')
}

/// Adds comments and blank lines of a text between two assignments.
fn add_others(text: &str, acc: &mut Vec<EnvLine>) {
    for line in text.lines() {
        let line = line.trim().trim_start_matches('\u{FEFF}');
        if line.is_empty() {
            acc.push(EnvLine::Blank);
        } else if let Some(comment) = line.strip_prefix('#') {
            let comment = comment.trim_start_matches('#').trim();
            acc.push(match optional_key(comment) {
                Some(key) => EnvLine::Optional(key.to_owned()),
                None => EnvLine::Comment(comment.to_owned()),
            });
        }
    }
}

/// Returns the key if a comment is an assignment. A comment is prose, so the key must start with a
/// letter or `_`.
fn optional_key(comment: &str) -> Option<&str> {
    let first = assignments(comment).next()?;
    let key = &comment[first.key];
    key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        .then_some(key)
}
