//! The visits of programs, and what they asked.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;

use crate::authority::Authority;
use crate::cassette::Take;
use crate::exchange::Exchange;
use crate::source::Active;
use crate::table::Table;

/// The most requests that are recorded of a visit, and the most bytes of them.
const MAX_EXCHANGES: usize = 10_000;
const MAX_BYTES: usize = 64 << 20;
/// The most gaps that are named.
const MAX_GAPS: usize = 100;
/// The most requests whose bodies are in memory at a time, of all visits.
const MAX_BODIES: usize = 32;

/// The longest time for which the end of a visit waits for its connections.
const PATIENCE: Duration = Duration::from_secs(2);

/// The state that all connections share.
pub(crate) struct Shared {
    pub(crate) authority: Arc<Authority>,
    pub(crate) table: Table,
    /// A permit for each body in memory.
    pub(crate) bodies: Semaphore,
    visits: Mutex<BTreeMap<String, Arc<Log>>>,
}

/// The requests of a program.
#[derive(Clone, PartialEq, Debug)]
pub struct Requests {
    /// The requests, in the order in which they came.
    pub exchanges: Vec<Exchange>,
    /// False if there were more than are recorded.
    pub is_whole: bool,
    /// The requests to real services and their answers, without secrets.
    pub takes: Vec<Take>,
    /// The requests that are in no recording, or could not be recorded: texts for people, without secrets.
    pub gaps: Vec<String>,
}

/// The record of a visit.
pub(crate) struct Log {
    pub(crate) source: Active,
    requests: Mutex<(Requests, usize)>,
    /// The number of connections that are open.
    n_open: Mutex<usize>,
    closed: Condvar,
}

/// A connection of a visit; the end of the visit waits for it.
#[derive(Clone)]
pub(crate) struct Open(Arc<Counted>);

struct Counted(Arc<Log>);

impl Open {
    pub(crate) fn new(log: &Arc<Log>) -> Self {
        *log.n_open() += 1;
        Self(Arc::new(Counted(Arc::clone(log))))
    }

    pub(crate) fn log(&self) -> &Arc<Log> {
        &self.0.0
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        *self.0.n_open() -= 1;
        self.0.closed.notify_all();
    }
}

impl Log {
    pub(crate) fn new(source: Active) -> Self {
        Self {
            source,
            requests: Mutex::new((nothing(), 0)),
            n_open: Mutex::new(0),
            closed: Condvar::new(),
        }
    }

    fn n_open(&self) -> MutexGuard<'_, usize> {
        self.n_open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until all connections are closed, for a while: the programs have ended.
    pub(crate) fn wait(&self) {
        let is_open = |n_open: &mut usize| *n_open > 0;
        drop(
            self.closed
                .wait_timeout_while(self.n_open(), PATIENCE, is_open),
        );
    }

    /// Takes the requests.
    pub(crate) fn take(&self) -> Requests {
        let mut held = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let mut res = std::mem::replace(&mut held.0, nothing());
        if let Active::Real(_, mask) = &self.source {
            mask.again(&mut res.takes);
        }
        res
    }

    /// Adds what a real service answered.
    pub(crate) fn add_take(&self, take: Take) {
        let mut held = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let (requests, n_bytes) = &mut *held;
        *n_bytes += take.size();
        if requests.takes.len() < MAX_EXCHANGES && *n_bytes <= MAX_BYTES {
            requests.takes.push(take);
        } else {
            requests.is_whole = false;
        }
    }

    /// Adds a request without a recorded answer, and the reason.
    pub(crate) fn add_gap(&self, request: &Exchange, why: &str) {
        let mut held = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let gaps = &mut held.0.gaps;
        if gaps.len() < MAX_GAPS {
            gaps.push(format!("{} {}: {why}", request.method, request.url));
        }
    }

    /// Adds what cannot be recorded, as a gap where there is a recording.
    pub(crate) fn add_other(&self, exchange: Exchange, what: &str) {
        if let Some(mask) = self.source.mask() {
            self.add_gap(&mask.exchange(exchange.clone()), what);
        }
        self.add(exchange);
    }

    pub(crate) fn add(&self, exchange: Exchange) {
        let size = exchange.size();
        let mut held = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let (requests, n_bytes) = &mut *held;
        *n_bytes += size;
        if requests.exchanges.len() < MAX_EXCHANGES && *n_bytes <= MAX_BYTES {
            requests.exchanges.push(exchange);
        } else {
            requests.is_whole = false;
        }
    }
}

fn nothing() -> Requests {
    Requests {
        exchanges: Vec::new(),
        is_whole: true,
        takes: Vec::new(),
        gaps: Vec::new(),
    }
}

impl Shared {
    pub(crate) fn new(authority: Authority, table: Table) -> Self {
        Self {
            authority: Arc::new(authority),
            table,
            bodies: Semaphore::new(MAX_BODIES),
            visits: Mutex::default(),
        }
    }

    /// Begins the visit with this mark.
    pub(crate) fn begin(&self, mark: String, log: Arc<Log>) {
        let mut visits = self.visits.lock().unwrap_or_else(PoisonError::into_inner);
        visits.insert(mark, log);
    }

    /// Ends the visit with this mark: further connections are not recorded.
    pub(crate) fn end(&self, mark: &str) {
        let mut visits = self.visits.lock().unwrap_or_else(PoisonError::into_inner);
        visits.remove(mark);
    }

    /// Returns the record of the visit with this mark.
    pub(crate) fn visit(&self, mark: &str) -> Option<Arc<Log>> {
        let visits = self.visits.lock().unwrap_or_else(PoisonError::into_inner);
        visits.get(mark).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    #[test]
    fn a_record_says_that_it_is_not_whole() {
        let log = Log::new(Source::Emulated(0).into());
        let one = Exchange::of_connection("a.example", 25, &[], "x");
        for _ in 0..MAX_EXCHANGES {
            log.add(one.clone());
        }
        log.add(one);
        let taken = log.take();
        assert_eq!(taken.exchanges.len(), MAX_EXCHANGES);
        assert!(!taken.is_whole && log.take().is_whole);
    }
}
