//! Repairs as diffs.

use std::io::{self, Write};

use similar::TextDiff;

use skill_report::Paint;

/// Writes the difference between the `old` and the `new` text of the file at `path` as a unified
/// diff.
pub fn write(
    path: &str,
    old: &str,
    new: &str,
    paint: Paint,
    out: &mut dyn Write,
) -> io::Result<()> {
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
