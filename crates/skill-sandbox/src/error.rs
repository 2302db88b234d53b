//! The errors of starting and following a child.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use crate::report::{Level, Report};

/// The result of this crate's functions.
pub type Result<T> = std::result::Result<T, Error>;

/// An error on our side; what the child itself did is in its [`Outcome`](crate::Outcome).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The program is in none of the directories of the child's `PATH`, or is not executable.
    #[error("no program \"{}\" on the PATH of the child", .0.display())]
    NotFound(OsString),
    /// An argument list without a program.
    #[error("nothing to run: the argument list is empty")]
    Empty,
    /// The system refused to start the program, confined or not.
    #[error("cannot start \"{}\" in {}: {source}", program.display(), cwd.display())]
    Start {
        /// The resolved program.
        program: PathBuf,
        /// Its working directory.
        cwd: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A file or directory that the child may access cannot be opened without following a link.
    #[error("cannot open {} for the sandbox: {source}; links in its path are not followed", path.display())]
    Open {
        /// The path at which the child would have seen it.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A confined child may not use the program, or the interpreter that its first line names.
    #[error("{}", no_program(file, line.as_deref(), named, why))]
    NoProgram {
        /// The program that was to be started.
        file: PathBuf,
        /// Its first line, if that line names the interpreter.
        line: Option<String>,
        /// The program or interpreter that is refused.
        named: PathBuf,
        /// The reason, as a clause: "which is a directory".
        why: &'static str,
    },
    /// Less of the policy could be enforced than was asked for; nothing was started.
    #[error("not started: the sandbox reaches level \"{}\", but \"{}\" is required: {}", .reached.level.as_str(), .wanted.as_str(), .reached.missing.join("; "))]
    Unconfined {
        /// The level that was required.
        wanted: Level,
        /// The level that could be reached, and what is missing.
        reached: Report,
    },
    /// The launcher ended without an answer: the `main` of its program does not begin with
    /// `launcher_main`.
    #[error("the sandbox launcher does not answer: {0}")]
    Launcher(String),
    /// A pipe, a pidfd or the wait failed.
    #[error("{what}: {source}")]
    System {
        /// The operation that failed.
        what: &'static str,
        /// The error of the system.
        source: io::Error,
    },
}

fn no_program(file: &Path, line: Option<&str>, named: &Path, why: &str) -> String {
    let (file, named) = (file.display(), named.display());
    let expected =
        "expected an executable file of the skill, of a directory of the system or of the PATH";
    match line {
        Some(line) => format!(
            "cannot start \"{file}\": its first line \"{line}\" names \"{named}\", {why}; {expected}"
        ),
        None => format!("cannot start \"{named}\", {why}; {expected}"),
    }
}

/// Adds the name of the operation to the error of a system call.
pub(crate) trait Context<T> {
    fn context(self, what: &'static str) -> Result<T>;
}

impl<T, E: Into<io::Error>> Context<T> for std::result::Result<T, E> {
    fn context(self, what: &'static str) -> Result<T> {
        self.map_err(|source| Error::System {
            what,
            source: source.into(),
        })
    }
}
