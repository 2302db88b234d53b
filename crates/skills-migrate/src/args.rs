//! The command line of `skills-migrate`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use skill_migrator::{Language, LanguageChoice};
use skill_model::conflict::Side;
use skill_pipeline::{Details, MAX_FILE_BYTES, MigrateOptions, Mode, SecretPolicy, Shard};

use super::merge_shards::MergeArgs;
use skills_cli::nats::NatsArgs;
use skills_cli::output::ColorChoice;

/// Turn legacy LLM plugins into Agent Skills
///
/// Reads every plugin directory below IN (a directory that holds plugin-manifest.json) and writes
/// one skill directory for each below OUT: SKILL.md, METADATA.yml, the plugin's files under
/// scripts/, references/ and assets/. Nothing of a plugin is run, nothing outside OUT is written,
/// and no secret is copied. A skill is replaced whole or not at all; what was edited by hand since
/// the last run is merged with what changed in the plugin; where that is not possible it is a
/// conflict and nothing of it is lost.
#[derive(Debug, Parser)]
#[command(
    name = "skills-migrate",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_long_help = "Exit status:\n  0  every plugin is migrated, unchanged or skipped\n  1  a plugin was rejected, a skill is in conflict, or --check found drift\n  2  the run was not possible\n\nExamples:\n  skills-migrate plugins/ --out skills/\n  skills-migrate plugins/ --out skills/ --dry-run --diff\n  skills-migrate plugins/ --out skills/ --check\n  skills-migrate plugins/ --out part-1/ --shard 1/3\n  skills-migrate merge-shards part-1/ part-2/ part-3/ --out skills/\n  skills-migrate rollback --out skills/\n  skills-migrate verify plugins/ skills/\n  skills-migrate status plugins/ skills/"
)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    migrate: Option<MigrateArgs>,
    #[command(flatten)]
    nats: NatsArgs,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Bring back the state of OUT before the last run that changed it
    Rollback {
        /// Directory of skills
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
    },
    /// Put what several runs with --shard or --worker wrote into one directory
    ///
    /// The result is byte for byte what one run would have written. Every skill is compared with
    /// the skills.lock of its directory first; two directories that do not agree about a skill are
    /// a conflict, and neither of the two is taken.
    MergeShards(MergeArgs),
    /// Run plugins and the skills that they became, and compare (skills-parity)
    #[command(disable_help_flag = true)]
    Verify(ParityArgs),
    /// Show how far each plugin is: not migrated, migrated, verified, safe to remove (skills-parity)
    #[command(disable_help_flag = true)]
    Status(ParityArgs),
}

/// What another tool is given as it is.
#[derive(Debug, ClapArgs)]
struct ParityArgs {
    #[arg(
        value_name = "ARGUMENT",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    all: Vec<OsString>,
}

