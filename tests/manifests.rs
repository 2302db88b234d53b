//! The result of `plugin-manifest` for every fixture: accepted or refused, with each finding.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use skill_diagnostics::Diagnostic;

use crate::cases;

#[test]
fn good_manifests_are_taken() {
    insta::assert_snapshot!(verdicts("plugins"));
}

#[test]
fn broken_manifests_are_refused_with_a_reason() {
    insta::assert_snapshot!(verdicts("broken"));
}

fn verdicts(area: &str) -> String {
    let mut res = String::new();
    for case in cases::all(area) {
        verdict(&case, &cases::fixtures(area).join(&case), &mut res);
    }
    res
}

fn verdict(case: &str, directory: &Path, acc: &mut String) {
    let bytes = fs::read(manifest_path(directory)).unwrap();
    let (text, mut findings) = plugin_manifest::decode(&bytes);
    let manifest = text.and_then(|text| {
        let (manifest, more) = plugin_manifest::read(text);
        findings.extend(more);
        manifest
    });
    match manifest {
        Some(it) => writeln!(
            acc,
            "{case}: {} ({})",
            it.identity.name.value, it.program.plugin_type_word
        )
        .unwrap(),
        None => writeln!(acc, "{case}: refused").unwrap(),
    }
    for finding in &findings {
        writeln!(acc, "  {}", line(finding)).unwrap();
    }
}

fn manifest_path(directory: &Path) -> PathBuf {
    let names = ["", ".block", ".example"].map(|suffix| format!("plugin-manifest.json{suffix}"));
    names
        .iter()
        .map(|name| directory.join(name))
        .find(|path| path.is_file())
        .unwrap()
}

fn line(finding: &Diagnostic) -> String {
    let place = &finding.place;
    let position = place.span.as_ref().map(|span| span.position);
    let position = position
        .map(|it| format!(" {}:{}", it.line, it.column))
        .unwrap_or_default();
    let pointer = place
        .pointer
        .as_ref()
        .map(|it| format!(" {it}"))
        .unwrap_or_default();
    let help = finding
        .help
        .as_ref()
        .map(|it| format!("\n    hint: {it}"))
        .unwrap_or_default();
    let word = finding.severity.word();
    format!(
        "{word}[{}]{position}{pointer}: {}{help}",
        finding.code, finding.message
    )
}
