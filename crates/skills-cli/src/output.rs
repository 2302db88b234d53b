//! The output streams of a tool.

use std::fmt;
use std::io::{self, IsTerminal as _, Write};

use clap::ValueEnum;
use serde_json::Value;
pub use skill_language::Language;
use skill_language::say;
pub use skill_report::Paint;

/// The width of a terminal that does not say its size, in columns.
const COLUMNS: usize = 80;

/// The use of colour.
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
    /// True if standard error is a terminal.
    pub is_terminal: bool,
    /// True if data may be coloured with [`ColorChoice::Auto`].
    pub colors: bool,
    /// The width of the terminal that shows the data, in columns; `None` if there is none.
    pub columns: Option<usize>,
    /// The language of texts for people.
    pub language: Language,
}

impl fmt::Debug for Streams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Streams")
            .field("is_terminal", &self.is_terminal)
            .finish_non_exhaustive()
    }
}

impl Streams {
    /// Returns the streams of this process.
    pub fn from_process(language: Language) -> Self {
        let choice = anstream::AutoStream::choice(&io::stdout());
        let without_size = io::stdout().is_terminal().then_some(COLUMNS);
        Self {
            stdout: Box::new(io::BufWriter::new(io::stdout())),
            stderr: Box::new(io::stderr()),
            is_terminal: io::stderr().is_terminal(),
            colors: !matches!(choice, anstream::ColorChoice::Never),
            columns: terminal_size::terminal_size_of(io::stdout())
                .map(|(width, _)| usize::from(width.0))
                .or(without_size),
            language,
        }
    }

    /// Returns streams into memory, for tests.
    pub fn in_memory(
        stdout: impl Write + Send + 'static,
        stderr: impl Write + Send + 'static,
    ) -> Self {
        Self {
            stdout: Box::new(stdout),
            stderr: Box::new(stderr),
            is_terminal: false,
            colors: false,
            columns: None,
            language: Language::English,
        }
    }

    /// Returns the colours of a choice.
    pub fn paint(&self, choice: ColorChoice) -> Paint {
        let on = match choice {
            ColorChoice::Auto => self.colors,
            ColorChoice::Always => true,
            ColorChoice::Never => false,
        };
        let language = self.language;
        Paint { on, language }
    }

    /// Writes the reason why a tool could not do its work, with all causes.
    pub fn failure(&mut self, error: &anyhow::Error) -> io::Result<()> {
        self.remark(&format!("error: {error}"))?;
        for cause in error.chain().skip(1) {
            let text = say!(self.language, "caused by: {cause}");
            writeln!(self.stderr, "  {text}")?;
        }
        Ok(())
    }

    /// Writes one object to standard output.
    pub fn write_json(&mut self, value: &Value) -> io::Result<()> {
        writeln!(self.stdout, "{value:#}")
    }

    /// Returns what writes lines to standard error, in the language of the reader. A closed stream has
    /// no reader to inform.
    pub fn remarks(&mut self) -> impl FnMut(&str) + '_ {
        |text| drop(self.remark(text))
    }

    /// Writes a line to standard error, in the language of the reader.
    pub fn remark(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.stderr, "{}", self.language.say(text))
    }
}
