//! The loop that serves the sockets inside: questions, connections, and what flows through them.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::fd::{AsFd as _, BorrowedFd};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender, channel};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::Bell;
use super::decide::{Decide, Verdict};
use super::dns;
use super::outside::Dial;
use super::pair::{Pair, Side, State, reset};
use super::talk::Talk;

/// Connections at one time, those that are still being made among them. More wait, as at a busy server.
pub(super) const MOST: usize = 128;

/// Connections that are being made at one time: each takes a thread.
const MOST_COMING: usize = 32;

/// Connections for questions at one time.
const MOST_TALKS: usize = 8;

/// Questions that are answered before anything else has its turn.
const QUESTIONS_AT_ONCE: usize = 16;

/// Bytes that are copied at once.
const SPACE: usize = 64 << 10;

/// The stack of a thread that makes a connection: libraries that look up names need some.
const STACK: usize = 256 << 10;

/// How long nothing is accepted after that failed.
const REST: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 50_000_000,
};

const NOW: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 0,
};

/// The sockets that were made inside.
#[derive(Debug)]
pub(crate) struct Gates {
    /// For connections.
    pub(crate) listeners: Vec<TcpListener>,
    /// For questions.
    pub(crate) questions: UdpSocket,
    /// For questions over TCP.
    pub(crate) talks: TcpListener,
}

/// Something that can be ready.
#[derive(Clone, Copy, Debug)]
enum Place {
    Bell,
    Questions,
    Talks,
    Talk(usize),
    Listener(usize),
    Pair(usize, Side),
}

type Arrival = (u64, io::Result<TcpStream>);

pub(super) struct Server {
    gates: Gates,
    decide: Box<dyn Decide>,
    dial: Dial,
    bell: Arc<Bell>,
    talks: Vec<Talk>,
    /// Connections of the child whose other half is being made.
    coming: BTreeMap<u64, TcpStream>,
    next: u64,
    arrive: Sender<Arrival>,
    arrivals: Receiver<Arrival>,
    pairs: Vec<Pair>,
    is_resting: bool,
    space: Vec<u8>,
}

impl Server {
    pub(super) fn new(gates: Gates, decide: Box<dyn Decide>, dial: Dial, bell: Arc<Bell>) -> Self {
        let (arrive, arrivals) = channel();
        Self {
            gates,
            decide,
            dial,
            bell,
            talks: Vec::new(),
            coming: BTreeMap::new(),
            next: 0,
            arrive,
            arrivals,
            pairs: Vec::new(),
            is_resting: false,
            space: vec![0; SPACE],
        }
    }

    /// Serves until the bell says that it is over and all is passed on.
    pub(super) fn run(mut self) {
        loop {
            let is_over = self.bell.is_over.load(Ordering::SeqCst);
            let is_idle = self.coming.is_empty() && self.pairs.iter().all(Pair::is_said);
            let is_done = is_over && is_idle;
            let Ok(ready) = self.ready(is_done) else {
                return;
            };
            let is_listener = |(place, _): &_| matches!(place, Place::Listener(_));
            // Who connected and sent before the end is served, too.
            if is_done && !ready.iter().any(is_listener) {
                return;
            }
            self.is_resting = false;
            self.serve_pairs(&ready);
            self.serve(&ready);
        }
    }

