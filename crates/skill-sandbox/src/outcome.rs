//! What a child did.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::policy::Report;

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// It returned this code.
    Code(i32),
    /// This signal ended it.
    Signal(i32),
}

impl Exit {
    /// Code 0.
    pub fn success(self) -> bool {
        self == Self::Code(0)
    }

    /// The code; `None` after a signal.
    pub fn code(self) -> Option<i32> {
        match self {
            Self::Code(code) => Some(code),
            Self::Signal(_) => None,
        }
    }
}

/// What a child left in a `/tmp` of its own, which ends with it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lost {
    /// Names of some files and directories; bytes that are no UTF-8 are replaced.
    pub names: Vec<String>,
    /// How many there are in all.
    pub count: u64,
}

/// A child that has ended.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// How it ended; after a timeout, by our signal 9.
    pub exit: Exit,
    /// What it printed, up to the limit.
    pub stdout: Vec<u8>,
    /// Its diagnostics, up to the limit.
    pub stderr: Vec<u8>,
    /// There was more on standard output than is kept.
    pub stdout_truncated: bool,
    /// There was more on standard error than is kept.
    pub stderr_truncated: bool,
    /// From the start to the end.
    pub elapsed: Duration,
    /// It was ended because its time was over.
    pub timed_out: bool,
    /// What it left in a `/tmp` of its own; nothing when it was killed.
    pub lost: Lost,
    /// How much of its policy was enforced; `none` without one.
    pub confinement: Report,
}
