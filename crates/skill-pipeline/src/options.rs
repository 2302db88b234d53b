//! The options of a migration.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use skill_loader::fs::{Kind, Root, resolve};
use skill_migrator::Options;
use skill_model::conflict::Side;

use crate::{Error, Shard};

/// The default size limit of a file, in bytes. Larger files are left out and reported. The largest
/// file of 89 known plugins has 3.7 MB.
pub const MAX_FILE_BYTES: u64 = 64 << 20;

/// The effect of a run on the output.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Mode {
    /// Writes the skills.
    #[default]
    Write,
    /// Reports the changes and writes nothing.
    DryRun,
    /// Fails if there are changes, and writes nothing.
    Check,
}

impl Mode {
    /// Returns true if the mode writes.
    pub fn writes(self) -> bool {
        self == Self::Write
    }
}

/// The handling of a plugin that contains a secret.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum SecretPolicy {
    /// Reject the plugin and report the place of the secret.
    #[default]
    Refuse,
    /// Write REDACTED in place of the secret and report the place.
    Redact,
}

impl SecretPolicy {
    /// Returns the word for the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Refuse => "refuse",
            Self::Redact => "redact",
        }
    }
}

impl fmt::Display for SecretPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for SecretPolicy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let all = [Self::Refuse, Self::Redact];
        let found = all.into_iter().find(|policy| policy.word() == text);
        found.ok_or_else(|| "expected refuse or redact".to_owned())
    }
}

/// The handling of a plugin that is a part of a host: an agent cannot use it as a skill.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum HostedPolicy {
    /// Write it among the skills.
    Keep,
    /// Write it to `.host` beside the skills, where agents do not look for skills.
    #[default]
    Separate,
    /// Do not migrate it.
    Skip,
}

impl HostedPolicy {
    /// Every policy.
    pub const ALL: [Self; 3] = [Self::Keep, Self::Separate, Self::Skip];

    /// Returns the word for the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Separate => "separate",
            Self::Skip => "skip",
        }
    }
}

impl fmt::Display for HostedPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for HostedPolicy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|policy| policy.word() == text);
        found.ok_or_else(|| "expected keep, separate or skip".to_owned())
    }
}

/// The optional parts of an outcome. Everything but the account costs time and memory for each
/// changed skill.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each detail is asked for independently"
)]
pub struct Details {
    /// The fate of every field and file. Every plugin is planned, even an unchanged one.
    pub account: bool,
    /// The findings of unchanged plugins too. Every plugin is planned.
    pub findings: bool,
    /// Unified diffs of changed skills.
    pub diff: bool,
    /// The texts before and after, and the token counts of each skill.
    pub comparison: bool,
}

/// The settings of an old host, and the store that gets them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SettingsFrom {
    /// The directory of the host, or its `config.env`.
    pub host: PathBuf,
    /// The state directory of the user, which has the store.
    pub state: PathBuf,
}

