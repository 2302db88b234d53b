//! Where skills are looked for, and how far.

use std::path::PathBuf;

use crate::load::Source;

/// What a catalogue is made of.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CatalogSettings {
    /// Directories of skills. The first of a name wins: by source, then in this order.
    pub roots: Vec<SkillRoot>,
    /// How far to look.
    pub bounds: Bounds,
    /// Real paths that a link to a skill, or to a root, may lead to or into.
    pub trusted: Vec<PathBuf>,
}

/// A directory of skills.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SkillRoot {
    /// The directory.
    pub path: PathBuf,
    /// Whose skills these are.
    pub source: Source,
}

/// How far a root is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Directories below the root; the client guide says 4 to 6.
    pub depth: usize,
    /// Directories of a root that are listed; the client guide says 2,000.
    pub directories: usize,
    /// Names in one directory.
    pub entries: usize,
    /// Bytes of one `SKILL.md` or `METADATA.yml`.
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
    /// The same with that many directories, and room for their names, which may all be in one.
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
