//! Colours, and texts that cannot control a terminal.

use std::fmt;

use anstyle::{AnsiColor, Style};

/// Colours, or none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Paint {
    /// Whether there are any.
    pub on: bool,
}

impl Paint {
    /// No colours.
    pub const NONE: Self = Self { on: false };

    fn with(self, style: Style, text: impl fmt::Display) -> String {
        if self.on {
            format!("{style}{text}{style:#}")
        } else {
            text.to_string()
        }
    }

    /// Something good.
    pub fn good(self, text: impl fmt::Display) -> String {
        self.with(AnsiColor::Green.on_default(), text)
    }

    /// Something to look at.
    pub fn warning(self, text: impl fmt::Display) -> String {
        self.with(AnsiColor::Yellow.on_default(), text)
    }

    /// Something wrong.
    pub fn error(self, text: impl fmt::Display) -> String {
        self.with(AnsiColor::Red.on_default().bold(), text)
    }

    /// Something important.
    pub fn strong(self, text: impl fmt::Display) -> String {
        self.with(Style::new().bold(), text)
    }

    /// Something beside the point.
    pub fn faint(self, text: impl fmt::Display) -> String {
        self.with(Style::new().dimmed(), text)
    }
}

/// A text from a plugin, a skill or a path as a part of a line: what a terminal would obey or hide
/// is escaped, line ends too, so that no line can be forged.
pub fn printable(text: &str) -> String {
    let mut res = String::with_capacity(text.len());
    for c in text.chars() {
        if c != '\t' && skill_model::is_inkless(c) {
            res.extend(c.escape_default());
        } else {
            res.push(c);
        }
    }
    res
}

/// The text with a mark of the same width for each character that a terminal would obey or hide.
pub fn visible(text: &str) -> String {
    skill_diagnostics::steps::count(text.len());
    let mut res = String::with_capacity(text.len());
    for c in text.chars() {
        let is_plain = matches!(c, '\n' | '\t') || !skill_model::is_inkless(c);
        if is_plain {
            res.push(c);
        } else {
            // As many bytes as before, so that spans stay right.
            res.push_str(match c.len_utf8() {
                1 if c == '\r' => " ",
                1 => "?",
                2 => "¿",
                3 => "□",
                _ => "\u{1F6AB}",
            });
        }
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_is_printed() {
        let text = "a\u{1B}]0;x\u{7}\nforged \u{9B}31m\u{202E}文字";
        assert_eq!(
            printable(text),
            r"a\u{1b}]0;x\u{7}\nforged \u{9b}31m\u{202e}文字"
        );
        assert_eq!(visible(text).len(), text.len());
    }
}
