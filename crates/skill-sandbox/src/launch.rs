//! Our side of a confined start: the launcher is told its job and says how far it came.

use std::io;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::Duration;

use rustix::process::Pid;

use crate::child::Started;
use crate::error::{Error, Result};
use crate::feed::Input;
use crate::held::Held;
use crate::policy::{Base, Confinement, Job, Message, Network, Order, Report, Walls};
use crate::program::Command;
use crate::reach::reach;
use crate::spare::Waiting;
use crate::spec::{AtExit, Spec};
use crate::wire;

/// A launcher that has to be waited for longer than this is not one.
const ANSWER: Duration = Duration::from_secs(20);

/// Starts a child inside its walls.
pub(crate) fn launch(spec: &Spec, confinement: &Confinement, found: Command) -> Result<Started> {
    let mut input = Input::new(spec)?;
    let launcher = Waiting::get(&confinement.launcher.0)?;
    let job = job(spec, confinement, &found, input.theirs.is_some())?;
    let next = ahead(&job);
    let stdin = input.theirs.take();
    let order = Order::Start(Box::new(job));
    let launcher = launcher.told(&order, &enclosed(stdin.as_ref(), confinement))?;
    drop(stdin);
    let answer = answer(launcher.control()).map_err(|error| Error::Launcher(error.to_string()))?;
    let (report, keeper) = started(answer, spec, confinement, found)?;
    let (leader, control) = launcher.followed(next);
    Ok(Started {
        leader,
        keeper,
        control: Some(control),
        input,
        report,
    })
}

/// What the launcher of the next job may build before it is told that job, which is likely to be of
/// the same kind. With a relay it builds nothing: the relay is begun outside of all namespaces.
fn ahead(job: &Job) -> Option<Base> {
    let has_relay = matches!(job.walls.network, Network::Hosts(_));
    (!has_relay).then(|| job.walls.base.clone())
}

fn answer(control: &UnixStream) -> io::Result<(Message, Option<Pid>)> {
    control.set_read_timeout(Some(ANSWER))?;
    let (message, enclosed) =
        wire::receive(control)?.ok_or_else(|| io::Error::from(io::ErrorKind::UnexpectedEof))?;
    Ok((message, enclosed.sender))
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
        Message::Ended { .. } => Err(Error::Launcher("it ended before it started".into())),
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
        walls: Walls {
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

fn paths(held: &[Held]) -> Vec<PathBuf> {
    held.iter().map(|held| held.at().to_owned()).collect()
}

/// The descriptors that go with a job, in the order in which the launcher takes them.
fn enclosed<'f>(stdin: Option<&'f OwnedFd>, confinement: &'f Confinement) -> Vec<BorrowedFd<'f>> {
    let policy = &confinement.policy;
    let lease = confinement.lease.iter();
    let lease = lease.flat_map(|lease| [lease.alive.as_fd(), lease.ending.as_fd()]);
    let held = policy.read.iter().chain(&policy.write);
    let held = held.chain(&policy.protect).map(Held::as_fd);
    let stdin = stdin.map(OwnedFd::as_fd).into_iter();
    stdin.chain(lease).chain(held).collect()
}
