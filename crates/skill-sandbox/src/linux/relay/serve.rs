//! The loop that serves the sockets inside: DNS queries, connections and their data.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::fd::{AsFd as _, BorrowedFd};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender, channel};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::decide::{Decide, Verdict};
use super::dns_connection::DnsConnection;
use super::outside::Dial;
use super::pair::{Pair, Side, State, reset};
use super::waker::Waker;
use crate::dns;

/// The maximum number of connections at one time, including those that are being made. More wait,
/// as at a busy server.
pub(super) const MOST: usize = 128;

/// The maximum number of connections that are being made at one time: each takes a thread.
const MOST_COMING: usize = 32;

/// The maximum number of DNS connections at one time.
const MOST_DNS_CONNECTIONS: usize = 8;

/// The number of queries that are answered before anything else has its turn.
const QUERIES_AT_ONCE: usize = 16;

/// The number of bytes that are copied at once.
const SPACE: usize = 64 << 10;

/// The stack size of a thread that makes a connection: libraries that look up names need some.
const STACK: usize = 256 << 10;

/// The time for which nothing is accepted after an accept failed.
const REST: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 50_000_000,
};

const NOW: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 0,
};

/// The sockets that were created inside the namespace.
#[derive(Debug)]
pub(crate) struct RelaySockets {
    /// Listeners for connections to hosts.
    pub(crate) listeners: Vec<TcpListener>,
    /// The socket for DNS queries over UDP.
    pub(crate) queries: UdpSocket,
    /// The listener for DNS queries over TCP.
    pub(crate) dns_listener: TcpListener,
}

/// A source of events.
#[derive(Clone, Copy, Debug)]
enum Place {
    Waker,
    Queries,
    DnsListener,
    DnsConnection(usize),
    Listener(usize),
    Pair(usize, Side),
}

/// A connection of the child whose outer connection is being made, and what the host gets first.
type Coming = (TcpStream, Vec<u8>);
type Arrival = (u64, io::Result<TcpStream>);

pub(super) struct Server {
    sockets: RelaySockets,
    decide: Box<dyn Decide>,
    dial: Dial,
    waker: Arc<Waker>,
    dns_connections: Vec<DnsConnection>,
    /// Connections of the child whose outer connection is being made.
    coming: BTreeMap<u64, Coming>,
    next: u64,
    arrive: Sender<Arrival>,
    arrivals: Receiver<Arrival>,
    pairs: Vec<Pair>,
    is_resting: bool,
    space: Vec<u8>,
}

impl Server {
    pub(super) fn new(
        sockets: RelaySockets,
        decide: Box<dyn Decide>,
        dial: Dial,
        waker: Arc<Waker>,
    ) -> Self {
        let (arrive, arrivals) = channel();
        Self {
            sockets,
            decide,
            dial,
            waker,
            dns_connections: Vec::new(),
            coming: BTreeMap::new(),
            next: 0,
            arrive,
            arrivals,
            pairs: Vec::new(),
            is_resting: false,
            space: vec![0; SPACE],
        }
    }

    /// Serves until the waker announces the end and everything is forwarded.
    pub(super) fn run(mut self) {
        loop {
            let is_over = self.waker.is_over.load(Ordering::SeqCst);
            let is_idle = self.coming.is_empty() && self.pairs.iter().all(Pair::is_said);
            let is_done = is_over && is_idle;
            let Ok(ready) = self.ready(is_done) else {
                return;
            };
            let is_listener = |(place, _): &_| matches!(place, Place::Listener(_));
            // A child that connected and sent before the end is served, too.
            if is_done && !ready.iter().any(is_listener) {
                return;
            }
            self.is_resting = false;
            self.serve_pairs(&ready);
            self.serve(&ready);
        }
    }

    /// Returns what is ready; waits for it, unless everything is done.
    fn ready(&self, is_done: bool) -> io::Result<Vec<(Place, PollFlags)>> {
        let watched = self.watched();
        let mut set: Vec<PollFd<'_>> = watched
            .iter()
            .map(|(_, fd, flags)| PollFd::from_borrowed_fd(*fd, *flags))
            .collect();
        let timeout = match (is_done, self.is_resting) {
            (true, _) => Some(&NOW),
            (false, true) => Some(&REST),
            (false, false) => None,
        };
        match poll(&mut set, timeout) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let places = watched.iter().map(|(place, ..)| *place);
        let found = places.zip(set.iter().map(PollFd::revents));
        Ok(found.filter(|(_, flags)| !flags.is_empty()).collect())
    }

    fn watched(&self) -> Vec<(Place, BorrowedFd<'_>, PollFlags)> {
        let read = PollFlags::IN;
        let mut res = vec![
            (Place::Waker, self.waker.fd.as_fd(), read),
            (Place::Queries, self.sockets.queries.as_fd(), read),
        ];
        for (at, connection) in self.dns_connections.iter().enumerate() {
            res.push((Place::DnsConnection(at), connection.stream.as_fd(), read));
        }
        if !self.is_resting {
            res.push((Place::DnsListener, self.sockets.dns_listener.as_fd(), read));
        }
        if self.has_room() {
            for (at, listener) in self.sockets.listeners.iter().enumerate() {
                res.push((Place::Listener(at), listener.as_fd(), read));
            }
        }
        for (at, pair) in self.pairs.iter().enumerate() {
            let waits = pair.waits();
            res.extend(waits.map(|(side, fd, flags)| (Place::Pair(at, side), fd, flags)));
        }
        res
    }

