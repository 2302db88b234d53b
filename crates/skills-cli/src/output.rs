//! Where a tool's words go.

use std::fmt;
use std::io::{self, IsTerminal as _, Write};

use anstyle::{AnsiColor, Style};
use clap::ValueEnum;

/// Whether to use colour.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Standard output for data, standard error for everything else.
pub struct Streams {
    /// Data.
    pub stdout: Box<dyn Write + Send>,
    /// Everything else.
    pub stderr: Box<dyn Write + Send>,
    /// Whether somebody watches standard error.
    pub is_watched: bool,
    /// Whether the data may be coloured when colour is left to us.
    pub colors: bool,
}

impl fmt::Debug for Streams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Streams")
            .field("is_watched", &self.is_watched)
            .finish_non_exhaustive()
    }
}

impl Streams {
    /// The streams of this process.
    pub fn of_process() -> Self {
        let choice = anstream::AutoStream::choice(&io::stdout());
        Self {
            stdout: Box::new(io::BufWriter::new(io::stdout())),
            stderr: Box::new(io::stderr()),
            is_watched: io::stderr().is_terminal(),
            colors: !matches!(choice, anstream::ColorChoice::Never),
        }
    }

    /// Streams into memory, for tests.
    pub fn in_memory(
        stdout: impl Write + Send + 'static,
        stderr: impl Write + Send + 'static,
    ) -> Self {
        Self {
            stdout: Box::new(stdout),
            stderr: Box::new(stderr),
            is_watched: false,
            colors: false,
        }
    }

    /// The colours that a choice gives.
    pub fn paint(&self, choice: ColorChoice) -> Paint {
        let on = match choice {
            ColorChoice::Auto => self.colors,
            ColorChoice::Always => true,
            ColorChoice::Never => false,
        };
        Paint { on }
    }

    /// Says why a tool could not do its work, with all causes.
    pub fn failure(&mut self, error: &anyhow::Error) -> io::Result<()> {
        writeln!(self.stderr, "error: {error}")?;
        for cause in error.chain().skip(1) {
            writeln!(self.stderr, "  caused by: {cause}")?;
        }
        Ok(())
    }
}

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
pub(crate) fn printable(text: &str) -> String {
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
pub(crate) fn visible(text: &str) -> String {
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
