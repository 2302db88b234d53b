//! Ends a child when this process ends, however it does.
//!
//! A signal that only the direct child gets (`PR_SET_PDEATHSIG`) would leave what it started. So a
//! process waits for the end of a pipe that only we hold, and then kills the group.

use std::io::{PipeWriter, Write as _};
use std::process::Child;

use rustix::process::Pid;

use crate::error::{Context as _, Result};
use crate::linux::process;

/// Kills a process group when this process ends; dropping it lets the group continue.
#[derive(Debug)]
pub(crate) struct Guard {
    watcher: Child,
    pipe: PipeWriter,
}

impl Guard {
    /// Watches over the process group of `leader`.
    pub(crate) fn new(leader: Pid) -> Result<Self> {
        let (theirs, pipe) = std::io::pipe().context("cannot make a pipe")?;
        let watcher = process::start_watcher(leader, theirs);
        Ok(Self {
            watcher: watcher.context("cannot watch over a child")?,
            pipe,
        })
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