#[derive(Debug, ClapArgs)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "one for each switch of the command line"
)]
struct MigrateArgs {
    /// Directory of plugins, or one plugin
    #[arg(value_name = "IN", required = true)]
    input: PathBuf,
    /// Directory of skills; created if missing
    #[arg(long, value_name = "DIR", required_unless_present = "enqueue")]
    out: Option<PathBuf>,
    /// Migrate plugins that are switched off (plugin-manifest.json.block) too
    #[arg(long, help_heading = "Selection")]
    include_disabled: bool,
    /// Migrate only plugins whose directory, name or skill name fits (can be repeated)
    #[arg(long, value_name = "GLOB", help_heading = "Selection")]
    only: Vec<String>,
    /// Pass over plugins whose directory, name or skill name fits (can be repeated)
    #[arg(long, value_name = "GLOB", help_heading = "Selection")]
    exclude: Vec<String>,
    /// Migrate only plugins of a type that fits (can be repeated)
    #[arg(long = "type", value_name = "GLOB", help_heading = "Selection")]
    types: Vec<String>,
    /// Migrate only the I-th of N parts; a hash of each plugin's directory decides which it is in
    #[arg(long, value_name = "I/N", help_heading = "Selection")]
    shard: Option<Shard>,
    /// Exit with 1 if OUT is not what the plugins give today; write nothing
    #[arg(long, help_heading = "Mode", conflicts_with = "dry_run")]
    check: bool,
    /// Say what would be done; write nothing
    #[arg(long, help_heading = "Mode")]
    dry_run: bool,
    /// Show what changes as unified diffs
    #[arg(long, help_heading = "Mode")]
    diff: bool,
    /// Replace skills that are in conflict, after a backup
    #[arg(long, help_heading = "Writing")]
    force: bool,
    /// Where an edit by hand and the plugin do not go together, keep the edit
    #[arg(long, help_heading = "Writing", conflicts_with_all = ["theirs", "force"])]
    ours: bool,
    /// Where an edit by hand and the plugin do not go together, take the plugin's, after a backup
    #[arg(long, help_heading = "Writing", conflicts_with = "force")]
    theirs: bool,
    /// Where --force and --theirs put their backups [default: OUT/.skills-migrate/backup]
    #[arg(long, value_name = "DIR", help_heading = "Writing")]
    backup: Option<PathBuf>,
    /// Remove skills whose plugin is gone
    #[arg(long, help_heading = "Writing")]
    prune: bool,
    /// Wait until the disk has everything, so that not even a power cut can harm
    #[arg(long, help_heading = "Writing")]
    sync: bool,
    /// What to do with a plugin that holds a secret
    #[arg(
        long,
        value_enum,
        value_name = "POLICY",
        default_value_t,
        help_heading = "Content"
    )]
    secrets: SecretsArg,
    /// Carry private files whose path fits, relative to the plugin or to IN (can be repeated)
    ///
    /// User data (databases, diaries, state, results) and litter stay behind and are listed. A file
    /// with credentials is carried only if GLOB is its whole path; settings never are.
    #[arg(long, value_name = "GLOB", help_heading = "Content")]
    carry: Vec<String>,
    /// Language of headings
    #[arg(
        long,
        value_enum,
        value_name = "LANG",
        default_value_t,
        help_heading = "Content"
    )]
    lang: LangArg,
    /// Directory with templates of your own: SKILL.md.jinja, commands.md.jinja
    #[arg(long, value_name = "DIR", help_heading = "Content")]
    templates: Option<PathBuf>,
    /// Leave out files that are larger, in bytes
    #[arg(long, value_name = "BYTES", default_value_t = MAX_FILE_BYTES, help_heading = "Content")]
    max_file_size: u64,
    /// Write nothing; share the plugins among workers through this NATS server, and wait for them
    #[arg(
        long,
        value_name = "URL",
        help_heading = "Other machines",
        conflicts_with_all = ["worker", "out", "check", "dry_run", "diff", "force", "backup", "prune", "report", "strict", "shard"]
    )]
    enqueue: Option<String>,
    /// Migrate plugins that --enqueue put on this NATS server, until there are no more
    #[arg(
        long,
        value_name = "URL",
        help_heading = "Other machines",
        conflicts_with_all = ["check", "dry_run", "prune", "shard"]
    )]
    worker: Option<String>,
    /// Name that --enqueue and its workers agree on
    #[arg(
        long,
        value_name = "NAME",
        default_value = "default",
        help_heading = "Other machines"
    )]
    job: String,
    /// How long a worker may be silent before others get its plugins (set by --enqueue)
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 30,
        value_parser = clap::value_parser!(u64).range(1..=3600),
        help_heading = "Other machines"
    )]
    ack_wait: u64,
    /// Form of the report
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        default_value_t,
        help_heading = "Output"
    )]
    format: Format,
    /// Write the full account, every fate and every finding: JSON, or a page where FILE ends with .html
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,
    /// Exit with 1 as well if a skill needs attention
    #[arg(long, help_heading = "Output")]
    strict: bool,
    /// Number of plugins worked on at a time [default: number of processors]
    #[arg(long, short, value_name = "N", help_heading = "Output")]
    jobs: Option<usize>,
    /// Say less: errors only
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
    /// Say more: every plugin and every finding (twice: notes too)
    #[arg(long, short, action = clap::ArgAction::Count, help_heading = "Output", conflicts_with = "quiet")]
    verbose: u8,
    /// When to use colour
    #[arg(
        long,
        value_enum,
        value_name = "WHEN",
        default_value_t,
        help_heading = "Output"
    )]
    color: ColorChoice,
}

/// Form of the report.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// For programs; one object, with a version.
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
enum SecretsArg {
    /// Reject the plugin and say where.
    #[default]
    Refuse,
    /// Write REDACTED in its place and say where.
    Redact,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
enum LangArg {
    /// The language of the plugin's own texts.
    #[default]
    Auto,
    /// English.
    En,
    /// Chinese.
    Zh,
}

/// What to migrate, and how to show the result; every default is decided.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What to migrate and how.
    pub migrate: MigrateOptions,
    /// How the result is shown.
    pub show: Show,
    /// The other machines.
    pub machines: Machines,
}

/// How the result is shown.
#[derive(Clone, Debug)]
pub struct Show {
    /// Form of the report.
    pub format: Format,
    /// File of the full account.
    pub report: Option<PathBuf>,
    /// Whether attention counts as failure.
    pub strict: bool,
    /// −1 quiet, 0 normal, 1 and 2 more.
    pub verbosity: i8,
    /// When to use colour.
    pub color: ColorChoice,
}

