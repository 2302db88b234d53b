//! `skills-validate`: a directory of Agent Skills in, findings out.
//!
//! - [`Args`]: what the user typed; [`Settings`]: what was meant, `skills.toml` included.
//! - `discover`: where the skills are; `collect`: one of them as values.
//! - `baseline`, `changed`: which findings count.
//! - `fix`: repairs, shown before they are written.

mod args;
mod baseline;
mod changed;
mod collect;
mod config;
mod discover;
mod fix;
mod levels;
mod list;

use std::io::{self, Write as _};
use std::path::Path;

use anyhow::Context as _;
use clap::Parser as _;
use rayon::prelude::*;
use skill_diagnostics::{Diagnostic, Severity};
use skill_loader::fs::{Root, resolve, write_new};
use skill_model::Metadata;
use skill_report::findings::{self, Report, Totals, View};
use skill_validator::{SkillReport, validate_skill, validate_tree};

use crate::ExitStatus;
use crate::output::{Paint, Streams};
pub use args::{Args, Format, ListForm};
pub use config::Settings;
use discover::{Found, Tree};

/// Largest file of which lines are shown.
const MAX_EXCERPT_BYTES: u64 = 4 << 20;

/// Runs the tool.
pub fn run(args: Args, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    if let Some(form) = args.list_rules {
        list::write(form, &mut streams.stdout)?;
        return Ok(ExitStatus::Fine);
    }
    if args.schema {
        writeln!(streams.stdout, "{:#}", Metadata::json_schema())?;
        return Ok(ExitStatus::Fine);
    }
    let settings = Settings::resolve(args)?;
    let target = Target::open(&settings.path)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(settings.jobs)
        .build()?;
    let tree = pool.install(|| discover::discover(&target, &settings));
    let reports = pool.install(|| check_all(&target, &tree, &settings))?;
    if settings.fix {
        let n_fixed = fix::run(&target, &tree, &settings, streams)?;
        if n_fixed > 0 && !settings.dry_run {
            let reports = pool.install(|| check_all(&target, &tree, &settings))?;
            return finish(&target, &tree, reports, &settings, streams);
        }
    }
    finish(&target, &tree, reports, &settings, streams)
}

/// What `skills-validate DIRECTORY` finds in one skill, by place; `skills.toml` counts as there.
pub(crate) fn findings_of(directory: &Path) -> anyhow::Result<Vec<Diagnostic>> {
    let words = [
        "skills-validate".as_ref(),
        "--".as_ref(),
        directory.as_os_str(),
    ];
    let settings = Settings::resolve(Args::try_parse_from(words)?)?;
    let target = Target::open(&settings.path)?;
    let tree = discover::discover(&target, &settings);
    let (_, mut findings) = split(check_all(&target, &tree, &settings)?);
    findings.extend(tree.findings);
    findings.sort();
    Ok(findings)
}

/// The directory that is looked at.
#[derive(Debug)]
pub(crate) struct Target {
    /// It, opened.
    pub(crate) root: Root,
    /// Its own name, whatever the path that led there.
    pub(crate) name: String,
    /// What stands before each path in reports; empty, or ends with a slash.
    pub(crate) prefix: String,
}

impl Target {
    fn open(path: &Path) -> anyhow::Result<Self> {
        // `SKILL.md` stands for its directory.
        let is_file = path.file_name().is_some_and(|name| name == "SKILL.md");
        let directory = if is_file {
            path.parent().unwrap_or(path)
        } else {
            path
        };
        let directory = if directory.as_os_str().is_empty() {
            Path::new(".")
        } else {
            directory
        };
        let real = resolve(directory)?;
        let name = real
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        let shown = directory.to_string_lossy();
        let shown = shown.trim_end_matches('/').trim_start_matches("./");
        Ok(Self {
            root: Root::open_following(directory)?,
            name: name.unwrap_or_default(),
            prefix: if matches!(shown, "" | ".") {
                String::new()
            } else {
                format!("{shown}/")
            },
        })
    }
}

fn check_all(
    target: &Target,
    tree: &Tree,
    settings: &Settings,
) -> anyhow::Result<Vec<SkillReport>> {
    let check = |found: &Found| {
        let files = collect::collect(target, tree, found)?;
        let lock = tree.lock_of(&found.path);
        let rules = settings.rules_for(&found.path);
        Ok(validate_skill(&files, lock, &rules))
    };
    tree.skills.par_iter().map(check).collect()
}

fn finish(
    target: &Target,
    tree: &Tree,
    reports: Vec<SkillReport>,
    settings: &Settings,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let (summaries, mut findings) = split(reports);
    findings.extend(tree.findings.iter().cloned());
    findings.extend(validate_tree(&summaries, &tree.locks, &settings.rules));
    let skills = summaries
        .into_iter()
        .map(|summary| (summary.path, summary.name))
        .collect();
    findings
        .retain(|finding| !settings.excludes(finding.place.file.as_deref().unwrap_or_default()));
    let mut report = Report::new(settings.rules.profile, &target.prefix, skills, findings);
    if let Some(revision) = &settings.changed_since {
        report.keep(&changed::files(&settings.path, revision)?);
    }
    if let Some(path) = &settings.baseline {
        baseline::apply(path, settings.update_baseline, &mut report)?;
    }
    write(settings, target, &report, streams).context("cannot write the report")?;
    Ok(exit_status(settings, &report.totals()))
}

/// Writes the report in the form and to the place that was asked for.
fn write(
    settings: &Settings,
    target: &Target,
    report: &Report,
    streams: &mut Streams,
) -> anyhow::Result<()> {
    let paint = streams.paint(settings.color);
    let Some(path) = &settings.output else {
        return Ok(write_to(
            settings,
            target,
            report,
            paint,
            &mut streams.stdout,
        )?);
    };
    let mut bytes = Vec::new();
    write_to(settings, target, report, Paint::NONE, &mut bytes)?;
    Ok(write_new(path, &bytes)?)
}

fn write_to(
    settings: &Settings,
    target: &Target,
    report: &Report,
    paint: Paint,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    match settings.format {
        Format::Text => {
            let view = View {
                verbosity: settings.verbosity,
                paint,
                read: &|file| target.root.read(file, MAX_EXCERPT_BYTES).ok(),
            };
            findings::text(&view, report, out)
        }
        Format::Json => findings::json(report, out),
        Format::Sarif => findings::sarif(report, out),
        Format::Github => findings::github(report, out),
        Format::Junit => findings::junit(report, out),
    }
}

fn split(reports: Vec<SkillReport>) -> (Vec<skill_validator::SkillSummary>, Vec<Diagnostic>) {
    let mut summaries = Vec::with_capacity(reports.len());
    let mut findings = Vec::new();
    for report in reports {
        summaries.push(report.summary);
        findings.extend(report.findings);
    }
    (summaries, findings)
}

fn exit_status(settings: &Settings, totals: &Totals) -> ExitStatus {
    let limit = if settings.strict {
        Severity::Warning
    } else {
        Severity::Error
    };
    if totals.at_least(limit) > 0 {
        ExitStatus::Findings
    } else {
        ExitStatus::Fine
    }
}
