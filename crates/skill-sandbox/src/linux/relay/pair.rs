//! Two connections that are joined: bytes are copied both ways, and each direction ends separately.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::os::fd::{AsFd as _, BorrowedFd};
use std::time::Duration;

use rustix::event::PollFlags;
use rustix::net::sockopt::{set_socket_keepalive, set_socket_linger};

/// The child's connection and the one that we made for it.
#[derive(Debug)]
pub(super) struct Pair {
    inner: TcpStream,
    outer: TcpStream,
    out: Direction,
    back: Direction,
}

/// Bytes in one direction.
#[derive(Debug, Default)]
struct Direction {
    /// The bytes that were read and are not fully written.
    buffered: Vec<u8>,
    /// The number of bytes of `buffered` that were written.
    written: usize,
    /// The source has ended.
    has_ended: bool,
    /// The end was forwarded, or cannot be.
    is_over: bool,
}

/// One end of a pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    Inner,
    Outer,
}

/// The state of a connection after an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    Open,
    Over,
}

impl Pair {
    /// Joins two connections; `outer` gets the greeting first.
    pub(super) fn new(inner: TcpStream, outer: TcpStream, greeting: Vec<u8>) -> io::Result<Self> {
        for end in [&inner, &outer] {
            end.set_nonblocking(true)?;
            // The child decides when bytes are sent; we do not delay them again.
            end.set_nodelay(true)?;
        }
        // Do not wait without end for a host that has vanished.
        set_socket_keepalive(&outer, true)?;
        Ok(Self {
            inner,
            outer,
            out: Direction {
                buffered: greeting,
                ..Direction::default()
            },
            back: Direction::default(),
        })
    }

    /// Returns the events to wait for on each side, if any.
    pub(super) fn waits(&self) -> impl Iterator<Item = (Side, BorrowedFd<'_>, PollFlags)> {
        let inner = flags(&self.out, &self.back);
        let outer = flags(&self.back, &self.out);
        // Notices a child that resets its connection while only the host sends.
        let watched = inner.is_some() || !self.back.is_over;
        let inner = watched.then(|| inner.unwrap_or(PollFlags::empty()));
        let inner = inner.map(|flags| (Side::Inner, self.inner.as_fd(), flags));
        let outer = outer.map(|flags| (Side::Outer, self.outer.as_fd(), flags));
        inner.into_iter().chain(outer)
    }

    /// Returns true if the child has closed its direction.
    pub(super) fn is_half_closed(&self) -> bool {
        self.out.has_ended
    }

    /// Returns true if everything that the child sent was forwarded.
    pub(super) fn is_said(&self) -> bool {
        self.out.is_over
    }

    /// Handles events on one side.
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
                // A child that ends with unread data resets its connection. What it sent before
                // still counts.
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

    /// Resets the child's connection, because the host broke off its own.
    fn reset(&self) -> State {
        reset(&self.inner);
        State::Over
    }
}

/// Makes the next close of a connection a reset.
pub(super) fn reset(inner: &TcpStream) {
    let _ = set_socket_linger(inner, Some(Duration::ZERO));
}

/// Returns the events that one end waits for: readable, or writable if bytes are held for it.
fn flags(from: &Direction, to: &Direction) -> Option<PollFlags> {
    let mut flags = PollFlags::empty();
    flags.set(PollFlags::IN, from.wants_more());
    flags.set(PollFlags::OUT, !to.buffered.is_empty());
    (!flags.is_empty()).then_some(flags)
}

/// The end of a direction that failed.
enum Broken {
    From,
    To,
}

impl Direction {
    /// Returns true if more may be read: only after everything that was read is written, so that a
    /// slow receiver slows down its sender.
    fn wants_more(&self) -> bool {
        !self.has_ended && !self.is_over && self.buffered.is_empty()
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
                self.buffered.extend_from_slice(&space[..count]);
                self.write(to).map_err(|_| Broken::To)?;
            }
            Err(error) if is_for_later(&error) => {}
            Err(_) => return Err(Broken::From),
        }
        Ok(())
    }

    fn write(&mut self, mut to: &TcpStream) -> io::Result<()> {
        while self.written < self.buffered.len() {
            match to.write(&self.buffered[self.written..]) {
                Ok(count) => self.written += count,
                Err(error) if is_for_later(&error) => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        // An idle connection uses no memory.
        self.buffered = Vec::new();
        self.written = 0;
        if self.has_ended {
            self.end(to);
        }
        Ok(())
    }

    /// Records the end of the source and forwards it after all data.
    fn end(&mut self, to: &TcpStream) {
        self.has_ended = true;
        if self.buffered.is_empty() && !self.is_over {
            // An error means that the other end is gone already.
            let _ = to.shutdown(Shutdown::Write);
            self.is_over = true;
        }
    }

    /// Discards everything: the receiver is gone.
    fn give_up(&mut self) {
        self.buffered = Vec::new();
        self.written = 0;
        self.has_ended = true;
        self.is_over = true;
    }
}

fn is_for_later(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}
