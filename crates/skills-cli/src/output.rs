//! The output streams of a tool.

use std::fmt;
use std::io::{self, IsTerminal as _, Write};

use clap::ValueEnum;
pub use skill_report::Paint;

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
    pub fn from_process() -> Self {
        let choice = anstream::AutoStream::choice(&io::stdout());
        Self {
            stdout: Box::new(io::BufWriter::new(io::stdout())),
            stderr: Box::new(io::stderr()),
            is_terminal: io::stderr().is_terminal(),
            colors: !matches!(choice, anstream::ColorChoice::Never),
            columns: terminal_size::terminal_size_of(io::stdout())
                .map(|(width, _)| usize::from(width.0)),
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
        }
    }

    /// Returns the colours of a choice.
    pub fn paint(&self, choice: ColorChoice) -> Paint {
        let on = match choice {
            ColorChoice::Auto => self.colors,
            ColorChoice::Always => true,
            ColorChoice::Never => false,
        };
        Paint { on }
    }

    /// Writes the reason why a tool could not do its work, with all causes.
    pub fn failure(&mut self, error: &anyhow::Error) -> io::Result<()> {
        writeln!(self.stderr, "error: {error}")?;
        for cause in error.chain().skip(1) {
            writeln!(self.stderr, "  caused by: {cause}")?;
        }
        Ok(())
    }
}
