//! The exit status of the tools.

use std::process::ExitCode;

/// The exit status, which means the same in every tool.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ExitStatus {
    /// 0: done, without findings.
    Fine,
    /// 1: done, with findings at error level, conflicts or drift.
    Findings,
    /// 2: the work was not possible: wrong arguments, missing input, a full disk.
    CouldNotRun,
}

impl ExitStatus {
    /// Returns the status of work that was done, with or without findings.
    pub fn fine_if(is_fine: bool) -> Self {
        if is_fine { Self::Fine } else { Self::Findings }
    }

    /// Returns the number.
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
