//! Parsing a whole `SKILL.md` with every key and its position.

use std::ops::Range;

use skill_diagnostics::{Code, Diagnostic, LineIndex};

use super::split::{Split, SplitError, split};
use crate::yaml::{self, Content, Node, YamlError};

/// Codes of the findings of [`parse_skill`].
pub mod codes {
    use super::Code;

    /// The file contains bytes that are not UTF-8.
    pub const INVALID_UTF8: Code = Code("invalid-utf8");
    /// The first line is not `---`.
    pub const FRONTMATTER_MISSING: Code = Code("frontmatter-missing");
    /// No line closes the frontmatter.
    pub const FRONTMATTER_UNCLOSED: Code = Code("frontmatter-unclosed");
    /// The frontmatter cannot be parsed, or exceeds the bounds.
    pub const INVALID_YAML: Code = Code("invalid-yaml");
    /// A key occurs twice in one map.
    pub const DUPLICATE_KEY: Code = Code("duplicate-key");
    /// The frontmatter is a list or a text.
    pub const FRONTMATTER_NOT_A_MAP: Code = Code("frontmatter-not-a-map");
}

/// A parsed `SKILL.md`, not yet validated.
///
/// All ranges are byte ranges in the whole file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Skill {
    /// The ranges of the parts.
    pub split: Split,
    /// The frontmatter: always a map, possibly empty.
    pub header: Node,
}

impl Skill {
    /// Returns the Markdown after the frontmatter; `text` is the text that was parsed.
    pub fn body<'a>(&self, text: &'a str) -> &'a str {
        &text[self.split.body.clone()]
    }

    /// Returns the keys and values of the frontmatter in file order.
    pub fn entries(&self) -> &[(Node, Node)] {
        self.header.entries().unwrap_or_default()
    }

    /// Returns the value of a key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.header.get(key)
    }
}

/// Parses a file. Returns a skill if its frontmatter is a YAML map; every finding is an error with
/// line and column in the file.
pub fn parse_skill_bytes(bytes: &[u8]) -> (Option<Skill>, Vec<Diagnostic>) {
    match decode(bytes) {
        Ok(text) => parse_skill(text),
        Err(finding) => (None, vec![*finding]),
    }
}

/// Decodes a file; `Err` says at which position it is not UTF-8.
pub fn decode(bytes: &[u8]) -> Result<&str, Box<Diagnostic>> {
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        let good = String::from_utf8_lossy(&bytes[..at]);
        let message = format!("byte 0x{:02X} is not UTF-8", bytes[at]);
        let finding = Diagnostic::error(codes::INVALID_UTF8, message)
            .at(LineIndex::new(&good).span(at..at))
            .with_help("save the file as UTF-8");
        Box::new(finding)
    })
}

/// Parses a text. Returns a skill if its frontmatter is a YAML map; every finding is an error with
/// line and column in the file.
pub fn parse_skill(text: &str) -> (Option<Skill>, Vec<Diagnostic>) {
    match try_parse(text) {
        Ok(skill) => (Some(skill), Vec::new()),
        Err(finding) => (None, vec![*finding]),
    }
}

fn try_parse(text: &str) -> Result<Skill, Box<Diagnostic>> {
    let split = split(text).map_err(|error| split_finding(text, error))?;
    let start = split.frontmatter.start;
    let header = yaml::parse(&text[split.frontmatter.clone()])
        .map_err(|error| yaml_finding(text, start, &error))?;
    let mut header = header.unwrap_or_else(empty_map);
    header.shift(start);
    match &header.content {
        Content::Mapping { .. } => Ok(Skill { split, header }),
        Content::Scalar { text, .. } if text.is_empty() => Ok(Skill {
            header: Node {
                range: split.frontmatter.clone(),
                ..empty_map()
            },
            split,
        }),
        _ => Err(not_a_map(text, &header)),
    }
}

fn empty_map() -> Node {
    Node {
        content: Content::Mapping {
            entries: Vec::new(),
            flow: false,
        },
        range: 0..0,
        tag: None,
        anchored: false,
    }
}

fn split_finding(text: &str, error: SplitError) -> Box<Diagnostic> {
    let first_line = 0..text.find('\n').unwrap_or(text.len());
    let finding = match error {
        SplitError::Missing => Diagnostic::error(
            codes::FRONTMATTER_MISSING,
            "the file does not start with frontmatter, expected `---` as its first line",
        )
        .with_help("begin the file with `---`, `name:`, `description:` and a closing `---`"),
        SplitError::Unclosed => Diagnostic::error(
            codes::FRONTMATTER_UNCLOSED,
            "the frontmatter is not closed, expected a second line that is only `---`",
        ),
    };
    Box::new(finding.at(LineIndex::new(text).span(first_line)))
}

fn yaml_finding(text: &str, start: usize, error: &YamlError) -> Box<Diagnostic> {
    let code = if error.duplicate_key {
        codes::DUPLICATE_KEY
    } else {
        codes::INVALID_YAML
    };
    let finding = Diagnostic::error(code, error.message.clone())
        .at(LineIndex::new(text).span(point(text, start + error.offset)));
    Box::new(match colon_hint(text, start + error.offset) {
        Some(hint) if !error.duplicate_key => finding.with_help(hint),
        _ => finding,
    })
}

