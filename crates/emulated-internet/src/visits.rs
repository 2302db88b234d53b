//! The visits of programs, and what they asked.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::authority::Authority;
use crate::exchange::Exchange;
use crate::shapes::Variant;
use crate::table::Table;

/// The most requests that are recorded of a visit.
const MAX_EXCHANGES: usize = 10_000;

/// The state that all connections share.
pub(crate) struct Shared {
    pub(crate) authority: Arc<Authority>,
    pub(crate) table: Table,
    visits: Mutex<BTreeMap<String, Arc<Log>>>,
}

/// The record of a visit.
pub(crate) struct Log {
    pub(crate) variant: Variant,
    exchanges: Mutex<Vec<Exchange>>,
}

impl Log {
    pub(crate) fn new(variant: Variant) -> Self {
        Self {
            variant,
            exchanges: Mutex::default(),
        }
    }

    /// Takes the requests in the order in which they came.
    pub(crate) fn take(&self) -> Vec<Exchange> {
        let mut all = self
            .exchanges
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut all)
    }

    pub(crate) fn add(&self, exchange: Exchange) {
        let mut all = self
            .exchanges
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if all.len() < MAX_EXCHANGES {
            all.push(exchange);
        }
    }
}

impl Shared {
    pub(crate) fn new(authority: Authority, table: Table) -> Self {
        Self {
            authority: Arc::new(authority),
            table,
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
