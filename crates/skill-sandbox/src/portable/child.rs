//! A running child: its pipes, its exit and how it is killed.

use std::io::PipeWriter;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender};
use std::time::{Duration, Instant};

use super::Channel;
use super::group::Group;
use super::output::{Event, Output};
use crate::error::{Context as _, Result};
use crate::outcome::{Exit, LostFiles, Outcome, WaitEvent};
use crate::report::Report;
use crate::spec::{AtExit, Spec};

/// The time to wait for the end of a killed process.
const KILL_GRACE: Duration = Duration::from_millis(400);
/// The interval of checking whether a silent process has ended. Neither system has a handle to wait
/// for an exit and for other events at once without `unsafe`.
const TICK: Duration = Duration::from_millis(10);
/// The time without output after which the output of a process that has ended counts as complete:
/// another process may hold its pipes.
const QUIET: Duration = Duration::from_millis(50);
/// The signal that ends a process that is killed (`SIGKILL`).
const KILLED: Exit = Exit::Signal(9);

/// A started process. Dropping it kills the process and those that it started.
#[derive(Debug)]
pub struct Child {
    group: Option<Group>,
    id: u32,
    report: Report,
    channel: Option<Channel>,
    /// Standard input that stays open.
    _stdin: Option<PipeWriter>,
    events: Receiver<Event>,
    killer: Killer,
    streams: [Output; 2],
    started: Instant,
    deadline: Option<Instant>,
    at_exit: AtExit,
    ended: Option<End>,
}

#[derive(Debug, Clone, Copy)]
struct End {
    exit: Exit,
    elapsed: Duration,
    timed_out: bool,
}

/// The reason for the end of a child.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reason {
    Exited,
    Killed,
    TimedOut,
}

/// A handle that ends a child from a thread other than the one that waits for it.
#[derive(Debug, Clone)]
pub struct Killer {
    is_requested: Arc<AtomicBool>,
    events: SyncSender<Event>,
}

impl Killer {
    pub(super) fn new(events: SyncSender<Event>) -> Self {
        Self {
            is_requested: Arc::default(),
            events,
        }
    }

    /// Kills the child and the processes that it started as soon as its thread is in
    /// [`Child::wait`].
    pub fn kill(&self) {
        self.is_requested.store(true, Ordering::SeqCst);
        // If the queue is full, the thread is about to look at the request anyway.
        let _ = self.events.try_send(Event::KillRequested);
    }
}

/// The parts of a child besides its process.
pub(super) struct Parts {
    pub(super) report: Report,
    pub(super) channel: Option<Channel>,
    pub(super) stdin: Option<PipeWriter>,
    pub(super) events: Receiver<Event>,
    pub(super) killer: Killer,
}

impl Child {
    pub(super) fn follow(group: Group, parts: Parts, spec: &Spec) -> Self {
        let now = Instant::now();
        let deadline = spec.limits.timeout.and_then(|time| now.checked_add(time));
        Self {
            id: group.id(),
            group: Some(group),
            report: parts.report,
            channel: parts.channel,
            _stdin: parts.stdin,
            events: parts.events,
            killer: parts.killer,
            streams: [spec.limits.stdout, spec.limits.stderr].map(Output::new),
            started: now,
            deadline,
            at_exit: spec.at_exit,
            ended: None,
        }
    }

    /// Returns how much of the policy is enforced.
    pub fn confinement(&self) -> &Report {
        &self.report
    }

    /// Returns the process id.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// Returns the caller's end of the channel of [`Spec::channel`], once.
    pub fn take_channel(&mut self) -> Option<Channel> {
        self.channel.take()
    }

    /// Returns the standard output so far, up to the limit.
    pub fn stdout(&self) -> &[u8] {
        &self.streams[0].kept
    }

    /// Returns the standard error so far, up to the limit.
    pub fn stderr(&self) -> &[u8] {
        &self.streams[1].kept
    }

    /// Returns a handle that ends this child from another thread.
    pub fn killer(&self) -> Killer {
        self.killer.clone()
    }

