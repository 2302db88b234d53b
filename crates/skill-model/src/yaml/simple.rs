//! A fast path for the frontmatter of nearly every skill: lines of `key: value`, one nested level
//! under a key, plain words or double quotes without escapes.
//!
//! For anything else [`parse`] returns `None` and the full parser takes over. Its results equal
//! those of the full parser, ranges included; a property test compares them.

use std::ops::Range;

use super::{Content, Node, Style};

/// Parses a text if it has the simple form.
pub(super) fn parse(text: &str) -> Option<Node> {
    let mut lines = Lines { text, at: 0 };
    let mut entries: Vec<(Node, Node)> = Vec::new();
    while let Some(line) = lines.peek() {
        let (key, value) = split(text, line)?;
        lines.at = line_after(text, key.end);
        if key.start != line_start(text, key.start) {
            return None;
        }
        let value = match value {
            Some(value) => value,
            None => inner(&mut lines)?,
        };
        push(&mut entries, text, key, value)?;
    }
    let first = entries.first()?.0.range.start;
    Some(mapping(entries, first..text.len()))
}

struct Lines<'a> {
    text: &'a str,
    at: usize,
}

impl Lines<'_> {
    /// Returns the next line without its end.
    fn peek(&self) -> Option<Range<usize>> {
        if self.at >= self.text.len() {
            return None;
        }
        let end = memchr::memchr(b'\n', &self.text.as_bytes()[self.at..])?;
        Some(self.at..self.at + end)
    }
}

/// Parses the indented lines under a key.
fn inner(lines: &mut Lines<'_>) -> Option<Node> {
    let mut entries: Vec<(Node, Node)> = Vec::new();
    let mut indent = None;
    while let Some(line) = lines.peek() {
        let text = &lines.text[line.clone()];
        let n_spaces = text.len() - text.trim_start_matches(' ').len();
        if n_spaces == 0 {
            break;
        }
        if *indent.get_or_insert(n_spaces) != n_spaces {
            return None;
        }
        let (key, value) = split(lines.text, line.start + n_spaces..line.end)?;
        push(&mut entries, lines.text, key, value?)?;
        lines.at = line.end + 1;
    }
    let first = entries.first()?.0.range.start;
    Some(mapping(entries, first..lines.at))
}

/// Returns the key and the value of a line; no value if nothing follows the colon.
fn split(text: &str, line: Range<usize>) -> Option<(Range<usize>, Option<Node>)> {
    let bytes = &text.as_bytes()[line.clone()];
    let length = bytes
        .iter()
        .position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_')))?;
    let key = line.start..line.start + length;
    if !bytes.first()?.is_ascii_alphabetic() || bytes.get(length) != Some(&b':') {
        return None;
    }
    match &bytes[length + 1..] {
        [] => Some((key, None)),
        [b' ', rest @ ..] => {
            let start = key.end + 2;
            Some((key, Some(scalar(text, start..start + rest.len())?)))
        }
        _ => None,
    }
}

/// Parses a scalar that fills the rest of a line.
fn scalar(text: &str, range: Range<usize>) -> Option<Node> {
    let value = &text[range.clone()];
    if let Some(inner) = value.strip_prefix('"') {
        let inner = inner.strip_suffix('"')?;
        let is_simple = !inner.contains(['"', '\\']) && inner.chars().all(is_printable);
        return is_simple.then(|| node(inner, Style::Quoted, range));
    }
    let is_plain = value.starts_with(char::is_alphanumeric)
        && !value.ends_with([' ', ':'])
        && !value.contains(": ")
        && !value.contains(" #")
        && value.chars().all(is_printable);
    is_plain.then(|| node(value, Style::Plain, range))
}

/// Returns true for characters without a special meaning in YAML.
fn is_printable(c: char) -> bool {
    c == ' ' || !crate::chars::is_inkless(c)
}

fn node(text: &str, style: Style, range: Range<usize>) -> Node {
    let text = text.to_owned();
    Node {
        content: Content::Scalar { text, style },
        range,
        tag: None,
        anchored: false,
    }
}

fn mapping(entries: Vec<(Node, Node)>, range: Range<usize>) -> Node {
    Node {
        content: Content::Mapping {
            entries,
            flow: false,
        },
        range,
        tag: None,
        anchored: false,
    }
}

/// Adds an entry unless the key exists already.
fn push(entries: &mut Vec<(Node, Node)>, text: &str, key: Range<usize>, value: Node) -> Option<()> {
    let name = &text[key.clone()];
    if entries.len() > MAX_ENTRIES || entries.iter().any(|(other, _)| other.text() == Some(name)) {
        return None;
    }
    entries.push((node(name, Style::Plain, key), value));
    Some(())
}

/// Larger maps are left to the full parser, which compares keys in less than quadratic time.
const MAX_ENTRIES: usize = 32;

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |n| n + 1)
}

fn line_after(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |n| at + n + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, is_simple: bool) {
        let simple = parse(text);
        assert_eq!(simple.is_some(), is_simple, "{text:?}");
        if is_simple {
            assert_eq!(
                simple,
                super::super::parse::parse_fully(text).unwrap(),
                "{text:?}"
            );
        }
    }

    #[test]
    fn agrees_with_the_parser() {
        check("name: a\ndescription: Does it. Use when (x), 技：1\n", true);
        check(
            "name: \"a: b # c\"\nmetadata:\n  a: b\n  version: 1.0\nlicense: MIT\n",
            true,
        );
        check("a: true\nb: \"\"\nmetadata:\n    x: y\n", true);
        check("a: http://x.y/z#w\n", true);
    }

    #[test]
    fn leaves_the_rest() {
        for text in [
            "",
            "\n",
            "a:\n",
            "a: b",
            "a: b\r\n",
            "a: b: c\n",
            "a: b #c\n",
            "a: 'b'\n",
            "a: |\n  b\n",
            "a: b\n  c\n",
            "a: b\na: c\n",
            "- a\n",
            "a: [b]\n",
            "a: \"b\\n\"\n",
            "a: \"b\n",
            "# c\na: b\n",
            "a:  b\n",
            "a:\n  b:\n",
            "a:\n  b: c\n   d: e\n",
            "a: b:\n",
            "a: b \n",
            "a:\n  - b\n",
            " a: b\n",
            "a: b\n...\n",
            "a: b\tc\n",
            "a: \u{85}b\n",
        ] {
            check(text, false);
        }
    }

    proptest! {
        #[test]
        fn never_disagrees(lines in prop::collection::vec(
            "( {0,3})(a|b|name|true|metadata|x-y|1)?(:|: |)([a-z1\"'#&:\\[{|>~é技-]{0,3} ?){0,3}", 0..5,
        )) {
            let text = lines.join("\n") + "\n";
            if let Some(node) = parse(&text) {
                prop_assert_eq!(super::super::parse::parse_fully(&text).ok().flatten(), Some(node), "{:?}", text);
            }
        }
    }
}