impl Show {
    /// Whether the full account is a page for people; else it is JSON. The suffix of the file
    /// decides.
    pub(super) fn report_is_page(&self) -> bool {
        let suffix = self.report.as_deref().and_then(Path::extension);
        suffix.is_some_and(|it| it.eq_ignore_ascii_case("html") || it.eq_ignore_ascii_case("htm"))
    }
}

/// A migration that is shared by many machines.
#[derive(Clone, Debug)]
pub struct Machines {
    /// The server that the plugins are put on.
    pub enqueue: Option<String>,
    /// The server that the plugins are taken from.
    pub worker: Option<String>,
    /// Name of the shared migration.
    pub job: String,
    /// How long a worker may be silent, in seconds.
    pub ack_wait: u64,
    /// How to log in there.
    pub nats: NatsArgs,
}

impl Machines {
    /// Returns whether the migration is shared by many machines.
    pub fn is_any(&self) -> bool {
        self.enqueue.is_some() || self.worker.is_some()
    }
}

impl Args {
    /// The directory of `rollback`, if that was asked for.
    pub(super) fn rollback_of(&self) -> Option<&Path> {
        match &self.command {
            Some(Command::Rollback { out }) => Some(out),
            _ => None,
        }
    }

    /// The arguments of `merge-shards`, if that was asked for.
    pub(super) fn merge_of(&self) -> Option<&MergeArgs> {
        match &self.command {
            Some(Command::MergeShards(args)) => Some(args),
            _ => None,
        }
    }

    /// Returns the subcommand that `skills-parity` runs, and its arguments, if that was asked for.
    pub(super) fn parity_of(&self) -> Option<(&'static str, &[OsString])> {
        match &self.command {
            Some(Command::Verify(args)) => Some(("verify", &args.all)),
            Some(Command::Status(args)) => Some(("status", &args.all)),
            _ => None,
        }
    }

    /// Returns what the arguments mean.
    ///
    /// # Errors
    ///
    /// No input was named.
    pub fn into_settings(self) -> anyhow::Result<Settings> {
        let args = self
            .migrate
            .ok_or_else(|| anyhow::anyhow!("no input given"))?;
        let machines = Machines {
            enqueue: args.enqueue.clone(),
            worker: args.worker.clone(),
            job: args.job.clone(),
            ack_wait: args.ack_wait,
            nats: self.nats,
        };
        let show = Show {
            format: args.format,
            report: args.report.clone(),
            strict: args.strict,
            verbosity: if args.quiet {
                -1
            } else {
                i8::try_from(args.verbose).unwrap_or(2)
            },
            color: args.color,
        };
        let details = Details {
            account: show.report.is_some(),
            findings: show.verbosity > 0,
            diff: args.diff,
            comparison: show.report_is_page(),
        };
        let mut migrate = args.into_options();
        migrate.details = details;
        Ok(Settings {
            migrate,
            show,
            machines,
        })
    }
}

impl MigrateArgs {
    fn into_options(self) -> MigrateOptions {
        // Only --enqueue goes without, and it writes nothing.
        let mut res = MigrateOptions::new(self.input, self.out.unwrap_or_default());
        if let Some(backup) = self.backup {
            res.backup = backup;
        }
        res.include_disabled = self.include_disabled;
        res.only = self.only;
        res.exclude = self.exclude;
        res.types = self.types;
        res.shard = self.shard;
        res.keep_names = self.enqueue.is_none() && self.worker.is_none();
        res.mode = match (self.check, self.dry_run) {
            (true, _) => Mode::Check,
            (_, true) => Mode::DryRun,
            _ => Mode::Write,
        };
        res.force = self.force;
        res.favor = match (self.ours, self.theirs) {
            (true, _) => Some(Side::Ours),
            (_, true) => Some(Side::Theirs),
            _ => None,
        };
        res.prune = self.prune;
        res.sync = self.sync;
        res.secrets = match self.secrets {
            SecretsArg::Refuse => SecretPolicy::Refuse,
            SecretsArg::Redact => SecretPolicy::Redact,
        };
        res.carry = self.carry;
        res.texts.language = match self.lang {
            LangArg::Auto => LanguageChoice::Auto,
            LangArg::En => LanguageChoice::Always(Language::English),
            LangArg::Zh => LanguageChoice::Always(Language::Chinese),
        };
        res.templates = self.templates;
        res.max_file_size = self.max_file_size;
        res.jobs = self.jobs.unwrap_or(0);
        res
    }
}
