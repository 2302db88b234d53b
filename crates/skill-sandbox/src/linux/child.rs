//! A running child: its pipes, its exit and how it is killed.

use std::io::{PipeReader, PipeWriter, Read as _, Write as _};
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{ChildStderr, ChildStdout, ExitStatus};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open, pidfd_send_signal};

use crate::error::{Context as _, Result};
use crate::linux::feed::Feed;
use crate::linux::guard::Guard;
use crate::linux::orders::Message;
use crate::linux::process;
use crate::linux::sink::{Detach as _, Sink};
use crate::linux::started_process::StartedProcess;
use crate::linux::wire;
use crate::outcome::{Exit, LostFiles, Outcome, WaitEvent};
use crate::report::Report;
use crate::spec::{AtExit, Spec};

/// The time to wait for the end of a killed process. The kernel may keep it in a system call; the
/// caller gets its answer nevertheless, within timeout + 0.5 s.
const KILL_GRACE: Duration = Duration::from_millis(400);

/// A started process. Dropping it kills the process and its group.
#[derive(Debug)]
pub struct Child {
    leader: Option<std::process::Child>,
    pid: Pid,
    /// The process group: its own, or the one of `guard`.
    group: Pid,
    /// The process itself, or the launcher next to it, with which all its children end.
    pidfd: OwnedFd,
    /// The socket on which the launcher reports how the process ended.
    control: Option<UnixStream>,
    reported: Option<Exit>,
    lost: LostFiles,
    is_confined: bool,
    report: Report,
    channel: Option<UnixStream>,
    kill_request: (PipeReader, Arc<PipeWriter>),
    stdin: Feed,
    stdout: Sink<ChildStdout>,
    stderr: Sink<ChildStderr>,
    started: Instant,
    deadline: Option<Instant>,
    at_exit: AtExit,
    buffer: Vec<u8>,
    ended: Option<End>,
    /// Ends the child with this process.
    guard: Option<Guard>,
}

#[derive(Debug, Clone, Copy)]
struct End {
    exit: Exit,
    elapsed: Duration,
    timed_out: bool,
}

/// A handle that ends a child from a thread other than the one that waits for it.
#[derive(Debug, Clone)]
pub struct Killer(Arc<PipeWriter>);

impl Killer {
    /// Kills the child and its process group as soon as its thread is in [`Child::wait`].
    pub fn kill(&self) {
        // A full or closed pipe: the request was made before, or the child has ended.
        let _ = (&*self.0).write(b"k");
    }
}

impl Child {
    /// Follows a process that was just started; if that fails, the process is killed.
    pub(crate) fn follow(
        mut started: StartedProcess,
        guard: Option<Guard>,
        spec: &Spec,
    ) -> Result<Self> {
        let now = Instant::now();
        let pid = Pid::from_child(&started.leader);
        let group = guard.as_ref().map_or(pid, Guard::group);
        let keeper = started.keeper.unwrap_or(pid);
        let (pidfd, (kill_reader, kill_writer)) = watches(keeper, pid).inspect_err(|_| {
            let _ = kill_process_group(group, Signal::KILL);
            let _ = started.leader.wait();
        })?;
        let child = Self {
            stdin: Feed::new(started.input.pipe, &spec.stdin),
            stdout: Sink::new(started.leader.stdout.take(), spec.limits.stdout),
            stderr: Sink::new(started.leader.stderr.take(), spec.limits.stderr),
            leader: Some(started.leader),
            pid,
            group,
            pidfd,
            is_confined: started.control.is_some(),
            control: started.control,
            reported: None,
            lost: LostFiles::default(),
            report: started.report,
            channel: started.input.channel,
            kill_request: (kill_reader, Arc::new(kill_writer)),
            started: now,
            deadline: spec
                .limits
                .timeout
                .and_then(|timeout| now.checked_add(timeout)),
            at_exit: spec.at_exit,
            buffer: Vec::new(),
            ended: None,
            guard,
        };
        child.without_blocking()?;
        Ok(child)
    }

    fn without_blocking(&self) -> Result<()> {
        let pipes = [
            self.stdin.pending(),
            self.stdout.pending(),
            self.stderr.pending(),
        ];
        for pipe in pipes.into_iter().flatten() {
            rustix::io::ioctl_fionbio(pipe, true).context("cannot prepare a pipe")?;
        }
        Ok(())
    }

    /// Returns how much of the policy is enforced.
    pub fn confinement(&self) -> &Report {
        &self.report
    }

    /// Returns the process id in the caller's PID namespace.
    pub fn id(&self) -> u32 {
        self.pid.as_raw_pid().unsigned_abs()
    }

