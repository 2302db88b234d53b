//! Waking the thread of the relay.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::atomic::AtomicBool;

use rustix::event::{EventfdFlags, eventfd};

/// A signal that wakes the thread, and the order to finish.
#[derive(Debug)]
pub(super) struct Waker {
    pub(super) fd: OwnedFd,
    pub(super) is_over: AtomicBool,
}

impl Waker {
    pub(super) fn new() -> io::Result<Self> {
        let flags = EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK;
        Ok(Self {
            fd: eventfd(0, flags)?,
            is_over: AtomicBool::new(false),
        })
    }

    pub(super) fn wake(&self) {
        // If the counter is full, the thread is being woken already.
        let _ = rustix::io::write(&self.fd, &1_u64.to_ne_bytes());
    }

    pub(super) fn clear(&self) {
        let _ = rustix::io::read(&self.fd, &mut [0; 8]);
    }
}
