//! File locks: one writer at a time.

use std::os::fd::OwnedFd;

use rustix::fs::{FlockOperation, Mode, OFlags, flock, openat};
use rustix::io::{Errno, retry_on_intr};

use super::{StoreError, dir};
use crate::fs::Root;

const NAME: &str = "lock";

/// A lock on the store, held until it is dropped or the process ends.
#[derive(Debug)]
pub(super) struct Guard {
    file: OwnedFd,
}

impl Drop for Guard {
    /// Unlocks in its own call: where closing the file fails, this process must not wait for itself
    /// when it takes the lock again.
    fn drop(&mut self) {
        let _ = flock(&self.file, FlockOperation::Unlock);
    }
}

/// Waits until no other process reads or writes. `on_wait` is called once before a wait.
pub(super) fn exclusive(meta: &Root, on_wait: &mut dyn FnMut()) -> Result<Guard, StoreError> {
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = openat(meta, NAME, flags, Mode::from_raw_mode(0o644))
        .map_err(|err| dir::failed("open", meta, NAME, err))?;
    hold(&file, true, on_wait).map_err(|err| dir::failed("lock", meta, NAME, err))?;
    Ok(Guard { file })
}

/// Waits until no process writes, and blocks writers. `None` if no process ever wrote.
pub(super) fn shared(meta: &Root) -> Result<Option<Guard>, StoreError> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = match openat(meta, NAME, flags, Mode::empty()) {
        Err(Errno::NOENT) => return Ok(None),
        res => res.map_err(|err| dir::failed("open", meta, NAME, err))?,
    };
    hold(&file, false, &mut || ()).map_err(|err| dir::failed("lock", meta, NAME, err))?;
    Ok(Some(Guard { file }))
}

fn hold(file: &OwnedFd, alone: bool, on_wait: &mut dyn FnMut()) -> Result<(), Errno> {
    let (at_once, patient) = if alone {
        (
            FlockOperation::NonBlockingLockExclusive,
            FlockOperation::LockExclusive,
        )
    } else {
        (
            FlockOperation::NonBlockingLockShared,
            FlockOperation::LockShared,
        )
    };
    match flock(file, at_once) {
        Err(Errno::WOULDBLOCK) => {
            on_wait();
            retry_on_intr(|| flock(file, patient))
        }
        res => res,
    }
}
