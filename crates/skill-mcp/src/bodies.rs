//! A cache of instructions.
//!
//! A cached body costs a look at the state of its file instead of a read, a digest and a parse.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use skill_loader::catalog::CatalogSkill;
use skill_loader::fs::{FileInfo, Kind};
use skill_loader::load::LoadedText;

use crate::reply::CachedReply;

/// The maximum size of all cached texts and of the answers made from them, in bytes.
const MAX_BYTES: usize = 32 * 1024 * 1024;

/// The instructions of one skill, or a part of them.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) loaded: LoadedText,
    /// The estimated tokens of the text.
    pub(crate) tokens: usize,
    /// The state of the file before it was read, if the body is cached.
    info: Option<FileInfo>,
    /// Its encoded answer, for HTTP.
    pub(crate) reply: Mutex<Option<Arc<CachedReply>>>,
}

impl Body {
    /// Creates a body that is not cached.
    pub(crate) fn uncached(loaded: LoadedText, tokens: usize) -> Self {
        Self {
            loaded,
            tokens,
            info: None,
            reply: Mutex::default(),
        }
    }

    /// Returns true if the body is cached, so that its encoded answer is worth keeping.
    pub(crate) fn is_cached(&self) -> bool {
        self.info.is_some()
    }

    /// Estimates the size in bytes: an answer over HTTP has the text twice, escaped.
    fn size(&self) -> usize {
        3 * self.loaded.text.len()
    }
}

/// Bodies by skill; the least recently used one is evicted.
#[derive(Debug, Default)]
pub(crate) struct Bodies {
    cache: Mutex<Cache>,
}

#[derive(Debug, Default)]
struct Cache {
    bodies: BTreeMap<String, (u64, Arc<Body>)>,
    n_bytes: usize,
    clock: u64,
}

/// Returns the current state of the file of a skill.
pub(crate) fn file_info(skill: &CatalogSkill) -> Option<FileInfo> {
    match skill.place.root.kind(&skill.place.file) {
        Ok(Some(Kind::File(info))) => Some(info),
        _ => None,
    }
}

impl Bodies {
    /// Returns the body of a skill if it is cached and its file is unchanged.
    pub(crate) fn get(&self, skill: &CatalogSkill, info: &FileInfo) -> Option<Arc<Body>> {
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        cache.clock += 1;
        let clock = cache.clock;
        let (used, body) = cache.bodies.get_mut(&skill.name)?;
        let is_same = body.info.as_ref() == Some(info) && body.loaded.report.sha256 == skill.digest;
        *used = clock;
        is_same.then(|| body.clone())
    }

    /// Stores a body whose file was in the state `info` before it was read.
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
            reply: Mutex::default(),
        });
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        cache.clock += 1;
        let entry = (cache.clock, body.clone());
        cache.n_bytes += body.size();
        if let Some((_, last)) = cache.bodies.insert(skill.to_owned(), entry) {
            cache.n_bytes -= last.size();
        }
        while cache.n_bytes > MAX_BYTES && cache.bodies.len() > 1 {
            let oldest = cache.bodies.iter().min_by_key(|(_, (used, _))| *used);
            let Some(name) = oldest.map(|(name, _)| name.clone()) else {
                break;
            };
            if let Some((_, evicted)) = cache.bodies.remove(&name) {
                cache.n_bytes -= evicted.size();
            }
        }
        body
    }
}
