//! The messages between this process and its launcher.

use std::ffi::OsString;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::outcome::LostFiles;
use crate::policy::Network;
use crate::report::{Level, Report};

/// An order to the launcher.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Order {
    /// A job with this base is likely to follow; the launcher may build what depends on nothing
    /// else.
    Prepare(Base),
    /// The job, which is the last order.
    Start(Box<Job>),
}

/// The job of a launcher, after all decisions are made.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Job {
    pub(crate) program: OsString,
    pub(crate) name: OsString,
    pub(crate) args: Vec<OsString>,
    pub(crate) cwd: OsString,
    pub(crate) env: Vec<(OsString, OsString)>,
    pub(crate) has_stdin: bool,
    /// The two files of a lease were sent with the job.
    pub(crate) has_lease: bool,
    pub(crate) leave: bool,
    /// The time for which processes that are left may continue, in milliseconds; `None` for no limit.
    pub(crate) linger_ms: Option<u64>,
    pub(crate) at_least: Level,
    #[serde(rename = "walls")]
    pub(crate) restrictions: Restrictions,
}

/// The policy as the launcher enforces it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Restrictions {
    pub(crate) base: Base,
    /// The paths at which the descriptors of the job are seen: `read`, then `write`, then
    /// `protect`.
    pub(crate) read: Vec<PathBuf>,
    pub(crate) write: Vec<PathBuf>,
    pub(crate) protect: Vec<PathBuf>,
    pub(crate) network: Network,
    pub(crate) memory: Option<u64>,
    pub(crate) file_size: Option<u64>,
    pub(crate) processes: Option<u64>,
    pub(crate) open_files: Option<u64>,
    pub(crate) cpu_seconds: Option<u64>,
}

/// The parts of the machine that a child may read, which are the same for most jobs of a process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Base {
    /// Paths of the system and of installed programs, without links in them.
    pub(crate) system: Vec<PathBuf>,
    /// Links that lead there: their paths and their targets.
    pub(crate) links: Vec<(PathBuf, PathBuf)>,
}

/// A message of the launcher: first one of the first three, then, after `Started`, `Ended`.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Message {
    /// The child is running.
    Started(Report),
    /// Less could be enforced than was asked for.
    Refused(Report),
    /// The system refused to start the child, with this error number.
    NotStarted(i32),
    /// The child ended with this code or signal.
    Ended {
        code: Option<i32>,
        signal: i32,
        lost: LostFiles,
    },
}
