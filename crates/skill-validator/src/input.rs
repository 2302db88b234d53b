//! A skill directory as values.

/// One skill directory and everything in it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SkillFiles {
    /// Path of the directory, relative to what was looked at; empty when it is that itself.
    pub path: String,
    /// The directory's own name, which the skill's name must be. Empty when it is unknown.
    pub directory: String,
    /// What is in it, at any depth, sorted by path.
    pub entries: Vec<Entry>,
}

/// One entry of a skill directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Path relative to the skill, `/` between components.
    pub path: String,
    /// What it is.
    pub kind: Kind,
}

/// What an entry is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A regular file.
    File {
        /// Size in bytes.
        size: u64,
        /// What is in it.
        content: Content,
    },
    /// A directory.
    Directory,
    /// A symbolic link; it is never followed.
    Link {
        /// Where it points, as it is written.
        target: String,
    },
    /// A pipe, a socket or a device.
    Special,
}

/// What is in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// All of it.
    Read(Vec<u8>),
    /// Its first bytes; the file is larger than the caller reads.
    TooLarge(Vec<u8>),
    /// Nothing, because the file belongs to a skill inside this one, which is checked for itself.
    Elsewhere,
    /// Nothing, and why.
    Unreadable(String),
}

impl SkillFiles {
    /// The entry at a path.
    pub fn entry(&self, path: &str) -> Option<&Entry> {
        let at = self
            .entries
            .binary_search_by(|entry| entry.path.as_str().cmp(path));
        at.ok().map(|at| &self.entries[at])
    }

    /// Whether anything is in the directory at a path.
    pub(crate) fn has_below(&self, path: &str) -> bool {
        let inside = format!("{path}/");
        let at = self.entries.partition_point(|entry| *entry.path < *inside);
        let next = self.entries.get(at);
        next.is_some_and(|entry| entry.path.starts_with(&inside))
    }

    /// The bytes of a file that was read whole.
    pub fn bytes(&self, path: &str) -> Option<&[u8]> {
        self.entry(path)?.bytes()
    }

    /// Files that were read whole, with their bytes.
    pub fn read_files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let entries = self.entries.iter();
        entries.filter_map(|entry| Some((entry.path.as_str(), entry.bytes()?)))
    }
}

impl Entry {
    /// A regular file that was read whole.
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

    /// The bytes, if it is a file that was read whole.
    pub fn bytes(&self) -> Option<&[u8]> {
        match &self.kind {
            Kind::File {
                content: Content::Read(bytes),
                ..
            } => Some(bytes),
            _ => None,
        }
    }

    /// The beginning, if it is a file of which anything was read.
    pub fn head(&self) -> Option<&[u8]> {
        match &self.kind {
            Kind::File {
                content: Content::Read(bytes) | Content::TooLarge(bytes),
                ..
            } => Some(bytes),
            _ => None,
        }
    }

    /// The last component of the path.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }
}
