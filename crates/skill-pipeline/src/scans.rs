//! The secrets in the files of a package, found once for all of its units.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use plugin_readers::without_address_secrets;
use skill_diagnostics::Diagnostic;
use skill_loader::{Digest, fs::ReadError};

/// The secrets in a text.
#[derive(Default, Debug)]
pub(crate) struct Scan {
    /// The findings with their offsets in the text.
    pub(crate) findings: Vec<(usize, Diagnostic)>,
    /// The values to be redacted.
    pub(crate) values: BTreeSet<String>,
}

/// The secrets in the files of a package. Each file is searched once for all units.
#[derive(Default, Debug)]
pub(crate) struct Scans {
    pub(crate) manifest: OnceLock<Scan>,
    files: Mutex<BTreeMap<String, Arc<Scan>>>,
    /// The documents of services without the secrets of their addresses, by the digest of the text; `None`
    /// for one without such secrets.
    addresses: Mutex<BTreeMap<Digest, Option<Arc<str>>>>,
}

impl Scans {
    /// Returns the document of a service without the secrets of its addresses, if it has some. Each document
    /// is parsed once for that.
    pub(crate) fn without_address_secrets(&self, text: &str) -> Option<Arc<str>> {
        let digest = Digest::from_content(text.as_bytes());
        let known = || {
            self.addresses
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        if let Some(known) = known().get(&digest) {
            return known.clone();
        }
        let made = without_address_secrets(text).map(Arc::from);
        known().insert(digest, made.clone());
        made
    }

    pub(crate) fn file(
        &self,
        path: &str,
        scan: impl FnOnce() -> Result<Scan, ReadError>,
    ) -> Result<Arc<Scan>, ReadError> {
        let files = || self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = files().get(path) {
            return Ok(Arc::clone(known));
        }
        let made = Arc::new(scan()?);
        files().insert(path.to_owned(), Arc::clone(&made));
        Ok(made)
    }
}
