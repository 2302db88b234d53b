//! Two connections that are one: bytes are copied both ways, and each way ends by itself.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::os::fd::{AsFd as _, BorrowedFd};
use std::time::Duration;

use rustix::event::PollFlags;
use rustix::net::sockopt::{set_socket_keepalive, set_socket_linger};

/// The child's connection, and the one that we made for it.
#[derive(Debug)]
pub(super) struct Pair {
    inner: TcpStream,
    outer: TcpStream,
    out: Way,
    back: Way,
}

/// Bytes in one direction.
#[derive(Debug, Default)]
struct Way {
    /// What was read.
    held: Vec<u8>,
    /// How much of that was written.
    written: usize,
    /// Nothing more comes.
    has_ended: bool,
    /// The end was passed on, or cannot be.
    is_over: bool,
}

/// One end of a pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    Inner,
    Outer,
}

/// What a pair is after something happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    Open,
    Over,
}

impl Pair {
    pub(super) fn new(inner: TcpStream, outer: TcpStream) -> io::Result<Self> {
        for end in [&inner, &outer] {
            end.set_nonblocking(true)?;
            // The child decides on its side when bytes are sent; we do not gather them again.
            end.set_nodelay(true)?;
        }
        // A host that vanished must not be waited for for ever.
        set_socket_keepalive(&outer, true)?;
        Ok(Self {
            inner,
            outer,
            out: Way::default(),
            back: Way::default(),
        })
    }

    /// What is waited for on each side; nothing where there is nothing to learn.
    pub(super) fn waits(&self) -> impl Iterator<Item = (Side, BorrowedFd<'_>, PollFlags)> {
        let inner = flags(&self.out, &self.back);
        let outer = flags(&self.back, &self.out);
        // A child that reset its connection is noticed while it is the host's turn to speak.
        let watched = inner.is_some() || !self.back.is_over;
        let inner = watched.then(|| inner.unwrap_or(PollFlags::empty()));
        let inner = inner.map(|flags| (Side::Inner, self.inner.as_fd(), flags));
        let outer = outer.map(|flags| (Side::Outer, self.outer.as_fd(), flags));
        inner.into_iter().chain(outer)
    }

    /// The child said that it has no more to say.
    pub(super) fn is_half_closed(&self) -> bool {
        self.out.has_ended
    }

    /// All that the child said was passed on.
    pub(super) fn is_said(&self) -> bool {
        self.out.is_over
    }

    /// Something happened on one side.
    pub(super) fn serve(&mut self, side: Side, flags: PollFlags, space: &mut [u8]) -> State {
        match side {
            Side::Inner => self.serve_inner(flags, space),
            Side::Outer => self.serve_outer(flags, space),
        }
    }

    fn serve_inner(&mut self, flags: PollFlags, space: &mut [u8]) -> State {
        let is_broken = flags.intersects(PollFlags::ERR | PollFlags::HUP);
        if self.out.wants_more() && (is_broken || flags.contains(PollFlags::IN)) {
            match self.out.read(&self.inner, &self.outer, space) {
                Ok(()) => {}
                Err(Broken::To) => return self.reset(),
                // A child that ends with something unread resets its connection. What it said counts.
                Err(Broken::From) => self.out.end(&self.outer),
            }
        }
        let unheard = flags.contains(PollFlags::OUT) && self.back.write(&self.inner).is_err();
        if unheard || is_broken {
            self.back.give_up();
        }
        self.state()
    }

    fn serve_outer(&mut self, flags: PollFlags, space: &mut [u8]) -> State {
        let is_broken = flags.intersects(PollFlags::ERR | PollFlags::HUP);
        if flags.contains(PollFlags::OUT) && self.out.write(&self.outer).is_err() {
            return self.reset();
        }
        if self.back.wants_more() && (is_broken || flags.contains(PollFlags::IN)) {
            match self.back.read(&self.outer, &self.inner, space) {
                Ok(()) => {}
                Err(Broken::From) => return self.reset(),
                Err(Broken::To) => self.back.give_up(),
            }
        }
        self.state()
    }

    fn state(&self) -> State {
        if self.out.is_over && self.back.is_over {
            State::Over
        } else {
            State::Open
        }
    }

    /// The host broke the connection off: so do we.
    fn reset(&self) -> State {
        reset(&self.inner);
        State::Over
    }
}

/// Makes the close of a connection, which the caller does next, a reset.
pub(super) fn reset(inner: &TcpStream) {
    let _ = set_socket_linger(inner, Some(Duration::ZERO));
}

/// What one end has to wait for: more to read, or room to write.
fn flags(from: &Way, to: &Way) -> Option<PollFlags> {
    let mut flags = PollFlags::empty();
    flags.set(PollFlags::IN, from.wants_more());
    flags.set(PollFlags::OUT, !to.held.is_empty());
    (!flags.is_empty()).then_some(flags)
}

/// Which end of a way failed.
enum Broken {
    From,
    To,
}

impl Way {
    /// No more is read than is written: who does not listen is not told more.
    fn wants_more(&self) -> bool {
        !self.has_ended && !self.is_over && self.held.is_empty()
    }

    fn read(
        &mut self,
        mut from: &TcpStream,
        to: &TcpStream,
        space: &mut [u8],
    ) -> Result<(), Broken> {
        match from.read(space) {
            Ok(0) => self.end(to),
            Ok(count) => {
                self.held.extend_from_slice(&space[..count]);
                self.write(to).map_err(|_| Broken::To)?;
            }
            Err(error) if is_for_later(&error) => {}
            Err(_) => return Err(Broken::From),
        }
        Ok(())
    }

    fn write(&mut self, mut to: &TcpStream) -> io::Result<()> {
        while self.written < self.held.len() {
            match to.write(&self.held[self.written..]) {
                Ok(count) => self.written += count,
                Err(error) if is_for_later(&error) => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        // An idle connection keeps no memory.
        self.held = Vec::new();
        self.written = 0;
        if self.has_ended {
            self.end(to);
        }
        Ok(())
    }

    /// Nothing more comes: says so to the other end once it has all.
    fn end(&mut self, to: &TcpStream) {
        self.has_ended = true;
        if self.held.is_empty() && !self.is_over {
            // One that is gone need not be told.
            let _ = to.shutdown(Shutdown::Write);
            self.is_over = true;
        }
    }

    /// Nobody listens any more.
    fn give_up(&mut self) {
        self.held = Vec::new();
        self.written = 0;
        self.has_ended = true;
        self.is_over = true;
    }
}

fn is_for_later(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}
