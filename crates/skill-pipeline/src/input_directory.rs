//! A directory of the input, for the readers of formats.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use plugin_readers::{Directory, Marketplace};
use skill_loader::fs::{Kind, Root, WalkLimits};
use skill_migrator::leave_directory;

/// The largest manifest that is read, in bytes. Descriptions of services have up to
/// 12 MB.
pub const MAX_MANIFEST_BYTES: u64 = 16 << 20;
/// The depth and the number of entries to which the parts of a package are listed.
const LIMITS: WalkLimits = WalkLimits {
    depth: 16,
    entries: 20_000,
};

/// The marketplaces of an input by their directories, each read once; `None` for directories that are
/// not one.
#[derive(Default, Debug)]
pub(crate) struct Markets(Mutex<BTreeMap<String, Option<Arc<Marketplace>>>>);

/// A directory that may be a package.
#[derive(Clone, Debug)]
pub(crate) struct InputDirectory<'a> {
    input: &'a Root,
    /// Path relative to the input; empty for the input itself.
    path: &'a str,
    is_last_resort: bool,
    /// The name of the file that is the input.
    only: Option<&'a str>,
    /// The marketplaces of the input, if the directory is one of many.
    markets: Option<&'a Markets>,
    /// The names in the directory, listed on first use; `None` if they cannot be listed.
    names: OnceCell<Option<BTreeSet<String>>>,
}

/// The number of bytes by which a file is recognized.
const START: usize = 4096;

impl<'a> InputDirectory<'a> {
    /// Creates the directory at a path relative to the input.
    pub(crate) fn new(input: &'a Root, path: &'a str) -> Self {
        Self {
            input,
            path,
            is_last_resort: false,
            only: None,
            markets: None,
            names: OnceCell::new(),
        }
    }

    /// Restricts the directory to one file, if the input is one.
    pub(crate) fn only(self, only: Option<&'a str>) -> Self {
        Self { only, ..self }
    }

    /// Returns a directory of an input in which the search found no package.
    pub(crate) fn last_resort(input: &'a Root, path: &'a str) -> Self {
        Self {
            is_last_resort: true,
            ..Self::new(input, path)
        }
    }

    /// Shares the marketplaces with other directories of the input.
    pub(crate) fn with_markets(self, markets: &'a Markets) -> Self {
        Self {
            markets: Some(markets),
            ..self
        }
    }

    /// Returns false if the directory has no entry with the first name of a path. Readers ask for many
    /// names that do not exist.
    fn may_have(&self, path: &str) -> bool {
        let first = path.split('/').next().unwrap_or_default();
        if matches!(first, "" | "." | "..") {
            return true;
        }
        let listed = || {
            let names = self.input.names(self.path, LIMITS.entries).ok().flatten()?;
            Some(names.into_iter().collect())
        };
        let names = self.names.get_or_init(listed).as_ref();
        names.is_none_or(|names| names.contains(first))
    }

    fn at(&self, name: &str) -> String {
        match (self.path, name) {
            ("", name) => name.to_owned(),
            (path, "") => path.to_owned(),
            (path, name) => format!("{path}/{name}"),
        }
    }
}

impl Directory for InputDirectory<'_> {
    fn name(&self) -> &str {
        let last = self.path.rsplit('/').next().unwrap_or_default();
        if last.is_empty() {
            let name = self.input.path().file_name();
            name.and_then(|name| name.to_str()).unwrap_or_default()
        } else {
            last
        }
    }

    fn has(&self, path: &str) -> bool {
        self.may_have(path) && matches!(self.input.kind(&self.at(path)), Ok(Some(_)))
    }

    fn read(&self, path: &str) -> Option<Vec<u8>> {
        let is_there = self.may_have(path);
        is_there
            .then(|| self.input.read(&self.at(path), MAX_MANIFEST_BYTES).ok())
            .flatten()
    }

    fn files(&self, below: &str) -> Vec<String> {
        if !self.may_have(below) {
            return Vec::new();
        }
        let at = self.at(below);
        let is_file = |kind: Kind| matches!(kind, Kind::File(_) | Kind::Symlink);
        match self.input.kind(if at.is_empty() { "." } else { &at }) {
            Ok(Some(Kind::Dir)) => {}
            Ok(Some(kind)) if is_file(kind) => return vec![below.to_owned()],
            _ => return Vec::new(),
        }
        let prune = |path: &str| leave_directory(path.rsplit('/').next().unwrap_or(path)).is_some();
        let listing = self.input.walk(&at, &LIMITS, &prune).unwrap_or_default();
        let entries = listing.entries.into_iter();
        let files = entries.filter(|entry| is_file(entry.kind));
        let skip = if self.path.is_empty() {
            0
        } else {
            self.path.len() + 1
        };
        files.map(|entry| entry.path[skip..].to_owned()).collect()
    }

    fn marketplace(&self) -> Option<Arc<Marketplace>> {
        let read = || Some(Arc::new(Marketplace::read(&self.read(Marketplace::FILE)?)));
        let Some(Markets(known)) = self.markets else {
            return read();
        };
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known.get(self.path) {
            return found.clone();
        }
        let found = read();
        known.insert(self.path.to_owned(), found.clone());
        found
    }

    fn names(&self) -> Vec<String> {
        let limits = WalkLimits { depth: 0, ..LIMITS };
        let at = self.at("");
        let listing = self.input.walk(&at, &limits, &|_| true);
        let entries = listing.unwrap_or_default().entries.into_iter();
        let files = entries.filter(|entry| matches!(entry.kind, Kind::File(_)));
        let names = files.map(|entry| match entry.path.rsplit_once('/') {
            Some((_, name)) => name.to_owned(),
            None => entry.path,
        });
        names.collect()
    }

    fn start(&self, path: &str) -> Option<Vec<u8>> {
        self.input.read_start(&self.at(path), START).ok()
    }

    fn only(&self) -> Option<&str> {
        self.only
    }

    fn above(&self, levels: usize) -> Option<(Box<dyn Directory + '_>, String)> {
        let mut ends = self.path.rmatch_indices('/').map(|(at, _)| at);
        let end = match ends.nth(levels.checked_sub(1)?) {
            Some(end) => end,
            None if self.path.split('/').count() == levels && !self.path.is_empty() => 0,
            None => return None,
        };
        let above = Self {
            path: &self.path[..end],
            // Each directory in it asks for one file, and it can have very many.
            names: OnceCell::from(None),
            ..self.clone()
        };
        let rest = self.path[end..].trim_start_matches('/').to_owned();
        Some((Box::new(above), rest))
    }

    fn is_last_resort(&self) -> bool {
        self.is_last_resort
    }
}
