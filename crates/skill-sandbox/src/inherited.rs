//! Descriptors that whoever started us left open: nothing that we start inherits them.

use std::os::fd::{IntoRawFd as _, OwnedFd};

use rustix::fs::{Dir, Mode, OFlags, open};
use rustix::io::{Errno, fcntl_dupfd_cloexec};
use rustix::process::{PidfdFlags, PidfdGetfdFlags, getpid, pidfd_getfd, pidfd_open};

/// Descriptors 0 to 2 are the standard streams, which are ours to give.
const FIRST: i32 = 3;

/// Has every descriptor but the standard streams closed in what we start. Each stays open for
/// ourselves under its number, because `skills-run --config <(…)` names one.
///
/// To be called first in `main`: nothing of ours is open yet, and there is no second thread.
pub(crate) fn keep_from_children() -> Result<(), Errno> {
    for number in numbers()? {
        let copy = copy(number);
        // The directory that was listed is among them, and closed by now.
        if nix::unistd::close(number).is_err() {
            continue;
        }
        if let Ok(copy) = copy {
            // The number is free, and the lowest that is asked for. The descriptor stays as long as we do.
            let _ = fcntl_dupfd_cloexec(copy, number)?.into_raw_fd();
        }
    }
    Ok(())
}

/// The numbers of the descriptors that are open.
fn numbers() -> Result<Vec<i32>, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let mut numbers = Vec::new();
    for entry in Dir::new(open("/proc/self/fd", flags, Mode::empty())?)? {
        let name = entry?;
        let number = name
            .file_name()
            .to_str()
            .ok()
            .and_then(|name| name.parse::<i32>().ok());
        numbers.extend(number.filter(|number| *number >= FIRST));
    }
    Ok(numbers)
}

/// The same open file under another number; where that is forbidden (containers do), opened anew.
fn copy(number: i32) -> Result<OwnedFd, Errno> {
    let ourselves = pidfd_open(getpid(), PidfdFlags::empty());
    let copy = ourselves.and_then(|pidfd| pidfd_getfd(pidfd, number, PidfdGetfdFlags::empty()));
    copy.or_else(|_| {
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        open(format!("/proc/self/fd/{number}"), flags, Mode::empty())
    })
}
