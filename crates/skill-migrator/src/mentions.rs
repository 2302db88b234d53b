//! The files that each file of a package mentions, found once for all skills of the package.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::text::Reach;

/// The files that those of one package need, by the file and how a skill reaches it.
#[derive(Default, Debug)]
pub struct Mentions(Mutex<Found>);

/// The files, sorted.
type Found = BTreeMap<(String, Reach), Arc<[String]>>;

impl Mentions {
    /// Returns the files that a file of the package mentions, sorted; `find` is called for a file that
    /// was not asked for before.
    pub(crate) fn of(
        &self,
        file: &str,
        reach: Reach,
        find: impl FnOnce() -> Vec<String>,
    ) -> Arc<[String]> {
        let key = (file.to_owned(), reach);
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known().get(&key) {
            return Arc::clone(found);
        }
        let mut found = find();
        found.sort_unstable();
        found.dedup();
        let found: Arc<[String]> = found.into();
        known().insert(key, Arc::clone(&found));
        found
    }
}
