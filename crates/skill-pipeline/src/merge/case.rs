//! The skill to be merged.

use skill_loader::store::State;
use skill_migrator::Migration;
use skill_model::LockedSkill;

use crate::plugin_files::PluginFiles;

/// The skill to be merged, and the plan for it.
pub(crate) struct Case<'c> {
    /// The name of the skill.
    pub(crate) name: &'c str,
    /// The files of the plugin.
    pub(crate) collected: &'c PluginFiles,
    /// The plan of this run.
    pub(crate) migration: &'c Migration,
    /// The entry in `skills.lock`.
    pub(crate) locked: &'c LockedSkill,
    /// The entry for a skill without edits.
    pub(crate) entry: LockedSkill,
    /// The skill on disk, compared with `locked`.
    pub(crate) state: &'c State,
}
