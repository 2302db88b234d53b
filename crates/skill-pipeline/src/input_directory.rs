//! A directory of the input, for the readers of formats.

use plugin_readers::Directory;
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

/// A directory that may be a package.
#[derive(Clone, Debug)]
pub(crate) struct InputDirectory<'a> {
    input: &'a Root,
    /// Path relative to the input; empty for the input itself.
    path: &'a str,
    is_last_resort: bool,
    /// The name of the file that is the input.
    only: Option<&'a str>,
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
        matches!(self.input.kind(&self.at(path)), Ok(Some(_)))
    }

    fn read(&self, path: &str) -> Option<Vec<u8>> {
        self.input.read(&self.at(path), MAX_MANIFEST_BYTES).ok()
    }

    fn files(&self, below: &str) -> Vec<String> {
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
            ..self.clone()
        };
        let rest = self.path[end..].trim_start_matches('/').to_owned();
        Some((Box::new(above), rest))
    }

    fn is_last_resort(&self) -> bool {
        self.is_last_resort
    }
}