    /// Returns the caller's end of the channel of [`Spec::channel`], once.
    pub fn take_channel(&mut self) -> Option<UnixStream> {
        self.channel.take()
    }

    /// Returns the standard output so far, up to the limit.
    pub fn stdout(&self) -> &[u8] {
        self.stdout.kept()
    }

    /// Returns the standard error so far, up to the limit.
    pub fn stderr(&self) -> &[u8] {
        self.stderr.kept()
    }

    /// Returns a handle that ends this child from another thread.
    pub fn killer(&self) -> Killer {
        Killer(Arc::clone(&self.kill_request.1))
    }

    /// Writes input, reads output and returns as soon as there is something new, at the latest at
    /// `until`. When the child's own timeout expires, it is killed and counts as exited.
    ///
    /// # Errors
    ///
    /// A system call that follows the child failed.
    pub fn wait(&mut self, until: Option<Instant>) -> Result<WaitEvent> {
        loop {
            if self.ended.is_some() {
                return Ok(WaitEvent::Exited);
            }
            let now = Instant::now();
            if self.deadline.is_some_and(|deadline| deadline <= now) {
                self.kill_for(true)?;
                return Ok(WaitEvent::Exited);
            }
            if until.is_some_and(|until| until <= now) {
                return Ok(WaitEvent::Until);
            }
            let next = [self.deadline, until].into_iter().flatten().min();
            if self.step(next)? {
                return Ok(WaitEvent::Output);
            }
        }
    }

    /// Polls once and handles what is ready; returns true if there is new output.
    fn step(&mut self, until: Option<Instant>) -> Result<bool> {
        let [exited, kill, reported, stdin, stdout, stderr] = self.ready(until)?;
        if stdin {
            self.stdin.write();
        }
        let mut more = stdout && self.stdout.read(&mut self.buffer);
        more |= stderr && self.stderr.read(&mut self.buffer);
        if reported {
            self.receive_report();
        }
        if kill {
            let _ = self.kill_request.0.read(&mut [0; 1]);
            self.kill_for(false)?;
        } else if exited || (self.reported.is_some() && self.at_exit != AtExit::Kill) {
            self.end(false)?;
        }
        Ok(more)
    }

