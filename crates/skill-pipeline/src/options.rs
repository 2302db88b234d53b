//! What to migrate and how.

use std::path::PathBuf;

use skill_migrator::Options;
use skill_model::conflict::Side;

use crate::Shard;

/// Larger files are left out and reported. The largest file of 89 known plugins has 3.7 MB.
pub const MAX_FILE_BYTES: u64 = 64 << 20;

/// What a run does to the output.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Mode {
    /// Writes.
    #[default]
    Write,
    /// Says what it would write.
    DryRun,
    /// Complains if it would write.
    Check,
}

impl Mode {
    /// Whether anything is written.
    pub fn writes(self) -> bool {
        self == Self::Write
    }
}

/// What to do with a plugin that holds a secret.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum SecretPolicy {
    /// Reject the plugin and say where.
    #[default]
    Refuse,
    /// Write REDACTED in its place and say where.
    Redact,
}

/// What an outcome holds besides its findings. Everything but the account costs time and memory
/// for each changed skill.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Details {
    /// The fate of every field and file. Every plugin is planned, also one that is unchanged.
    pub account: bool,
    /// Unified diffs.
    pub diff: bool,
    /// Texts before and after, and token counts of each skill.
    pub comparison: bool,
}

/// What to migrate and how. Made by [`MigrateOptions::new`], which decides every default.
///
/// ```
/// use skill_pipeline::{MigrateOptions, Mode};
///
/// let options = MigrateOptions::new("plugins", "skills")
///     .mode(Mode::DryRun)
///     .only("Weather*");
/// assert_eq!(options.only, ["Weather*"]);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent decisions of the user"
)]
pub struct MigrateOptions {
    /// Directory of plugins, or one plugin.
    pub input: PathBuf,
    /// Directory of skills; created if missing.
    pub out: PathBuf,
    /// Whether plugins that are switched off are migrated.
    pub include_disabled: bool,
    /// Patterns of wanted plugins; empty means all.
    pub only: Vec<String>,
    /// Patterns of unwanted plugins.
    pub exclude: Vec<String>,
    /// Patterns of wanted types; empty means all.
    pub types: Vec<String>,
    /// The part of the collection that is migrated; none for all of it.
    pub shard: Option<Shard>,
    /// What happens to the output.
    pub mode: Mode,
    /// Whether conflicts are overwritten, after a backup.
    pub force: bool,
    /// Whether a plugin keeps the name that its skill has in the output. Not for a part of a
    /// collection, whose names must not depend on what was written by whom.
    pub keep_names: bool,
    /// Which side wins where an edit by hand and the plugin do not go together.
    pub favor: Option<Side>,
    /// Directory of the backups.
    pub backup: PathBuf,
    /// Whether skills without plugin are removed.
    pub prune: bool,
    /// Whether to wait until the disk has everything.
    pub sync: bool,
    /// What to do about secrets.
    pub secrets: SecretPolicy,
    /// Patterns of private files that are carried.
    pub carry: Vec<String>,
    /// Choices for the texts.
    pub texts: Options,
    /// Directory of templates.
    pub templates: Option<PathBuf>,
    /// Size limit of a file, in bytes.
    pub max_file_size: u64,
    /// Number of threads; 0 for one per processor.
    pub jobs: usize,
    /// What outcomes hold besides findings.
    pub details: Details,
}

impl MigrateOptions {
    /// All plugins of `input` are written to `out`; secrets are refused, conflicts stay.
    pub fn new(input: impl Into<PathBuf>, out: impl Into<PathBuf>) -> Self {
        let out = out.into();
        Self {
            input: input.into(),
            backup: out.join(".skills-migrate/backup"),
            out,
            include_disabled: false,
            only: Vec::new(),
            exclude: Vec::new(),
            types: Vec::new(),
            shard: None,
            mode: Mode::default(),
            force: false,
            keep_names: true,
            favor: None,
            prune: false,
            sync: false,
            secrets: SecretPolicy::default(),
            carry: Vec::new(),
            texts: Options::default(),
            templates: None,
            max_file_size: MAX_FILE_BYTES,
            jobs: 0,
            details: Details::default(),
        }
    }

    /// Sets what happens to the output.
    #[must_use]
    pub fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// Adds a pattern of wanted plugins: a directory, a plugin's name or a skill's name, with `*`
    /// and `?`.
    #[must_use]
    pub fn only(mut self, glob: impl Into<String>) -> Self {
        self.only.push(glob.into());
        self
    }

    /// Adds a pattern of unwanted plugins.
    #[must_use]
    pub fn exclude(mut self, glob: impl Into<String>) -> Self {
        self.exclude.push(glob.into());
        self
    }

    /// Sets whether plugins that are switched off are migrated too.
    #[must_use]
    pub fn include_disabled(mut self, include: bool) -> Self {
        self.include_disabled = include;
        self
    }

    /// Sets whether skills in conflict are replaced, after a backup.
    #[must_use]
    pub fn force(mut self, force: bool) -> Self {
        self.force = force;
        self
    }

    /// Sets whether skills whose plugin is gone are removed.
    #[must_use]
    pub fn prune(mut self, prune: bool) -> Self {
        self.prune = prune;
        self
    }

    /// Sets what to do with a plugin that holds a secret.
    #[must_use]
    pub fn secrets(mut self, policy: SecretPolicy) -> Self {
        self.secrets = policy;
        self
    }

    /// Sets what outcomes hold besides findings.
    #[must_use]
    pub fn details(mut self, details: Details) -> Self {
        self.details = details;
        self
    }
}
