//! Descriptors that our parent process left open: our children do not inherit them.

use std::os::fd::{IntoRawFd as _, OwnedFd};

use rustix::fs::{Dir, Mode, OFlags, open};
use rustix::io::{Errno, fcntl_dupfd_cloexec};
use rustix::process::{PidfdFlags, PidfdGetfdFlags, getpid, pidfd_getfd, pidfd_open};

/// Descriptors 0 to 2 are the standard streams, which each child gets explicitly.
const FIRST: i32 = 3;

/// Marks every descriptor but the standard streams as close-on-exec. Each stays open in this
/// process under its number, because `skills-run --config <(…)` names one.
///
/// To be called first in `main`: nothing else is open yet, and there is no second thread.
pub(crate) fn keep_from_children() -> Result<(), Errno> {
    for number in numbers()? {
        let copy = copy(number);
        // The listed directory is among them, and is closed by now.
        if nix::unistd::close(number).is_err() {
            continue;
        }
        if let Ok(copy) = copy {
            // The number is free, and is the lowest that is asked for. The descriptor stays open as
            // long as this process runs.
            let _ = fcntl_dupfd_cloexec(copy, number)?.into_raw_fd();
        }
    }
    Ok(())
}

/// Returns the numbers of the open descriptors.
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

/// Duplicates the open file under another number. Where that is forbidden, as in containers, the
/// file is opened again.
fn copy(number: i32) -> Result<OwnedFd, Errno> {
    let ourselves = pidfd_open(getpid(), PidfdFlags::empty());
    let copy = ourselves.and_then(|pidfd| pidfd_getfd(pidfd, number, PidfdGetfdFlags::empty()));
    copy.or_else(|_| {
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        open(format!("/proc/self/fd/{number}"), flags, Mode::empty())
    })
}