    /// What is ready; waits for it, unless all is done.
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
            (Place::Bell, self.bell.fd.as_fd(), read),
            (Place::Questions, self.gates.questions.as_fd(), read),
        ];
        for (at, talk) in self.talks.iter().enumerate() {
            res.push((Place::Talk(at), talk.stream.as_fd(), read));
        }
        if !self.is_resting {
            res.push((Place::Talks, self.gates.talks.as_fd(), read));
        }
        if self.has_room() {
            for (at, listener) in self.gates.listeners.iter().enumerate() {
                res.push((Place::Listener(at), listener.as_fd(), read));
            }
        }
        for (at, pair) in self.pairs.iter().enumerate() {
            let waits = pair.waits();
            res.extend(waits.map(|(side, fd, flags)| (Place::Pair(at, side), fd, flags)));
        }
        res
    }

    /// Whether another connection is accepted.
    fn has_room(&self) -> bool {
        let has_gaps = self.pairs.iter().any(Pair::is_half_closed);
        let is_full = self.pairs.len() + self.coming.len() >= MOST && !has_gaps;
        !self.is_resting && !is_full && self.coming.len() < MOST_COMING
    }

    /// Copies what came, and lets go of the pairs that are over. Comes first: others change the places.
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
                Place::Bell => self.take_arrivals(),
                Place::Questions => self.answer(),
                Place::Talks => self.begin_talk(),
                Place::Talk(at) => self.talk(at),
                Place::Listener(at) => self.accept(at),
                Place::Pair(..) => {}
            }
        }
    }

    /// Answers questions that came as datagrams.
    fn answer(&mut self) {
        for _ in 0..QUESTIONS_AT_ONCE {
            let Ok((length, from)) = self.gates.questions.recv_from(&mut self.space) else {
                return;
            };
            let message = &self.space[..length.min(dns::LONGEST)];
            if let Some(answer) = dns::answer(message, |name| self.decide.name(name)) {
                // Who does not get it asks again.
                let _ = self.gates.questions.send_to(&answer, from);
            }
        }
    }

    /// Takes a connection for questions; the oldest one makes room.
    fn begin_talk(&mut self) {
        let Ok((stream, _)) = self.gates.talks.accept() else {
            self.is_resting = true;
            return;
        };
        if self.talks.len() >= MOST_TALKS {
            self.talks.remove(0);
        }
        self.talks.extend(Talk::new(stream));
    }

    fn talk(&mut self, at: usize) {
        // One that made room in this turn is gone.
        let Some(talk) = self.talks.get_mut(at) else {
            return;
        };
        let answer = |message: &[u8]| dns::answer(message, |name| self.decide.name(name));
        if talk.serve(&mut self.space, answer) == State::Over {
            self.talks.remove(at);
        }
    }

    /// Takes a connection, and begins to make its other half.
    fn accept(&mut self, at: usize) {
        if !self.has_room() {
            return;
        }
        let listener = &self.gates.listeners[at];
        let accepted = listener.accept().and_then(|(inner, _)| {
            let to = inner.local_addr()?;
            Ok((inner, to))
        });
        // There may be no descriptor left; who waits is asked again a little later.
        let Ok((inner, to)) = accepted else {
            self.is_resting = true;
            return;
        };
        match self.decide.connection(to) {
            Verdict::Refuse => reset(&inner),
            Verdict::PassOn { host, port } => self.dial(inner, host, port),
        }
    }

    fn dial(&mut self, inner: TcpStream, host: String, port: u16) {
        let number = self.next;
        self.next += 1;
        let (dial, arrive) = (Arc::clone(&self.dial), self.arrive.clone());
        let bell = Arc::clone(&self.bell);
        let thread = std::thread::Builder::new().stack_size(STACK);
        let begun = thread.spawn(move || {
            // Nobody takes it when all is over.
            let _ = arrive.send((number, dial(&host, port)));
            bell.ring();
        });
        match begun {
            Ok(_) => drop(self.coming.insert(number, inner)),
            Err(_) => reset(&inner),
        }
    }

    /// Joins connections that were made with those that they were made for.
    fn take_arrivals(&mut self) {
        self.bell.silence();
        while let Ok((number, outer)) = self.arrivals.try_recv() {
            let Some(inner) = self.coming.remove(&number) else {
                continue;
            };
            match outer {
                Ok(outer) => self.join(inner, outer),
                Err(_) => reset(&inner),
            }
        }
    }

    /// A pair whose child has no more to say makes room where there is none: nothing would tell us that
    /// the child is gone and its host silent.
    fn join(&mut self, inner: TcpStream, outer: TcpStream) {
        if self.pairs.len() >= MOST
            && let Some(at) = self.pairs.iter().position(Pair::is_half_closed)
        {
            self.pairs.remove(at);
        }
        self.pairs.extend(Pair::new(inner, outer));
    }
}
