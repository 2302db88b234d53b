//! Launchers that wait for their job. One is started ahead, while the program of the call before runs:
//! it takes as long to start as a program does, and builds what it can of the next child's root.
//!
//! A process that starts one child has no use for a second launcher, so the first call gets none
//! ahead. One that was started ahead and is not needed ends with us: it waits at a socket whose other
//! end is ours.

use std::os::fd::BorrowedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::net::sockopt::set_socket_passcred;
use serde::Serialize;

use crate::door;
use crate::error::{Context as _, Error, Result};
use crate::policy::{Base, Order};
use crate::wire;

/// A launcher without a job. Dropped, it is killed.
#[derive(Debug)]
pub(crate) struct Waiting {
    program: PathBuf,
    parts: Option<(Child, UnixStream)>,
}

/// What there is for the next call.
#[derive(Debug)]
enum Spare {
    /// No call yet.
    Unneeded,
    Missing,
    Coming,
    There(Waiting),
}

static SPARE: Mutex<Spare> = Mutex::new(Spare::Unneeded);

fn spare() -> MutexGuard<'static, Spare> {
    SPARE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Waiting {
    /// The one that was started ahead, or a new one.
    pub(crate) fn get(program: &Path) -> Result<Self> {
        match take() {
            Some(found) if found.program == program => Ok(found),
            _ => Self::start(program),
        }
    }

    fn start(program: &Path) -> Result<Self> {
        let (control, theirs) = UnixStream::pair().context("cannot make a socket pair")?;
        set_socket_passcred(&control, true).context("cannot prepare a socket")?;
        let leader = door::start_launcher(program, theirs.into())?;
        Ok(Self {
            program: program.to_owned(),
            parts: Some((leader, control)),
        })
    }

    /// Our end of the conversation.
    pub(crate) fn control(&self) -> &UnixStream {
        let (_, control) = self.parts.as_ref().expect("taken only when this is gone");
        control
    }

    /// Has it build what it can. One that ended is noticed when it is told its job.
    fn prepare(&self, next: Option<Base>) {
        if let Some(base) = next {
            let _ = wire::send(self.control(), &Order::Prepare(base), &[]);
        }
    }

    /// Tells it its job, and gives it descriptors. One that ended while it waited is replaced.
    pub(crate) fn told<T: Serialize>(self, job: &T, fds: &[BorrowedFd<'_>]) -> Result<Self> {
        if wire::send(self.control(), job, fds).is_ok() {
            return Ok(self);
        }
        let other = Self::start(&self.program)?;
        match wire::send(other.control(), job, fds) {
            Ok(()) => Ok(other),
            Err(error) => Err(Error::Launcher(error.to_string())),
        }
    }

    /// The process and the conversation, for one who follows them. The next one is started, and builds
    /// what it can for a job with the base `next`.
    pub(crate) fn followed(mut self, next: Option<Base>) -> (Child, UnixStream) {
        let program = std::mem::take(&mut self.program);
        let parts = self.parts.take().expect("taken only here");
        prepare(program, next);
        parts
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if let Some((mut leader, _)) = self.parts.take() {
            let _ = leader.kill();
            let _ = leader.wait();
        }
    }
}

fn take() -> Option<Waiting> {
    let mut spare = spare();
    match std::mem::replace(&mut *spare, Spare::Missing) {
        Spare::There(found) => Some(found),
        other => {
            *spare = other;
            None
        }
    }
}

/// Starts one for the next call, unless one is there or this was the first call.
fn prepare(program: PathBuf, next: Option<Base>) {
    let mut now = spare();
    match *now {
        Spare::Unneeded => *now = Spare::Missing,
        Spare::Coming | Spare::There(_) => {}
        Spare::Missing => {
            let start = move || {
                let started = Waiting::start(&program).inspect(|waiting| waiting.prepare(next));
                *spare() = started.map_or(Spare::Missing, Spare::There);
            };
            let begun = std::thread::Builder::new().spawn(start).is_ok();
            *now = if begun { Spare::Coming } else { Spare::Missing };
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
        // The first of them ends at once, the second listens.
        let script = "#!/bin/sh\n/bin/mkdir \"$0.first\" && exit\nexec /bin/cat\n";
        fs::write(&program, script).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let mut waiting = Waiting::start(&program).unwrap();
        let first = {
            let (leader, _) = waiting.parts.as_mut().unwrap();
            leader.wait().unwrap();
            leader.id()
        };
        let told = waiting.told(&"a job", &[]).unwrap();
        let (leader, _) = told.parts.as_ref().unwrap();
        assert_ne!(leader.id(), first);
    }

    #[test]
    fn one_that_cannot_be_had_is_an_error() {
        assert!(Waiting::get(Path::new("/no/such/launcher")).is_err());
    }
}
