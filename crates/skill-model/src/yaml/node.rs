//! A YAML document as a tree that keeps its notation.

use std::ops::Range;

use skill_diagnostics::steps;

/// A value with its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// The value.
    pub content: Content,
    /// Byte range of the value in the parsed text; of the alias, if the value comes from one.
    pub range: Range<usize>,
    /// The tag, such as `!!str` or `!local`, if one is written.
    pub tag: Option<String>,
    /// True if an anchor or an alias is written.
    pub anchored: bool,
}

/// The three kinds of value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// A text, not yet resolved to a number or the like.
    Scalar {
        /// The text after escapes and folding.
        text: String,
        /// The notation in the text.
        style: Style,
    },
    /// A list.
    Sequence {
        /// The entries.
        items: Vec<Node>,
        /// True for brackets.
        flow: bool,
    },
    /// A map without duplicate keys.
    Mapping {
        /// Keys and values, in the order of the text.
        entries: Vec<(Node, Node)>,
        /// True for braces.
        flow: bool,
    },
}

/// The notation of a scalar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Without quotes: the only style that can be a number, a boolean or null.
    Plain,
    /// In single or double quotes.
    Quoted,
    /// As a `|` or `>` block.
    Block,
}

impl Node {
    /// Returns the text of a scalar.
    pub fn text(&self) -> Option<&str> {
        match &self.content {
            Content::Scalar { text, .. } => Some(text),
            _ => None,
        }
    }

    /// Returns the keys and values of a map.
    pub fn entries(&self) -> Option<&[(Node, Node)]> {
        match &self.content {
            Content::Mapping { entries, .. } => Some(entries),
            _ => None,
        }
    }

    /// Returns the value of a key of a map.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries()?.iter().find_map(|(k, value)| {
            steps::count(1);
            (k.text() == Some(key)).then_some(value)
        })
    }

    /// Returns the word for this kind of value, with its article.
    pub fn kind(&self) -> &'static str {
        match &self.content {
            Content::Scalar { .. } => match self.to_value() {
                serde_json::Value::Null => "nothing",
                serde_json::Value::Bool(_) => "a boolean",
                serde_json::Value::Number(_) => "a number",
                _ => "a string",
            },
            Content::Sequence { .. } => "a list",
            Content::Mapping { .. } => "a map",
        }
    }

    /// Moves all ranges by an offset, for a text that is a part of a longer one.
    pub(crate) fn shift(&mut self, by: usize) {
        self.range = self.range.start + by..self.range.end + by;
        match &mut self.content {
            Content::Scalar { .. } => {}
            Content::Sequence { items, .. } => items.iter_mut().for_each(|item| item.shift(by)),
            Content::Mapping { entries, .. } => entries.iter_mut().for_each(|(key, value)| {
                key.shift(by);
                value.shift(by);
            }),
        }
    }
}
