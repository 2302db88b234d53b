//! Without `poll`: everything is tried at short intervals, because nothing blocks.

use std::io;
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use super::Ready;

/// The interval of looking for clients and requests.
const TICK: Duration = Duration::from_millis(20);

/// The end of a channel that is closed when the other one is dropped.
pub(crate) struct Wake(Receiver<()>);

/// Returns a value to wait with, and one that ends the wait when it is dropped.
#[expect(clippy::unnecessary_wraps, reason = "other systems may have no pipe")]
pub(crate) fn pair() -> io::Result<(Wake, Sender<()>)> {
    let (waker, wake) = channel();
    Ok((Wake(wake), waker))
}

impl Wake {
    pub(crate) fn wait<'s>(
        &self,
        _listener: &'s TcpListener,
        streams: impl Iterator<Item = &'s TcpStream>,
        wait: Duration,
    ) -> Ready {
        let woken = self.0.recv_timeout(wait.min(TICK));
        Ready {
            is_woken: woken == Err(RecvTimeoutError::Disconnected),
            may_accept: true,
            streams: streams.map(|_| true).collect(),
        }
    }
}
