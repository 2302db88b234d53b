//! The caller's side of a confined start: sends the launcher its job and receives the result.

use std::io;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::Pid;

use crate::error::{Error, Result};
use crate::linux::feed::Input;
use crate::linux::launcher_pool::PooledLauncher;
use crate::linux::open_path::OpenPath;
use crate::linux::orders::{Base, Job, Message, Order, Restrictions};
use crate::linux::reach::reach;
use crate::linux::started_process::StartedProcess;
use crate::linux::wire;
use crate::policy::{Confinement, LauncherKind};
use crate::program::Command;
use crate::report::{Level, Report};
use crate::spec::{AtExit, Spec};

/// The time to wait for the launcher; a program that takes longer is not a launcher.
const ANSWER: Duration = Duration::from_secs(20);

/// Starts a confined child.
pub(crate) fn launch(
    spec: &Spec,
    confinement: &Confinement,
    found: Command,
) -> Result<StartedProcess> {
    let mut input = Input::new(spec)?;
    let launcher = PooledLauncher::get(launcher(confinement)?)?;
    let job = job(spec, confinement, &found, input.theirs.is_some())?;
    let next = next_base(&job);
    let stdin = input.theirs.take();
    let order = Order::Start(Box::new(job));
    let launcher = launcher.assign(&order, &attachments(stdin.as_ref(), confinement))?;
    drop(stdin);
    let answer = answer(launcher.control()).map_err(|error| Error::Launcher(error.to_string()))?;
    let (report, keeper) = started(answer, spec, confinement, found)?;
    let (leader, control) = launcher.into_parts(next);
    Ok(StartedProcess {
        leader,
        keeper,
        control: Some(control),
        input,
        report,
    })
}

/// Returns the program that applies the restrictions.
fn launcher(confinement: &Confinement) -> Result<&Path> {
    match &confinement.launcher.0 {
        LauncherKind::Program(program) => Ok(program),
        LauncherKind::Seatbelt => Err(Error::Unconfined {
            wanted: confinement.at_least,
            reached: Report {
                level: Level::None,
                missing: vec!["sandbox-exec exists on macOS only".to_owned()],
            },
        }),
    }
}

/// Returns what the launcher of the next job may build before it receives that job, which is likely
/// to be of the same kind. With a relay it builds nothing, because the relay starts outside of all
/// namespaces.
fn next_base(job: &Job) -> Option<Base> {
    let has_relay = job.restrictions.network.has_relay();
    (!has_relay).then(|| job.restrictions.base.clone())
}

fn answer(control: &UnixStream) -> io::Result<(Message, Option<Pid>)> {
    control.set_read_timeout(Some(ANSWER))?;
    let (message, attachments) =
        wire::receive(control)?.ok_or_else(|| io::Error::from(io::ErrorKind::UnexpectedEof))?;
    Ok((message, attachments.sender))
}

fn started(
    (message, keeper): (Message, Option<Pid>),
    spec: &Spec,
    confinement: &Confinement,
    found: Command,
) -> Result<(Report, Option<Pid>)> {
    match message {
        Message::Started(report) => Ok((report, keeper)),
        Message::Refused(reached) => Err(Error::Unconfined {
            wanted: confinement.at_least,
            reached,
        }),
        Message::NotStarted(number) => Err(Error::Start {
            program: found.program,
            cwd: spec.cwd.clone(),
            source: io::Error::from_raw_os_error(number),
        }),
        Message::Ended { .. } => Err(Error::Launcher(
            "it reported the end of the child before its start".into(),
        )),
    }
}

fn job(spec: &Spec, confinement: &Confinement, found: &Command, has_stdin: bool) -> Result<Job> {
    let policy = &confinement.policy;
    let reach = reach(spec, found, policy)?;
    let links = reach.links.iter();
    Ok(Job {
        program: found.program.clone().into(),
        name: found.name.clone(),
        args: found.args.clone(),
        cwd: spec.cwd.clone().into(),
        env: spec.env.clone().into_iter().collect(),
        has_stdin,
        has_lease: confinement.lease.is_some(),
        leave: spec.at_exit != AtExit::Kill,
        linger_ms: match spec.at_exit {
            AtExit::LeaveFor(time) => u64::try_from(time.as_millis()).ok(),
            AtExit::Kill | AtExit::Leave => None,
        },
        at_least: confinement.at_least,
        restrictions: Restrictions {
            base: Base {
                system: reach.places.iter().cloned().collect(),
                links: links.map(|(at, to)| (at.clone(), to.clone())).collect(),
            },
            read: paths(&policy.read),
            write: paths(&policy.write),
            protect: paths(&policy.protect),
            network: policy.network.clone(),
            memory: policy.memory,
            file_size: policy.file_size,
            processes: policy.processes,
            open_files: policy.open_files,
            cpu_seconds: policy.cpu_seconds,
        },
    })
}

fn paths(held: &[OpenPath]) -> Vec<PathBuf> {
    held.iter().map(|held| held.at().to_owned()).collect()
}

/// Returns the descriptors that are sent with a job, in the order in which the launcher takes them.
fn attachments<'f>(
    stdin: Option<&'f OwnedFd>,
    confinement: &'f Confinement,
) -> Vec<BorrowedFd<'f>> {
    let policy = &confinement.policy;
    let lease = confinement.lease.iter();
    let lease = lease.flat_map(|lease| [lease.alive.as_fd(), lease.ending.as_fd()]);
    let held = policy.read.iter().chain(&policy.write);
    let held = held.chain(&policy.protect).map(OpenPath::as_fd);
    let stdin = stdin.map(OwnedFd::as_fd).into_iter();
    stdin.chain(lease).chain(held).collect()
}
