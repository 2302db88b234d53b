//! The visits of programs, and what they asked.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Semaphore;

use crate::authority::Authority;
use crate::exchange::Exchange;
use crate::shapes::Variant;
use crate::table::Table;

/// The most requests that are recorded of a visit, and the most bytes of them.
const MAX_EXCHANGES: usize = 10_000;
const MAX_BYTES: usize = 64 << 20;
/// The most requests whose bodies are in memory at a time, of all visits.
const MAX_BODIES: usize = 32;

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
}

/// The record of a visit.
pub(crate) struct Log {
    pub(crate) variant: Variant,
    requests: Mutex<(Requests, usize)>,
}

impl Log {
    pub(crate) fn new(variant: Variant) -> Self {
        Self {
            variant,
            requests: Mutex::new((nothing(), 0)),
        }
    }

    /// Takes the requests.
    pub(crate) fn take(&self) -> Requests {
        let mut held = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut held.0, nothing())
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

    #[test]
    fn a_record_says_that_it_is_not_whole() {
        let log = Log::new(Variant::default());
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
