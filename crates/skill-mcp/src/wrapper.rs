//! Marks where texts for a model begin and end, and adds the next call.
//!
//! **Invariant:** a name or a description never closes a tag, and a text never ends its own
//! wrapper.

use std::fmt::Write as _;

use serde_json::{Value, json};

/// Escapes a value that is written between quotes or in one line: as XML requires, with control
/// characters and characters that change the direction of writing replaced.
pub(crate) fn attribute(text: &str) -> String {
    let mut res = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => res.push_str("&amp;"),
            '<' => res.push_str("&lt;"),
            '>' => res.push_str("&gt;"),
            '"' => res.push_str("&quot;"),
            '\n' | '\r' | '\t' => res.push(' '),
            c if c.is_control() || is_reordering(c) => res.push('\u{fffd}'),
            c => res.push(c),
        }
    }
    res
}

fn is_reordering(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// `<name key="value" …>`.
pub(crate) fn open(name: &str, fields: &[(&str, String)]) -> String {
    let mut res = format!("<{name}");
    for (key, value) in fields {
        let _ = write!(res, " {key}=\"{}\"", attribute(value));
    }
    res.push('>');
    res
}

/// Breaks up the closing tag `name` inside a text, so that the text ends only where its wrapper
/// does.
pub(crate) fn inside(name: &str, text: &str) -> String {
    text.replace(&format!("</{name}"), &format!("<\\/{name}"))
}

/// A call that the model can make next.
pub(crate) struct Next {
    pub(crate) tool: String,
    pub(crate) arguments: Value,
}

impl Next {
    /// Returns the call as one line of text.
    pub(crate) fn line(&self) -> String {
        format!("{} {}", self.tool, self.arguments)
    }

    /// Returns the call as data for programs.
    pub(crate) fn data(&self) -> Value {
        json!({"tool": self.tool, "arguments": self.arguments})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_inside_their_tags() {
        let hostile = "a\"><x>\n\u{202e}\u{1b}";
        let fields = [("name", hostile.to_owned())];
        assert_eq!(
            open("skill", &fields),
            "<skill name=\"a&quot;&gt;&lt;x&gt; \u{fffd}\u{fffd}\">"
        );
        assert_eq!(inside("skill", "a</skill>b</skil"), "a<\\/skill>b</skil");
    }
}
