//! One `poll` for all of them.

use std::io::{self, PipeReader, PipeWriter};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::Ready;

/// The end of a pipe that is closed when the other one is dropped.
pub(crate) struct Wake(PipeReader);

/// Returns a value to wait with, and one that ends the wait when it is dropped.
pub(crate) fn pair() -> io::Result<(Wake, PipeWriter)> {
    let (wake, waker) = io::pipe()?;
    Ok((Wake(wake), waker))
}

impl Wake {
    pub(crate) fn wait<'s>(
        &self,
        listener: &'s TcpListener,
        streams: impl Iterator<Item = &'s TcpStream>,
        wait: Duration,
    ) -> Ready {
        let timeout = Timespec {
            tv_sec: wait.as_secs().cast_signed(),
            tv_nsec: wait.subsec_nanos().into(),
        };
        let mut set = vec![
            PollFd::new(&self.0, PollFlags::IN),
            PollFd::new(listener, PollFlags::IN),
        ];
        set.extend(streams.map(|stream| PollFd::new(stream, PollFlags::IN)));
        let is_some_ready = poll(&mut set, Some(&timeout)).is_ok_and(|ready| ready > 0);
        let is_ready = |fd: &PollFd<'_>| is_some_ready && !fd.revents().is_empty();
        Ready {
            is_woken: is_ready(&set[0]),
            may_accept: is_ready(&set[1]),
            streams: set[2..].iter().map(is_ready).collect(),
        }
    }
}
