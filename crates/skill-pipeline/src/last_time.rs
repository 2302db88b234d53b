//! What the lock says of the last time, so that work that would change nothing is not done.

use plugin_model::LeaveReason;
use skill_loader::{Digest, fs::Fingerprint, store::State};
use skill_migrator::{Templates, leave_directory, leave_file};
use skill_model::{LockedSkill, read_metadata};

use crate::{
    MigrateOptions,
    collect::Collected,
    discover::Candidate,
    outcome::Outcome,
    work::{Context, Refusal, failed, runs_here},
};

/// Counts up whenever the same plugin gives other texts than before; part of the recipe.
const RECIPE_VERSION: u32 = 2;

/// What the lock says of the last time that a plugin was migrated.
pub(crate) struct LastTime<'a> {
    name: &'a str,
    /// Digest of everything besides the source that decides what is written.
    pub(crate) recipe: String,
    /// None when it was migrated in another way, or when every detail is asked for.
    locked: Option<&'a LockedSkill>,
}

impl<'a> LastTime<'a> {
    pub(crate) fn of(context: &Context<'a>, found: &'a Candidate) -> Self {
        let recipe = recipe(context, found);
        let name = found.skill_name().unwrap_or_default();
        let locked = context
            .store
            .locked(name)
            .filter(|locked| locked.recipe == recipe);
        let locked =
            locked.filter(|locked| !context.options.details.account && locked.conflicts.is_empty());
        Self {
            name,
            recipe,
            locked,
        }
    }

    /// Whether no file of the plugin was touched since, and the skill is as it was written.
    pub(crate) fn is_untouched(
        &self,
        context: &Context<'_>,
        fingerprint: &Fingerprint,
    ) -> Result<bool, Refusal> {
        let is_known =
            self.locked.is_some() && context.store.is_source_known(self.name, fingerprint);
        Ok(is_known && self.is_clean(context)?)
    }

    /// Whether the plugin reads as it did, and the skill is as it was written.
    pub(crate) fn is_same(
        &self,
        context: &Context<'_>,
        collected: &Collected,
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

    /// Takes over whether the skill can run, which its sidecar tells without a plan.
    pub(crate) fn recall(&self, context: &Context<'_>, outcome: &mut Outcome) {
        let path = format!("{}/METADATA.yml", self.name);
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

/// A sidecar is never larger: manifests are not.
pub(crate) const MAX_METADATA_BYTES: u64 = 64 << 20;

/// Whether the only difference are files that a run leaves behind (byte code, logs, caches), which
/// nobody wrote by hand.
pub(crate) fn has_stray_files_only(state: &State) -> bool {
    let State::Edited(edits) = state else {
        return false;
    };
    let mut added = edits.added.iter();
    edits.changed.is_empty() && edits.removed.is_empty() && added.all(|path| is_stray(path))
}

/// Whether a path of a skill is what a run leaves behind.
pub(crate) fn is_stray(path: &str) -> bool {
    let mut parts = path.trim_end_matches('/').rsplit('/');
    let file = parts.next().unwrap_or_default();
    let reason = |reason| {
        matches!(
            reason,
            Some(LeaveReason::Regenerable | LeaveReason::Leftover)
        )
    };
    reason(leave_file(file))
        || reason(leave_directory(file))
        || parts.any(|part| reason(leave_directory(part)))
}

/// Digest of everything besides the source that decides what is written.
fn recipe(context: &Context<'_>, found: &Candidate) -> String {
    let naming = found.naming.as_ref();
    let text = format!(
        "{}\n{:?}",
        options_text(context.options, context.templates),
        naming.map(|naming| (naming.name.as_str(), naming.findings.len())),
    );
    Digest::from_content(text.as_bytes()).to_string()
}

/// What decides what is written of every plugin alike.
pub(crate) fn options_text(options: &MigrateOptions, templates: &Templates) -> String {
    format!(
        "{RECIPE_VERSION}\n{}\n{}\n{:?}\n{}\n{:?}",
        templates.digest(),
        options.texts.language.word(),
        options.secrets,
        options.max_file_size,
        options.carry,
    )
}
