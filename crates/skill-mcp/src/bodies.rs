//! Instructions that were read before and have not been touched since.
//!
//! Reading one again costs a look at its file instead of a read, a digest and a parse.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use skill_loader::catalog::CatalogSkill;
use skill_loader::fs::{FileInfo, Kind};
use skill_loader::load::LoadedText;

use crate::tools::Kept;

/// Bytes of all texts that are kept, and of the answers made of them.
const MAX_BYTES: usize = 32 * 1024 * 1024;

/// The whole instructions of one skill.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) loaded: LoadedText,
    /// Tokens of the text, about.
    pub(crate) tokens: usize,
    /// The file as it was before it was read, if the body is held.
    info: Option<FileInfo>,
    /// Its answer as it goes over HTTP.
    pub(crate) kept: Mutex<Option<Arc<Kept>>>,
}

impl Body {
    /// A body that is not held.
    pub(crate) fn once(loaded: LoadedText, tokens: usize) -> Self {
        Self {
            loaded,
            tokens,
            info: None,
            kept: Mutex::default(),
        }
    }

    /// Whether it is held, so that what is made of it is worth keeping.
    pub(crate) fn is_held(&self) -> bool {
        self.info.is_some()
    }

    /// Bytes that it takes, about: an answer over HTTP has the text twice, escaped.
    fn size(&self) -> usize {
        3 * self.loaded.text.len()
    }
}

/// Bodies by skill; the one used longest ago gives way.
#[derive(Debug, Default)]
pub(crate) struct Bodies {
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    bodies: BTreeMap<String, (u64, Arc<Body>)>,
    n_bytes: usize,
    clock: u64,
}

/// The file of a skill as it is now.
pub(crate) fn look(skill: &CatalogSkill) -> Option<FileInfo> {
    match skill.place.root.kind(&skill.place.file) {
        Ok(Some(Kind::File(info))) => Some(info),
        _ => None,
    }
}

impl Bodies {
    /// The body of a skill, if it is held and its file is still the same.
    pub(crate) fn get(&self, skill: &CatalogSkill, info: &FileInfo) -> Option<Arc<Body>> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.clock += 1;
        let clock = held.clock;
        let (used, body) = held.bodies.get_mut(&skill.name)?;
        let is_same = body.info.as_ref() == Some(info) && body.loaded.report.sha256 == skill.digest;
        *used = clock;
        is_same.then(|| body.clone())
    }

    /// Keeps a body whose file was like `info` before it was read.
    pub(crate) fn keep(
        &self,
        skill: &str,
        loaded: LoadedText,
        tokens: usize,
        info: FileInfo,
    ) -> Arc<Body> {
        let body = Arc::new(Body {
            loaded,
            tokens,
            info: Some(info),
            kept: Mutex::default(),
        });
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.clock += 1;
        let entry = (held.clock, body.clone());
        held.n_bytes += body.size();
        if let Some((_, last)) = held.bodies.insert(skill.to_owned(), entry) {
            held.n_bytes -= last.size();
        }
        while held.n_bytes > MAX_BYTES && held.bodies.len() > 1 {
            let oldest = held.bodies.iter().min_by_key(|(_, (used, _))| *used);
            let Some(name) = oldest.map(|(name, _)| name.clone()) else {
                break;
            };
            if let Some((_, gone)) = held.bodies.remove(&name) {
                held.n_bytes -= gone.size();
            }
        }
        body
    }
}
