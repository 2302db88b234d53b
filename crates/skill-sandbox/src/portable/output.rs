//! The output of a child: a thread for each pipe reads all of it, and the first part is kept.

use std::io::{ErrorKind, PipeReader, Read as _};
use std::sync::mpsc::SyncSender;

use crate::error::{Context as _, Result};

const CHUNK: usize = 64 << 10;

/// Something that the thread which waits for a child is notified of.
#[derive(Debug)]
pub(super) enum Event {
    /// Bytes of a stream: 0 for standard output, 1 for standard error.
    Output(usize, Vec<u8>),
    /// A stream is at its end.
    Closed(usize),
    /// Another thread asks to kill the child.
    KillRequested,
}

/// One output stream and the part of it that was kept.
#[derive(Debug)]
pub(super) struct Output {
    pub(super) kept: Vec<u8>,
    pub(super) is_truncated: bool,
    pub(super) is_open: bool,
    limit: usize,
}

impl Output {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            kept: Vec::new(),
            is_truncated: false,
            is_open: true,
            limit,
        }
    }

    /// Keeps what fits; returns true if that is more than nothing.
    pub(super) fn keep(&mut self, bytes: &[u8]) -> bool {
        let room = self.limit - self.kept.len();
        let fits = &bytes[..bytes.len().min(room)];
        self.kept.extend_from_slice(fits);
        self.is_truncated |= fits.len() < bytes.len();
        !fits.is_empty()
    }
}

/// Reads a pipe to its end in a thread of its own. When nobody takes the output any more, it is
/// discarded, so that a process that was left behind can continue to write.
pub(super) fn read(mut pipe: PipeReader, stream: usize, events: SyncSender<Event>) -> Result<()> {
    let read = move || {
        let mut buffer = vec![0; CHUNK];
        loop {
            match pipe.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => {
                    // The receiver is gone after the call.
                    let _ = events.send(Event::Output(stream, buffer[..count].to_vec()));
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        let _ = events.send(Event::Closed(stream));
    };
    let thread = std::thread::Builder::new().spawn(read);
    thread.map(drop).context("cannot start a thread")
}
