//! How every tool ends.

use std::process::ExitCode;

/// The same three exit codes everywhere.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ExitStatus {
    /// 0: done, and nothing to complain of.
    Fine,
    /// 1: done, with findings at error level, conflicts or drift.
    Findings,
    /// 2: the work could not be done: wrong arguments, missing input, a full disk.
    CouldNotRun,
}

impl ExitStatus {
    /// The number.
    pub fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::Findings => 1,
            Self::CouldNotRun => 2,
        }
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        Self::from(status.code())
    }
}
