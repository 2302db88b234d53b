//! Reads a child's output: all of it is read, and the first part is kept.

use std::io::{ErrorKind, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::{ChildStderr, ChildStdout};

use rustix::io::ioctl_fionread;

const CHUNK: usize = 64 << 10;

/// One output pipe and the output that was kept.
#[derive(Debug)]
pub(crate) struct Sink<P> {
    pipe: Option<P>,
    kept: Vec<u8>,
    limit: usize,
    truncated: bool,
}

impl<P: Read + AsFd> Sink<P> {
    pub(crate) fn new(pipe: Option<P>, limit: usize) -> Self {
        Self {
            pipe,
            kept: Vec::new(),
            limit,
            truncated: false,
        }
    }

    /// Returns the pipe until its end has been reached.
    pub(crate) fn pending(&self) -> Option<BorrowedFd<'_>> {
        self.pipe.as_ref().map(AsFd::as_fd)
    }

    pub(crate) fn kept(&self) -> &[u8] {
        &self.kept
    }

    pub(crate) fn take_kept(&mut self) -> (Vec<u8>, bool) {
        (std::mem::take(&mut self.kept), self.truncated)
    }

    /// Reads once; returns true if more output was kept.
    pub(crate) fn read(&mut self, buffer: &mut Vec<u8>) -> bool {
        buffer.resize(CHUNK, 0);
        let Some(pipe) = &mut self.pipe else {
            return false;
        };
        match pipe.read(buffer) {
            Ok(0) => self.pipe = None,
            Ok(count) => return self.keep(&buffer[..count]),
            Err(error)
                if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {}
            Err(_) => self.pipe = None,
        }
        false
    }

    fn keep(&mut self, bytes: &[u8]) -> bool {
        let room = self.limit - self.kept.len();
        let fits = &bytes[..bytes.len().min(room)];
        self.kept.extend_from_slice(fits);
        self.truncated |= fits.len() < bytes.len();
        !fits.is_empty()
    }

    /// Reads what is in the pipe now, but no more: other processes may hold it and continue to
    /// write.
    pub(crate) fn drain(&mut self, buffer: &mut Vec<u8>) {
        let waiting = |pipe: &P| ioctl_fionread(pipe).unwrap_or(0);
        let mut left = self.pipe.as_ref().map_or(0, waiting);
        while left > 0 && self.pipe.is_some() {
            self.read(buffer);
            left = left.saturating_sub(CHUNK as u64);
        }
    }

    /// Returns true if another process still holds the write end.
    pub(crate) fn is_held(&mut self, buffer: &mut Vec<u8>) -> bool {
        self.drain(buffer);
        // An empty pipe that nobody holds is at its end; one more read shows it.
        self.read(buffer);
        self.pipe.is_some()
    }
}

/// A pipe whose read end can be handed to another process.
pub(crate) trait Detach {
    fn detach(&mut self) -> Option<OwnedFd>;
}

impl Detach for Sink<ChildStdout> {
    fn detach(&mut self) -> Option<OwnedFd> {
        self.pipe.take().map(OwnedFd::from)
    }
}

impl Detach for Sink<ChildStderr> {
    fn detach(&mut self) -> Option<OwnedFd> {
        self.pipe.take().map(OwnedFd::from)
    }
}