    /// Returns the socket on which the launcher will report how the process ended, until it has.
    fn pending_report(&self) -> Option<BorrowedFd<'_>> {
        let control = self.control.as_ref()?;
        self.reported.is_none().then(|| control.as_fd())
    }

    /// Receives the launcher's report: how the process ended, or that the connection is closed.
    fn receive_report(&mut self) {
        let said = self.control.as_ref().map(wire::receive);
        match said {
            Some(Ok(Some((Message::Ended { code, signal, lost }, _)))) => {
                self.lost = lost;
                self.reported = Some(code.map_or(Exit::Signal(signal), Exit::Code));
            }
            _ => self.control = None,
        }
    }

    /// Receives the report if there is one, without blocking.
    fn receive_last_report(&mut self) {
        let ready = self
            .control
            .as_ref()
            .is_some_and(|control| control.set_nonblocking(true).is_ok());
        if ready && self.reported.is_none() {
            self.receive_report();
        }
    }

    /// Waits until something is ready: exit, kill request, report, standard input, output or error.
    fn ready(&self, until: Option<Instant>) -> Result<[bool; 6]> {
        let polled = [
            (Some(self.pidfd.as_fd()), PollFlags::IN),
            (Some(self.kill_request.0.as_fd()), PollFlags::IN),
            (self.pending_report(), PollFlags::IN),
            (self.stdin.pending(), PollFlags::OUT),
            (self.stdout.pending(), PollFlags::IN),
            (self.stderr.pending(), PollFlags::IN),
        ];
        let mut set: Vec<PollFd<'_>> = Vec::with_capacity(polled.len());
        let mut places = [None; 6];
        for (place, (fd, flags)) in places.iter_mut().zip(polled) {
            if let Some(fd) = fd {
                *place = Some(set.len());
                set.push(PollFd::from_borrowed_fd(fd, flags));
            }
        }
        poll_until(&mut set, until)?;
        Ok(places.map(|place| place.is_some_and(|at| !set[at].revents().is_empty())))
    }

    /// Kills the process and its group now.
    ///
    /// # Errors
    ///
    /// A system call that follows the child failed.
    pub fn kill(&mut self) -> Result<()> {
        self.kill_for(false)
    }

    fn kill_for(&mut self, timed_out: bool) -> Result<()> {
        if self.ended.is_some() {
            return Ok(());
        }
        self.kill_group();
        let mut set = [PollFd::new(&self.pidfd, PollFlags::IN)];
        poll_until(&mut set, Some(Instant::now() + KILL_GRACE))?;
        self.end(timed_out)
    }

    /// Collects the last output and the exit status of a process that has ended, or was killed and
    /// will end.
    fn end(&mut self, timed_out: bool) -> Result<()> {
        let Some(mut leader) = self.leader.take() else {
            return Ok(());
        };
        self.receive_last_report();
        self.stdout.drain(&mut self.buffer);
        self.stderr.drain(&mut self.buffer);
        if self.at_exit == AtExit::Kill {
            // Before the leader is reaped and the guard is dropped: until then the group's id cannot
            // belong to another one.
            self.kill_group();
        }
        let status = leader.try_wait().context("cannot wait for a child")?;
        if status.is_none() {
            process::leave(leader);
        }
        let killed = Exit::Signal(Signal::KILL.as_raw());
        let exit = match (self.reported, self.is_confined) {
            (Some(reported), _) if !timed_out => reported,
            (None, false) if !timed_out => status.map_or(killed, exit_of),
            _ => killed,
        };
        self.ended = Some(End {
            exit,
            elapsed: self.started.elapsed(),
            timed_out,
        });
        Ok(())
    }

    fn kill_group(&self) {
        // Failure means that it has ended already.
        let _ = pidfd_send_signal(&self.pidfd, Signal::KILL);
        let _ = kill_process_group(self.group, Signal::KILL);
    }

    /// Waits until the child exits or its timeout expires, and returns its outcome.
    ///
    /// # Errors
    ///
    /// A system call that follows the child failed.
    pub fn finish(mut self) -> Result<Outcome> {
        while self.wait(None)? != WaitEvent::Exited {}
        self.drain_elsewhere();
        let end = self.ended.take().expect("it has exited");
        let (stdout, stdout_truncated) = self.stdout.take_kept();
        let (stderr, stderr_truncated) = self.stderr.take_kept();
        Ok(Outcome {
            exit: end.exit,
            stdout,
            stderr,
            stdout_truncated,
            stderr_truncated,
            elapsed: end.elapsed,
            timed_out: end.timed_out,
            lost: std::mem::take(&mut self.lost),
            confinement: self.report.clone(),
        })
    }

    /// Lets the child continue on its own: without timeout or kill; its output is read and
    /// discarded. A confined child continues only if it was started with [`AtExit::Leave`].
    pub fn leave(mut self) {
        self.at_exit = AtExit::Leave;
        self.guard = None;
        self.drain_elsewhere();
        if let Some(leader) = self.leader.take() {
            process::leave(leader);
        }
    }

    /// Gives pipes that other processes still hold to a process that outlives us.
    fn drain_elsewhere(&mut self) {
        if self.at_exit == AtExit::Kill {
            return;
        }
        let stdout = self.stdout.is_held(&mut self.buffer);
        let stderr = self.stderr.is_held(&mut self.buffer);
        let stdout = stdout.then(|| self.stdout.detach()).flatten();
        let stderr = stderr.then(|| self.stderr.detach()).flatten();
        for pipe in [stdout, stderr].into_iter().flatten() {
            // Without that process the pipe closes, and writers get an error.
            let _ = process::drain_elsewhere(pipe);
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if self.leader.is_some() {
            // There is nobody to report an error to.
            let _ = self.kill_for(false);
        }
    }
}

/// Returns the descriptors that a child is watched by: its pidfd, and the pipe for kill requests of
/// other threads.
///
/// The keeper of a short-lived child may have ended already; the leader is our child and exists
/// until we reap it.
fn watches(keeper: Pid, leader: Pid) -> Result<(OwnedFd, (PipeReader, PipeWriter))> {
    let pidfd = match pidfd_open(keeper, PidfdFlags::empty()) {
        Err(Errno::SRCH) => pidfd_open(leader, PidfdFlags::empty()),
        opened => opened,
    };
    let pidfd = pidfd.context("cannot open a pidfd")?;
    let pipe = std::io::pipe().context("cannot make a pipe")?;
    Ok((pidfd, pipe))
}

fn poll_until(set: &mut [PollFd<'_>], until: Option<Instant>) -> Result<()> {
    loop {
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        let timeout = left.map(|left| Timespec {
            tv_sec: left.as_secs().cast_signed(),
            tv_nsec: left.subsec_nanos().into(),
        });
        match poll(set, timeout.as_ref()) {
            Err(Errno::INTR) => {}
            polled => return polled.map(drop).context("cannot poll"),
        }
    }
}

fn exit_of(status: ExitStatus) -> Exit {
    match (status.code(), status.signal()) {
        (Some(code), _) => Exit::Code(code),
        (None, signal) => Exit::Signal(signal.unwrap_or_default()),
    }
}
