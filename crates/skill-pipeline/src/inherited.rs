//! The license of a collection, for packages that have none of their own.
//!
//! A marketplace often has one LICENSE for all of its plugins. A skill that leaves the marketplace
//! must not lose it.

use std::collections::BTreeMap;
use std::sync::Arc;

use plugin_model::SourceFile;
use skill_loader::{
    Digest, Hasher,
    fs::{Kind, Root, WalkLimits},
};
use skill_migrator::is_license_file;

use crate::plugin_files::PluginFiles;

/// The size limit of a license, in bytes.
const MAX_BYTES: u64 = 1 << 20;
/// The limits of the listing of a directory.
const LIMITS: WalkLimits = WalkLimits {
    depth: 0,
    entries: 10_000,
};

/// License files above a package.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Inherited {
    /// Paths relative to the package, such as `../../LICENSE`, and contents.
    files: BTreeMap<String, Vec<u8>>,
    /// The digest of all files.
    digest: String,
}

/// Finds licenses, and lists every directory once.
#[derive(Debug)]
pub(crate) struct Licenses<'a> {
    input: &'a Root,
    known: BTreeMap<String, BTreeMap<String, Vec<u8>>>,
    /// The licenses that each package gets.
    above: BTreeMap<String, Arc<Inherited>>,
}

impl<'a> Licenses<'a> {
    pub(crate) fn new(input: &'a Root) -> Self {
        Self {
            input,
            known: BTreeMap::new(),
            above: BTreeMap::new(),
        }
    }

    /// Returns the license files of the nearest directory of the input above a package that has
    /// some.
    pub(crate) fn above(&mut self, directory: &str) -> Arc<Inherited> {
        if let Some(found) = self.above.get(directory) {
            return Arc::clone(found);
        }
        let found = Arc::new(self.find(directory));
        self.above.insert(directory.to_owned(), Arc::clone(&found));
        found
    }

    fn find(&mut self, directory: &str) -> Inherited {
        let mut up = String::new();
        let mut at = directory;
        while !at.is_empty() {
            at = at.rsplit_once('/').map_or("", |(parent, _)| parent);
            up.push_str("../");
            let input = self.input;
            let found = self
                .known
                .entry(at.to_owned())
                .or_insert_with(|| read(input, at));
            if !found.is_empty() {
                let files = found.iter();
                let files = files.map(|(name, bytes)| (format!("{up}{name}"), bytes.clone()));
                return Inherited::new(files.collect());
            }
        }
        Inherited::default()
    }
}

/// Returns the license files of a directory of the input.
fn read(input: &Root, directory: &str) -> BTreeMap<String, Vec<u8>> {
    let listing = input
        .walk(directory, &LIMITS, &|_| true)
        .unwrap_or_default();
    let files = listing.entries.into_iter().filter_map(|entry| {
        let name = entry.path.rsplit('/').next()?.to_owned();
        let is_license = matches!(entry.kind, Kind::File(_)) && is_license_file(&name);
        let bytes = is_license.then(|| input.read(&entry.path, MAX_BYTES).ok());
        Some((name, bytes??))
    });
    files.collect()
}

impl Inherited {
    fn new(files: BTreeMap<String, Vec<u8>>) -> Self {
        let mut hasher = Hasher::default();
        for (path, bytes) in &files {
            hasher.update(path.as_bytes());
            hasher.update(&[0]);
            hasher.update(bytes);
        }
        Self {
            files,
            digest: hasher.finish().to_string(),
        }
    }

    /// Returns the digest of all files; empty if there are none.
    pub(crate) fn digest(&self) -> &str {
        &self.digest
    }

    /// Adds the files to a package without a license.
    pub(crate) fn add(&self, collected: &mut PluginFiles) {
        if collected
            .files
            .iter()
            .any(|file| is_license_file(&file.path))
        {
            return;
        }
        for (path, bytes) in &self.files {
            collected.files.push(SourceFile {
                path: path.clone(),
                bytes: bytes.len() as u64,
                executable: false,
                sha256: Digest::from_content(bytes).hex(),
            });
            collected.bytes.insert(path.clone(), bytes.clone());
        }
        collected.files.sort_by(|a, b| a.path.cmp(&b.path));
    }
}
