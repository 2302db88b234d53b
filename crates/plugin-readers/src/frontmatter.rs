//! The frontmatter of a text as a tree, and the text after it.
//!
//! Hosts are lenient: commands need no frontmatter, and `argument-hint: [file] [level]`, which is
//! not YAML, is common. Such a frontmatter is read line by line, with a finding.

use std::collections::BTreeSet;

use plugin_model::{Kind, Member, Node};
use skill_diagnostics::{Diagnostic, LineIndex};
use skill_model::{split, yaml};

use crate::codes::LOOSE_FRONTMATTER;

/// A text with its frontmatter.
#[derive(Debug)]
pub(crate) struct Parsed<'a> {
    /// The frontmatter: always an object, possibly empty.
    pub(crate) root: Node,
    /// The text after the frontmatter.
    pub(crate) body: &'a str,
}

/// Reads a text. A frontmatter that is not YAML gives a warning with its place.
pub(crate) fn parse(text: &str) -> (Parsed<'_>, Vec<Diagnostic>) {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Ok(parts) = split(text) else {
        return (
            Parsed {
                root: object(Vec::new(), 0..0),
                body: text,
            },
            unclosed(text).into_iter().collect(),
        );
    };
    let (start, source) = (parts.frontmatter.start, &text[parts.frontmatter.clone()]);
    let body = &text[parts.body];
    let (members, findings) = match yaml::parse(source) {
        Ok(Some(node)) if node.entries().is_some() => (members(&node, start), Vec::new()),
        Ok(None) => (Vec::new(), Vec::new()),
        Ok(Some(node)) if node.text() == Some("") => (Vec::new(), Vec::new()),
        Ok(Some(node)) => {
            let message = format!(
                "the frontmatter is {}, expected keys and values",
                node.kind()
            );
            (lines(source, start), vec![loose(text, start, &message)])
        }
        Err(error) => {
            let message = format!("the frontmatter is not YAML: {}", error.message);
            (
                lines(source, start),
                vec![loose(text, start + error.offset, &message)],
            )
        }
    };
    let root = object(members, parts.frontmatter);
    (Parsed { root, body }, findings)
}

/// Returns a finding if a text begins like a frontmatter that does not end.
fn unclosed(text: &str) -> Option<Diagnostic> {
    let mut lines = text.lines();
    let is_open = lines.next()?.trim_end() == "---";
    let has_key = lines
        .next()?
        .split_once(':')
        .is_some_and(|(key, _)| is_key(key));
    let message = "the frontmatter has no end, so the host reads it as text";
    let finding = Diagnostic::warning(LOOSE_FRONTMATTER, message);
    let finding = finding.at(LineIndex::new(text).span(0..0));
    (is_open && has_key).then(|| finding.with_help("add a line `---` behind the last key"))
}

fn loose(text: &str, at: usize, message: &str) -> Diagnostic {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    Diagnostic::warning(LOOSE_FRONTMATTER, message)
        .at(LineIndex::new(text).span(at..at))
        .with_help(
            "it was read line by line, as the old host does; put such values in double quotes",
        )
}

/// Creates an object.
pub(crate) fn object(members: Vec<Member>, span: std::ops::Range<usize>) -> Node {
    Node {
        span,
        kind: Kind::Object(members),
    }
}

fn members(node: &yaml::Node, start: usize) -> Vec<Member> {
    let entries = node.entries().unwrap_or_default().iter();
    entries
        .map(|(key, value)| Member {
            key: key
                .text()
                .map_or_else(|| key.to_value().to_string(), str::to_owned),
            value: convert(value, start),
        })
        .collect()
}

fn convert(node: &yaml::Node, start: usize) -> Node {
    let kind = match &node.content {
        yaml::Content::Mapping { .. } => Kind::Object(members(node, start)),
        yaml::Content::Sequence { items, .. } => {
            Kind::Array(items.iter().map(|item| convert(item, start)).collect())
        }
        yaml::Content::Scalar { text, .. } => match node.to_value() {
            serde_json::Value::Null => Kind::Null,
            serde_json::Value::Bool(bool) => Kind::Bool(bool),
            serde_json::Value::Number(number) => Kind::Number(number.to_string()),
            _ => Kind::String(text.clone()),
        },
    };
    Node {
        span: node.range.start + start..node.range.end + start,
        kind,
    }
}

