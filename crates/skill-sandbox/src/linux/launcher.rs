//! The launcher: the same program, started again, which confines itself and then starts the child.
//!
//! As the first process of a PID namespace it outlives the child only to reap what is left. When it
//! ends, the kernel ends everything in the namespace.

use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{FlockOperation, Mode, OFlags, flock, open};
use rustix::io::Errno;
use rustix::process::{
    DumpableBehavior, Pid, PidfdFlags, Signal, WaitOptions, WaitStatus, getpgrp, getpid,
    kill_process_group, pidfd_open, set_child_subreaper, set_dumpable_behavior, setsid, wait,
};

use crate::linux::confinement::grants::Grants;
use crate::linux::confinement::lost_files::lost_files;
use crate::linux::confinement::namespaces::{Prepared, View};
use crate::linux::confinement::network_access::NetworkAccess;
use crate::linux::confinement::syscalls::{Restriction, UnixSockets};
use crate::linux::confinement::{capabilities, files, limits, namespaces, network, syscalls};
use crate::linux::inherited;
use crate::linux::orders::{Job, Message, Order};
use crate::linux::process::{self, LAUNCH, LAUNCH_AS_USER, LAUNCH_INSIDE};
use crate::linux::reach::CACHE_TIME;
use crate::linux::relay::Relay;
use crate::linux::wire;
use crate::outcome::LostFiles;
use crate::report::{Level, Report};

/// Acts as the launcher if this process was started as one, and then never returns. To be called
/// first in `main`.
///
/// In any other process, it keeps inherited descriptors from children: they inherit the standard
/// streams alone, confined or not.
pub fn launcher_main() {
    let inherited = inherited::keep_from_children();
    let mut args = std::env::args_os().skip(1);
    let (Some(first), None) = (args.next(), args.next()) else {
        return;
    };
    let done = match first.to_str() {
        // Descriptors that stay open would be visible to the child.
        Some(LAUNCH | LAUNCH_AS_USER | LAUNCH_INSIDE) if inherited.is_err() => {
            inherited.map_err(io::Error::from)
        }
        Some(LAUNCH) => leave_terminal().and_then(|()| launch()),
        Some(LAUNCH_AS_USER) => leave_terminal().and_then(|()| launch_as_user()),
        Some(LAUNCH_INSIDE) => launch(),
        _ => return,
    };
    leave(i32::from(done.is_err()))
}

#[expect(clippy::exit, reason = "the launcher is a program of its own")]
fn leave(code: i32) -> ! {
    std::process::exit(code)
}

/// Starts a new session, so that the child has no access to the terminal of the caller.
fn leave_terminal() -> io::Result<()> {
    Ok(setsid().map(drop)?)
}

/// Without privileges: enters a user namespace first, which has what a PID namespace needs.
fn launch_as_user() -> io::Result<()> {
    if namespaces::enter_user().is_err() {
        return launch();
    }
    let inner = process::relaunch()?;
    let pid = Pid::from_child(&inner);
    while let Ok(Some((ended, _))) = wait(WaitOptions::empty()) {
        if ended == pid {
            break;
        }
    }
    Ok(())
}

fn launch() -> io::Result<()> {
    let socket = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let alone = getpid().is_init();
    let Some(ReceivedJob {
        job,
        mut fds,
        prepared,
    }) = receive_job(&socket, alone)?
    else {
        return Ok(());
    };
    let stdin = job.has_stdin.then(|| fds.drain(..1.min(fds.len())).next());
    let stdin = stdin.flatten();
    // The file stays open, and its lock held, until nobody is left.
    let lease = job.has_lease.then(|| fds.drain(..2.min(fds.len())));
    let lease: Vec<OwnedFd> = lease.into_iter().flatten().collect();
    if !alone {
        // Processes that are left behind become our children, so that we know when all have ended.
        // A machine that cannot do that loses track of them, as it would without a launcher.
        let _ = set_child_subreaper(Some(getpid()));
    }
    let Some(grants) = Grants::take(&job.restrictions, fds) else {
        return wire::send(&socket, &Message::NotStarted(libc::EMFILE), &[]);
    };
    let ConfineResult {
        report,
        private_tmp,
        relay,
    } = confine(&job, &grants, alone, prepared);
    drop(grants);
    if report.level < job.at_least {
        return wire::send(&socket, &Message::Refused(report), &[]);
    }
    let leftovers = match (job.leave, job.linger_ms) {
        (false, _) => Leftovers::Ends,
        (true, None) => Leftovers::GoesOn,
        (true, Some(ms)) => Leftovers::GoesOnFor(Duration::from_millis(ms), lease.get(1)),
    };
    let job = with_tmp(job, private_tmp);
    match process::start_inside(&job, stdin) {
        Ok(pid) => {
            wire::send(&socket, &Message::Started(report), &[])?;
            let lost = || {
                if private_tmp {
                    lost_files(&job)
                } else {
                    LostFiles::default()
                }
            };
            let followed = follow(&socket, pid, leftovers, lost);
            finish(relay, alone);
            if !alone && !matches!(leftovers, Leftovers::GoesOn) {
                // This includes the launcher: no namespace ends with it.
                let _ = kill_process_group(getpgrp(), Signal::KILL);
            }
            followed
        }
        Err(error) => {
            let number = error.raw_os_error().unwrap_or(libc::EINVAL);
            wire::send(&socket, &Message::NotStarted(number), &[])
        }
    }
}

