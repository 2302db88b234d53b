//! Reports of findings, one file for each form.

mod github;
mod json;
mod junit;
mod sarif;
mod text;

use std::io::{self, Write};

use skill_loader::fs::write_new;

use crate::output::Streams;
use crate::validate::{Format, Report, Settings, Target};

/// Writes the report in the form and to the place that was asked for.
pub(crate) fn write(
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
    write_to(
        settings,
        target,
        report,
        crate::output::Paint::NONE,
        &mut bytes,
    )?;
    Ok(write_new(path, &bytes)?)
}

fn write_to(
    settings: &Settings,
    target: &Target,
    report: &Report,
    paint: crate::output::Paint,
    out: &mut dyn Write,
) -> io::Result<()> {
    match settings.format {
        Format::Text => text::write(settings, target, report, paint, out),
        Format::Json => json::write(report, out),
        Format::Sarif => sarif::write(report, out),
        Format::Github => github::write(report, out),
        Format::Junit => junit::write(report, out),
    }
}

/// `1 error`, `2 errors`.
fn counted(n: usize, what: &str) -> String {
    if n == 1 {
        format!("1 {what}")
    } else {
        format!("{n} {what}s")
    }
}
