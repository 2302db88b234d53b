//! Which skills fit a request: an index that follows the snapshot.

use std::sync::{Arc, Mutex, PoisonError};

use skill_disclosure::document;
use skill_loader::catalog::{Bounds, Catalog};
use skill_search::{Document, Index, Match, Request};

use crate::store::says_same;

/// The index of the last snapshot that was searched. Made when it is first needed, so that a
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
    /// Skills of a snapshot that fit a request, best first. Blocks on the disk if the snapshot
    /// was not searched before.
    pub(crate) fn search(
        &self,
        catalog: &Arc<Catalog>,
        bounds: &Bounds,
        request: &Request,
    ) -> Vec<Match> {
        self.index(catalog, bounds).search(request)
    }

    fn index(&self, catalog: &Arc<Catalog>, bounds: &Bounds) -> Arc<Index> {
        let mut held = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, index)) = &mut *held
            && says_same(of, catalog)
        {
            *of = catalog.clone();
            return index.clone();
        }
        let skills = catalog.skills.values();
        let documents: Vec<Document> = skills.map(|skill| document(skill, bounds)).collect();
        let index = Arc::new(Index::build(&documents));
        *held = Some((catalog.clone(), index.clone()));
        index
    }
}
