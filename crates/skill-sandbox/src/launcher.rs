//! The launcher: the same program, started again, which walls itself in and then starts the child.
//!
//! As the first process of a PID namespace it outlives the child only to collect what is left; when it
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

use crate::door::{self, LAUNCH, LAUNCH_AS_USER, LAUNCH_INSIDE};
use crate::inherited;
use crate::outcome::Lost;
use crate::policy::{Job, Level, Message, Network, Order, Report};
use crate::reach::HOLDS;
use crate::relay::Relay;
use crate::walls::given::Given;
use crate::walls::lost::lost;
use crate::walls::namespaces::{Ahead, View};
use crate::walls::network::Standing;
use crate::walls::syscalls::{Restriction, Unix};
use crate::walls::{capabilities, files, limits, namespaces, network, syscalls};
use crate::wire;

/// To be called first in `main`: when we were started as a launcher, does its work and never returns.
///
/// What else was started keeps its open descriptors to itself: children inherit the standard streams
/// alone, inside walls and without.
pub fn launcher_main() {
    let inherited = inherited::keep_from_children();
    let mut args = std::env::args_os().skip(1);
    let (Some(first), None) = (args.next(), args.next()) else {
        return;
    };
    let done = match first.to_str() {
        // Whatever is left open would be seen inside.
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

/// Begins a session of its own: the terminal of whoever started us is none of the child's.
fn leave_terminal() -> io::Result<()> {
    Ok(setsid().map(drop)?)
}

/// Without privilege: a user namespace first, in which we have what a PID namespace needs.
fn launch_as_user() -> io::Result<()> {
    if namespaces::enter_user().is_err() {
        return launch();
    }
    let inner = door::relaunch()?;
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
    let Some(Ordered {
        job,
        mut fds,
        ahead,
    }) = ordered(&socket, alone)?
    else {
        return Ok(());
    };
    let stdin = job.has_stdin.then(|| fds.drain(..1.min(fds.len())).next());
    let stdin = stdin.flatten();
    // Held open, and with it its lock, until nobody is left.
    let lease = job.has_lease.then(|| fds.drain(..2.min(fds.len())));
    let lease: Vec<OwnedFd> = lease.into_iter().flatten().collect();
    if !alone {
        // Whoever is left behind becomes our child, so that we know when nobody is. A machine that cannot
        // do that loses sight of them, as it would without.
        let _ = set_child_subreaper(Some(getpid()));
    }
    let Some(given) = Given::take(&job.walls, fds) else {
        return wire::send(&socket, &Message::NotStarted(libc::EMFILE), &[]);
    };
    let WalledIn {
        report,
        private_tmp,
        relay,
    } = wall_in(&job, &given, alone, ahead);
    drop(given);
    if report.level < job.at_least {
        return wire::send(&socket, &Message::Refused(report), &[]);
    }
    let left = match (job.leave, job.linger_ms) {
        (false, _) => Left::Ends,
        (true, None) => Left::GoesOn,
        (true, Some(ms)) => Left::GoesOnFor(Duration::from_millis(ms), lease.get(1)),
    };
    let job = with_tmp(job, private_tmp);
    match door::start_inside(&job, stdin) {
        Ok(pid) => {
            wire::send(&socket, &Message::Started(report), &[])?;
            let lost = || {
                if private_tmp {
                    lost(&job)
                } else {
                    Lost::default()
                }
            };
            let followed = follow(&socket, pid, left, lost);
            finish(relay, alone);
            if !alone && !matches!(left, Left::GoesOn) {
                // Ourselves among them: nothing else ends with us.
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

/// A job, the descriptors that came with it, and what was built before it came.
struct Ordered {
    job: Job,
    fds: Vec<OwnedFd>,
    ahead: Option<Ahead>,
}

/// Builds what can be built until the job comes; `None` when none comes.
fn ordered(socket: &UnixStream, alone: bool) -> io::Result<Option<Ordered>> {
    let mut ahead = None;
    while let Some((order, enclosed)) = wire::receive(socket)? {
        match order {
            Order::Prepare(base) => {
                ahead = Ahead::build(base, alone);
                if !says_more(socket, HOLDS)? {
                    ahead = ahead.and_then(Ahead::leave);
                }
            }
            Order::Start(job) => {
                return Ok(Some(Ordered {
                    job: *job,
                    fds: enclosed.fds,
                    ahead,
                }));
            }
        }
    }
    Ok(None)
}

/// Whether something comes, or the end, within this time.
fn says_more(socket: &UnixStream, time: Duration) -> io::Result<bool> {
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

/// What was put up.
struct WalledIn {
    report: Report,
    /// `/tmp` is nobody else's.
    private_tmp: bool,
    relay: Option<Relay>,
}

/// Puts up every wall, from the outermost to the one that forbids putting up more.
fn wall_in(job: &Job, given: &Given, alone: bool, mut ahead: Option<Ahead>) -> WalledIn {
    let walls = &job.walls;
    if matches!(walls.network, Network::Hosts(_)) {
        // The relay stays where it is begun, and is to see the machine as it is.
        if let Some(ahead) = ahead.take() {
            ahead.discard();
        }
    }
    let relay = network::begin(&walls.network);
    let entered = namespaces::enter(walls, given, alone, ahead);
    let mut missing = entered.missing;
    let has_mounts = entered.view != View::Ours;
    let network = network::enter(&walls.network, relay, has_mounts);
    missing.extend(network.missing);
    // The child must not look into us, who answer for it.
    if set_dumpable_behavior(DumpableBehavior::NotDumpable).is_err() {
        missing.push("the launcher's memory is open to the child".to_owned());
    }
    missing.extend(limits::set(walls, alone));
    missing.extend(capabilities::drop_all());
    let standing = &network.standing;
    missing.extend(files::restrict(walls, given, entered.view, standing));
    missing.extend(syscalls::restrict(&Restriction {
        network: standing,
        unix: unix(entered.view, standing),
        own_ipc: entered.own_ipc,
        alone,
    }));
    WalledIn {
        report: report(missing, entered.view),
        private_tmp: entered.view == View::Root { private_tmp: true },
        relay: network.relay,
    }
}

/// Which UNIX sockets a program makes: all where none of others can be named, and where both files and
/// network are `any`, so that it reaches what its user does.
fn unix(view: View, network: &Standing) -> Unix {
    match (view, network) {
        (View::Root { .. }, _) | (View::Whole, Standing::Any) => Unix::All,
        (View::Ours | View::Whole, _) => Unix::PairsOnly,
    }
}

/// How much stands. A root of its own and Landlock are each a wall around files.
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

/// How long the relay may take to pass on what was sent last.
const LAST_BYTES: Duration = Duration::from_secs(2);

/// What the child sent before it ended arrives, as it would without a relay: the kernel sends what it
/// has taken. `alone`: everybody that we see is in our PID namespace.
fn finish(relay: Option<Relay>, alone: bool) {
    let Some(relay) = relay else { return };
    if alone {
        // Nobody else has a say any more. To the group of number 1 means to all but us (kill(2)).
        let _ = kill_process_group(Pid::INIT, Signal::KILL);
    }
    relay.finish(LAST_BYTES);
}

/// Temporary files go where they are private.
fn with_tmp(mut job: Job, private_tmp: bool) -> Job {
    for (name, value) in &mut job.env {
        if private_tmp && name == OsStr::new("TMPDIR") {
            *value = "/tmp".into();
        }
    }
    job
}

/// How often the dead are collected whose parents did not.
const COLLECT_EVERY: Timespec = Timespec {
    tv_sec: 1,
    tv_nsec: 0,
};

/// What becomes of processes that the child leaves behind.
#[derive(Clone, Copy)]
enum Left<'f> {
    Ends,
    GoesOn,
    /// So long, or until somebody else has this file locked alone.
    GoesOnFor(Duration, Option<&'f OwnedFd>),
}

/// Waits for the child's end and tells it; then ends all that is left, or waits for that too.
fn follow(
    socket: &UnixStream,
    child: Pid,
    left: Left<'_>,
    lost: impl FnOnce() -> Lost,
) -> io::Result<()> {
    let leave = !matches!(left, Left::Ends);
    close_output()?;
    let pidfd = pidfd_open(child, PidfdFlags::empty())?;
    let ended = loop {
        let mut set = [
            PollFd::new(&pidfd, PollFlags::IN),
            PollFd::new(socket, PollFlags::IN),
        ];
        // When those are gone who wanted an answer, only work that was to go on does.
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
    let told = wire::send(socket, &message(ended, lost()), &[]);
    match left {
        Left::Ends => {}
        Left::GoesOn => linger(),
        Left::GoesOnFor(time, ending) => linger_for(time, ending),
    }
    told
}

/// Waits until nobody is left.
fn linger() {
    while let Ok(Some(_)) | Err(Errno::INTR) = wait(WaitOptions::empty()) {}
}

/// Waits until nobody is left, at most so long, and not while somebody else has `ending` locked alone.
/// Returning ends whoever is left.
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

/// How often it is looked whether what is left has to end.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Whether somebody else has a file locked alone.
fn is_locked_alone(file: &OwnedFd) -> bool {
    match flock(file, FlockOperation::NonBlockingLockShared) {
        Err(error) => error == Errno::WOULDBLOCK,
        Ok(()) => flock(file, FlockOperation::Unlock).is_err(),
    }
}

/// Our copies of the child's pipes, which would keep them open.
fn close_output() -> io::Result<()> {
    let null: OwnedFd = open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
    rustix::stdio::dup2_stdout(&null)?;
    Ok(rustix::stdio::dup2_stderr(&null)?)
}

/// Collects all that ended; the status of `child` when it is among them.
fn collect(child: Pid) -> Option<WaitStatus> {
    while let Ok(Some((pid, status))) = wait(WaitOptions::NOHANG) {
        if pid == child {
            return Some(status);
        }
    }
    None
}

fn message(status: WaitStatus, lost: Lost) -> Message {
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

    /// Landlock and a root of its own are each a wall around files; without one of them nothing else
    /// makes a level.
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
