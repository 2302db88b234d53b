//! Texts as a model is given them: marked where they begin and end, with what to call next.
//!
//! **Invariant:** no name or description closes a mark, and no text ends its own wrapper.

use std::fmt::Write as _;

use serde_json::{Value, json};

/// A value between quotes, or in one line: escaped as XML asks for, controls and characters that
/// turn the direction of writing replaced.
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

/// A text that ends where it is said to end: a closing mark of ours in it is broken up.
pub(crate) fn inside(name: &str, text: &str) -> String {
    text.replace(&format!("</{name}"), &format!("<\\/{name}"))
}

/// A call as it can be made.
pub(crate) struct Next {
    pub(crate) tool: String,
    pub(crate) arguments: Value,
}

impl Next {
    /// In one line of text.
    pub(crate) fn line(&self) -> String {
        format!("{} {}", self.tool, self.arguments)
    }

    /// For programs.
    pub(crate) fn data(&self) -> Value {
        json!({"tool": self.tool, "arguments": self.arguments})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_leaves_its_mark() {
        let hostile = "a\"><x>\n\u{202e}\u{1b}";
        let fields = [("name", hostile.to_owned())];
        assert_eq!(
            open("skill", &fields),
            "<skill name=\"a&quot;&gt;&lt;x&gt; \u{fffd}\u{fffd}\">"
        );
        assert_eq!(inside("skill", "a</skill>b</skil"), "a<\\/skill>b</skil");
    }
}
