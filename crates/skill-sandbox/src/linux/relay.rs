//! The only way out of a private network: answers to DNS queries, and connections that we make.
//!
//! A child with an allow-list runs in a network namespace without an interface that leads out
//! ([`crate::linux::confinement::network`]). We listen there, with sockets that were created inside; a thread of
//! the launcher that stayed outside serves them:
//!
//! - A [`Decide`] answers each DNS query. Every name that may be reached has its own address, so
//!   that the address of a connection identifies the host. All other names do not exist.
//! - The same [`Decide`] decides on each connection: it is refused, or forwarded to a host and a
//!   port that we look up and connect to outside. [`Emulated`] forwards all of them to one server of
//!   this machine, which gets the name of the host first.
//!
//! If a refusal is known in advance (no entry has that address and port), nobody listens on that
//! port. A host that cannot be reached is known too late for that: the connection is reset.
//!
//! **Invariant:** the child sends only bytes to be copied and queries of a fixed form; nothing in
//! them chooses a host except the address and the port of the connection.

mod confine;
mod decide;
mod dns_connection;
mod outside;
mod pair;
mod serve;
#[cfg(test)]
mod tests;
mod waker;

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

pub(crate) use decide::{AllowList, DNS, Decide, Emulated, NAMES};
pub(crate) use serve::RelaySockets;

use waker::Waker;

/// A handle to the thread that stayed outside.
#[derive(Debug)]
pub(crate) struct Relay {
    sockets: Sender<(RelaySockets, Box<dyn Decide>)>,
    ready: Receiver<Vec<String>>,
    over: Receiver<()>,
    waker: Arc<Waker>,
}

impl Relay {
    /// Starts the thread, which stays in the network and file system of its creator, and gives up
    /// all rights that it does not need to connect to `ports`.
    pub(crate) fn begin(ports: BTreeSet<u16>) -> io::Result<Self> {
        let (sockets, to_serve) = channel();
        let (is_ready, ready) = channel();
        let (is_over, over) = channel::<()>();
        let waker = Arc::new(Waker::new()?);
        let thread_waker = Arc::clone(&waker);
        std::thread::Builder::new().spawn(move || {
            let _ = is_ready.send(confine::confine(&ports));
            if let Ok((sockets, decide)) = to_serve.recv() {
                serve::Server::new(sockets, decide, outside::dialer(), thread_waker).run();
            }
            drop(is_over);
        })?;
        Ok(Self {
            sockets,
            ready,
            over,
            waker,
        })
    }

    /// Lets it serve the sockets that were created inside; returns the rights that it could not
    /// give up.
    pub(crate) fn open(&self, sockets: RelaySockets, decide: Box<dyn Decide>) -> Vec<String> {
        let gone = || vec!["the relay of the network ended".to_owned()];
        match self.ready.recv() {
            Ok(missing) if self.sockets.send((sockets, decide)).is_ok() => missing,
            _ => gone(),
        }
    }

    /// Lets it forward what the child had sent when it ended, for at most `most`.
    pub(crate) fn finish(self, most: Duration) {
        self.waker.is_over.store(true, Ordering::SeqCst);
        self.waker.wake();
        // The thread sends nothing; it closes the channel.
        let _ = self.over.recv_timeout(most);
    }
}
