//! A frontmatter that is edited as text, so that comments and order stay.

use std::ops::Range;

use skill_model::yaml::{Content, Node, quoted};
use skill_model::{Skill, parse_skill};

/// A `SKILL.md` and its parse.
pub(super) struct Header<'a> {
    pub(super) text: &'a str,
    pub(super) skill: Skill,
}

impl<'a> Header<'a> {
    pub(super) fn read(text: &'a str) -> Option<Self> {
        let skill = parse_skill(text).0?;
        Some(Self { text, skill })
    }

    /// The key and value of the frontmatter of which one starts at an offset.
    pub(super) fn entry_at(&self, offset: usize) -> Option<(&Node, &Node)> {
        let mut entries = self.skill.entries().iter();
        entries
            .find(|(key, value)| key.range.start == offset || value.range.start == offset)
            .map(|(k, v)| (k, v))
    }

    /// The value that starts at an offset, at the top or one level down.
    pub(super) fn value_at(&self, offset: usize) -> Option<&Node> {
        let top = self.skill.entries().iter().map(|(_, value)| value);
        let inner = top
            .clone()
            .filter_map(Node::entries)
            .flatten()
            .map(|(_, value)| value);
        top.chain(inner)
            .find(|value| value.range.start == offset && value.text().is_some())
    }

    pub(super) fn key(&self, name: &str) -> Option<&(Node, Node)> {
        self.skill
            .entries()
            .iter()
            .find(|(key, _)| key.text() == Some(name))
    }

    /// The text with a range replaced.
    pub(super) fn with(&self, range: Range<usize>, new: &str) -> String {
        [&self.text[..range.start], new, &self.text[range.end..]].concat()
    }

    /// The line end of the file.
    pub(super) fn line_end(&self) -> &'static str {
        if self.text.contains("\r\n") {
            "\r\n"
        } else {
            "\n"
        }
    }

    /// The whole lines of an entry.
    pub(super) fn lines_of(&self, key: &Node, value: &Node) -> Range<usize> {
        let start = self.text[..key.range.start]
            .rfind('\n')
            .map_or(0, |at| at + 1);
        start..self.line_after(end_of(value).max(key.range.end))
    }

    /// The start of the line after an offset.
    fn line_after(&self, offset: usize) -> usize {
        // A block scalar ends after its last line end.
        if self.text[..offset].ends_with('\n') {
            return offset;
        }
        self.text[offset..]
            .find('\n')
            .map_or(self.text.len(), |at| offset + at + 1)
    }

    /// Returns the text with one more key in `metadata`; `None` if the form of `metadata` does not allow
    /// that.
    pub(super) fn with_metadata(&self, name: &str, value: &str) -> Option<String> {
        let end = self.line_end();
        let line = |indent: &str| format!("{indent}{}: {}{end}", key_text(name), quoted(value));
        let Some((key, map)) = self.key("metadata") else {
            let at = self.skill.split.frontmatter.end;
            return Some(self.with(at..at, &format!("metadata:{end}{}", line("  "))));
        };
        let Content::Mapping {
            entries,
            flow: false,
        } = &map.content
        else {
            return None;
        };
        let (first, _) = entries.first()?;
        let (_, last) = entries.last()?;
        let start = self.text[..first.range.start]
            .rfind('\n')
            .map_or(0, |at| at + 1);
        let indent = &self.text[start..first.range.start];
        let at = self.line_after(end_of(last));
        let is_below = first.range.start > key.range.end
            && indent.chars().all(|c| c == ' ')
            && !indent.is_empty();
        is_below.then(|| self.with(at..at, &line(indent)))
    }
}

/// The end of a value's last scalar.
pub(super) fn end_of(node: &Node) -> usize {
    match &node.content {
        Content::Scalar { .. } => node.range.end,
        Content::Sequence { items, flow: false } => items.last().map_or(node.range.start, end_of),
        Content::Mapping {
            entries,
            flow: false,
        } => entries
            .last()
            .map_or(node.range.start, |(_, value)| end_of(value)),
        _ => node.range.end,
    }
}

fn key_text(name: &str) -> String {
    let is_plain = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
        && !name.contains("--");
    if is_plain {
        name.to_owned()
    } else {
        quoted(name)
    }
}
