//! The policy of a confined child, and the messages about it to the launcher and back.

use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::hosts::HostPort;
use crate::open_path::OpenPath;
use crate::outcome::LostFiles;
use crate::report::{Level, Report};

/// The files, programs, network and resources that a child may use. Everything that is not named is
/// refused, except installed programs, system libraries and harmless devices, which are added
/// automatically. A program inside a directory that may be read or written does not extend the
/// policy.
#[derive(Debug, Clone)]
pub struct Policy {
    /// Files and directories that may be read and executed.
    pub read: Vec<OpenPath>,
    /// Files and directories that may also be written.
    pub write: Vec<OpenPath>,
    /// Parts of a writable directory that must stay unchanged, except for those that are named in
    /// `write`. A read-only mount enforces this; without mounts it is not enforced. If such a part
    /// is shown at another path than its own, that path must exist.
    pub protect: Vec<OpenPath>,
    /// Names of further programs that may be started; the places where they are installed may be
    /// read.
    pub programs: Vec<OsString>,
    /// The `PATH` of the tool's user, on which installed programs are found; never one that a skill
    /// could have set. `None` means the default of `execvp`.
    pub search: Option<OsString>,
    /// Directories that other children may write; a program there does not extend the policy.
    pub distrusted: Vec<PathBuf>,
    /// The network access.
    pub network: Network,
    /// The maximum private data of each process, in bytes (`RLIMIT_DATA`: Node reserves far more
    /// address space than it uses, so `RLIMIT_AS` would keep it from starting).
    pub memory: Option<u64>,
    /// The maximum size of a written file (`RLIMIT_FSIZE`), and of the whole private `/tmp`, in
    /// bytes.
    pub file_size: Option<u64>,
    /// The maximum number of processes and threads at one time.
    pub processes: Option<u64>,
    /// The maximum number of open files of each process.
    pub open_files: Option<u64>,
    /// The maximum processor time of each process, in seconds.
    pub cpu_seconds: Option<u64>,
}

impl Default for Policy {
    /// Nothing besides the program; 512 MiB of memory, files of 256 MiB, 512 processes, 1024 open
    /// files.
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

/// The network access of a child.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Network {
    /// No network: only sockets between its own processes.
    None,
    /// TCP connections to these hosts at these ports. The child runs in its own network namespace,
    /// whose only way out is our relay. Where that is not available, only ports are restricted, not
    /// hosts.
    Hosts(Vec<HostPort>),
    /// The whole network of the machine.
    Any,
}

/// A policy and the way in which it is applied.
#[derive(Debug, Clone)]
pub struct Confinement {
    /// The files, programs, network and resources that the child may use.
    pub policy: Policy,
    /// The minimum level; if less can be enforced, the child is not started.
    pub at_least: Level,
    /// The program that applies the restrictions and then starts the child.
    pub launcher: Launcher,
    /// The files through which other processes learn that processes of the child are running, and
    /// end those that it left behind.
    pub lease: Option<Lease>,
}

/// Two open files that show other processes, through locks (`flock(2)`), that a child is running.
#[derive(Debug, Clone)]
pub struct Lease {
    /// A file on which the caller holds a shared lock. The launcher keeps it open, and so keeps the
    /// lock, until no process of the child is left.
    pub alive: Arc<OwnedFd>,
    /// A file that the caller has not locked. While another process holds an exclusive lock on it,
    /// processes that the child left behind for a limited time ([`AtExit::LeaveFor`]) are ended.
    ///
    /// [`AtExit::LeaveFor`]: crate::AtExit::LeaveFor
    pub ending: Arc<OwnedFd>,
}

/// The program that applies the restrictions: one whose `main` begins with [`launcher_main`].
///
/// [`launcher_main`]: crate::launcher_main
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launcher(pub(crate) PathBuf);

impl Launcher {
    /// Returns this program, which is executed again. Its `main` must begin with [`launcher_main`].
    ///
    /// [`launcher_main`]: crate::launcher_main
    pub fn this_program() -> Self {
        Self("/proc/self/exe".into())
    }

    /// Returns another program, whose `main` begins with [`launcher_main`].
    ///
    /// [`launcher_main`]: crate::launcher_main
    pub fn at(program: impl Into<PathBuf>) -> Self {
        Self(program.into())
    }
}

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
