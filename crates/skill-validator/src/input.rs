//! A skill directory as values.

/// A skill directory with its content.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SkillFiles {
    /// Path of the directory, relative to the checked directory; empty for that directory itself.
    pub path: String,
    /// The directory's own name, which must equal the skill's name. Empty if it is unknown.
    pub directory: String,
    /// The content at any depth, sorted by path.
    pub entries: Vec<Entry>,
    /// The paths of files that have another name on the disk (hard links), sorted.
    pub hard_links: Vec<String>,
}

/// An entry of a skill directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Path relative to the skill, `/` between components.
    pub path: String,
    /// Its kind.
    pub kind: Kind,
}

/// The kind of an entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A regular file.
    File {
        /// Size in bytes.
        size: u64,
        /// Its content.
        content: Content,
    },
    /// A directory.
    Directory,
    /// A symbolic link; it is never followed.
    Link {
        /// The target, as written.
        target: String,
    },
    /// A pipe, a socket or a device.
    Special,
}

/// The content of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// The whole content.
    Read(Vec<u8>),
    /// The first bytes; the file is larger than the caller reads.
    TooLarge(Vec<u8>),
    /// Not read, because the file belongs to a nested skill, which is checked separately.
    Elsewhere,
    /// Not readable, with the reason.
    Unreadable(String),
}

impl SkillFiles {
    /// Returns the entry at a path.
    pub fn entry(&self, path: &str) -> Option<&Entry> {
        let at = self
            .entries
            .binary_search_by(|entry| entry.path.as_str().cmp(path));
        at.ok().map(|at| &self.entries[at])
    }

    /// Returns whether the directory at a path contains an entry.
    pub(crate) fn has_below(&self, path: &str) -> bool {
        let inside = format!("{path}/");
        let at = self.entries.partition_point(|entry| *entry.path < *inside);
        let next = self.entries.get(at);
        next.is_some_and(|entry| entry.path.starts_with(&inside))
    }

    /// Returns the bytes of a file that was read whole.
    pub fn bytes(&self, path: &str) -> Option<&[u8]> {
        self.entry(path)?.bytes()
    }

    /// Returns the files that were read whole, with their bytes.
    pub fn read_files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let entries = self.entries.iter();
        entries.filter_map(|entry| Some((entry.path.as_str(), entry.bytes()?)))
    }
}

impl Entry {
    /// Creates a regular file that was read whole.
    pub fn file(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        Self {
            path: path.into(),
            kind: Kind::File {
                size: bytes.len() as u64,
                content: Content::Read(bytes),
            },
        }
    }

    /// Returns the bytes if it is a file that was read whole.
    pub fn bytes(&self) -> Option<&[u8]> {
        match &self.kind {
            Kind::File {
                content: Content::Read(bytes),
                ..
            } => Some(bytes),
            _ => None,
        }
    }

    /// Returns the beginning if it is a file that was at least partly read.
    pub fn head(&self) -> Option<&[u8]> {
        match &self.kind {
            Kind::File {
                content: Content::Read(bytes) | Content::TooLarge(bytes),
                ..
            } => Some(bytes),
            _ => None,
        }
    }

    /// Returns the last component of the path.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }
}
