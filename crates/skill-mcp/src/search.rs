//! Search, with an index that follows the snapshot.

use std::sync::{Arc, Mutex, PoisonError};

use skill_loader::catalog::{Bounds, Catalog};
use skill_search::{Index, Match, Request};

use crate::store::has_same_content;

/// The index of the last snapshot that was searched. It is made by the first search, so that a
/// server starts without it.
#[derive(Default)]
pub(crate) struct Searcher {
    index: Mutex<Option<(Arc<Catalog>, Arc<Index>)>>,
}

impl std::fmt::Debug for Searcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Searcher")
    }
}

impl Searcher {
    /// Returns the skills of a snapshot that match a request, best first. Reads the disk if the
    /// snapshot was not searched before.
    pub(crate) fn search(
        &self,
        catalog: &Arc<Catalog>,
        bounds: &Bounds,
        request: &Request,
    ) -> Vec<Match> {
        self.index(catalog, bounds).search(request)
    }

    fn index(&self, catalog: &Arc<Catalog>, bounds: &Bounds) -> Arc<Index> {
        let mut cached = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((snapshot, index)) = &mut *cached
            && has_same_content(snapshot, catalog)
        {
            *snapshot = catalog.clone();
            return index.clone();
        }
        let skills = catalog.skills.values().map(AsRef::as_ref);
        let index = Arc::new(skill_disclosure::index(skills, bounds));
        *cached = Some((catalog.clone(), index.clone()));
        index
    }
}
