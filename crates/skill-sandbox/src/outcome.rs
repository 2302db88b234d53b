//! The outcome of a child.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::report::Report;

/// The way in which a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// It exited with this code.
    Code(i32),
    /// This signal ended it.
    Signal(i32),
}

impl Exit {
    /// Returns true for exit code 0.
    pub fn success(self) -> bool {
        self == Self::Code(0)
    }

    /// Returns the exit code; `None` after a signal.
    pub fn code(self) -> Option<i32> {
        match self {
            Self::Code(code) => Some(code),
            Self::Signal(_) => None,
        }
    }
}

/// The reason why [`Child::wait`](crate::Child::wait) returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaitEvent {
    /// There is new output in [`Child::stdout`](crate::Child::stdout) or
    /// [`Child::stderr`](crate::Child::stderr).
    Output,
    /// The process has ended: by itself, killed, or because its timeout expired.
    Exited,
    /// The time that the caller gave was reached; the child continues to run.
    Until,
}

/// The files that a child left in its private `/tmp`, which is removed with it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LostFiles {
    /// The names of some files and directories; bytes that are not UTF-8 are replaced.
    pub names: Vec<String>,
    /// The number of files and directories in total.
    pub count: u64,
}

/// The outcome of a child that has ended.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The way in which it ended; after a timeout, our signal 9.
    pub exit: Exit,
    /// Its standard output, up to the limit.
    pub stdout: Vec<u8>,
    /// Its standard error, up to the limit.
    pub stderr: Vec<u8>,
    /// Standard output was longer than the limit.
    pub stdout_truncated: bool,
    /// Standard error was longer than the limit.
    pub stderr_truncated: bool,
    /// The time from start to end.
    pub elapsed: Duration,
    /// It was killed because its timeout expired.
    pub timed_out: bool,
    /// The files left in a private `/tmp`; empty if the child was killed.
    pub lost: LostFiles,
    /// The degree to which the policy was enforced; level `none` without a policy.
    pub confinement: Report,
}