/// A job, its descriptors, and what was built before it arrived.
struct ReceivedJob {
    job: Job,
    fds: Vec<OwnedFd>,
    prepared: Option<Prepared>,
}

/// Builds what can be built until the job arrives; `None` if none arrives.
fn receive_job(socket: &UnixStream, alone: bool) -> io::Result<Option<ReceivedJob>> {
    let mut prepared = None;
    while let Some((order, attachments)) = wire::receive(socket)? {
        match order {
            Order::Prepare(base) => {
                prepared = Prepared::build(base, alone);
                if !has_input(socket, CACHE_TIME)? {
                    prepared = prepared.and_then(Prepared::leave);
                }
            }
            Order::Start(job) => {
                return Ok(Some(ReceivedJob {
                    job: *job,
                    fds: attachments.fds,
                    prepared,
                }));
            }
        }
    }
    Ok(None)
}

/// Returns true if data or the end of the connection arrives within `time`.
fn has_input(socket: &UnixStream, time: Duration) -> io::Result<bool> {
    let mut set = [PollFd::new(socket, PollFlags::IN)];
    let time = Timespec {
        tv_sec: time.as_secs().cast_signed(),
        tv_nsec: time.subsec_nanos().into(),
    };
    match poll(&mut set, Some(&time)) {
        Err(Errno::INTR) => Ok(true),
        ready => Ok(ready? > 0),
    }
}

/// The result of confining the launcher.
struct ConfineResult {
    report: Report,
    /// `/tmp` belongs to the child alone.
    private_tmp: bool,
    relay: Option<Relay>,
}

/// Applies every restriction, from the outermost to the one that forbids applying more.
fn confine(
    job: &Job,
    grants: &Grants,
    alone: bool,
    mut prepared: Option<Prepared>,
) -> ConfineResult {
    let restrictions = &job.restrictions;
    if restrictions.network.has_relay() {
        // The relay runs in the namespaces in which it starts, and must see the machine as it is.
        if let Some(prepared) = prepared.take() {
            prepared.discard();
        }
    }
    let relay = network::begin(&restrictions.network);
    let entered = namespaces::enter(restrictions, grants, alone, prepared);
    let mut missing = entered.missing;
    let has_mounts = entered.view != View::Ours;
    let network = network::enter(&restrictions.network, relay, has_mounts);
    missing.extend(network.missing);
    // The child must not read the memory of the launcher, which reports its result.
    if set_dumpable_behavior(DumpableBehavior::NotDumpable).is_err() {
        missing.push("the launcher's memory is open to the child".to_owned());
    }
    missing.extend(limits::set(restrictions, alone));
    missing.extend(capabilities::drop_all());
    let access = &network.access;
    missing.extend(files::restrict(restrictions, grants, entered.view, access));
    missing.extend(syscalls::restrict(&Restriction {
        network: access,
        unix: unix(entered.view, access),
        own_ipc: entered.own_ipc,
        alone,
    }));
    ConfineResult {
        report: report(missing, entered.view),
        private_tmp: entered.view == View::Root { private_tmp: true },
        relay: network.relay,
    }
}

/// Returns the UNIX sockets that a program may create: all if it cannot name those of others, or if
/// both files and network are `any`, so that it reaches what its user does.
fn unix(view: View, network: &NetworkAccess) -> UnixSockets {
    match (view, network) {
        (View::Root { .. }, _) | (View::Whole, NetworkAccess::Any) => UnixSockets::All,
        (View::Ours | View::Whole, _) => UnixSockets::PairsOnly,
    }
}

/// Returns the level that was reached. A private root and Landlock each restrict access to files.
fn report(missing: Vec<String>, view: View) -> Report {
    let has_landlock = !missing.iter().any(|line| line.starts_with(files::NONE));
    let level = if missing.is_empty() {
        Level::Full
    } else if has_landlock || view != View::Ours {
        Level::Partial
    } else {
        Level::None
    };
    Report { level, missing }
}

/// The time that the relay may take to forward the last bytes.
const LAST_BYTES: Duration = Duration::from_secs(2);

