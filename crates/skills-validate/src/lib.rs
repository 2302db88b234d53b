//! `skills-validate`: a directory of Agent Skills in, findings out.
//!
//! [`skill_checker`] does the work; this crate has:
//!
//! - [`Args`]: the arguments; [`Settings`]: the arguments and `skills.toml`.
//! - `baseline`: the file of known findings.

mod args;
mod baseline;
mod settings;

use std::io::{self, Write as _};
use std::path::Path;

use anyhow::Context as _;
use clap::Parser as _;
use findings_report::{Report, Totals, View};
use skill_checker::{Checked, Checker, Repair, Target, changed_files};
use skill_diagnostics::{Diagnostic, Severity};
use skill_loader::fs::write_new;
use skill_model::Metadata;
use skill_validator::render_rules;

pub use args::{Args, Format, ListForm};
pub use settings::Settings;
use skills_cli::ExitStatus;
use skills_cli::output::{Paint, Streams};

/// The maximum size of a file of which lines are shown, in bytes.
const MAX_EXCERPT_BYTES: u64 = 4 << 20;

/// Runs the tool.
///
/// # Errors
///
/// The check is not possible: a directory or a file cannot be read or written.
pub fn run(args: Args, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    if let Some(form) = args.list_rules {
        let paint = streams.paint(args.color);
        let out = &mut streams.stdout;
        match form {
            ListForm::Markdown => out.write_all(render_rules().as_bytes())?,
            ListForm::Json => writeln!(out, "{:#}", findings_report::rules_json())?,
            ListForm::Text => findings_report::rules_text(paint, out)?,
        }
        return Ok(ExitStatus::Fine);
    }
    if args.schema {
        writeln!(streams.stdout, "{:#}", Metadata::json_schema())?;
        return Ok(ExitStatus::Fine);
    }
    let settings = Settings::resolve(args)?;
    let checker = Checker::open(&settings.path, settings.check.clone())?;
    let mut checked = checker.check()?;
    if settings.fix {
        let n_fixed = repair(&checker, &settings, streams)?;
        if n_fixed > 0 && !settings.dry_run {
            checked = checker.check()?;
        }
    }
    finish(&checker, checked, &settings, streams)
}

/// Returns the findings of `skills-validate DIRECTORY` in one skill, sorted by place. `skills.toml`
/// applies.
///
/// # Errors
///
/// The directory or `skills.toml` cannot be read.
pub fn findings_of(directory: &Path) -> anyhow::Result<Vec<Diagnostic>> {
    let words = [
        "skills-validate".as_ref(),
        "--".as_ref(),
        directory.as_os_str(),
    ];
    let settings = Settings::resolve(Args::try_parse_from(words)?)?;
    let checker = Checker::open(&settings.path, settings.check)?;
    Ok(checker.check_skills()?)
}

/// Shows every repair as a diff, writes it unless this is a dry run, and returns the number of
/// repaired files.
fn repair(checker: &Checker, settings: &Settings, streams: &mut Streams) -> anyhow::Result<usize> {
    let paint = streams.paint(settings.color);
    let mut n_fixed = 0;
    for repair in checker.repairs() {
        let repair = repair?;
        let Repair { path, old, new } = &repair;
        let path = format!("{}{path}", checker.target().prefix);
        findings_report::repair(&path, old, new, paint, &mut streams.stderr)?;
        if !settings.dry_run {
            checker.write(&repair)?;
        }
        n_fixed += 1;
    }
    Ok(n_fixed)
}

fn finish(
    checker: &Checker,
    checked: Checked,
    settings: &Settings,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let Checked { skills, findings } = checked;
    let target = checker.target();
    let profile = settings.check.rules.profile;
    let mut report = Report::new(profile, &target.prefix, skills, findings);
    if let Some(revision) = &settings.changed_since {
        report.keep(&changed_files(&settings.path, revision)?);
    }
    if let Some(path) = &settings.baseline {
        baseline::apply(path, settings.update_baseline, &mut report)?;
    }
    write(settings, target, &report, streams).context("cannot write the report")?;
    Ok(exit_status(settings, &report.totals()))
}

/// Writes the report in the format and to the place of the settings.
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
    write_to(settings, target, report, paint.without_colors(), &mut bytes)?;
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
            findings_report::text(&view, report, out)
        }
        Format::Json => findings_report::json(report, out),
        Format::Sarif => findings_report::sarif(report, out),
        Format::Github => findings_report::github(report, out),
        Format::Junit => findings_report::junit(report, out),
    }
}

fn exit_status(settings: &Settings, totals: &Totals) -> ExitStatus {
    let limit = if settings.strict {
        Severity::Warning
    } else {
        Severity::Error
    };
    ExitStatus::fine_if(totals.at_least(limit) == 0)
}