/// Returns the range of the character at an offset; empty at the end.
fn point(text: &str, at: usize) -> Range<usize> {
    let width = text
        .get(at..)
        .and_then(|rest| rest.chars().next())
        .filter(|c| *c != '\n' && *c != '\r')
        .map_or(0, char::len_utf8);
    at..at + width
}

/// Detects the most frequent mistake in real files: an unquoted value with a colon in it.
fn colon_hint(text: &str, at: usize) -> Option<String> {
    let before = text.get(..at)?;
    let line = &text[before.rfind('\n').map_or(0, |n| n + 1)..];
    let (key, value) = line.lines().next()?.split_once(": ")?;
    let unquoted = !value
        .trim_start()
        .starts_with(['"', '\'', '|', '>', '[', '{']);
    (unquoted && value.contains(": "))
        .then(|| format!("put the value of `{}` in double quotes", key.trim()))
}

fn not_a_map(text: &str, header: &Node) -> Box<Diagnostic> {
    let message = format!(
        "the frontmatter is {}, expected keys and values",
        header.kind()
    );
    let span = LineIndex::new(text).span(header.range.clone());
    Box::new(Diagnostic::error(codes::FRONTMATTER_NOT_A_MAP, message).at(span))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, code: Code, line: u32, column: u32) {
        let (skill, findings) = parse_skill(text);
        assert_eq!(skill, None);
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].code, code, "{}", findings[0].message);
        let position = findings[0].place.span.as_ref().unwrap().position;
        assert_eq!((position.line, position.column), (line, column));
    }

    #[track_caller]
    fn check_value(yaml: &str, expected: &str) {
        let text = format!("---\n{yaml}\n---\nBody\n");
        let (skill, findings) = parse_skill(&text);
        assert_eq!(findings, []);
        let skill = skill.unwrap();
        assert_eq!(skill.get("a").and_then(Node::text), Some(expected));
        assert_eq!(skill.body(&text), "Body\n");
    }

    #[test]
    fn keeps_values_whole() {
        check_value("a: x --- y", "x --- y");
        check_value("a: \"---\\n---\"", "---\n---");
        check_value("a: |\n  one\n  ---\n  two", "one\n---\ntwo\n");
        check_value("a: >-\n  one\n  two # no comment", "one two # no comment");
        check_value("# a comment\na: b # c", "b");
        check_value("a: 'it''s'", "it's");
        check_value("b: &x 参数\na: *x", "参数");
    }

    #[test]
    fn ranges_are_of_the_whole_file() {
        let text = "\u{feff}---\r\nname: x\r\nname2: \"参\"\r\n---\r\n";
        let skill = parse_skill(text).0.unwrap();
        assert_eq!(&text[skill.get("name2").unwrap().range.clone()], "\"参\"");
        assert_eq!(&text[skill.entries()[1].0.range.clone()], "name2");
        assert_eq!(&text[skill.get("name").unwrap().range.clone()], "x");
    }

    #[test]
    fn an_empty_frontmatter_has_no_keys() {
        for text in ["---\n---\n", "---\n\n---\n", "---\n# only a comment\n---\n"] {
            assert_eq!(parse_skill(text).0.unwrap().entries(), [], "{text:?}");
        }
    }

    #[test]
    fn findings_have_places_in_the_file() {
        check("# x\n", codes::FRONTMATTER_MISSING, 1, 1);
        check("---\na: b\n", codes::FRONTMATTER_UNCLOSED, 1, 1);
        check("---\na: 1\nb: 2\na: 3\n---\n", codes::DUPLICATE_KEY, 4, 1);
        check("---\n- a\n---\n", codes::FRONTMATTER_NOT_A_MAP, 2, 1);
        check("---\nb:\n\tc: d\n---\n", codes::INVALID_YAML, 3, 2);
        check("---\na: \"b\n---\n", codes::INVALID_YAML, 3, 1);
        check("---\na: *b\n---\n", codes::INVALID_YAML, 2, 4);
    }

    #[test]
    fn bad_bytes_are_findings() {
        let (skill, findings) = parse_skill_bytes(b"---\na: \xC0\xAF\n---\n");
        assert_eq!(skill, None);
        assert_eq!(findings[0].code, codes::INVALID_UTF8);
        assert_eq!(findings[0].place.span.as_ref().unwrap().position.line, 2);
    }

    #[test]
    fn bounds_hold() {
        let bomb = "---\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\n\
            c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n\
            e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\n---\n";
        check(bomb, codes::INVALID_YAML, 6, 11);
        let long = format!("---\na: {}\n---\n", "x".repeat(yaml::MAX_BYTES));
        check(&long, codes::INVALID_YAML, 2, 1);
        let deep = format!("---\na: {}\n---\n", "[".repeat(1000));
        assert_eq!(parse_skill(&deep).1[0].code, codes::INVALID_YAML);
    }

    #[test]
    fn a_colon_in_a_value_gets_a_hint() {
        let findings = parse_skill("---\ndescription: Use this: when\n---\n").1;
        let hint = "put the value of `description` in double quotes";
        assert_eq!(findings[0].help.as_deref(), Some(hint));
    }
}
