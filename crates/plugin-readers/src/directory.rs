//! A directory of the input, as readers see it before its files are collected.

use std::sync::Arc;

use crate::marketplace::Marketplace;

/// A directory that may be a package. The pipeline implements it; readers never access files.
pub trait Directory {
    /// Returns the name of the directory; empty if it is not known.
    fn name(&self) -> &str;

    /// Returns true if the directory has an entry at this path, of any kind.
    fn has(&self, path: &str) -> bool;

    /// Reads a manifest, or returns `None` if that fails or it is too large.
    fn read(&self, path: &str) -> Option<Vec<u8>>;

    /// Returns the paths of the files and symbolic links below a directory, sorted, relative to the
    /// package. Directories that are never copied are left out.
    fn files(&self, below: &str) -> Vec<String>;

    /// Returns the marketplace of Claude Code in the directory, if there is one. Many directories below
    /// ask for it.
    fn marketplace(&self) -> Option<Arc<Marketplace>>;

    /// Returns the names of the files in the directory itself, sorted.
    fn names(&self) -> Vec<String>;

    /// Reads the first bytes of a file.
    fn start(&self, path: &str) -> Option<Vec<u8>>;

    /// Returns the name of the file that is the input, if that is not a directory.
    fn only(&self) -> Option<&str>;

    /// Returns the directory `levels` above this one and the path from there to here, if it is in
    /// the input: `("…/market", "plugins/tea")`.
    fn above(&self, levels: usize) -> Option<(Box<dyn Directory + '_>, String)>;

    /// Returns true if the search found no package, so that a reader may claim a directory without
    /// a manifest.
    fn is_last_resort(&self) -> bool;
}

/// The claim of a reader on a directory.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Claim {
    /// Path of the manifest relative to the directory; empty if there is none.
    pub manifest_file: String,
    /// The manifest, if it is not the content of that file: an entry of a marketplace.
    pub manifest: Option<Vec<u8>>,
    /// The manifests of further packages in the same directory: entries of a marketplace.
    pub others: Vec<Vec<u8>>,
    /// True if the manifest names nothing that can become a skill. Another reader may then read the
    /// directory, and packages inside are read instead.
    pub is_empty: bool,
    /// True if the directories inside are searched for packages too.
    pub searches_inside: bool,
    /// The files of the package besides the manifest, sorted, if they are not all of the directory.
    pub files: Option<Vec<String>>,
}

impl Claim {
    /// Creates the claim on a directory with this manifest.
    pub fn file(manifest_file: &str) -> Self {
        Self {
            manifest_file: manifest_file.to_owned(),
            ..Self::default()
        }
    }
}
