//! A server and its clones, which share their state.

use std::sync::Arc;

use crate::handler::Handler;
use crate::notify;
use crate::settings::Settings;
use crate::shared::Shared;

/// A server without a transport. Clones are cheap and answer from the same snapshot.
#[derive(Clone, Debug)]
pub struct Server {
    pub(crate) shared: Arc<Shared>,
}

impl Server {
    /// Creates a server. Its first snapshot is read in the background; only requests that need it
    /// wait. Skills that the snapshot leaves out are logged.
    pub fn new(settings: Settings) -> Self {
        let shared = Arc::new(Shared::new(settings));
        let reading = shared.clone();
        std::thread::spawn(move || reading.read_first_snapshot());
        Self { shared }
    }

    /// Creates the handler of a new connection.
    pub fn handler(&self) -> Handler {
        Handler::new(self.shared.clone())
    }

    /// Returns the number of skills in the snapshot. Waits for the first snapshot.
    pub fn skill_count(&self) -> usize {
        self.shared.store.catalog().skills.len()
    }

    /// Starts the module processes of the `n` most used skills in the background. Must be called
    /// within a Tokio runtime.
    pub fn preload(&self, n: usize) {
        let shared = self.shared.clone();
        if n > 0
            && let Some(runner) = shared.settings.run.clone()
        {
            tokio::task::spawn_blocking(move || runner.preload(&shared.store.catalog(), n));
        }
    }

    /// Rereads the directories and notifies connected agents of changes. Never returns.
    pub(crate) async fn keep_fresh(self) {
        tokio::join!(
            notify::refresh_repeatedly(&self.shared),
            notify::announce(&self.shared)
        );
    }
}
