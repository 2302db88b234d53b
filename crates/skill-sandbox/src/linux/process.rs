//! The single entry point that starts processes.
#![expect(
    clippy::disallowed_methods,
    reason = "the single entry point that starts processes"
)]

use std::io::{self, PipeReader};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Mutex, Once, PoisonError};

use rustix::process::{Pid, Resource, Rlimit, getrlimit, setrlimit};
use rustix::thread::UnshareFlags;

use crate::error::{Error, Result};
use crate::linux::confinement::namespaces;
use crate::linux::feed::Input;
use crate::linux::orders::Job;
use crate::linux::started_process::StartedProcess;
use crate::program;
use crate::report::Report;
use crate::spec::Spec;

/// Starts a child without restrictions, in a process group that exists or in its own.
pub(crate) fn start(
    spec: &Spec,
    found: program::Command,
    group: Option<Pid>,
) -> Result<StartedProcess> {
    let mut input = Input::new(spec)?;
    let mut command = Command::new(&found.program);
    command
        .arg0(&found.name)
        .args(&found.args)
        .current_dir(&spec.cwd)
        .env_clear()
        .envs(&spec.env)
        .process_group(group.map_or(0, Pid::as_raw_pid))
        .stdin(stdio(input.theirs.take()))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let leader = command.spawn().map_err(|source| Error::Start {
        program: found.program,
        cwd: spec.cwd.clone(),
        source,
    })?;
    Ok(StartedProcess {
        leader,
        keeper: None,
        control: None,
        input,
        report: Report::default(),
    })
}

fn stdio(fd: Option<OwnedFd>) -> Stdio {
    fd.map_or_else(Stdio::null, Stdio::from)
}

/// The argument with which a program of ours acts as the launcher.
pub(crate) const LAUNCH: &str = "sandbox-launch";

/// The argument of a launcher without privileges, which first enters a user namespace.
pub(crate) const LAUNCH_AS_USER: &str = "sandbox-launch-as-user";

/// The argument of the launcher that such a launcher starts, in the same session.
pub(crate) const LAUNCH_INSIDE: &str = "sandbox-launch-inside";

/// Starts the launcher as the first process of a PID namespace. Without the privilege for that, the
/// launcher is asked to enter a user namespace first.
pub(crate) fn start_launcher(program: &Path, control: OwnedFd) -> Result<std::process::Child> {
    // In a separate thread, because its effect on the next child cannot be undone.
    let started = std::thread::scope(|scope| {
        let starting = scope.spawn(|| {
            let privileged = namespaces::unshare(UnshareFlags::NEWPID).is_ok();
            let argument = if privileged { LAUNCH } else { LAUNCH_AS_USER };
            Command::new(program)
                .arg(argument)
                .env_clear()
                .current_dir("/")
                // No process group: the launcher creates its own session, and with it a group.
                .stdin(control)
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
        });
        starting.join().expect("starting a process does not panic")
    });
    started.map_err(|source| Error::Start {
        program: program.into(),
        cwd: "/".into(),
        source,
    })
}

/// Starts the launcher again, as the child of one that created a PID namespace for it.
pub(crate) fn relaunch() -> io::Result<std::process::Child> {
    Command::new("/proc/self/exe").arg(LAUNCH_INSIDE).spawn()
}

/// Starts the program that the launcher was started for; its end is waited for by process id.
pub(crate) fn start_inside(job: &Job, stdin: Option<OwnedFd>) -> io::Result<Pid> {
    Command::new(&job.program)
        .arg0(&job.name)
        .args(&job.args)
        .current_dir(&job.cwd)
        .env_clear()
        .envs(job.env.iter().map(|(name, value)| (name, value)))
        .stdin(stdio(stdin))
        .spawn()
        .map(|child| Pid::from_child(&child))
}

/// Starts a process that leads a group of its own, and kills it when its input ends without a line.
pub(crate) fn start_watcher(input: PipeReader) -> io::Result<std::process::Child> {
    Command::new("/bin/sh")
        .arg("-c")
        .arg(r#"read -r line || kill -s KILL -- "-$$""#)
        .env_clear()
        .current_dir("/")
        .process_group(0)
        .stdin(input)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
}

/// Raises the soft limit of open files to the hard one, once.
pub(crate) fn raise_open_files() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let limit = getrlimit(Resource::Nofile);
        // If this is refused, the limit stays; too many calls at once then fail with the system's
        // error.
        let _ = setrlimit(
            Resource::Nofile,
            Rlimit {
                current: limit.maximum,
                ..limit
            },
        );
    });
}

/// Children that outlived their call; they are reaped after they have ended, when something else
/// starts.
static LEFT: Mutex<Vec<std::process::Child>> = Mutex::new(Vec::new());

/// Takes over a child that nobody waits for any more.
pub(crate) fn leave(child: std::process::Child) {
    LEFT.lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(child);
}

/// Reaps the children of [`leave`] that have ended.
pub(crate) fn reap_left() {
    LEFT.lock()
        .unwrap_or_else(PoisonError::into_inner)
        .retain_mut(|child| matches!(child.try_wait(), Ok(None)));
}

/// Hands the read end of a pipe to a process that reads and discards, so that processes that still
/// write to it neither block nor get SIGPIPE after we have exited.
pub(crate) fn drain_elsewhere(pipe: OwnedFd) -> io::Result<()> {
    // Our end was made non-blocking; the other process must block in `read`.
    rustix::io::ioctl_fionbio(&pipe, false)?;
    let drainer = Command::new("/bin/cat")
        .env_clear()
        .current_dir("/")
        .process_group(0)
        .stdin(pipe)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    leave(drainer);
    Ok(())
}
