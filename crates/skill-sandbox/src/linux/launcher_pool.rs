//! Launchers that wait for their job. The next one is started while the program of the current call
//! runs: it takes as long to start as a program does, and builds what it can of the next child's
//! root.
//!
//! A process that starts only one child has no use for a second launcher, so the first call does
//! not start one in advance. An unused launcher ends with this process: it waits at a socket whose
//! other end is ours.

use std::os::fd::BorrowedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::net::sockopt::set_socket_passcred;
use serde::Serialize;

use crate::error::{Context as _, Error, Result};
use crate::linux::orders::{Base, Order};
use crate::linux::process;
use crate::linux::wire;

/// A launcher without a job. Dropping it kills the process.
#[derive(Debug)]
pub(crate) struct PooledLauncher {
    program: PathBuf,
    parts: Option<(Child, UnixStream)>,
}

/// The state of the launcher for the next call.
#[derive(Debug)]
enum PoolState {
    /// There has been no call yet.
    Unneeded,
    Empty,
    Starting,
    Ready(PooledLauncher),
}

static POOL: Mutex<PoolState> = Mutex::new(PoolState::Unneeded);

fn pool() -> MutexGuard<'static, PoolState> {
    POOL.lock().unwrap_or_else(PoisonError::into_inner)
}

impl PooledLauncher {
    /// Returns the launcher that was started in advance, or a new one.
    pub(crate) fn get(program: &Path) -> Result<Self> {
        match take() {
            Some(found) if found.program == program => Ok(found),
            _ => Self::start(program),
        }
    }

    fn start(program: &Path) -> Result<Self> {
        let (control, theirs) = UnixStream::pair().context("cannot make a socket pair")?;
        set_socket_passcred(&control, true).context("cannot prepare a socket")?;
        let leader = process::start_launcher(program, theirs.into())?;
        Ok(Self {
            program: program.to_owned(),
            parts: Some((leader, control)),
        })
    }

    /// Returns our end of the connection.
    pub(crate) fn control(&self) -> &UnixStream {
        let (_, control) = self.parts.as_ref().expect("taken only when this is gone");
        control
    }

    /// Lets it build what it can in advance. If it has ended, the assignment of its job notices
    /// that.
    fn prepare(&self, next: Option<Base>) {
        if let Some(base) = next {
            let _ = wire::send(self.control(), &Order::Prepare(base), &[]);
        }
    }

    /// Sends it its job and descriptors. A launcher that ended while it waited is replaced.
    pub(crate) fn assign<T: Serialize>(self, job: &T, fds: &[BorrowedFd<'_>]) -> Result<Self> {
        if wire::send(self.control(), job, fds).is_ok() {
            return Ok(self);
        }
        let other = Self::start(&self.program)?;
        match wire::send(other.control(), job, fds) {
            Ok(()) => Ok(other),
            Err(error) => Err(Error::Launcher(error.to_string())),
        }
    }

    /// Returns the process and the connection, to be followed by the caller. The next launcher is
    /// started and prepares for a job with the base `next`.
    pub(crate) fn into_parts(mut self, next: Option<Base>) -> (Child, UnixStream) {
        let program = std::mem::take(&mut self.program);
        let parts = self.parts.take().expect("taken only here");
        prepare(program, next);
        parts
    }
}

impl Drop for PooledLauncher {
    fn drop(&mut self) {
        if let Some((mut leader, _)) = self.parts.take() {
            let _ = leader.kill();
            let _ = leader.wait();
        }
    }
}

fn take() -> Option<PooledLauncher> {
    let mut pool = pool();
    match std::mem::replace(&mut *pool, PoolState::Empty) {
        PoolState::Ready(found) => Some(found),
        other => {
            *pool = other;
            None
        }
    }
}

/// Starts a launcher for the next call, unless there is one or this was the first call.
fn prepare(program: PathBuf, next: Option<Base>) {
    let mut now = pool();
    match *now {
        PoolState::Unneeded => *now = PoolState::Empty,
        PoolState::Starting | PoolState::Ready(_) => {}
        PoolState::Empty => {
            let start = move || {
                let started =
                    PooledLauncher::start(&program).inspect(|waiting| waiting.prepare(next));
                *pool() = started.map_or(PoolState::Empty, PoolState::Ready);
            };
            let begun = std::thread::Builder::new().spawn(start).is_ok();
            *now = if begun {
                PoolState::Starting
            } else {
                PoolState::Empty
            };
        }
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a launcher is laid out")]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn one_that_ended_while_it_waited_is_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let program = dir.path().join("launcher");
        // The first one ends at once, the second one waits.
        let script = "#!/bin/sh\n/bin/mkdir \"$0.first\" && exit\nexec /bin/cat\n";
        fs::write(&program, script).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let mut waiting = PooledLauncher::start(&program).unwrap();
        let first = {
            let (leader, _) = waiting.parts.as_mut().unwrap();
            leader.wait().unwrap();
            leader.id()
        };
        let assigned = waiting.assign(&"a job", &[]).unwrap();
        let (leader, _) = assigned.parts.as_ref().unwrap();
        assert_ne!(leader.id(), first);
    }

    #[test]
    fn one_that_cannot_be_had_is_an_error() {
        assert!(PooledLauncher::get(Path::new("/no/such/launcher")).is_err());
    }
}
