//! `--fix`: repairs, shown as diffs before they are written.

use std::io::Write;

use similar::TextDiff;
use skill_checker::{Checker, Repair};

use super::Settings;
use skills_cli::output::{Paint, Streams};

/// Shows every repair and, unless told otherwise, writes it. Returns how many files.
pub(super) fn run(
    checker: &Checker,
    settings: &Settings,
    streams: &mut Streams,
) -> anyhow::Result<usize> {
    let paint = streams.paint(settings.color);
    let mut n_fixed = 0;
    for repair in checker.repairs() {
        let repair = repair?;
        let Repair { path, old, new } = &repair;
        let path = format!("{}{path}", checker.target().prefix);
        show(&path, old, new, paint, &mut streams.stderr)?;
        if !settings.dry_run {
            checker.write(&repair)?;
        }
        n_fixed += 1;
    }
    Ok(n_fixed)
}

fn show(
    path: &str,
    old: &str,
    new: &str,
    paint: Paint,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let diff = TextDiff::from_lines(old, new);
    let diff = diff
        .unified_diff()
        .header(&format!("a/{path}"), &format!("b/{path}"))
        .to_string();
    for line in diff.lines() {
        let line = match line.as_bytes().first() {
            Some(b'+') => paint.good(line),
            Some(b'-') => paint.error(line),
            Some(b'@') => paint.faint(line),
            _ => line.to_owned(),
        };
        writeln!(out, "{line}")?;
    }
    Ok(())
}
