//! Turning a directory of legacy plugins into a directory of skills.

use std::path::PathBuf;

use skill_pipeline::{Event, MigrateOptions, Migrated, Mode, Pipeline, SecretPolicy};

use crate::{Error, ErrorKind};

/// A migration that can be completed and started; [`migrate`] makes one.
#[derive(Clone, Debug)]
#[must_use = "nothing is migrated until `into_dir` or `preview`"]
pub struct Migration {
    options: MigrateOptions,
}

/// Migrates legacy plugins: a directory of directories with a `plugin-manifest.json`, or one of them.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let dir = tempfile::tempdir()?;
/// # let (plugins, out) = (dir.path().join("plugins"), dir.path().join("skills"));
/// # std::fs::create_dir_all(plugins.join("Dice"))?;
/// # std::fs::write(plugins.join("Dice/plugin-manifest.json"), r#"{"name": "Dice", "version": "1.0.0",
/// #     "description": "Rolls dice.", "pluginType": "synchronous",
/// #     "entryPoint": {"command": "node dice.js"}, "communication": {"protocol": "stdio"}}"#)?;
/// # std::fs::write(plugins.join("Dice/dice.js"), "console.log('{}');\n")?;
/// let migrated = skills::migrate(&plugins).into_dir(&out)?;
/// for outcome in &migrated.outcomes {
///     println!("{}: {}", outcome.directory, outcome.status.word());
/// }
/// assert_eq!(migrated.totals.migrated, 1);
/// assert_eq!(skills::Library::open([&out])?.skills().count(), 1);
/// # Ok(())
/// # }
/// ```
pub fn migrate(plugins: impl Into<PathBuf>) -> Migration {
    Migration {
        options: MigrateOptions::new(plugins, ""),
    }
}

impl Migration {
    /// Migrates only plugins whose directory, name or skill fits a pattern with `*` and `?`. Can be
    /// repeated.
    pub fn only(mut self, pattern: impl Into<String>) -> Self {
        self.options = self.options.only(pattern);
        self
    }

    /// Leaves out plugins that fit a pattern. Can be repeated.
    pub fn exclude(mut self, pattern: impl Into<String>) -> Self {
        self.options = self.options.exclude(pattern);
        self
    }

    /// Sets whether plugins that are switched off are migrated too.
    pub fn include_disabled(mut self, is_included: bool) -> Self {
        self.options = self.options.include_disabled(is_included);
        self
    }

    /// Sets whether skills that were edited by hand, in a way that cannot be merged, are replaced
    /// after a backup.
    pub fn force(mut self, is_forced: bool) -> Self {
        self.options = self.options.force(is_forced);
        self
    }

    /// Sets whether secrets in the sources of a plugin are replaced by `REDACTED`; by default such a
    /// plugin is rejected.
    pub fn redact_secrets(mut self, is_redacted: bool) -> Self {
        self.options = self.options.secrets(if is_redacted {
            SecretPolicy::Redact
        } else {
            SecretPolicy::Refuse
        });
        self
    }

    /// Copies private files whose path matches, such as user data. Can be repeated.
    pub fn carry(mut self, pattern: impl Into<String>) -> Self {
        self.options.carry.push(pattern.into());
        self
    }

    /// Names the directory of the old host, whose modules and package lists plugins use, instead of the
    /// one that the plugins are in.
    pub fn host(mut self, dir: impl Into<PathBuf>) -> Self {
        self.options.host = Some(dir.into());
        self
    }

    /// Sets whether skills whose plugin is gone are removed. The input may then have no plugins.
    pub fn prune(mut self, is_pruned: bool) -> Self {
        self.options = self.options.prune(is_pruned);
        self
    }

