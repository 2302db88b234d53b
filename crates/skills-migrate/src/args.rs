//! The command line of `skills-migrate`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum as _, builder::PossibleValuesParser};
use polish_requests::{Endpoint, Polishing};
use skill_migrator::{Agents, LanguageChoice, Shell};
use skill_model::conflict::Side;
use skill_pipeline::{
    Details, HostedPolicy, MAX_FILE_BYTES, MigrateOptions, Mode, SecretPolicy, SettingsFrom, Shard,
};
use skill_settings::process_directory;

use crate::merge_shards::MergeArgs;
use crate::package::PackageArgs;
use crate::settings::{Format, Machines, Presentation, Settings};
use skills_cli::output::ColorChoice;

/// Turn legacy LLM plugins into Agent Skills
///
/// Reads every plugin below IN, of VCPToolBox (a directory that holds plugin-manifest.json) or of
/// another host (see --list-formats), and writes one skill directory for each, or for each of its
/// commands, agents and skills, below OUT: SKILL.md, METADATA.yml, and the files that it needs. Plugins are not run, nothing outside OUT is written, and no
/// secret is copied. A skill is replaced as a whole or not at all. Edits by hand since the last run
/// are merged with the changes of the plugin; if that is not possible, the skill is in conflict and
/// nothing is lost.
#[derive(Debug, Parser)]
#[command(
    name = "skills-migrate",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_long_help = "Exit status:\n  0  every plugin is migrated, unchanged or skipped\n  1  a plugin was rejected, a skill is in conflict, or --check found drift\n  2  the run was not possible\n\nExamples:\n  skills-migrate plugins/ --out skills/\n  skills-migrate plugins/ --out skills/ --dry-run --diff\n  skills-migrate plugins/ --out skills/ --check\n  skills-migrate plugins/ --out part-1/ --shard 1/3\n  skills-migrate merge-shards part-1/ part-2/ part-3/ --out skills/\n  skills-migrate package skills/ --out package/ --only-runnable\n  skills-migrate introspect skills/\n  skills-migrate rollback --out skills/\n  skills-migrate verify plugins/ skills/\n  skills-migrate status plugins/ skills/"
)]
pub struct Args {
    /// List the formats of plugins that can be read
    #[arg(long, exclusive = true, value_name = "FORM", require_equals = true, num_args = 0..=1, default_missing_value = "text", value_parser = ["text", "markdown"])]
    pub(super) list_formats: Option<String>,
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    #[command(flatten)]
    migrate: Option<MigrateArgs>,
    #[command(flatten)]
    polish: PolishArgs,
    #[command(flatten)]
    machines: Machines,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Restore the state of OUT before the last run that changed it
    Rollback {
        /// Directory of skills
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
    },
    /// Merge the output of several runs with --shard or --worker into one directory
    ///
    /// The result is byte for byte that of one run. Every skill is first compared with the
    /// skills.lock of its directory. If two directories differ on a skill, it is a conflict, and
    /// neither version is taken.
    MergeShards(MergeArgs),
    /// Pack skills for hosts: Agent Plugins, Claude Code, Codex, Gemini CLI, and archives for uploads
    ///
    /// The package is a directory with plugin.json, mcp.json, skills/, archives/ and the manifests of the
    /// hosts. Equal skills give equal bytes. Its skills.lock says what was packed: the next version
    /// follows from the changes, and a removed skill, command or argument is a breaking one. Files that
    /// are private or hidden are never packed, nor is a skill with a secret.
    Package(PackageArgs),
    /// Run plugins and their skills, and compare the answers (skills-parity)
    #[command(disable_help_flag = true)]
    Verify(ParityArgs),
    /// Ask MCP servers for their tools, and write them into their skills (skills-run)
    #[command(disable_help_flag = true)]
    Introspect(ParityArgs),
    /// Show the stage of each plugin: not migrated, migrated, verified, safe to remove (skills-parity)
    #[command(disable_help_flag = true)]
    Status(ParityArgs),
}

/// Arguments that are passed on to another tool.
#[derive(Debug, ClapArgs)]
pub(super) struct ParityArgs {
    #[arg(
        value_name = "ARGUMENT",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub(super) all: Vec<OsString>,
}

