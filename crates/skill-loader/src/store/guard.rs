//! File locks: one writer at a time.

use std::fs::TryLockError;
use std::io::{self, ErrorKind};

use super::{StoreError, dir};
use crate::fs::Root;
use crate::fs::sys::{self, Cause, File};

const NAME: &str = "lock";

/// A lock on the store, held until it is dropped or the process ends.
#[derive(Debug)]
pub(super) struct Guard {
    file: File,
}

impl Drop for Guard {
    /// Unlocks in its own call: where closing the file fails, this process must not wait for itself
    /// when it takes the lock again.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

/// Waits until no other process reads or writes. `on_wait` is called once before a wait.
pub(super) fn exclusive(meta: &Root, on_wait: &mut dyn FnMut()) -> Result<Guard, StoreError> {
    let file = sys::open_to_lock(meta.dir(), NAME, dir::MODE_FILE)
        .map_err(|err| dir::failed("open", meta, NAME, err))?;
    let held = match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            on_wait();
            patiently(|| file.lock())
        }
        Err(TryLockError::Error(err)) => Err(err),
        Ok(()) => Ok(()),
    };
    held.map_err(|err| dir::failed("lock", meta, NAME, err.into()))?;
    Ok(Guard { file })
}

/// Waits until no process writes, and blocks writers. `None` if no process ever wrote.
pub(super) fn shared(meta: &Root) -> Result<Option<Guard>, StoreError> {
    let file = match sys::open_file(meta.dir(), NAME) {
        Err(err) if err.cause == Cause::Missing => return Ok(None),
        res => res.map_err(|err| dir::failed("open", meta, NAME, err))?,
    };
    patiently(|| file.lock_shared()).map_err(|err| dir::failed("lock", meta, NAME, err.into()))?;
    Ok(Some(Guard { file }))
}

/// Repeats a wait that a signal interrupted.
fn patiently(wait: impl Fn() -> io::Result<()>) -> io::Result<()> {
    loop {
        match wait() {
            Err(err) if err.kind() == ErrorKind::Interrupted => {}
            res => return res,
        }
    }
}
