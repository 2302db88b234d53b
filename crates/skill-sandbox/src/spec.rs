//! The specification of a child: program, directory, environment, input and limits.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use crate::policy::Confinement;

/// A child to start. Every value is accepted; `spawn` returns an error for what the system refuses.
///
/// ```no_run
/// use skill_sandbox::{Program, Spec, run};
/// let spec = Spec::new(Program::Shell("echo hello".into()), "/tmp");
/// assert_eq!(run(&spec)?.stdout, b"hello\n");
/// # Ok::<(), skill_sandbox::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Spec {
    /// The program and its arguments.
    pub program: Program,
    /// The working directory.
    pub cwd: PathBuf,
    /// The complete environment: nothing is inherited. `PATH` also decides where the program is
    /// searched.
    pub env: BTreeMap<OsString, OsString>,
    /// The standard input of the child.
    pub stdin: Stdin,
    /// Gives the child a socket; the caller's end is [`Child::take_channel`]. Not available on
    /// Windows.
    ///
    /// [`Child::take_channel`]: crate::Child::take_channel
    pub channel: Option<ChannelPlace>,
    /// The limits on time and output.
    pub limits: Limits,
    /// The treatment of the processes that the child leaves behind.
    pub at_exit: AtExit,
    /// Kills the process group of the child when this process ends, even by SIGKILL. On Linux only,
    /// where it costs one more process; a confined child that is not left behind ends so anyway.
    pub ends_with_caller: bool,
    /// The confinement; without it, the child can access everything that this process can.
    pub confinement: Option<Confinement>,
}

impl Spec {
    /// Returns a specification with an empty environment, no input and default limits; the child is
    /// killed with everything that it started.
    pub fn new(program: Program, cwd: impl Into<PathBuf>) -> Self {
        Self {
            program,
            cwd: cwd.into(),
            env: BTreeMap::new(),
            stdin: Stdin::Null,
            channel: None,
            limits: Limits::default(),
            at_exit: AtExit::Kill,
            ends_with_caller: false,
            confinement: None,
        }
    }
}

/// A program to execute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Program {
    /// A program and its arguments, without a shell. A name without `/` is searched on the child's
    /// `PATH`.
    Argv(Vec<OsString>),
    /// A command line for `/bin/sh -c`; on Windows for `cmd.exe /d /s /c`, as Node starts it.
    Shell(OsString),
}

/// The place of a channel in the child.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChannelPlace {
    /// Descriptor 3. Standard input is `/dev/null`, whatever [`Spec::stdin`] says.
    Descriptor3,
    /// Standard input and standard output.
    StandardStreams,
}

/// The source of the child's descriptor 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stdin {
    /// `/dev/null`.
    Null,
    /// These bytes, then the end. It is not an error if the child does not read all of them.
    Bytes(Vec<u8>),
    /// A pipe to which nothing is written and which stays open until the child ends.
    Open,
}

/// Limits that apply to every child, confined or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// The time from the start until the child is killed; `None` for no limit.
    pub timeout: Option<Duration>,
    /// The bytes of standard output that are kept; the rest is read and discarded.
    pub stdout: usize,
    /// The bytes of standard error that are kept; the rest is read and discarded.
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

/// The treatment of the processes that are left when the child has exited by itself. A timeout or a
/// kill always ends all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtExit {
    /// The process group of the child is killed.
    Kill,
    /// They continue, as under the old host; a process reads and discards their output.
    Leave,
    /// They continue for this long, and are then killed. This needs a confined child; otherwise
    /// they continue as with [`AtExit::Leave`].
    LeaveFor(Duration),
}
