//! Why a child could not be started or followed.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use crate::policy::{Level, Report};

/// The result of this crate's functions.
pub type Result<T> = std::result::Result<T, Error>;

/// What went wrong on our side of the door; what the child did wrong is in its outcome.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The program is on no directory of the child's `PATH`, or may not be executed.
    #[error("no program \"{}\" on the PATH of the child", .0.display())]
    NotFound(OsString),
    /// An argument list without a program.
    #[error("nothing to run: the argument list is empty")]
    Empty,
    /// The system refused to start it, inside its walls or without.
    #[error("cannot start \"{}\" in {}: {source}", program.display(), cwd.display())]
    Start {
        /// The resolved program.
        program: PathBuf,
        /// Its working directory.
        cwd: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file or directory that the child may reach cannot be opened without following a link.
    #[error("cannot open {} for the sandbox: {source}; links on the way to it are not followed", path.display())]
    Open {
        /// Where the child would have seen it.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The program, or the interpreter that its first line names, is none that a confined child may use.
    #[error("{}", no_program(file, line.as_deref(), named, why))]
    NoProgram {
        /// The program that was to be started.
        file: PathBuf,
        /// Its first line, when that is what names the interpreter.
        line: Option<String>,
        /// What is named.
        named: PathBuf,
        /// What was found there, as a clause: "which is a directory".
        why: &'static str,
    },
    /// Less of the policy could be enforced than was asked for; nothing was started.
    #[error("not started: the sandbox reaches \"{}\", not \"{}\": {}", .reached.level.as_str(), .wanted.as_str(), .reached.missing.join("; "))]
    Unconfined {
        /// What was asked for at least.
        wanted: Level,
        /// What could be had.
        reached: Report,
    },
    /// The launcher ended without a word: its program's `main` does not begin with `launcher_main`.
    #[error("the sandbox launcher does not answer: {0}")]
    Launcher(String),
    /// A pipe, a pidfd or the wait failed.
    #[error("{what}: {source}")]
    System {
        /// What was tried.
        what: &'static str,
        /// What the system said.
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

/// Names what was tried when a system call fails.
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
