//! Colours and the language of a text, and escaping of texts that could control a terminal.

use std::borrow::Cow;
use std::fmt;

use anstyle::{AnsiColor, Style};
use skill_language::Language;

/// The look of a text for people: its colours and its language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Paint {
    /// Use colours.
    pub on: bool,
    /// The language.
    pub language: Language,
}

impl Paint {
    /// English without colours.
    pub const NONE: Self = Self {
        on: false,
        language: Language::English,
    };

    /// Returns the same without colours.
    #[must_use]
    pub fn without_colors(self) -> Self {
        Self { on: false, ..self }
    }

    /// Returns a text of the tools in the language.
    pub fn say(self, text: &str) -> Cow<'_, str> {
        self.language.say(text)
    }

    fn with(self, style: Style, text: impl fmt::Display) -> String {
        if self.on {
            format!("{style}{text}{style:#}")
        } else {
            text.to_string()
        }
    }

    /// Formats a text as good news.
    pub fn good(self, text: impl fmt::Display) -> String {
        self.with(AnsiColor::Green.on_default(), text)
    }

    /// Formats a text as a warning.
    pub fn warning(self, text: impl fmt::Display) -> String {
        self.with(AnsiColor::Yellow.on_default(), text)
    }

    /// Formats a text as an error.
    pub fn error(self, text: impl fmt::Display) -> String {
        self.with(AnsiColor::Red.on_default().bold(), text)
    }

    /// Emphasises a text.
    pub fn strong(self, text: impl fmt::Display) -> String {
        self.with(Style::new().bold(), text)
    }

    /// De-emphasises a text.
    pub fn faint(self, text: impl fmt::Display) -> String {
        self.with(Style::new().dimmed(), text)
    }
}

/// Escapes a text from a plugin, a skill or a path for use within a line: control characters and
/// invisible characters, and line ends too, so that a line cannot be forged.
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

/// Replaces each control character or invisible character by a mark of the same length in bytes.
pub fn visible(text: &str) -> String {
    skill_diagnostics::steps::count(text.len());
    let mut res = String::with_capacity(text.len());
    for c in text.chars() {
        let is_plain = matches!(c, '\n' | '\t') || !skill_model::is_inkless(c);
        if is_plain {
            res.push(c);
        } else {
            // The mark has as many bytes as the character, so that spans stay valid.
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
    fn control_characters_are_not_printed() {
        let text = "a\u{1B}]0;x\u{7}\nforged \u{9B}31m\u{202E}文字";
        assert_eq!(
            printable(text),
            r"a\u{1b}]0;x\u{7}\nforged \u{9b}31m\u{202e}文字"
        );
        assert_eq!(visible(text).len(), text.len());
    }
}
