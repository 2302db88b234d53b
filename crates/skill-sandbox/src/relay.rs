//! The only way out of a network of its own: answers for names, and connections that we make.
//!
//! A child with an allow-list lives in a network namespace without a single interface that leads out
//! ([`crate::walls::network`]). There we listen, with sockets that were made inside; a thread of the
//! launcher that stayed outside serves them:
//!
//! - A question for a name is answered by a [`Decide`]: every name that may be reached has an address of
//!   its own, so that a connection says by its address whom it means. All other names do not exist.
//! - Of a connection the same [`Decide`] says what becomes of it: it is refused, or passed on to a host
//!   and a port that we look up and connect to outside. **This is the place for another answer**, such
//!   as a connection that is answered by ourselves: a further [`Verdict`], and an end for it in
//!   [`serve`].
//!
//! A refusal that is known before (no entry has that address and port) is a port where nobody listens.
//! A host that cannot be reached is known too late for that: the connection is reset.
//!
//! **Invariant:** what the child sends is bytes to be copied and questions of a fixed form; nothing in it
//! chooses a host but the address and the port of the connection.

mod confine;
mod decide;
mod dns;
mod outside;
mod pair;
mod serve;
mod talk;
#[cfg(test)]
mod tests;

use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use rustix::event::{EventfdFlags, eventfd};

pub(crate) use decide::{AllowList, DNS, NAMES};
pub use outside::addresses;
pub(crate) use serve::Gates;

use crate::hosts::HostPort;

/// The thread that stayed outside.
#[derive(Debug)]
pub(crate) struct Relay {
    gates: Sender<(Gates, AllowList)>,
    ready: Receiver<Vec<String>>,
    over: Receiver<()>,
    bell: Arc<Bell>,
}

/// Wakes the thread, and says whether it is to come to an end.
#[derive(Debug)]
struct Bell {
    fd: OwnedFd,
    is_over: AtomicBool,
}

impl Bell {
    fn new() -> io::Result<Self> {
        let flags = EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK;
        Ok(Self {
            fd: eventfd(0, flags)?,
            is_over: AtomicBool::new(false),
        })
    }

    fn ring(&self) {
        // Full means that it rings already.
        let _ = rustix::io::write(&self.fd, &1_u64.to_ne_bytes());
    }

    fn silence(&self) {
        let _ = rustix::io::read(&self.fd, &mut [0; 8]);
    }
}

impl Relay {
    /// Starts the thread, which stays in the network and among the files of its maker, and gives up all
    /// rights that it does not need for `allow`.
    pub(crate) fn begin(allow: &[HostPort]) -> io::Result<Self> {
        let (gates, to_serve) = channel();
        let (is_ready, ready) = channel();
        let (is_over, over) = channel::<()>();
        let bell = Arc::new(Bell::new()?);
        let rung = Arc::clone(&bell);
        let ports = allow.iter().map(|entry| entry.port).collect();
        std::thread::Builder::new().spawn(move || {
            let _ = is_ready.send(confine::confine(&ports));
            if let Ok((gates, allow)) = to_serve.recv() {
                serve::Server::new(gates, Box::new(allow), outside::dialer(), rung).run();
            }
            drop(is_over);
        })?;
        Ok(Self {
            gates,
            ready,
            over,
            bell,
        })
    }

    /// Has it serve the sockets that were made inside; what rights it could not give up.
    pub(crate) fn open(&self, gates: Gates, allow: AllowList) -> Vec<String> {
        let gone = || vec!["the relay of the network ended".to_owned()];
        match self.ready.recv() {
            Ok(missing) if self.gates.send((gates, allow)).is_ok() => missing,
            _ => gone(),
        }
    }

    /// Lets it send what the child had sent when it ended, for at most so long.
    pub(crate) fn finish(self, most: Duration) {
        self.bell.is_over.store(true, Ordering::SeqCst);
        self.bell.ring();
        // It says nothing; it hangs up.
        let _ = self.over.recv_timeout(most);
    }
}
