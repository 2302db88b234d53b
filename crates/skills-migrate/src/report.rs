//! The report of a run, in the format and at the places of the settings.

use std::io::Write as _;

use anyhow::Context as _;
use migration_report::{NextSteps, View};
use parity_record::recorded;
use skill_pipeline::Migrated;

use crate::settings::{Format, Settings};
use skills_cli::output::Streams;

impl Settings {
    /// Returns the presentation of the text for people.
    pub fn view(&self, streams: &Streams) -> View {
        View {
            mode: self.migrate.mode,
            verbosity: self.show.verbosity,
            paint: streams.paint(self.show.color),
            width: streams.columns,
        }
    }
}

/// Writes the report in its format, and the full report to its file.
pub(super) fn write(
    settings: &Settings,
    migrated: &Migrated,
    streams: &mut Streams,
) -> anyhow::Result<()> {
    let mode = settings.migrate.mode;
    let json = || migration_report::json(mode, migrated, &recorded(&settings.migrate.out));
    if let Some(path) = &settings.show.report {
        let text = if settings.show.report_is_page() {
            let parity = recorded(&settings.migrate.out);
            migration_report::page(mode, migrated, &parity, streams.language)
        } else {
            json()
        };
        skill_loader::fs::write_new(path, text.as_bytes())
            .with_context(|| format!("cannot write the report {}", path.display()))?;
    }
    match settings.show.format {
        Format::Json => streams.stdout.write_all(json().as_bytes())?,
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
                    language: streams.language,
                };
                streams.stdout.write_all(next.to_string().as_bytes())?;
            }
        }
    }
    Ok(())
}