    /// Sets whether each outcome has an [`Account`](crate::Account): the fate of every field of the
    /// manifest, and the files that were not copied. Unchanged plugins are then read again.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let dir = tempfile::tempdir()?;
    /// # let plugins = dir.path().join("plugins");
    /// # std::fs::create_dir_all(plugins.join("Dice"))?;
    /// # std::fs::write(plugins.join("Dice/plugin-manifest.json"), r#"{"name": "Dice", "version": "1.0.0",
    /// #     "description": "Rolls dice.", "pluginType": "synchronous",
    /// #     "entryPoint": {"command": "node dice.js"}, "communication": {"protocol": "stdio"}}"#)?;
    /// # std::fs::write(plugins.join("Dice/dice.js"), "console.log('{}');\n")?;
    /// # std::fs::write(plugins.join("Dice/config.env"), "SIDES=6\n")?;
    /// let migrated = skills::migrate(&plugins).account(true).preview(dir.path().join("skills"))?;
    /// for account in migrated.outcomes.iter().filter_map(|outcome| outcome.account.as_ref()) {
    ///     for (place, fate) in &account.fates {
    ///         if let skills::Fate::Dropped { why } = fate {
    ///             println!("{}{}: {why}", place.file, place.pointer);
    ///         }
    ///     }
    ///     for left_out in &account.left_out {
    ///         println!("{} was not copied: {:?}", left_out.path, left_out.reason);
    ///     }
    /// #   assert_eq!(account.left_out[0].path, "config.env");
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn account(mut self, is_included: bool) -> Self {
        self.options.details.account = is_included;
        self
    }

    /// Writes the skills into a directory, each whole or not at all, and merges them with what was
    /// edited there by hand. A second run changes no byte.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::NotFound`] where the directory of plugins does not exist.
    /// - [`ErrorKind::Input`] where it has no plugin, the patterns select none, or one of the two
    ///   directories is a file or is inside the other.
    /// - [`ErrorKind::Io`] where the plugins cannot be searched, or `out` cannot be read or written.
    ///
    /// A plugin that cannot be migrated is not an error but an outcome.
    pub fn into_dir(self, out: impl Into<PathBuf>) -> Result<Migrated, Error> {
        self.start(out.into(), Mode::Write)
    }

    /// Returns what [`into_dir`](Self::into_dir) would do, with unified diffs. Nothing is written.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let dir = tempfile::tempdir()?;
    /// # let (plugins, out) = (dir.path().join("plugins"), dir.path().join("skills"));
    /// # std::fs::create_dir_all(plugins.join("Dice"))?;
    /// # std::fs::write(plugins.join("Dice/plugin-manifest.json"), r#"{"name": "Dice", "version": "1.0.0",
    /// #     "description": "Rolls dice.", "pluginType": "synchronous",
    /// #     "entryPoint": {"command": "node dice.js"}, "communication": {"protocol": "stdio"}}"#)?;
    /// # std::fs::write(plugins.join("Dice/dice.js"), "console.log('{}');\n")?;
    /// let migrated = skills::migrate(&plugins).preview(&out)?;
    /// assert!(migrated.outcomes[0].diff.contains("name: dice"));
    /// assert!(!out.exists());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`into_dir`](Self::into_dir).
    pub fn preview(mut self, out: impl Into<PathBuf>) -> Result<Migrated, Error> {
        self.options.details.diff = true;
        self.start(out.into(), Mode::DryRun)
    }

    fn start(self, out: PathBuf, mode: Mode) -> Result<Migrated, Error> {
        let mut options = self.options.mode(mode);
        options.backup = out.join(".skills-migrate/backup");
        options.out = out;
        let observer = |_event: Event<'_>| {};
        let pipeline = Pipeline::open(options)?;
        if let Some(finding) = pipeline.no_plugins() {
            let error = Error::new(ErrorKind::Input, finding.message);
            return Err(finding.help.into_iter().fold(error, Error::with_hint));
        }
        let run = pipeline.start(&observer)?;
        let outcomes = run.all(&observer)?;
        Ok(run.finish(outcomes)?)
    }
}
