//! The newest good snapshot.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use super::read::read;
use super::scan::Candidate;
use super::{Catalog, CatalogSettings, CatalogSkill, findings};
use crate::fs::{FileInfo, Kind};

/// Keeps a [`Catalog`] and renews it on request: a file whose size, inode and times are unchanged
/// is not read, and one whose content is unchanged is not parsed.
///
/// Two changes within one tick of the file system's clock may be missed. Levels 2 and 3 are never
/// cached, so an agent always gets the current content.
#[derive(Debug)]
pub struct CatalogCache {
    settings: CatalogSettings,
    current: RwLock<Arc<Catalog>>,
    /// Held by the thread that renews.
    renewing: Mutex<()>,
    /// Number of renewals begun so far.
    n_begun: AtomicU64,
}

impl CatalogCache {
    /// Reads the first snapshot.
    pub fn new(settings: CatalogSettings) -> Self {
        let current = RwLock::new(Arc::new(Catalog::read(&settings)));
        Self {
            settings,
            current,
            renewing: Mutex::new(()),
            n_begun: AtomicU64::new(0),
        }
    }

    /// Returns the current snapshot without looking at the disk.
    pub fn current(&self) -> Arc<Catalog> {
        let current = self.current.read();
        current.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Scans all roots and returns the new snapshot.
    ///
    /// Of many concurrent callers one scans, and the others share its result if the scan began
    /// after their call. If a root can no longer be listed, the snapshot keeps its skills and only
    /// gains that finding.
    pub fn refresh(&self) -> Arc<Catalog> {
        let n_seen = self.n_begun.load(Ordering::Acquire);
        let _guard = self.renewing.lock().unwrap_or_else(PoisonError::into_inner);
        if self.n_begun.load(Ordering::Acquire) > n_seen {
            return self.current();
        }
        self.n_begun.fetch_add(1, Ordering::AcqRel);
        let last = self.current();
        let mut fresh = Catalog::renew(&self.settings, &last);
        if self.lost_a_root(&fresh) {
            let findings = std::mem::take(&mut fresh.findings);
            fresh = Catalog::clone(&last);
            fresh.findings = findings;
        }
        self.publish(fresh)
    }

    /// Looks at one skill only; falls back to [`Self::refresh`] if the skill is unknown or was
    /// renamed.
    pub fn refresh_skill(&self, name: &str) -> Arc<Catalog> {
        let guard = self.renewing.lock().unwrap_or_else(PoisonError::into_inner);
        let last = self.current();
        let Some(known) = last.skills.get(name) else {
            drop(guard);
            return self.refresh();
        };
        let candidate = again(known);
        match read(&candidate, &self.settings.bounds, Some(known)) {
            Ok(Some(skill)) if Arc::ptr_eq(&skill, known) => last,
            Ok(Some(skill)) if skill.name == name => {
                let mut fresh = Catalog::clone(&last);
                fresh.skills.insert(name.to_owned(), skill);
                self.publish(fresh)
            }
            Err(finding) if candidate.file.is_some() => {
                let mut fresh = Catalog::clone(&last);
                let kept = findings::kept(name, &candidate.path(), &finding);
                fresh.findings.retain(|finding| *finding != kept);
                fresh.findings.push(kept);
                self.publish(fresh)
            }
            _ => {
                drop(guard);
                self.refresh()
            }
        }
    }

    fn lost_a_root(&self, fresh: &Catalog) -> bool {
        let roots = &self.settings.roots;
        let paths: Vec<String> = roots
            .iter()
            .map(|root| crate::fs::shown(&root.path).to_string())
            .collect();
        fresh.findings.iter().any(|finding| {
            let file = finding.place.file.as_ref();
            finding.code == findings::codes::NOT_LISTED
                && file.is_some_and(|file| paths.contains(file))
        })
    }

    fn publish(&self, fresh: Catalog) -> Arc<Catalog> {
        let fresh = Arc::new(fresh);
        let current = self.current.write();
        *current.unwrap_or_else(PoisonError::into_inner) = fresh.clone();
        fresh
    }
}

/// Returns the skill as it is on disk now.
fn again(known: &CatalogSkill) -> Candidate {
    let place = known.place.clone();
    let look = |path: &str| match place.root.kind(path) {
        Ok(Some(Kind::File(info))) => Some(info),
        _ => None::<FileInfo>,
    };
    let metadata = match place.dir.as_deref() {
        None => None,
        Some("") => look("METADATA.yml"),
        Some(dir) => look(&format!("{dir}/METADATA.yml")),
    };
    Candidate {
        file: look(&place.file),
        metadata,
        source: known.source,
        place,
        is_hosted: false,
    }
}
