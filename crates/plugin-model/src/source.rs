//! The files of a plugin directory, as values.

use std::collections::{BTreeMap, BTreeSet};

/// The files of one plugin directory, as a reader gets them and the migration copies them.
#[derive(Clone, Copy, Debug)]
pub struct Sources<'a> {
    /// Path of the file by which the format was recognized, relative to the package.
    pub manifest_file: &'a str,
    /// The bytes of that file.
    pub manifest: &'a [u8],
    /// Every regular file that may be copied, sorted by path, without the manifest.
    pub files: &'a [SourceFile],
    /// Texts of code, package lists and env files, by path.
    pub texts: &'a BTreeMap<String, String>,
    /// Files and directories that are not copied.
    pub left_out: &'a [LeftOut],
    /// The modules of the host that the code loads.
    pub host: &'a HostModules,
    /// The files in it that other packages read, and the directories, which end with `/`.
    pub read_by_others: &'a BTreeSet<String>,
}

impl Sources<'_> {
    /// Returns true for a file that another package reads: a list beside the package, or a file in the directory
    /// of a host.
    pub fn is_read_by_others(&self, path: &str) -> bool {
        is_one_of(self.read_by_others, path)
    }
}

/// Returns true if a path or a directory above it, which ends with `/`, is one of these.
pub fn is_one_of(paths: &BTreeSet<String>, path: &str) -> bool {
    let mut above = path.match_indices('/').map(|(at, _)| &path[..=at]);
    paths.contains(path) || above.any(|it| paths.contains(it))
}

/// One file of a plugin directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceFile {
    /// Path relative to the plugin, `/` between components.
    pub path: String,
    /// Size in bytes.
    pub bytes: u64,
    /// True if its owner may execute it.
    pub executable: bool,
    /// SHA-256 digest: 64 hex digits.
    pub sha256: String,
}

/// A file or directory of a plugin that is not copied.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LeftOut {
    /// Path relative to the plugin; a directory ends with `/`.
    pub path: String,
    /// The reason.
    pub reason: LeaveReason,
}

/// The reason why a file is not copied.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum LeaveReason {
    /// Settings and keys of one installation.
    Settings,
    /// Contains credentials, by its name or its content.
    Credentials,
    /// Data that a user wrote, requested or received: databases, diaries, state, results.
    UserData,
    /// Can be regenerated: packages, byte code, caches, builds.
    Regenerable,
    /// Belongs to version control, an editor or an agent.
    Tooling,
    /// A log, a lock of a process, a swap file.
    Leftover,
    /// A symbolic link.
    Link,
    /// A file with another hard link outside the plugin, which may be another user's file.
    HardLink,
    /// A FIFO, socket or device.
    Special,
    /// A name that some systems cannot store.
    UnportableName,
    /// Over the size limit.
    TooLarge,
    /// Could not be read.
    Unreadable,
    /// Nested too deep.
    TooDeep,
}

impl LeaveReason {
    /// Returns the reason as a phrase.
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Settings => "settings of one installation",
            Self::Credentials => "credentials",
            Self::UserData => "user data",
            Self::Regenerable => "can be made again",
            Self::Tooling => "belongs to version control, an editor or an agent",
            Self::Leftover => "left over by a run",
            Self::Link => "a symbolic link",
            Self::HardLink => "a hard link to a file outside the plugin",
            Self::Special => "no regular file",
            Self::UnportableName => "a name that not every system can hold",
            Self::TooLarge => "over the size limit",
            Self::Unreadable => "cannot be read",
            Self::TooDeep => "nested too deep",
        }
    }

    /// Returns whether omitting the file may remove function, so that a person should check.
    pub fn needs_attention(self) -> bool {
        matches!(
            self,
            Self::Link
                | Self::HardLink
                | Self::Special
                | Self::UnportableName
                | Self::TooLarge
                | Self::Unreadable
                | Self::TooDeep
        )
    }
}

/// The part of the host's tree that a package needs. Paths are relative to the directory of the
/// host, where packages are in `Plugin/<directory>`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct HostModules {
    /// True if the directory of the host is known.
    pub is_known: bool,
    /// The modules, by the path that the code names (often without an extension).
    pub found: BTreeMap<String, HostModule>,
    /// The files that the skill gets, sorted by path.
    pub files: Vec<SourceFile>,
    /// The texts of those that are code, by path.
    pub texts: BTreeMap<String, String>,
    /// The license of the host, in its own words.
    pub license: Option<String>,
}

/// A module of the host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HostModule {
    /// The path of its file, which the skill gets.
    Carried(String),
    /// The host has no such file.
    Missing,
    /// The skill does not get it, for this reason.
    Refused(String),
}
