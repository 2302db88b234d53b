//! The surroundings that a program needs and `skills-run` provides.

use std::collections::{BTreeMap, BTreeSet};

use skill_model::Metadata;

use crate::code::{Ending, LocalServices, Lowest, Outcome, Replaced, Results};
use crate::env_comments::Comment;
use crate::needed::Needed;
use crate::platforms::Compiled;
use crate::setting_rows::{Effect, SettingRow};
use crate::user_directories;

/// The surroundings that the code of a program needs.
#[derive(Clone, Default, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each fact is independent of the others"
)]
pub(crate) struct Around {
    /// The variables of the old host that it needs.
    pub(crate) host_values: Vec<String>,
    /// The settings that it needs, and the keys of services.
    pub(crate) needed: Needed,
    /// The other settings that it reads.
    pub(crate) settings: Vec<SettingRow>,
    /// The comments on each setting in the example file.
    pub(crate) comments: BTreeMap<String, Comment>,
    /// A value for each setting that has one in the example file, except secrets.
    pub(crate) samples: BTreeMap<String, String>,
    /// The files with settings of the plugin that were not carried.
    pub(crate) left_settings: Vec<String>,
    /// The form of its results, if that is certain, and how failures among them look.
    pub(crate) results: Results,
    /// The form of the results of each command whose code is known, by its identifier.
    pub(crate) outcomes: BTreeMap<String, Outcome>,
    /// The commands that it does not know, by their identifiers.
    pub(crate) unknown: BTreeSet<String>,
    /// The commands for windows and chats of the old host, by their identifiers.
    pub(crate) for_windows: BTreeSet<String>,
    /// The commands that only explain how to make several calls in one.
    pub(crate) of_batches: BTreeSet<String>,
    /// The members of results that only a window of the old host read, by the commands that have them.
    pub(crate) client_actions: BTreeMap<String, String>,
    /// True if results ask to repeat a place that the old host filled later.
    pub(crate) asks_to_repeat: bool,
    /// Sentences of its errors on what has to be installed or running.
    pub(crate) conditions: BTreeSet<String>,
    /// The services and proxies of this machine that its code asks.
    pub(crate) services: LocalServices,
    /// The files with settings beside its code.
    pub(crate) settings_files: Vec<SettingsFile>,
    /// The settings that name such a file, with a file of the plugin that shows its form.
    pub(crate) samples_of_files: Vec<(String, String)>,
    /// The settings that it makes a file of once, and never reads again.
    pub(crate) made_once: BTreeSet<String>,
    /// The settings of a side of it that no call reaches.
    pub(crate) aside: BTreeSet<String>,
    /// The settings with the whole address of a chat.
    pub(crate) posted: BTreeSet<String>,
    /// The times after which it ends processes.
    pub(crate) endings: BTreeSet<Ending>,
    /// The members that commands empty where they are missing, by their identifiers.
    pub(crate) replaced: BTreeMap<String, Replaced>,
    /// True if it plans calls in its own process.
    pub(crate) has_scheduler: bool,
    /// The error of a call while its connection is not there.
    pub(crate) awaited: Option<String>,
    /// The skills that only a module of the old host names, and that module.
    pub(crate) through_modules: BTreeMap<String, String>,
    /// The requirements in the readme.
    pub(crate) requirements: Vec<String>,
    /// True if it starts the shell of Windows, and no other.
    pub(crate) only_windows: bool,
    /// True if it writes files.
    pub(crate) writes: bool,
    /// The versions of the interpreter that take its code.
    pub(crate) lowest: Lowest,
    /// The longest time for which its code waits for one answer, in seconds.
    pub(crate) longest_wait: Option<u64>,
    /// The places that its code names.
    pub(crate) places: Places,
    /// True if it reads the manifest of the plugin.
    pub(crate) reads_manifest: bool,
    /// The compiled programs of the plugin.
    pub(crate) compiled: Compiled,
}

/// A file with settings beside the code of a program.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct SettingsFile {
    /// Its path in the skill.
    pub(crate) path: String,
    /// The file of the plugin that shows its form.
    pub(crate) template: String,
}

/// The places that the code of a program names.
#[derive(Clone, Default, Debug)]
pub(crate) struct Places {
    /// Names of directories and files beside the code.
    pub(crate) beside_code: BTreeSet<String>,
    /// Names of directories and files in the directory of the old host.
    pub(crate) in_base: BTreeSet<String>,
    /// True if it makes links to the file server of the old host.
    pub(crate) has_links: bool,
    /// True if it takes the first slash of a path for a part of `file:///`.
    pub(crate) cuts_slash: bool,
}

impl Around {
    /// Returns true for a command of which an agent has a use.
    pub(crate) fn is_shown(&self, id: &str) -> bool {
        !self.unknown.contains(id)
            && !self.for_windows.contains(id)
            && !self.of_batches.contains(id)
    }
}

/// Returns true for a program that runs where `skills-run` lays out what it needs around it.
pub(super) fn needs_tool(metadata: &Metadata, around: &Around) -> bool {
    let requires = &metadata.requires;
    let is_line = metadata
        .entry
        .as_ref()
        .is_some_and(|entry| entry.argv.is_empty() && entry.module.is_none());
    let has_host = !metadata.host_modules.is_empty() || !metadata.host_answered.is_empty();
    has_host
        || !requires.skills.is_empty()
        || !around.host_values.is_empty()
        || !requires.npm.is_empty()
        || !requires.pip.is_empty()
        // A line that only a shell can read is refused there without a permission.
        || !is_line
            && (has_settings(metadata, around)
                || !metadata.enabled
                || around.writes
                || around.reads_manifest)
}

/// Returns true if the user may have stored a setting for it: one that is declared, restricts the
/// program, is a secret, is needed, or decides where it works.
pub(super) fn has_settings(metadata: &Metadata, around: &Around) -> bool {
    let config = &metadata.config;
    let mut guards = config.guards.iter();
    let has_guard = guards.any(|guard| guard.key != user_directories::KEY);
    let needed = &around.needed;
    let has_place = around
        .settings
        .iter()
        .any(|row| row.effect == Effect::Place);
    config.schema.is_some()
        || has_guard
        || has_place
        || !config.secret.is_empty()
        || !needed.always.is_empty()
        || !needed.modes.is_empty()
}
