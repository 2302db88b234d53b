//! The `main` of every tool: parses, runs and exits.

use std::ffi::OsString;
use std::io::{self, ErrorKind, Write as _};
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, error::ErrorKind as ClapError};
use skill_language::{Language, arguments};

use crate::{ExitStatus, output::Streams};

/// The environment variables of the language, in the order in which they count.
const LOCALE: [&str; 3] = ["LC_ALL", "LC_MESSAGES", "LANG"];

/// Returns the language of the environment.
#[expect(
    clippy::disallowed_methods,
    reason = "the help is printed before there are settings"
)]
pub fn locale() -> Language {
    let values = LOCALE.map(|name| std::env::var(name).unwrap_or_default());
    Language::from_locales(values.iter().map(String::as_str))
}

/// Parses the arguments of the process, runs the tool and returns its exit code.
///
/// If the reader of standard output closes the pipe, the tool ends without a message and with
/// [`ExitStatus::Fine`].
pub fn main<A: Parser + CommandFactory + FromArgMatches>(
    run: impl FnOnce(A, &mut Streams) -> anyhow::Result<ExitStatus>,
) -> ExitCode {
    main_of(std::env::args_os().collect(), run)
}

/// Does what [`main`] does, with these arguments; the first is the name of the program.
pub fn main_of<A: Parser + CommandFactory + FromArgMatches>(
    arguments: Vec<OsString>,
    run: impl FnOnce(A, &mut Streams) -> anyhow::Result<ExitStatus>,
) -> ExitCode {
    let (language, parsed) = arguments::parse::<A>(arguments, locale());
    let mut streams = Streams::from_process(language);
    let parsed = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return usage(&error, &streams).into(),
    };
    let result = run(parsed, &mut streams).and_then(|status| {
        streams.stdout.flush()?;
        Ok(status)
    });
    match result {
        Ok(status) => status.into(),
        Err(error) if is_broken_pipe(&error) => ExitStatus::Fine.into(),
        Err(error) => {
            let _ = streams.failure(&error);
            ExitStatus::CouldNotRun.into()
        }
    }
}

fn usage(error: &clap::Error, streams: &Streams) -> ExitStatus {
    let text = arguments::message(error, streams.language, streams.columns);
    let _ = if error.use_stderr() {
        write!(anstream::stderr(), "{text}")
    } else {
        write!(anstream::stdout(), "{text}")
    };
    match error.kind() {
        ClapError::DisplayHelp | ClapError::DisplayVersion => ExitStatus::Fine,
        _ => ExitStatus::CouldNotRun,
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>());
    causes.any(|cause| cause.kind() == ErrorKind::BrokenPipe)
}