/// Reads the keys one by one: those that are YAML on their own, and the others as strings. Further
/// lines that are indented belong to a value. The first of two equal keys counts.
fn lines(source: &str, start: usize) -> Vec<Member> {
    let mut res: Vec<Member> = Vec::new();
    let mut seen = BTreeSet::new();
    for (at, block) in blocks(source) {
        let Some((key, value)) = block.split_once(':').filter(|(key, _)| is_key(key)) else {
            continue;
        };
        if !seen.insert(key) {
            continue;
        }
        let at = start + at;
        let read = yaml::parse(block).ok().flatten();
        let read = read.map(|node| members(&node, at)).unwrap_or_default();
        let member = read.into_iter().next().filter(|member| member.key == key);
        res.push(member.unwrap_or_else(|| Member {
            key: key.to_owned(),
            value: Node {
                span: at..at + block.len(),
                kind: plain(value),
            },
        }));
    }
    res
}

/// Returns the lines of each key with their offset.
fn blocks(source: &str) -> Vec<(usize, &str)> {
    let mut starts = Vec::new();
    let mut at = 0;
    for line in source.split_inclusive('\n') {
        let is_continued = line.starts_with([' ', '\t', '-']) || line.trim().is_empty();
        let has_key = line.split_once(':').is_some_and(|(key, _)| is_key(key));
        if has_key && !is_continued {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().copied().skip(1).chain([source.len()]);
    let ranges = starts.iter().copied().zip(ends);
    ranges
        .map(|(start, end)| (start, &source[start..end]))
        .collect()
}

/// Returns a value that is not YAML: its lines, without the blanks around them.
fn plain(value: &str) -> Kind {
    let lines = value.lines().map(str::trim);
    let mut lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    if lines.len() > 1 && matches!(lines[0], "|" | ">" | "|-" | ">-") {
        lines.remove(0);
    }
    let text = lines.join("\n");
    Kind::String(unquoted(&text).to_owned())
}

fn is_key(key: &str) -> bool {
    !key.is_empty()
        && key
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

fn unquoted(value: &str) -> &str {
    ['"', '\'']
        .into_iter()
        .find_map(|quote| value.strip_prefix(quote)?.strip_suffix(quote))
        .unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the frontmatter as JSON, the body, and the number of findings.
    #[track_caller]
    fn check(text: &str, header: &str, body: &str, n_findings: usize) {
        let (parsed, findings) = parse(text);
        assert_eq!(parsed.root.to_value().to_string(), header, "{text:?}");
        assert_eq!(parsed.body, body);
        assert_eq!(findings.len(), n_findings, "{findings:?}");
    }

    #[test]
    fn reads_yaml_and_what_only_resembles_it() {
        check("Do it.\n", "{}", "Do it.\n", 0);
        check("---\n---\nx", "{}", "x", 0);
        check(
            "---\nname: a\nn: 1\nl: [b, c]\n---\nx",
            r#"{"name":"a","n":1,"l":["b","c"]}"#,
            "x",
            0,
        );
        check(
            "---\nargument-hint: [file] [level]\ndescription: \"a: b\"\nn: true\n---\nx",
            r#"{"argument-hint":"[file] [level]","description":"a: b","n":true}"#,
            "x",
            1,
        );
        check(
            "---\ndescription: Use: this\n  and: that\n---\nx",
            r#"{"description":"Use: this\nand: that"}"#,
            "x",
            1,
        );
        check("---\n- a\n---\nx", "{}", "x", 1);
    }

    #[test]
    fn one_bad_line_does_not_spoil_the_others() {
        check(
            "---\nargument-hint: [a] [b]\narguments: [a, b]\nmap:\n  c: 1\nn: \"d: e\"\n---\nx",
            r#"{"argument-hint":"[a] [b]","arguments":["a","b"],"map":{"c":1},"n":"d: e"}"#,
            "x",
            1,
        );
    }

    #[test]
    fn a_byte_order_mark_and_an_open_frontmatter_are_read() {
        check(
            "\u{feff}---\r\na: b\r\n---\r\nx\r\n",
            r#"{"a":"b"}"#,
            "x\r\n",
            0,
        );
        check("---\na: b\n", "{}", "---\na: b\n", 1);
        check("---\n\na: b\n", "{}", "---\n\na: b\n", 0);
    }

    #[test]
    fn bombs_are_read_line_by_line() {
        let deep = format!("---\na: {}\n---\nx", "[".repeat(1000));
        assert_eq!(parse(&deep).1.len(), 1);
        let long = format!("---\na: {}\n---\nx", "y".repeat(yaml::MAX_BYTES));
        let (parsed, findings) = parse(&long);
        assert_eq!(findings.len(), 1);
        assert_eq!(parsed.body, "x");
    }
}