#[derive(Debug, ClapArgs)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "one for each switch of the command line"
)]
struct MigrateArgs {
    /// Directory of plugins, one plugin, or a document of OpenAPI
    #[arg(value_name = "IN", required = true)]
    input: PathBuf,
    /// Directory of skills; created if missing
    #[arg(long, value_name = "DIR", required_unless_present = "enqueue")]
    out: Option<PathBuf>,
    /// Directory of the old host, whose modules and package lists plugins use [default: the one that IN
    /// is in]
    #[arg(long, value_name = "DIR")]
    host: Option<PathBuf>,
    /// Also store the settings of the old host in HOST, and those of its plugins, in your own store for
    /// skills-run; never in a skill
    #[arg(long, value_name = "HOST", conflicts_with_all = ["check", "dry_run", "enqueue", "worker"])]
    config_from: Option<PathBuf>,
    /// State directory for --config-from [default: that of skills-run]
    #[arg(long, value_name = "DIR", requires = "config_from")]
    state: Option<PathBuf>,
    /// Also migrate plugins that are switched off (plugin-manifest.json.block)
    #[arg(long, help_heading = "Selection")]
    include_disabled: bool,
    /// Migrate only plugins whose directory, name or skill name matches (can be repeated)
    #[arg(long, value_name = "GLOB", help_heading = "Selection")]
    only: Vec<String>,
    /// Skip plugins whose directory, name or skill name matches (can be repeated)
    #[arg(long, value_name = "GLOB", help_heading = "Selection")]
    exclude: Vec<String>,
    /// Migrate only plugins whose type matches (can be repeated)
    #[arg(long = "type", value_name = "GLOB", help_heading = "Selection")]
    types: Vec<String>,
    /// Migrate only the I-th of N parts; a hash of a plugin's directory decides its part
    #[arg(long, value_name = "I/N", help_heading = "Selection")]
    shard: Option<Shard>,
    /// Exit with 1 if OUT differs from the result of a run; write nothing
    #[arg(long, help_heading = "Mode", conflicts_with = "dry_run")]
    check: bool,
    /// Report what would be done; write nothing
    #[arg(long, help_heading = "Mode")]
    dry_run: bool,
    /// Show the changes as unified diffs
    #[arg(long, help_heading = "Mode")]
    diff: bool,
    /// Replace skills that are in conflict, after a backup
    #[arg(long, help_heading = "Writing")]
    force: bool,
    /// If an edit by hand and a change of the plugin conflict, keep the edit
    #[arg(long, help_heading = "Writing", conflicts_with_all = ["theirs", "force"])]
    ours: bool,
    /// If an edit by hand and a change of the plugin conflict, take the plugin's, after a backup
    #[arg(long, help_heading = "Writing", conflicts_with = "force")]
    theirs: bool,
    /// Directory for the backups of --force and --theirs [default: OUT/.skills-migrate/backup]
    #[arg(long, value_name = "DIR", help_heading = "Writing")]
    backup: Option<PathBuf>,
    /// Remove skills whose plugin no longer exists
    #[arg(long, help_heading = "Writing")]
    prune: bool,
    /// Wait until everything is on the disk, so that a power cut cannot damage it
    #[arg(long, help_heading = "Writing")]
    sync: bool,
    /// Treatment of a plugin that contains a secret: refuse (reject the plugin and report the place) or
    /// redact (replace the secret by REDACTED and report the place)
    #[arg(long, value_name = "POLICY", default_value_t, help_heading = "Content")]
    secrets: SecretPolicy,
    /// Copy private files whose path matches, relative to the plugin or to IN (can be repeated)
    ///
    /// User data (databases, diaries, state, results) and temporary files are not copied but listed.
    /// A file with credentials is copied only if GLOB is its whole path; settings never are.
    #[arg(long, value_name = "GLOB", help_heading = "Content")]
    carry: Vec<String>,
    /// Parts of a host, which an agent cannot use as a skill: keep them among the skills, separate them
    /// into OUT/.host, or skip them
    #[arg(long, value_name = "POLICY", default_value_t, help_heading = "Content")]
    hosted: HostedPolicy,
    /// Treatment of the agents of a package: skills, references (texts of its other skills) or skip
    #[arg(long, value_name = "FORM", default_value_t, help_heading = "Content")]
    agents: Agents,
    /// Also write rules, which the old host applies always or to some files, as skills
    #[arg(long, help_heading = "Content")]
    rules: bool,
    /// Language of headings and notes: auto (that of the plugin), en or zh
    #[arg(long, value_name = "LANG", default_value_t, help_heading = "Content")]
    lang: LanguageChoice,
    /// Shell of the commands in SKILL.md: sh, powershell or both
    #[arg(long, value_name = "SHELL", default_value_t, help_heading = "Content")]
    shell: Shell,
    /// Directory with your own templates: SKILL.md.jinja, commands.md.jinja
    #[arg(long, value_name = "DIR", help_heading = "Content")]
    templates: Option<PathBuf>,
    /// Maximum size of a file in bytes; larger files are omitted
    #[arg(long, value_name = "BYTES", default_value_t = MAX_FILE_BYTES, help_heading = "Content")]
    max_file_size: u64,
    /// Format of the report (text, json), or of the plugins (see --list-formats), which is otherwise
    /// recognized (can be repeated)
    #[arg(long, value_name = "FORMAT", value_parser = formats(), hide_possible_values = true, help_heading = "Output")]
    format: Vec<String>,
    /// Write the full report, with every fate and finding, to FILE: a page if it ends with .html, else JSON
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,
    /// Also exit with 1 if a skill needs attention
    #[arg(long, help_heading = "Output")]
    strict: bool,
    /// Number of plugins migrated at a time [default: number of processors]
    #[arg(long, short, value_name = "N", help_heading = "Output")]
    jobs: Option<usize>,
    /// Report only errors
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
    /// Report every plugin and every finding (twice: also notes)
    #[arg(long, short, action = clap::ArgAction::Count, help_heading = "Output", conflicts_with = "quiet")]
    verbose: u8,
    /// Use of colour
    #[arg(
        long,
        value_enum,
        value_name = "WHEN",
        default_value_t,
        help_heading = "Output"
    )]
    color: ColorChoice,
}