    /// Takes output and returns as soon as there is something new, at the latest at `until`. When
    /// the child's own timeout expires, it is killed and counts as exited.
    ///
    /// # Errors
    ///
    /// A system call that follows the child failed.
    pub fn wait(&mut self, until: Option<Instant>) -> Result<WaitEvent> {
        loop {
            let now = Instant::now();
            if self.ended.is_some() {
                return Ok(WaitEvent::Exited);
            } else if self.deadline.is_some_and(|deadline| deadline <= now) {
                self.kill_because(Reason::TimedOut)?;
            } else if self.killer.is_requested.load(Ordering::SeqCst) {
                self.kill_because(Reason::Killed)?;
            } else if until.is_some_and(|until| until <= now) {
                return Ok(WaitEvent::Until);
            } else if self.has_ended()? {
                self.end(Reason::Exited)?;
            } else {
                let next = [self.deadline, until].into_iter().flatten().min();
                let left = next.map_or(TICK, |next| next.saturating_duration_since(now));
                if self.take(left.min(TICK)) == Some(true) {
                    return Ok(WaitEvent::Output);
                }
            }
        }
    }

    /// Waits for an event and handles it. Returns whether more output was kept; `None` if nothing
    /// happened.
    fn take(&mut self, wait: Duration) -> Option<bool> {
        match self.events.recv_timeout(wait).ok()? {
            Event::Output(stream, bytes) => Some(self.streams[stream].keep(&bytes)),
            Event::Closed(stream) => {
                self.streams[stream].is_open = false;
                Some(false)
            }
            Event::KillRequested => Some(false),
        }
    }

    fn has_ended(&mut self) -> Result<bool> {
        let group = self.group.as_mut();
        group.map_or(Ok(true), |group| {
            group.has_ended().context("cannot wait for a child")
        })
    }

    /// Kills the process and those that it started now.
    ///
    /// # Errors
    ///
    /// A system call that follows the child failed.
    pub fn kill(&mut self) -> Result<()> {
        self.kill_because(Reason::Killed)
    }

    fn kill_because(&mut self, reason: Reason) -> Result<()> {
        let Some(group) = &mut self.group else {
            return Ok(());
        };
        group.kill();
        let until = Instant::now() + KILL_GRACE;
        while !self.has_ended()? && Instant::now() < until {
            self.take(TICK);
        }
        self.end(reason)
    }

    /// Collects the last output and the exit status.
    fn end(&mut self, reason: Reason) -> Result<()> {
        let Some(mut group) = self.group.take() else {
            return Ok(());
        };
        if self.at_exit == AtExit::Kill {
            group.kill();
        }
        let until = Instant::now() + KILL_GRACE;
        while self.streams.iter().any(|stream| stream.is_open) && Instant::now() < until {
            if self.take(QUIET).is_none() {
                break;
            }
        }
        let status = group.exit().context("cannot wait for a child")?;
        if status.is_none() {
            group.leave();
        }
        let exit = match (reason, status) {
            (Reason::Exited, Some(exit)) => exit,
            // A killed process has an exit code on Windows, which says nothing.
            (Reason::Killed, Some(exit)) if cfg!(unix) => exit,
            _ => KILLED,
        };
        self.ended = Some(End {
            exit,
            elapsed: self.started.elapsed(),
            timed_out: reason == Reason::TimedOut,
        });
        Ok(())
    }

    /// Waits until the child exits or its timeout expires, and returns its outcome.
    ///
    /// # Errors
    ///
    /// A system call that follows the child failed.
    pub fn finish(mut self) -> Result<Outcome> {
        while self.wait(None)? != WaitEvent::Exited {}
        let end = self.ended.take().expect("it has exited");
        let [stdout, stderr] = &mut self.streams;
        Ok(Outcome {
            exit: end.exit,
            stdout: std::mem::take(&mut stdout.kept),
            stderr: std::mem::take(&mut stderr.kept),
            stdout_truncated: stdout.is_truncated,
            stderr_truncated: stderr.is_truncated,
            elapsed: end.elapsed,
            timed_out: end.timed_out,
            lost: LostFiles::default(),
            confinement: self.report.clone(),
        })
    }

    /// Lets the child continue on its own: without timeout or kill. Its output is read and
    /// discarded while this program runs. On Windows it continues only if it was started with
    /// [`AtExit::Leave`] or [`AtExit::LeaveFor`].
    pub fn leave(mut self) {
        if let Some(group) = self.group.take() {
            group.leave();
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // There is nobody to report an error to.
        let _ = self.kill_because(Reason::Killed);
    }
}