/// The input, the output and the policies of a migration. [`MigrateOptions::new`] sets every
/// default.
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
    /// The directory of plugins, or one plugin.
    pub input: PathBuf,
    /// The name of the only file of the input that is read, if the input was named by it: a document of
    /// `OpenAPI`. [`MigrateOptions::settle_input`] sets it.
    pub only_file: Option<String>,
    /// The directory of skills; created if it is missing.
    pub out: PathBuf,
    /// The root directory of the old host, with the modules and the package lists that its plugins
    /// share; `None` for the one that the input is in, and for package lists the directory beside or
    /// above the plugins that has them.
    pub host: Option<PathBuf>,
    /// The settings of the old host that are stored for the skills; `None` for none.
    pub settings: Option<SettingsFrom>,
    /// The name of the only format that is read, one of [`plugin_readers::READERS`]; `None` for all.
    pub format: Option<&'static str>,
    /// True if rules that a host applies always or to some files become skills too.
    pub rules: bool,
    /// True if disabled plugins are migrated.
    pub include_disabled: bool,
    /// Patterns of the plugins to migrate; empty means all.
    pub only: Vec<String>,
    /// Patterns of plugins that are not migrated.
    pub exclude: Vec<String>,
    /// Patterns of the plugin types to migrate; empty means all.
    pub types: Vec<String>,
    /// The part of the collection to migrate; `None` for all of it.
    pub shard: Option<Shard>,
    /// The effect on the output.
    pub mode: Mode,
    /// True if skills in conflict are replaced after a backup.
    pub force: bool,
    /// True if a plugin keeps the name that its skill has in the output. A shard ignores it,
    /// because its names must not depend on earlier output.
    pub keep_names: bool,
    /// The side that wins if an edit by hand and a change in the plugin conflict.
    pub favor: Option<Side>,
    /// The directory of backups.
    pub backup: PathBuf,
    /// True if skills whose plugin is gone are removed.
    pub prune: bool,
    /// True to wait until everything is on the disk (`fsync`).
    pub sync: bool,
    /// The handling of secrets.
    pub secrets: SecretPolicy,
    /// The handling of parts of a host.
    pub hosted: HostedPolicy,
    /// Patterns of private files that are copied anyway.
    pub carry: Vec<String>,
    /// The options of the texts.
    pub texts: Options,
    /// The directory of templates that replace the built-in ones.
    pub templates: Option<PathBuf>,
    /// The size limit of a file, in bytes.
    pub max_file_size: u64,
    /// The number of threads; 0 means one for each processor.
    pub jobs: usize,
    /// The optional parts of outcomes.
    pub details: Details,
}

impl MigrateOptions {
    /// Creates options that write all plugins of `input` to `out`, reject secrets, and keep skills
    /// in conflict.
    pub fn new(input: impl Into<PathBuf>, out: impl Into<PathBuf>) -> Self {
        let out = out.into();
        Self {
            input: input.into(),
            only_file: None,
            backup: out.join(".skills-migrate/backup"),
            out,
            host: None,
            settings: None,
            format: None,
            rules: false,
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
            hosted: HostedPolicy::default(),
            carry: Vec::new(),
            texts: Options::default(),
            templates: None,
            max_file_size: MAX_FILE_BYTES,
            jobs: 0,
            details: Details::default(),
        }
    }

    /// If the input is a file, replaces it by its directory, of which only that file is read.
    ///
    /// # Errors
    ///
    /// Fails if the path cannot be resolved.
    pub fn settle_input(mut self) -> Result<Self, Error> {
        let input = resolve(&self.input)?;
        let parts = input.parent().zip(input.file_name());
        if let Some((parent, name)) = parts
            && let Some(name) = name.to_str()
            && let Ok(directory) = Root::open_following(parent)
            && matches!(directory.kind(name), Ok(Some(Kind::File(_))))
        {
            self.only_file = Some(name.to_owned());
            parent.clone_into(&mut self.input);
        }
        Ok(self)
    }

    /// Sets the effect on the output.
    #[must_use]
    pub fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// Adds a pattern of plugins to migrate: a directory, the name of a plugin or the name of a
    /// skill, with `*` and `?`.
    #[must_use]
    pub fn only(mut self, glob: impl Into<String>) -> Self {
        self.only.push(glob.into());
        self
    }

    /// Adds a pattern of plugins that are not migrated.
    #[must_use]
    pub fn exclude(mut self, glob: impl Into<String>) -> Self {
        self.exclude.push(glob.into());
        self
    }

    /// Sets whether disabled plugins are migrated too.
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

    /// Sets the handling of a plugin that contains a secret.
    #[must_use]
    pub fn secrets(mut self, policy: SecretPolicy) -> Self {
        self.secrets = policy;
        self
    }

    /// Sets the handling of parts of a host.
    #[must_use]
    pub fn hosted(mut self, policy: HostedPolicy) -> Self {
        self.hosted = policy;
        self
    }

    /// Sets the optional parts of outcomes.
    #[must_use]
    pub fn details(mut self, details: Details) -> Self {
        self.details = details;
        self
    }
}
