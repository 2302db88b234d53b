//! The keys of `config.env` and similar files, and an example without values.
//!
//! The host's dotenv is patched (`docs/design/legacy-host.md` §1.1.4): keys may contain `.@#%&^+-`, `KEY: value`
//! counts, quoted values may span several lines.

use std::collections::BTreeSet;

/// A relevant line of an env file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Line {
    /// A comment, without `#`.
    Comment(String),
    /// An empty line.
    Blank,
    /// A key; its value is not kept.
    Key(String),
    /// A key in a comment: an optional setting.
    Optional(String),
}

/// Returns the lines of an env file without any value.
pub(crate) fn read(text: &str) -> Vec<Line> {
    let mut lines = text.lines();
    let mut acc = Vec::new();
    while let Some(line) = lines.next() {
        let line = line.trim().trim_start_matches('\u{FEFF}');
        if line.is_empty() {
            acc.push(Line::Blank);
        } else if let Some(comment) = line.strip_prefix('#') {
            let comment = comment.trim_start_matches('#').trim();
            acc.push(match assignment(comment) {
                Some((key, _)) => Line::Optional(key.to_owned()),
                None => Line::Comment(comment.to_owned()),
            });
        } else if let Some((key, value)) = assignment(line) {
            acc.push(Line::Key(key.to_owned()));
            skip_rest_of_value(value, &mut lines);
        }
    }
    acc
}

/// Returns the key and the raw value of `KEY=value`, `export KEY=value` or `KEY: value`.
fn assignment(line: &str) -> Option<(&str, &str)> {
    let line = line.strip_prefix("export ").unwrap_or(line).trim_start();
    let end = line.find(|c: char| !(c.is_ascii_alphanumeric() || "_.@#%&^+-".contains(c)))?;
    let (key, rest) = line.split_at(end);
    let rest = rest.trim_start();
    let value = rest.strip_prefix('=').or_else(|| rest.strip_prefix(": "))?;
    let starts_well = key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    starts_well.then_some((key, value.trim_start()))
}

/// Skips the rest of a quoted value that spans several lines; without a closing quote, the value is
/// the line.
fn skip_rest_of_value(value: &str, lines: &mut std::str::Lines<'_>) {
    let Some(quote) = value
        .chars()
        .next()
        .filter(|c| matches!(c, '"' | '\'' | '`'))
    else {
        return;
    };
    if value[1..].contains(quote) {
        return;
    }
    let ahead = lines.clone();
    for (n, line) in ahead.enumerate() {
        if line.contains(quote) {
            lines.nth(n);
            return;
        }
    }
}

/// Returns the keys that an env file sets.
pub(crate) fn keys(text: &str) -> BTreeSet<String> {
    let lines = read(text).into_iter();
    lines
        .filter_map(|line| {
            if let Line::Key(key) = line {
                Some(key)
            } else {
                None
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<String> = read(text)
            .into_iter()
            .map(|line| match line {
                Line::Comment(text) => format!("# {text}"),
                Line::Blank => String::new(),
                Line::Key(key) => key,
                Line::Optional(key) => format!("({key})"),
            })
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn keeps_keys_and_comments_but_no_value() {
        check(
            "# 说明\n\nA=1\nexport B = 'x'\nC: y\n",
            &["# 说明", "", "A", "B", "C"],
        );
        check("#KEY=sk-secret\n## Title ##", &["(KEY)", "# Title ##"]);
        check("a.b@c=1\n1x=2\nno assignment\nhttp://x=1", &["a.b@c"]);
    }

    #[test]
    fn values_over_several_lines_are_one_value() {
        check("A=\"one\nB=2\nthree\"\nC=4", &["A", "C"]);
        check("A=\"open\nB=2", &["A", "B"]);
    }
}
