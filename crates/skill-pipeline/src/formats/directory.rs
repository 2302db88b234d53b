//! A directory of the input, as readers see it before the package is collected.

use skill_loader::fs::Root;

/// The largest manifest that is read, in bytes. The largest of 89 known ones has 160 kB.
pub const MAX_MANIFEST_BYTES: u64 = 8 << 20;

/// A directory that may be a package.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Directory<'a> {
    input: &'a Root,
    /// Path relative to the input; empty for the input itself.
    path: &'a str,
}

impl<'a> Directory<'a> {
    /// Creates the directory at a path relative to the input.
    pub(crate) fn new(input: &'a Root, path: &'a str) -> Self {
        Self { input, path }
    }

    /// Returns true if the directory has an entry with this name, of any kind.
    pub(crate) fn has(&self, name: &str) -> bool {
        matches!(self.input.kind(&self.at(name)), Ok(Some(_)))
    }

    /// Reads a file of at most [`MAX_MANIFEST_BYTES`], or returns `None` if that fails.
    pub(crate) fn read(&self, name: &str) -> Option<Vec<u8>> {
        self.input.read(&self.at(name), MAX_MANIFEST_BYTES).ok()
    }

    fn at(&self, name: &str) -> String {
        if self.path.is_empty() {
            name.to_owned()
        } else {
            format!("{}/{name}", self.path)
        }
    }
}
