//! The record of the last run in the lock, so that unchanged plugins are skipped.

use plugin_model::UnitKey;
use skill_loader::{Digest, fs::Fingerprint, store::State};
use skill_migrator::{Agents, Templates};
use skill_model::{LockedSkill, Metadata, read_metadata, skill_file};

use crate::{
    context::Context,
    discover::Candidate,
    host_tree::carried_paths,
    options::MigrateOptions,
    outcome::Outcome,
    plugin_files::PluginFiles,
    refusal::{Refusal, failed},
    stray::has_stray_files_only,
};

/// The version of the output: raised whenever the same plugin gives other texts than before. It is
/// part of the recipe.
const RECIPE_VERSION: u32 = 9;

/// The record of the last migration of a plugin.
pub(crate) struct LastTime<'a> {
    name: &'a str,
    /// The digest of everything except the source that determines the output.
    pub(crate) recipe: String,
    /// The locked skill, or `None` if it was migrated with other options or every detail is
    /// requested.
    locked: Option<&'a LockedSkill>,
}

impl<'a> LastTime<'a> {
    /// Looks up the last run for a unit.
    pub(crate) fn new(context: &Context<'a>, found: &'a Candidate) -> Self {
        let recipe = recipe(context, found);
        let name = found.skill_name().unwrap_or_default();
        // An earlier version gave the instructions of a part of a host another name.
        let is_named = |it: &&LockedSkill| it.files.contains_key(skill_file(it.hosted));
        let locked = context
            .store
            .locked(name)
            .filter(|locked| locked.recipe == recipe)
            .filter(is_named);
        let details = context.options.details;
        let is_planned_anyway = details.account || details.findings;
        let locked = locked.filter(|locked| !is_planned_anyway && locked.conflicts.is_empty());
        Self {
            name,
            recipe,
            locked,
        }
    }

    /// Returns true if no file of the plugin, or of the host for it, was modified since, and the skill is as it was
    /// written.
    pub(crate) fn is_untouched(
        &self,
        context: &Context<'_>,
        plugin: Fingerprint,
    ) -> Result<bool, Refusal> {
        let Some(locked) = self.locked else {
            return Ok(false);
        };
        let mut paths = carried_paths(locked.made().keys()).peekable();
        let host = context.host.filter(|_| paths.peek().is_some());
        let fingerprint = host.map_or(plugin, |host| host.fingerprint(plugin, paths));
        let is_known = context.store.is_source_known(self.name, &fingerprint);
        Ok(is_known && self.is_clean(context)?)
    }

    /// Returns true if the content of the plugin did not change, and the skill is as it was
    /// written.
    pub(crate) fn is_same(
        &self,
        context: &Context<'_>,
        collected: &PluginFiles,
    ) -> Result<bool, Refusal> {
        let digest = collected.digest.to_string();
        let is_same = self
            .locked
            .is_some_and(|locked| locked.source.digest == digest);
        Ok(is_same && self.is_clean(context)?)
    }

    fn is_clean(&self, context: &Context<'_>) -> Result<bool, Refusal> {
        let state = context
            .store
            .state(self.name)
            .map_err(|error| failed(&error))?;
        Ok(matches!(&state, State::Clean) || has_stray_files_only(&state))
    }

    pub(crate) fn remember(&self, context: &Context<'_>, fingerprint: &Fingerprint) {
        if !self.name.is_empty() && context.options.mode.writes() {
            context.store.know_source(self.name, fingerprint);
        }
    }

    /// Copies from METADATA.yml whether the skill can run, without a plan.
    pub(crate) fn recall(&self, context: &Context<'_>, outcome: &mut Outcome) {
        outcome.is_hosted = self.locked.is_some_and(|locked| locked.hosted);
        let path = format!("{}/METADATA.yml", context.store.path(self.name));
        let read = context
            .store
            .root()
            .and_then(|root| root.read(&path, MAX_METADATA_BYTES).ok());
        let text = read
            .as_deref()
            .and_then(|bytes| std::str::from_utf8(bytes).ok())
            .unwrap_or_default();
        // Most sidecars need no more than a look: their skills run, and everywhere.
        if text.contains("\nrunnable: true\n") && !text.contains("\n  os:") {
            outcome.runnable = Some(true);
        } else if let (Some(metadata), _) = read_metadata(text) {
            outcome.runnable = Some(metadata.runnable && runs_here(&metadata));
            let is_blocked = outcome.runnable == Some(false);
            let first = metadata
                .findings
                .into_iter()
                .next()
                .map(|finding| finding.message);
            outcome.blocker = first.filter(|_| is_blocked);
        }
    }
}

/// The size limit of METADATA.yml, in bytes. Manifests are smaller, so it is never reached.
pub(crate) const MAX_METADATA_BYTES: u64 = 64 << 20;

/// Returns true if the skill supports this operating system. Only the report depends on the
/// machine; the output is the same on all.
pub(crate) fn runs_here(metadata: &Metadata) -> bool {
    let os = &metadata.requires.os;
    os.is_empty() || os.iter().any(|os| os == std::env::consts::OS)
}

/// The digest of everything except the source that determines the output.
fn recipe(context: &Context<'_>, found: &Candidate) -> String {
    let naming = found.naming.as_ref();
    let shared = shared(found);
    let polish = found.skill_name().and_then(|name| context.polish.get(name));
    let polish = polish.map_or_else(String::new, |entry| format!("\n{}", entry.digest()));
    let text = format!(
        "{}\n{}\n{:?}\n{}{shared}{polish}",
        options_text(context.options, context.templates),
        context.host.is_some(),
        naming.map(|naming| (naming.name.as_str(), naming.findings.len())),
        found.host.digest(),
    );
    Digest::from_content(text.as_bytes()).to_string()
}

/// Returns what the skill of a text takes from outside of its package: the names of the other
/// skills, the license of the collection, and a manifest elsewhere.
fn shared(found: &Candidate) -> String {
    if found.unit == UnitKey::ONLY {
        return String::new();
    }
    let manifest = found.manifest.as_deref().unwrap_or_default();
    format!(
        "\n{}\n{}\n{}",
        found.calls.digest(),
        found.inherited.digest(),
        Digest::from_content(manifest),
    )
}

/// Returns the options that determine the output of every plugin, as a text.
pub(crate) fn options_text(options: &MigrateOptions, templates: &Templates) -> String {
    let agents = match options.texts.agents {
        Agents::Skills => String::new(),
        other => format!("\n{other}"),
    };
    format!(
        "{RECIPE_VERSION}\n{}\n{}\n{}\n{:?}\n{}\n{}\n{:?}{agents}",
        templates.digest(),
        options.texts.language.word(),
        options.texts.shell,
        options.secrets,
        options.hosted,
        options.max_file_size,
        options.carry,
    )
}
