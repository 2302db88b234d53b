//! The files that each file of a package mentions, found once for all skills of the package.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The paths that the texts of one package mention, by the file of the text.
#[derive(Default, Debug)]
pub struct Mentions(Mutex<BTreeMap<String, Arc<[String]>>>);

impl Mentions {
    /// Returns the files that a file of the package mentions, sorted; `find` is called for a file that
    /// was not asked for before.
    pub(crate) fn of(&self, file: &str, find: impl FnOnce() -> Vec<String>) -> Arc<[String]> {
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known().get(file) {
            return Arc::clone(found);
        }
        let mut found = find();
        found.sort_unstable();
        found.dedup();
        let found: Arc<[String]> = found.into();
        known().insert(file.to_owned(), Arc::clone(&found));
        found
    }
}
