//! The result of packing for people and programs.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};
use skill_diagnostics::Severity;
use skill_report::{Paint, excerpt, printable};

use crate::pack::Packed;

/// Returns the text for standard output and the findings for standard error. Notes are left out unless
/// `with_notes`.
pub fn text(packed: &Packed, out: &Path, with_notes: bool, paint: Paint) -> (String, String) {
    let mut res = String::new();
    for change in &packed.changes {
        let word = paint.say(change.impact.word()).into_owned();
        let what = paint.say(&change.what);
        let _ = writeln!(res, "{word:<9} {}: {what}", printable(&change.skill));
    }
    let left = packed.not_runnable.len();
    if left > 0 {
        let line = match left {
            1 => "left out 1 skill that cannot be run".to_owned(),
            _ => format!("left out {left} skills that cannot be run"),
        };
        let _ = writeln!(res, "{}", paint.say(&line));
    }
    let (n, name, version) = (packed.skills.len(), &packed.name, &packed.version);
    let place = printable(&out.display().to_string());
    let line = match (n, packed.n_written) {
        (0, _) => format!("nothing was written to {place}"),
        (1, 0) => format!("{name} {version} with 1 skill is unchanged in {place}"),
        (1, _) => format!("packed 1 skill as {name} {version} in {place}"),
        (_, 0) => format!("{name} {version} with {n} skills is unchanged in {place}"),
        _ => format!("packed {n} skills as {name} {version} in {place}"),
    };
    let _ = writeln!(res, "{}", paint.say(&line));
    for line in hints(packed, &place) {
        let _ = writeln!(res, "{}", paint.say(&line));
    }
    let findings = packed.findings.iter();
    let shown = findings.filter(|finding| with_notes || finding.severity != Severity::Note);
    let findings = shown.map(|finding| format!("{}\n", excerpt(finding, None, paint)));
    (res, findings.collect())
}

/// Returns what a person may want to know of a package that was written, and where to read on.
fn hints(packed: &Packed, place: &str) -> Vec<String> {
    if packed.n_written == 0 {
        return Vec::new();
    }
    let unready = match packed.unready.len() {
        0 => None,
        1 => Some(
            "1 of them is switched off or cannot be run yet; --only-runnable leaves it out"
                .to_owned(),
        ),
        n => Some(format!(
            "{n} of them are switched off or cannot be run yet; --only-runnable leaves them out"
        )),
    };
    let next = format!("next: {place}/README.md says how hosts install it");
    unready.into_iter().chain([next]).collect()
}

/// Returns everything for programs.
pub fn json(packed: &Packed) -> Value {
    let changes = packed.changes.iter().map(|change| {
        json!({"skill": change.skill, "impact": change.impact.word(), "what": change.what})
    });
    let findings = packed.findings.iter().map(|finding| {
        json!({
            "code": finding.code.0,
            "severity": finding.severity.word(),
            "message": finding.message,
            "file": finding.place.file,
            "help": finding.help,
        })
    });
    json!({
        "version": 1,
        "package": {"name": packed.name, "version": packed.version.to_string()},
        "last_version": packed.last_version,
        "skills": packed.skills,
        "not_runnable": packed.not_runnable,
        "unready": packed.unready,
        "archives": packed.n_archives,
        "files": packed.n_files,
        "written": packed.n_written,
        "changes": changes.collect::<Vec<_>>(),
        "findings": findings.collect::<Vec<_>>(),
    })
}
