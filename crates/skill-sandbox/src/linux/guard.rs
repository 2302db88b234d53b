//! Ends a child when this process ends, however it does.
//!
//! A signal that only the direct child gets (`PR_SET_PDEATHSIG`) would leave what it started. So a
//! watcher leads the process group that the child starts in: it waits for the end of a pipe that
//! only we hold, and then kills its group. It exists before the child does, so that there is no
//! moment at which the child has nobody who would end it.

use std::io::{PipeWriter, Write as _};
use std::process::Child;

use rustix::process::Pid;

use crate::error::{Context as _, Result};
use crate::linux::process;

/// A process group that is killed when this process ends; dropping the guard lets it continue.
#[derive(Debug)]
pub(crate) struct Guard {
    watcher: Child,
    pipe: PipeWriter,
}

impl Guard {
    /// Makes a process group without members.
    pub(crate) fn new() -> Result<Self> {
        let (theirs, pipe) = std::io::pipe().context("cannot make a pipe")?;
        let watcher = process::start_watcher(theirs);
        Ok(Self {
            watcher: watcher.context("cannot watch over a child")?,
            pipe,
        })
    }

    /// Returns the group that a child has to join to be watched over.
    pub(crate) fn group(&self) -> Pid {
        Pid::from_child(&self.watcher)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        // A line means that there is nothing to kill; the watcher then ends at once.
        let is_written = self.pipe.write_all(b"\n").is_ok();
        if !is_written {
            let _ = self.watcher.kill();
        }
        let _ = self.watcher.wait();
    }
}
