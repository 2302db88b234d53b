//! The state that all connections share.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::{Peer, RoleServer};
use skill_diagnostics::Diagnostic;
use skill_disclosure::{Description, FullError, Phase};
use skill_loader::catalog::{Catalog, CatalogSkill};
use skill_search::{Match, Request};
use skill_tokens::TokenCounter as _;
use tokio::sync::Semaphore;

use crate::describe::Descriptions;
use crate::metrics::{self, Metrics};
use crate::offer::{Offer, Offers};
use crate::search::Searcher;
use crate::session::by_id::Sessions;
use crate::settings::Settings;
use crate::store::Store;

/// The maximum number of threads that wait for the disk. Without it, a burst of first reads would
/// start hundreds of threads, each with memory of its own.
const MAX_DISK_THREADS: usize = 8;

/// The state of a server.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) settings: Settings,
    pub(crate) store: Store,
    pub(crate) metrics: Metrics,
    pub(crate) searcher: Searcher,
    pub(crate) descriptions: Descriptions,
    /// The HTTP sessions that may use the fast path.
    pub(crate) sessions: Sessions,
    offers: Offers,
    /// The findings of the last snapshot, which were logged.
    logged: Mutex<BTreeSet<Diagnostic>>,
    /// Open connections of the older protocol, which are notified of changes.
    peers: Mutex<BTreeMap<u64, Peer<RoleServer>>>,
    n_registered: AtomicU64,
    /// Limits the work that waits for the disk at the same time.
    disk_permits: Semaphore,
    /// Locks by skill: of several requests for a skill that was not read yet, one reads it and the
    /// others wait.
    skill_locks: [tokio::sync::Mutex<()>; MAX_DISK_THREADS],
}

impl Shared {
    /// Creates the state. Nothing is read yet.
    pub(crate) fn new(settings: Settings) -> Self {
        let store = Store::new(&settings);
        Self {
            settings,
            store,
            metrics: Metrics::default(),
            searcher: Searcher::default(),
            descriptions: Descriptions::default(),
            sessions: Sessions::default(),
            offers: Offers::default(),
            logged: Mutex::default(),
            peers: Mutex::default(),
            n_registered: AtomicU64::new(0),
            disk_permits: Semaphore::new(MAX_DISK_THREADS),
            skill_locks: Default::default(),
        }
    }

    /// Reads the first snapshot and logs the skills that it leaves out. Blocks on the disk.
    pub(crate) fn read_first_snapshot(&self) {
        let catalog = self.store.catalog();
        self.log_findings(&catalog);
        let runner = self.settings.run.as_deref();
        for pattern in runner.map_or(Vec::new(), |runner| runner.unused_patterns(&catalog)) {
            tracing::warn!(pattern, "no skill matches a pattern of --allow-run");
        }
        tracing::info!(skills = catalog.skills.len(), "catalog read");
    }

    /// Logs the findings that the last snapshot did not have.
    pub(crate) fn log_findings(&self, catalog: &Catalog) {
        let mut logged = self.logged.lock().unwrap_or_else(PoisonError::into_inner);
        for finding in catalog.findings.iter().filter(|it| !logged.contains(*it)) {
            tracing::warn!(
                code = finding.code.0,
                file = finding.place.file.as_deref().unwrap_or_default(),
                "{}",
                finding.message
            );
        }
        *logged = catalog.findings.iter().cloned().collect();
    }

    /// Returns the tools and instructions for the current snapshot.
    pub(crate) fn offer(&self) -> Arc<Offer> {
        self.offers.current(&self.settings, &self.store)
    }

    /// Returns the skills that match a request, best first.
    pub(crate) fn search(&self, catalog: &Arc<Catalog>, request: &Request) -> Vec<Match> {
        let bounds = &self.settings.catalog.bounds;
        self.searcher.search(catalog, bounds, request)
    }

    /// Returns the description of a skill at a phase, from the current `SKILL.md` on the disk.
    pub(crate) fn describe(
        &self,
        skill: &Arc<CatalogSkill>,
        phase: Phase,
    ) -> Result<Description, FullError> {
        self.descriptions
            .describe(&self.store, &self.settings.limits, skill, phase)
    }

    /// Estimates the tokens of a text.
    pub(crate) fn tokens(&self, text: &str) -> usize {
        self.store.counter.count(text)
    }

    pub(crate) fn count_tokens(&self, n: usize) {
        self.metrics.tokens.fetch_add(n as u64, Ordering::Relaxed);
    }

    pub(crate) fn metrics_text(&self) -> String {
        let catalog = self.store.catalog();
        let mut res = self
            .metrics
            .render(catalog.skills.len(), catalog.findings.len());
        metrics::render_descriptions(&mut res, &self.descriptions.statistics());
        res
    }

    /// Registers a connection for notifications and returns the number to pass to [`Self::forget`].
    pub(crate) fn register(&self, peer: Peer<RoleServer>) -> u64 {
        let number = self.n_registered.fetch_add(1, Ordering::Relaxed);
        self.registered().insert(number, peer);
        number
    }

    /// Removes a connection that has ended.
    pub(crate) fn forget(&self, number: u64) {
        self.registered().remove(&number);
    }

    /// Returns the connections to notify of changes.
    pub(crate) fn peers(&self) -> Vec<Peer<RoleServer>> {
        self.registered().values().cloned().collect()
    }

    fn registered(&self) -> MutexGuard<'_, BTreeMap<u64, Peer<RoleServer>>> {
        self.peers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the lock of a skill. Several skills share a lock.
    pub(crate) async fn lock_skill(&self, skill: &str) -> tokio::sync::MutexGuard<'_, ()> {
        let sum: usize = skill.bytes().map(usize::from).sum();
        self.skill_locks[sum % MAX_DISK_THREADS].lock().await
    }

    /// Runs work that may wait for the disk; the number of such threads is bounded. Returns `None`
    /// if the work panicked.
    pub(crate) async fn on_disk<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        // The semaphore is never closed, so `acquire` succeeds.
        let _permit = self.disk_permits.acquire().await.ok()?;
        tokio::task::spawn_blocking(work).await.ok()
    }
}
