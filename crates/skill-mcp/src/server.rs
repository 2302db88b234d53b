//! What all connections share.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::{Peer, RoleServer};
use skill_disclosure::tokens::TokenCounter as _;
use skill_loader::catalog::Catalog;
use skill_search::{Match, Request};
use tokio::sync::Semaphore;

use crate::describe::Descriptions;
use crate::handler::Handler;
use crate::http::Memories;
use crate::metrics::{self, Metrics};
use crate::notify;
use crate::offer::{Offer, Offers};
use crate::search::Searcher;
use crate::settings::Settings;
use crate::store::Store;

/// Threads that wait for the disk, so that a crowd of first reads does not make hundreds of them,
/// each with memory of its own.
const DISK: usize = 8;

/// A server without a transport: cheap to clone, all clones answer from the same snapshot.
#[derive(Clone, Debug)]
pub struct Server {
    pub(crate) shared: Arc<Shared>,
}

#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) settings: Settings,
    pub(crate) store: Store,
    pub(crate) metrics: Metrics,
    pub(crate) searcher: Searcher,
    pub(crate) descriptions: Descriptions,
    /// Sessions that may take the short way.
    pub(crate) memories: Memories,
    offers: Offers,
    /// Connections of the older protocol that are told of changes, until they end.
    peers: Mutex<BTreeMap<u64, Peer<RoleServer>>>,
    n_registered: AtomicU64,
    /// What may wait for the disk at a time.
    disk: Semaphore,
    /// Of those who want the same skill that nobody has looked at, one looks and the others wait.
    turns: [tokio::sync::Mutex<()>; DISK],
}

impl Server {
    /// A server whose first snapshot is read while it answers what does not need it. What the
    /// snapshot leaves out is logged.
    pub fn new(settings: Settings) -> Self {
        let store = Store::new(&settings);
        let shared = Shared {
            settings,
            store,
            metrics: Metrics::default(),
            searcher: Searcher::default(),
            descriptions: Descriptions::default(),
            memories: Memories::default(),
            offers: Offers::default(),
            peers: Mutex::default(),
            n_registered: AtomicU64::new(0),
            disk: Semaphore::new(DISK),
            turns: Default::default(),
        };
        let shared = Arc::new(shared);
        let reading = shared.clone();
        std::thread::spawn(move || reading.first_look());
        Self { shared }
    }

    /// One more connection.
    pub fn handler(&self) -> Handler {
        Handler::new(self.shared.clone())
    }

    /// How many skills the snapshot has. Waits for it.
    pub fn skill_count(&self) -> usize {
        self.shared.store.catalog().skills.len()
    }

    /// Starts the processes of the `n` most used skills that keep one, in the background. Needs a
    /// runtime.
    pub fn preload(&self, n: usize) {
        let shared = self.shared.clone();
        if n > 0
            && let Some(runner) = shared.settings.run.clone()
        {
            tokio::task::spawn_blocking(move || runner.preload(&shared.store.catalog(), n));
        }
    }

    /// Looks at the directories again and tells connected agents of changes, for ever.
    pub(crate) async fn keep_fresh(self) {
        tokio::join!(notify::look_again(&self.shared), notify::tell(&self.shared));
    }
}

impl Shared {
    fn first_look(&self) {
        let catalog = self.store.catalog();
        for finding in &catalog.findings {
            tracing::warn!(
                code = finding.code.0,
                file = finding.place.file.as_deref().unwrap_or_default(),
                "{}",
                finding.message
            );
        }
        tracing::info!(skills = catalog.skills.len(), "catalogue read");
    }

    /// What is offered to agents, by the snapshot.
    pub(crate) fn offer(&self) -> Arc<Offer> {
        self.offers.of(self)
    }

    /// Skills that fit a request, best first.
    pub(crate) fn search(&self, catalog: &Arc<Catalog>, request: &Request) -> Vec<Match> {
        let bounds = &self.settings.catalog.bounds;
        self.searcher.search(catalog, bounds, request)
    }

    /// Tokens of a text, about.
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

    /// From now on this connection is told of changes, until it is forgotten by this number.
    pub(crate) fn register(&self, peer: Peer<RoleServer>) -> u64 {
        let number = self.n_registered.fetch_add(1, Ordering::Relaxed);
        self.registered().insert(number, peer);
        number
    }

    /// The connection has ended.
    pub(crate) fn forget(&self, number: u64) {
        self.registered().remove(&number);
    }

    /// The connections that are told of changes.
    pub(crate) fn peers(&self) -> Vec<Peer<RoleServer>> {
        self.registered().values().cloned().collect()
    }

    fn registered(&self) -> MutexGuard<'_, BTreeMap<u64, Peer<RoleServer>>> {
        self.peers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The turn of those who want a skill, or another one of the same turn.
    pub(crate) async fn turn(&self, skill: &str) -> tokio::sync::MutexGuard<'_, ()> {
        let sum: usize = skill.bytes().map(usize::from).sum();
        self.turns[sum % DISK].lock().await
    }

    /// Work that may have to wait for the disk, a bounded number at a time. Nothing if it
    /// panicked.
    pub(crate) async fn on_disk<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        // The semaphore is never closed, so a permit always comes.
        let _permit = self.disk.acquire().await.ok()?;
        tokio::task::spawn_blocking(work).await.ok()
    }
}
