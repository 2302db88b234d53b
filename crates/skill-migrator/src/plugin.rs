//! A plugin as the migration sees it: the manifest and the other files, as values.

use std::collections::BTreeMap;

use plugin_manifest::Manifest;
use skill_model::SkillName;

/// One plugin directory, read.
#[derive(Debug)]
pub struct Plugin<'a> {
    /// Directory relative to the input, `/` between components; empty if the input is the plugin.
    pub directory: &'a str,
    /// Name of the manifest file.
    pub manifest_file: &'a str,
    /// The text of the manifest, without a byte order mark.
    pub manifest_text: &'a str,
    /// The parsed manifest.
    pub manifest: &'a Manifest,
    /// Every regular file that may be copied, sorted by path, without the manifest.
    pub files: &'a [SourceFile],
    /// Texts of the files for which [`crate::wants_text`] holds, by path.
    pub texts: &'a BTreeMap<String, String>,
    /// Files and directories that are not copied.
    pub left_out: &'a [LeftOut],
    /// The other plugins of the collection: the skill of each, by the name of its directory.
    pub neighbours: &'a BTreeMap<String, SkillName>,
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

impl Plugin<'_> {
    /// Returns the last component of the directory, or the manifest's name if the plugin is the
    /// input.
    pub fn directory_name(&self) -> &str {
        let last = self.directory.rsplit('/').next().unwrap_or_default();
        if last.is_empty() {
            &self.manifest.name.value
        } else {
            last
        }
    }

    /// Returns whether the manifest is enabled.
    pub fn is_enabled(&self) -> bool {
        !self.manifest_file.ends_with(DISABLED_SUFFIX)
    }

    /// Returns whether a file exists (path relative to the plugin).
    pub fn has_file(&self, path: &str) -> bool {
        self.files
            .binary_search_by(|file| file.path.as_str().cmp(path))
            .is_ok()
    }
}

/// The file name of a manifest.
pub const MANIFEST_FILE: &str = "plugin-manifest.json";
/// The suffix that the host appends to the name of a manifest to disable a plugin.
pub const DISABLED_SUFFIX: &str = ".block";
