//! A plugin as the migration sees it: the manifest and what lies beside it, as values.

use std::collections::BTreeMap;

use plugin_manifest::Manifest;
use skill_model::SkillName;

/// One plugin directory, read.
#[derive(Debug)]
pub struct Plugin<'a> {
    /// Directory relative to the input, `/` between components; empty when the input is the plugin.
    pub directory: &'a str,
    /// Name of the manifest file.
    pub manifest_file: &'a str,
    /// The manifest as it was, without a byte order mark.
    pub manifest_text: &'a str,
    /// The manifest, read.
    pub manifest: &'a Manifest,
    /// Every regular file that may be carried, sorted by path, without the manifest.
    pub files: &'a [SourceFile],
    /// Texts of the files for which [`crate::wants_text`] holds, by path.
    pub texts: &'a BTreeMap<String, String>,
    /// What is not carried.
    pub left_out: &'a [LeftOut],
    /// The plugins that lie beside it: what each becomes, by the name of its directory.
    pub neighbours: &'a BTreeMap<String, SkillName>,
}

/// One file of a plugin directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceFile {
    /// Path relative to the plugin, `/` between components.
    pub path: String,
    /// Size.
    pub bytes: u64,
    /// Whether its owner may execute it.
    pub executable: bool,
    /// Digest: 64 hex digits.
    pub sha256: String,
}

/// One file or directory of a plugin that is not carried.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LeftOut {
    /// Path relative to the plugin; a directory ends with `/`.
    pub path: String,
    /// Why.
    pub reason: LeaveReason,
}

/// Why a file is not carried.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum LeaveReason {
    /// Settings and keys of one installation.
    Settings,
    /// Holds credentials by its name or its content.
    Credentials,
    /// What a user wrote, asked for or was given: databases, diaries, state, results.
    UserData,
    /// Can be made again: packages, byte code, caches, builds.
    Regenerable,
    /// Belongs to version control or to an editor or agent.
    Tooling,
    /// A log, a lock of a process, a swap file.
    Leftover,
    /// A symbolic link.
    Link,
    /// A file with another name outside the plugin, which may be somebody else's file.
    HardLink,
    /// A FIFO, socket or device.
    Special,
    /// A name that not every system can hold.
    UnportableName,
    /// Over the size limit.
    TooLarge,
    /// Could not be read.
    Unreadable,
    /// Nested too deep.
    TooDeep,
}

impl LeaveReason {
    /// The reason as a phrase.
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

    /// Whether leaving it out may take function away, so that a person should look.
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
    /// The last component of the directory, or the manifest's name for a plugin that is the input.
    pub fn directory_name(&self) -> &str {
        let last = self.directory.rsplit('/').next().unwrap_or_default();
        if last.is_empty() {
            &self.manifest.name.value
        } else {
            last
        }
    }

    /// Whether the manifest is switched on.
    pub fn is_enabled(&self) -> bool {
        !self.manifest_file.ends_with(DISABLED_SUFFIX)
    }

    /// Whether a file is there (path relative to the plugin).
    pub fn has_file(&self, path: &str) -> bool {
        self.files
            .binary_search_by(|file| file.path.as_str().cmp(path))
            .is_ok()
    }
}

/// The name of a manifest.
pub const MANIFEST_FILE: &str = "plugin-manifest.json";
/// What the host appends to the name of a manifest to switch a plugin off.
pub const DISABLED_SUFFIX: &str = ".block";