/// Lets data arrive that the child sent before it ended, as without a relay, where the kernel sends
/// what it has accepted. `alone`: all processes that we see are in our PID namespace.
fn finish(relay: Option<Relay>, alone: bool) {
    let Some(relay) = relay else { return };
    if alone {
        // No other process may send any more. Killing the group of process 1 means all but
        // ourselves (kill(2)).
        let _ = kill_process_group(Pid::INIT, Signal::KILL);
    }
    relay.finish(LAST_BYTES);
}

/// Points `TMPDIR` to the private `/tmp`, if there is one.
fn with_tmp(mut job: Job, private_tmp: bool) -> Job {
    for (name, value) in &mut job.env {
        if private_tmp && name == OsStr::new("TMPDIR") {
            *value = "/tmp".into();
        }
    }
    job
}

/// The interval of reaping processes whose parents did not.
const COLLECT_EVERY: Timespec = Timespec {
    tv_sec: 1,
    tv_nsec: 0,
};

/// The treatment of processes that the child leaves behind.
#[derive(Clone, Copy)]
enum Leftovers<'f> {
    Ends,
    GoesOn,
    /// For this long, or until another process holds an exclusive lock on this file.
    GoesOnFor(Duration, Option<&'f OwnedFd>),
}

/// Waits for the end of the child and reports it. Then ends the processes that are left, or waits
/// for them too.
fn follow(
    socket: &UnixStream,
    child: Pid,
    leftovers: Leftovers<'_>,
    lost: impl FnOnce() -> LostFiles,
) -> io::Result<()> {
    let leave = !matches!(leftovers, Leftovers::Ends);
    close_output()?;
    let pidfd = pidfd_open(child, PidfdFlags::empty())?;
    let ended = loop {
        let mut set = [
            PollFd::new(&pidfd, PollFlags::IN),
            PollFd::new(socket, PollFlags::IN),
        ];
        // When the caller is gone, only work that was meant to continue does.
        let polled = if leave { &mut set[..1] } else { &mut set[..] };
        match poll(polled, Some(&COLLECT_EVERY)) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        if let Some(status) = collect(child) {
            break status;
        }
        if !leave && !set[1].revents().is_empty() {
            return Ok(());
        }
    };
    let sent = wire::send(socket, &message(ended, lost()), &[]);
    match leftovers {
        Leftovers::Ends => {}
        Leftovers::GoesOn => linger(),
        Leftovers::GoesOnFor(time, ending) => linger_for(time, ending),
    }
    sent
}

/// Waits until no process is left.
fn linger() {
    while let Ok(Some(_)) | Err(Errno::INTR) = wait(WaitOptions::empty()) {}
}

/// Waits until no process is left, `time` is over, or another process holds an exclusive lock on
/// `ending`. Returning ends the processes that are left.
fn linger_for(time: Duration, ending: Option<&OwnedFd>) {
    let end = Instant::now() + time;
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some(_)) | Err(Errno::INTR) => {}
            Err(_) => return,
            Ok(None) if end <= Instant::now() || ending.is_some_and(is_locked_alone) => return,
            Ok(None) => std::thread::sleep(LOOK_EVERY),
        }
    }
}

/// The interval of checking whether the remaining processes have to end.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Returns true if another process holds an exclusive lock on the file.
fn is_locked_alone(file: &OwnedFd) -> bool {
    match flock(file, FlockOperation::NonBlockingLockShared) {
        Err(error) => error == Errno::WOULDBLOCK,
        Ok(()) => flock(file, FlockOperation::Unlock).is_err(),
    }
}

/// Closes our copies of the child's pipes, which would keep them open.
fn close_output() -> io::Result<()> {
    let null: OwnedFd = open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
    rustix::stdio::dup2_stdout(&null)?;
    Ok(rustix::stdio::dup2_stderr(&null)?)
}

/// Reaps all processes that ended; returns the status of `child` if it is one of them.
fn collect(child: Pid) -> Option<WaitStatus> {
    while let Ok(Some((pid, status))) = wait(WaitOptions::NOHANG) {
        if pid == child {
            return Some(status);
        }
    }
    None
}

fn message(status: WaitStatus, lost: LostFiles) -> Message {
    Message::Ended {
        lost,
        code: status.exit_status(),
        signal: status.terminating_signal().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(missing: &[&str], view: View, expected: Level) {
        let missing = missing.iter().map(ToString::to_string).collect();
        assert_eq!(report(missing, view).level, expected);
    }

    /// Landlock and a private root each restrict access to files; without either of them, other
    /// restrictions do not raise the level.
    #[test]
    fn levels() {
        let root = View::Root { private_tmp: true };
        check(&[], root, Level::Full);
        check(&["no PID namespace"], root, Level::Partial);
        check(&[files::NONE], root, Level::Partial);
        check(&["no mount namespace"], View::Ours, Level::Partial);
        check(
            &["no mount namespace", files::NONE],
            View::Ours,
            Level::None,
        );
    }
}
