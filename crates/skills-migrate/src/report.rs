//! The report of a run, written in the form and to the places that were asked for.

use std::io::Write as _;

use anyhow::Context as _;
use migration_report::NextSteps;
use migration_report::View;
use parity_record::recorded;
use skill_loader::store::Rollback;
use skill_pipeline::Migrated;
use skill_report::printable;

use super::{Format, Settings};
use skills_cli::{ExitStatus, output::Streams};

impl Settings {
    /// Returns how the result is shown to people.
    pub fn view(&self, streams: &Streams) -> View {
        View {
            mode: self.migrate.mode,
            verbosity: self.show.verbosity,
            paint: streams.paint(self.show.color),
            width: streams.columns,
        }
    }
}

/// Writes the report in the form that was asked for, and the full account to its file.
pub(super) fn write(
    settings: &Settings,
    migrated: &Migrated,
    streams: &mut Streams,
) -> anyhow::Result<()> {
    let mode = settings.migrate.mode;
    if let Some(path) = &settings.show.report {
        let text = if settings.show.report_is_page() {
            migration_report::page(mode, migrated, &recorded(&settings.migrate.out))
        } else {
            migration_report::json(mode, migrated)
        };
        skill_loader::fs::write_new(path, text.as_bytes())
            .with_context(|| format!("cannot write the report {}", path.display()))?;
    }
    match settings.show.format {
        Format::Json => streams
            .stdout
            .write_all(migration_report::json(mode, migrated).as_bytes())?,
        Format::Text => {
            let view = settings.view(streams);
            migration_report::text(view, migrated, &mut streams.stdout, &mut streams.stderr)?;
            if view.verbosity >= 0 {
                let [input, out] = [&settings.migrate.input, &settings.migrate.out];
                let next = NextSteps {
                    input,
                    out,
                    mode,
                    totals: &migrated.totals,
                };
                streams.stdout.write_all(next.to_string().as_bytes())?;
            }
        }
    }
    Ok(())
}

/// What a rollback did.
pub(super) fn rollback(
    done: Option<&Rollback>,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let Some(done) = done else {
        writeln!(streams.stdout, "there is nothing to roll back")?;
        return Ok(ExitStatus::Fine);
    };
    for (verb, names) in [("restored", &done.restored), ("removed", &done.removed)] {
        let skills = if names.len() == 1 { "skill" } else { "skills" };
        match names.as_slice() {
            [] => writeln!(streams.stdout, "0 skills {verb}")?,
            names => writeln!(
                streams.stdout,
                "{} {skills} {verb}: {}",
                names.len(),
                printable(&names.join(", "))
            )?,
        }
    }
    for name in &done.conflicts {
        writeln!(
            streams.stderr,
            "error[conflict]: the skill `{name}` was edited since and stays as it is"
        )?;
    }
    Ok(if done.conflicts.is_empty() {
        ExitStatus::Fine
    } else {
        ExitStatus::Findings
    })
}