    /// Returns true if another connection may be accepted.
    fn has_room(&self) -> bool {
        let has_gaps = self.pairs.iter().any(Pair::is_half_closed);
        let is_full = self.pairs.len() + self.coming.len() >= MOST && !has_gaps;
        !self.is_resting && !is_full && self.coming.len() < MOST_COMING
    }

    /// Copies data and removes pairs that are over. This comes first, because other events change
    /// the indices.
    fn serve_pairs(&mut self, ready: &[(Place, PollFlags)]) {
        let mut over = BTreeSet::new();
        for &(place, flags) in ready {
            if let Place::Pair(at, side) = place
                && !over.contains(&at)
                && self.pairs[at].serve(side, flags, &mut self.space) == State::Over
            {
                over.insert(at);
            }
        }
        let mut places = 0..;
        self.pairs
            .retain(|_| places.next().is_none_or(|at| !over.contains(&at)));
    }

    fn serve(&mut self, ready: &[(Place, PollFlags)]) {
        for &(place, _) in ready {
            match place {
                Place::Waker => self.take_arrivals(),
                Place::Queries => self.answer(),
                Place::DnsListener => self.begin_dns_connection(),
                Place::DnsConnection(at) => self.serve_dns(at),
                Place::Listener(at) => self.accept(at),
                Place::Pair(..) => {}
            }
        }
    }

    /// Answers queries that came as datagrams.
    fn answer(&mut self) {
        for _ in 0..QUERIES_AT_ONCE {
            let Ok((length, from)) = self.sockets.queries.recv_from(&mut self.space) else {
                return;
            };
            let message = &self.space[..length.min(dns::LONGEST)];
            if let Some(answer) = dns::answer(message, |name| self.decide.name(name)) {
                // A client that gets no answer asks again.
                let _ = self.sockets.queries.send_to(&answer, from);
            }
        }
    }

    /// Accepts a connection for queries; if there are too many, the oldest one is closed.
    fn begin_dns_connection(&mut self) {
        let Ok((stream, _)) = self.sockets.dns_listener.accept() else {
            self.is_resting = true;
            return;
        };
        if self.dns_connections.len() >= MOST_DNS_CONNECTIONS {
            self.dns_connections.remove(0);
        }
        self.dns_connections.extend(DnsConnection::new(stream));
    }

    fn serve_dns(&mut self, at: usize) {
        // One that was closed in this turn is gone.
        let Some(connection) = self.dns_connections.get_mut(at) else {
            return;
        };
        let answer = |message: &[u8]| dns::answer(message, |name| self.decide.name(name));
        if connection.serve(&mut self.space, answer) == State::Over {
            self.dns_connections.remove(at);
        }
    }

    /// Accepts a connection and begins to make the outer one.
    fn accept(&mut self, at: usize) {
        if !self.has_room() {
            return;
        }
        let listener = &self.sockets.listeners[at];
        let accepted = listener.accept().and_then(|(inner, _)| {
            let to = inner.local_addr()?;
            Ok((inner, to))
        });
        // There may be no free descriptor; the connection is accepted a little later.
        let Ok((inner, to)) = accepted else {
            self.is_resting = true;
            return;
        };
        match self.decide.connection(to) {
            Verdict::Refuse => reset(&inner),
            Verdict::PassOn {
                host,
                port,
                greeting,
            } => self.dial((inner, greeting), host, port),
        }
    }

    fn dial(&mut self, coming: Coming, host: String, port: u16) {
        let number = self.next;
        self.next += 1;
        let (dial, arrive) = (Arc::clone(&self.dial), self.arrive.clone());
        let waker = Arc::clone(&self.waker);
        let thread = std::thread::Builder::new().stack_size(STACK);
        let begun = thread.spawn(move || {
            // At the end nobody receives it.
            let _ = arrive.send((number, dial(&host, port)));
            waker.wake();
        });
        match begun {
            Ok(_) => drop(self.coming.insert(number, coming)),
            Err(_) => reset(&coming.0),
        }
    }

    /// Joins outer connections that were made with the inner ones.
    fn take_arrivals(&mut self) {
        self.waker.clear();
        while let Ok((number, outer)) = self.arrivals.try_recv() {
            let Some((inner, greeting)) = self.coming.remove(&number) else {
                continue;
            };
            match outer {
                Ok(outer) => self.join(inner, outer, greeting),
                Err(_) => reset(&inner),
            }
        }
    }

    /// If there is no room, a pair whose child has closed its direction is removed: nothing would
    /// show that the child is gone while its host is silent.
    fn join(&mut self, inner: TcpStream, outer: TcpStream, greeting: Vec<u8>) {
        if self.pairs.len() >= MOST
            && let Some(at) = self.pairs.iter().position(Pair::is_half_closed)
        {
            self.pairs.remove(at);
        }
        self.pairs.extend(Pair::new(inner, outer, greeting));
    }
}
