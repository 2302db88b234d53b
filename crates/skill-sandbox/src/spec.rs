//! What is started: program, directory, environment, input, bounds.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use crate::policy::Confinement;

/// A child to start. Every value is valid; what the system refuses is an error of `spawn`.
#[derive(Debug, Clone)]
pub struct Spec {
    /// The program and its arguments.
    pub program: Program,
    /// The working directory.
    pub cwd: PathBuf,
    /// The whole environment: nothing of ours is inherited. `PATH` also decides where the program is
    /// looked for.
    pub env: BTreeMap<OsString, OsString>,
    /// What the child reads.
    pub stdin: Stdin,
    /// A socket of its own for the child, as descriptor 3; our end is [`Child::take_channel`].
    /// `stdin` is then null, whatever it says.
    ///
    /// [`Child::take_channel`]: crate::Child::take_channel
    pub channel: bool,
    /// Time and output.
    pub limits: Limits,
    /// What becomes of the processes it leaves behind.
    pub at_exit: AtExit,
    /// The walls around it; without, it reaches what we reach.
    pub confinement: Option<Confinement>,
}

impl Spec {
    /// A child with an empty environment, no input, default limits, killed with all it started.
    pub fn new(program: Program, cwd: impl Into<PathBuf>) -> Self {
        Self {
            program,
            cwd: cwd.into(),
            env: BTreeMap::new(),
            stdin: Stdin::Null,
            channel: false,
            limits: Limits::default(),
            at_exit: AtExit::Kill,
            confinement: None,
        }
    }
}

/// What is executed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Program {
    /// A program and its arguments; no shell sees them. A name without `/` is looked for on the
    /// child's `PATH`.
    Argv(Vec<OsString>),
    /// A line for `/bin/sh -c`.
    Shell(OsString),
}

/// What the child reads on descriptor 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stdin {
    /// `/dev/null`.
    Null,
    /// These bytes, then the end. A child that does not read them all is no error.
    Bytes(Vec<u8>),
    /// A pipe in which nothing is written and which is not closed before the child ends.
    Open,
}

/// Bounds that hold for every child, confined or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// From the start to the kill; `None` waits for ever.
    pub timeout: Option<Duration>,
    /// Bytes of standard output that are kept; the rest is read and dropped.
    pub stdout: usize,
    /// Bytes of standard error that are kept; the rest is read and dropped.
    pub stderr: usize,
}

impl Default for Limits {
    /// No timeout; 8 MiB of output (the old host passed 3 MB replies) and 1 MiB of diagnostics.
    fn default() -> Self {
        Self {
            timeout: None,
            stdout: 8 << 20,
            stderr: 1 << 20,
        }
    }
}

/// What becomes of the processes that are left when the child has exited by itself. A timeout and a
/// kill always end them all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtExit {
    /// Its process group is killed.
    Kill,
    /// They go on, as under the old host; what they print goes to a process that reads and drops it.
    Leave,
    /// They go on for so long, and are then killed. Only walls can do that; without, they go on as with
    /// [`AtExit::Leave`].
    LeaveFor(Duration),
}
