//! Settings of a catalog: its roots and their bounds.

use std::path::PathBuf;

use crate::fs::{PathError, Root};

use crate::load::Source;

/// The settings of a catalog.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CatalogSettings {
    /// Directories of skills. The first skill of a name wins: by source, then in this order.
    pub roots: Vec<SkillRoot>,
    /// Bounds of the search in each root.
    pub bounds: Bounds,
    /// Real paths that a link to a skill or to a root may lead to or into.
    pub trusted: Vec<PathBuf>,
}

impl CatalogSettings {
    /// Opens the directories of skills.
    ///
    /// # Errors
    ///
    /// A directory does not exist or cannot be opened.
    pub fn open_roots(&self) -> Result<Vec<Root>, PathError> {
        let roots = self.roots.iter();
        roots.map(|root| Root::open_following(&root.path)).collect()
    }
}

/// A directory of skills.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SkillRoot {
    /// The directory.
    pub path: PathBuf,
    /// The owner of these skills.
    pub source: Source,
}

/// Bounds of the search in one root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Directory levels below the root; the client guide recommends 4 to 6.
    pub depth: usize,
    /// Directories listed per root; the client guide recommends 2,000.
    pub directories: usize,
    /// Entries in one directory.
    pub entries: usize,
    /// Size of one `SKILL.md` or `METADATA.yml` in bytes.
    pub file_bytes: u64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            depth: 6,
            directories: 2_000,
            entries: 20_000,
            file_bytes: 2_000_000,
        }
    }
}

impl Bounds {
    /// Returns the bounds with `directories` replaced, and `entries` raised so that all of those
    /// directories may be in one.
    #[must_use]
    pub fn with_directories(self, directories: usize) -> Self {
        Self {
            directories,
            entries: self.entries.max(directories),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_all_directories_have_room() {
        for (directories, entries) in [(7, 20_000), (20_000, 20_000), (100_000, 100_000)] {
            let bounds = Bounds::default().with_directories(directories);
            assert_eq!((bounds.directories, bounds.entries), (directories, entries));
        }
    }
}
