//! What a confined child may reach, and how much of that could be enforced.

use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::held::Held;
use crate::hosts::HostPort;
use crate::outcome::Lost;

/// What a child may reach. Everything that is not named is refused, but for installed programs, the
/// libraries of the system and the harmless devices, which are added by themselves. A program that
/// lies in what may be read or written brings nothing with it.
#[derive(Debug, Clone)]
pub struct Policy {
    /// Files and directories that may be read and executed.
    pub read: Vec<Held>,
    /// Files and directories that may also be written.
    pub write: Vec<Held>,
    /// What lies in a directory that may be written and must stay as it is, but for what of it is
    /// named in `write`. A read-only mount sees to it; without mounts it is not enforced.
    /// Where it is seen at another place than it lies, that place must exist.
    pub protect: Vec<Held>,
    /// Names of further programs that may be started: where they are installed may be read.
    pub programs: Vec<OsString>,
    /// The `PATH` of the tool's user, on which installed programs are found; never one that a skill
    /// could have set. Without one, that of `execvp`.
    pub search: Option<OsString>,
    /// Directories that other children may write: a program that lies there brings nothing with it.
    pub distrusted: Vec<PathBuf>,
    /// Which network there is.
    pub network: Network,
    /// Bytes of private data of each process (`RLIMIT_DATA`: Node reserves far more address space
    /// than it uses, so `RLIMIT_AS` would keep it from starting).
    pub memory: Option<u64>,
    /// Bytes of a file that is written (`RLIMIT_FSIZE`), and of a private `/tmp` altogether.
    pub file_size: Option<u64>,
    /// Processes and threads at one time.
    pub processes: Option<u64>,
    /// Open files of each process.
    pub open_files: Option<u64>,
    /// Seconds of processor time of each process.
    pub cpu_seconds: Option<u64>,
}

impl Default for Policy {
    /// Nothing beyond the program; 512 MiB, files of 256 MiB, 512 processes, 1024 open files.
    fn default() -> Self {
        Self {
            read: Vec::new(),
            write: Vec::new(),
            protect: Vec::new(),
            programs: Vec::new(),
            search: None,
            distrusted: Vec::new(),
            network: Network::None,
            memory: Some(512 << 20),
            file_size: Some(256 << 20),
            processes: Some(512),
            open_files: Some(1024),
            cpu_seconds: None,
        }
    }
}

/// Which network a child has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Network {
    /// None: only sockets between its own processes.
    None,
    /// TCP connections to these hosts at these ports. The child lives in a network of its own, whose only
    /// way out is a relay of ours; where that cannot be had, only the ports are told apart.
    Hosts(Vec<HostPort>),
    /// All of it.
    Any,
}

/// How much of a policy is enforced.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// No wall around files: the child reads what we can read.
    #[default]
    None,
    /// A wall around files stands, and not all of the others.
    Partial,
    /// All of it.
    Full,
}

impl Level {
    /// `none`, `partial` or `full`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Partial => "partial",
            Self::Full => "full",
        }
    }
}

/// What was enforced for one child.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// How much of the policy stands.
    pub level: Level,
    /// What does not, one sentence each; empty when it is full or nothing was asked for.
    pub missing: Vec<String>,
}

/// A policy, and how it is put around a child.
#[derive(Debug, Clone)]
pub struct Confinement {
    /// What the child may reach.
    pub policy: Policy,
    /// The least that is acceptable; with less, the child is not started.
    pub at_least: Level,
    /// The program that puts up the walls and then starts the child.
    pub launcher: Launcher,
    /// How others learn that processes of the child are there, and end those that it left behind.
    pub lease: Option<Lease>,
}

/// Two open files that say to other processes, through locks (`flock(2)`), that a child is there.
#[derive(Debug, Clone)]
pub struct Lease {
    /// A file that the caller has locked, for sharing. The launcher holds it open, and so the lock, until
    /// no process of the child is left.
    pub alive: Arc<OwnedFd>,
    /// A file that the caller has not locked. While somebody else has it locked alone, processes that the
    /// child left behind for a time ([`AtExit::LeaveFor`]) are ended.
    ///
    /// [`AtExit::LeaveFor`]: crate::AtExit::LeaveFor
    pub ending: Arc<OwnedFd>,
}

/// The program that puts up the walls: one whose `main` begins with [`launcher_main`].
///
/// [`launcher_main`]: crate::launcher_main
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launcher(pub(crate) PathBuf);

impl Launcher {
    /// Ourselves, re-executed. The program's `main` must begin with [`launcher_main`].
    ///
    /// [`launcher_main`]: crate::launcher_main
    pub fn this_program() -> Self {
        Self("/proc/self/exe".into())
    }

    /// Another program whose `main` begins with [`launcher_main`].
    ///
    /// [`launcher_main`]: crate::launcher_main
    pub fn at(program: impl Into<PathBuf>) -> Self {
        Self(program.into())
    }
}

/// What the launcher is told.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Order {
    /// A job is likely to come with this base: whatever depends on nothing else can be built already.
    Prepare(Base),
    /// The job, which is the last order.
    Start(Box<Job>),
}

/// What the launcher is to start, once everything is decided.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Job {
    pub(crate) program: OsString,
    pub(crate) name: OsString,
    pub(crate) args: Vec<OsString>,
    pub(crate) cwd: OsString,
    pub(crate) env: Vec<(OsString, OsString)>,
    pub(crate) has_stdin: bool,
    /// The two files of a lease came along.
    pub(crate) has_lease: bool,
    pub(crate) leave: bool,
    /// How long what is left may go on; `None` for ever.
    pub(crate) linger_ms: Option<u64>,
    pub(crate) at_least: Level,
    pub(crate) walls: Walls,
}

/// The policy as the launcher enforces it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Walls {
    pub(crate) base: Base,
    /// Where what came as descriptors is seen: `read`, then `write`, then `protect`.
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

/// What a child reads of the machine, which is the same for most jobs of a process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Base {
    /// Places of the system and of installed programs, without links on the way.
    pub(crate) system: Vec<PathBuf>,
    /// Links that lead there: where they lie, and what they say.
    pub(crate) links: Vec<(PathBuf, PathBuf)>,
}

/// What the launcher says: first one of the first three, then, after `Started`, `Ended`.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Message {
    /// The child runs.
    Started(Report),
    /// Less could be enforced than was asked for.
    Refused(Report),
    /// The system refused to start the child, with this error number.
    NotStarted(i32),
    /// The child ended: its code, or the signal.
    Ended {
        code: Option<i32>,
        signal: i32,
        lost: Lost,
    },
}
