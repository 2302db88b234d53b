//! The policy of a confined child, and what enforces it.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::hosts::HostPort;
use crate::report::Level;
use crate::system::OpenPath;

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
    /// is shown at another path than its own, that path must exist, and what it covers there is
    /// hidden.
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
    /// An internet in which one server of this machine answers for every host. Where the child cannot
    /// have its own network namespace, it has no network.
    Emulated(Emulation),
    /// The whole network of the machine.
    Any,
}

#[cfg(target_os = "linux")]
impl Network {
    /// Returns true if a relay connects the child to others.
    pub(crate) fn has_relay(&self) -> bool {
        matches!(self, Self::Hosts(_) | Self::Emulated(_))
    }
}

/// An emulated internet. Every name exists, and no address of the real network can be reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Emulation {
    /// The hosts and ports that exist; every name and address without it.
    pub only: Option<Vec<HostPort>>,
    /// The TCP ports at which hosts answer, if `only` does not list them.
    pub ports: BTreeSet<u16>,
    /// The server that answers.
    pub server: Server,
}

/// A server on loopback that gets connections to other hosts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Server {
    /// Its TCP port at 127.0.0.1.
    pub port: u16,
    /// The beginning of the line that it gets first: this text, the host and the port, separated by
    /// spaces. By a secret text, the server recognizes a relay.
    pub mark: String,
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
    pub alive: Arc<File>,
    /// A file that the caller has not locked. While another process holds an exclusive lock on it,
    /// processes that the child left behind for a limited time ([`AtExit::LeaveFor`]) are ended.
    ///
    /// [`AtExit::LeaveFor`]: crate::AtExit::LeaveFor
    pub ending: Arc<File>,
}

/// The program that applies the restrictions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launcher(pub(crate) LauncherKind);

/// The kinds of launchers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LauncherKind {
    /// A program whose `main` begins with [`launcher_main`](crate::launcher_main); Linux only.
    Program(PathBuf),
    /// `sandbox-exec` of macOS.
    Seatbelt,
}

impl Launcher {
    /// Returns this program, which is executed again. Its `main` must begin with [`launcher_main`].
    ///
    /// [`launcher_main`]: crate::launcher_main
    pub fn this_program() -> Self {
        Self::at("/proc/self/exe")
    }

    /// Returns another program, whose `main` begins with [`launcher_main`].
    ///
    /// [`launcher_main`]: crate::launcher_main
    pub fn at(program: impl Into<PathBuf>) -> Self {
        Self(LauncherKind::Program(program.into()))
    }

    /// Returns the sandbox of macOS (`/usr/bin/sandbox-exec`). It is experimental: its profile has
    /// never been run on macOS. On other systems no confined child is started with it.
    pub fn seatbelt() -> Self {
        Self(LauncherKind::Seatbelt)
    }
}