/// Texts by a model.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Texts by a model")]
struct PolishArgs {
    /// Ask the model at --polish-url about the texts of skills that it did not write yet
    #[arg(long, requires = "polish_url")]
    polish: bool,
    /// Write one question for each of these skills to FILE; write no skill
    #[arg(long, value_name = "FILE", conflicts_with_all = ["polish_import", "polish_url", "check", "enqueue", "worker"])]
    polish_export: Option<PathBuf>,
    /// Check the answers in FILE, and use those that pass
    #[arg(long, value_name = "FILE", conflicts_with_all = ["check", "dry_run", "enqueue", "worker"])]
    polish_import: Option<PathBuf>,
    /// Server that answers `POST URL/chat/completions`; it gets the texts of the plugins, and the key in the environment variable `SKILLS_POLISH_KEY` or `OPENAI_API_KEY`
    #[arg(long, value_name = "URL", requires = "polish_model", conflicts_with_all = ["check", "dry_run", "enqueue", "worker"])]
    polish_url: Option<String>,
    /// Model on that server
    #[arg(long, value_name = "NAME", requires = "polish_url")]
    polish_model: Option<String>,
}

/// Returns the words of `--format`: formats of reports and of plugins.
fn formats() -> PossibleValuesParser {
    let readers = plugin_readers::READERS.iter().map(|reader| reader.name);
    PossibleValuesParser::new(["text", "json"].into_iter().chain(readers))
}

fn report_format(words: &[String]) -> Format {
    let mut found = words
        .iter()
        .rev()
        .filter_map(|word| Format::from_str(word, false).ok());
    found.next().unwrap_or_default()
}

impl Args {
    /// Returns the settings of the arguments.
    ///
    /// # Errors
    ///
    /// No input was named, or there is no state directory for `--config-from`.
    pub fn into_settings(self) -> anyhow::Result<Settings> {
        let args = self
            .migrate
            .ok_or_else(|| anyhow::anyhow!("no input given, expected a directory of plugins"))?;
        let show = Presentation {
            format: report_format(&args.format),
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
            findings: show.verbosity > 0 || show.format != Format::Text,
            diff: args.diff,
            comparison: show.report_is_page(),
        };
        let polishing = self.polish.to_polishing()?;
        let mut migrate = args.into_options(&self.machines)?;
        if polishing.export.is_some() {
            migrate.mode = Mode::DryRun;
        }
        migrate.details = details;
        Ok(Settings {
            migrate,
            show,
            machines: self.machines,
            polishing,
        })
    }
}

impl PolishArgs {
    fn to_polishing(&self) -> anyhow::Result<Polishing> {
        let model = self.polish_url.as_deref().zip(self.polish_model.as_deref());
        let endpoint = model.map(|(url, model)| Endpoint::new(url, model));
        Ok(Polishing {
            export: self.polish_export.clone(),
            import: self.polish_import.clone(),
            endpoint: endpoint.transpose().map_err(anyhow::Error::msg)?,
        })
    }
}

impl MigrateArgs {
    fn into_options(self, machines: &Machines) -> anyhow::Result<MigrateOptions> {
        // Only --enqueue needs no output, and it writes nothing.
        let mut res = MigrateOptions::new(self.input, self.out.unwrap_or_default());
        if let Some(backup) = self.backup {
            res.backup = backup;
        }
        res.host = self.host;
        res.include_disabled = self.include_disabled;
        res.only = self.only;
        res.exclude = self.exclude;
        res.types = self.types;
        res.shard = self.shard;
        res.keep_names = !machines.is_shared();
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
        res.secrets = self.secrets;
        res.carry = self.carry;
        res.hosted = self.hosted;
        res.texts.language = self.lang;
        res.texts.agents = self.agents;
        res.rules = self.rules;
        res.format = self
            .format
            .iter()
            .find_map(|word| plugin_readers::named(word));
        res.texts.shell = self.shell;
        res.templates = self.templates;
        res.max_file_size = self.max_file_size;
        res.jobs = self.jobs.unwrap_or(0);
        if let Some(host) = self.config_from {
            let state = process_directory(self.state)?;
            res.settings = Some(SettingsFrom { host, state });
        }
        Ok(res)
    }
}
