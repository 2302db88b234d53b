//! Writes a child's standard input without ever blocking.

use std::io::{self, ErrorKind, PipeWriter, Write as _};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;

use crate::error::{Context as _, Result};
use crate::spec::{Spec, Stdin};

/// The two sides of the child's descriptor 0.
#[derive(Debug, Default)]
pub(crate) struct Input {
    pub(crate) theirs: Option<OwnedFd>,
    pub(crate) pipe: Option<PipeWriter>,
    pub(crate) channel: Option<UnixStream>,
}

impl Input {
    pub(crate) fn new(spec: &Spec) -> Result<Self> {
        if spec.channel.is_some() {
            let (ours, theirs) = UnixStream::pair().context("cannot make a socket pair")?;
            return Ok(Self {
                theirs: Some(theirs.into()),
                channel: Some(ours),
                pipe: None,
            });
        }
        if spec.stdin == Stdin::Null {
            return Ok(Self::default());
        }
        let (theirs, ours) = io::pipe().context("cannot make a pipe")?;
        Ok(Self {
            theirs: Some(theirs.into()),
            pipe: Some(ours),
            channel: None,
        })
    }
}

/// The input that is still to be written; the pipe closes after the last byte.
#[derive(Debug)]
pub(crate) struct Feed {
    pipe: Option<PipeWriter>,
    bytes: Vec<u8>,
    written: usize,
    keep_open: bool,
}

impl Feed {
    pub(crate) fn new(pipe: Option<PipeWriter>, stdin: &Stdin) -> Self {
        let (bytes, keep_open) = match stdin {
            Stdin::Bytes(bytes) => (bytes.clone(), false),
            Stdin::Open => (Vec::new(), true),
            Stdin::Null => (Vec::new(), false),
        };
        let mut feed = Self {
            pipe,
            bytes,
            written: 0,
            keep_open,
        };
        feed.close_if_done();
        feed
    }

    /// Returns the pipe while there is something to write.
    pub(crate) fn pending(&self) -> Option<BorrowedFd<'_>> {
        let pipe = self.pipe.as_ref()?;
        (self.written < self.bytes.len()).then(|| pipe.as_fd())
    }

    /// Writes as much as the pipe takes. A child that closed its end does not want more, which is
    /// not an error.
    pub(crate) fn write(&mut self) {
        let Some(pipe) = &mut self.pipe else { return };
        while self.written < self.bytes.len() {
            match pipe.write(&self.bytes[self.written..]) {
                Ok(count) => self.written += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(_) => {
                    self.pipe = None;
                    return;
                }
            }
        }
        self.close_if_done();
    }

    fn close_if_done(&mut self) {
        if self.written == self.bytes.len() && !self.keep_open {
            self.pipe = None;
        }
    }
}
