//! Plans one unit and checks the result.

use std::collections::BTreeSet;

use skill_diagnostics::{Diagnostic, Severity};
use skill_migrator::{Migration, Source, keep_tools, migrate};
use skill_model::{Metadata, Transport, read_metadata};

use crate::{
    context::Context,
    discover::Candidate,
    outcome::Status,
    plugin_files::PluginFiles,
    polishing,
    reading::Reading,
    refusal::{INVALID_RESULT, Refusal, changed_meanwhile},
    rest, unread,
    valid::is_skill,
};

/// The largest METADATA.yml, in bytes.
const MAX_METADATA: u64 = 8 << 20;

/// Plans the unit and checks the plan.
pub(crate) fn plan(
    context: &Context<'_>,
    found: &Candidate,
    collected: &PluginFiles,
    reading: &Reading<'_>,
    secrets: Vec<Diagnostic>,
) -> Result<Migration, Refusal> {
    let in_manifest = |findings: Vec<Diagnostic>| -> Vec<Diagnostic> {
        let findings = findings.into_iter();
        findings.map(|finding| found.in_input(finding)).collect()
    };
    let mut findings = in_manifest(reading.findings(found));
    let (Some(package), Some(naming)) = (&reading.package, &found.naming) else {
        let reasons = left_out(found, collected);
        return Err(if !reasons.is_empty() {
            // A package without a part has one whose file is not read.
            (Status::Rejected, reasons)
        } else if reading.has_nothing() {
            (Status::Nothing, findings)
        } else {
            (Status::Rejected, findings)
        });
    };
    let Some(unit) = reading.unit(found) else {
        return Err(refuse_lost(found, collected, findings));
    };
    findings.extend(in_manifest(naming.findings.clone()));
    findings.extend(secrets);
    findings.extend(in_manifest(
        rest::finding(context, found, collected, reading)
            .into_iter()
            .collect(),
    ));
    let source = found.source(package, unit, &reading.mentions);
    let (polish, unused) = polishing::polish(context.polish, naming.name.as_str(), &source);
    findings.extend(unused);
    let source = Source {
        polish: polish.as_ref(),
        ..source
    };
    let given: BTreeSet<Diagnostic> = findings.iter().cloned().collect();
    let mut migration = migrate(
        &source,
        &naming.name,
        findings,
        context.templates,
        context.options.texts,
    )
    .map_err(|error| {
        (
            Status::Failed,
            vec![Diagnostic::error(INVALID_RESULT, error.to_string())],
        )
    })?;
    for finding in &mut migration.findings {
        if finding.place.file.is_some() && !given.contains(finding) {
            *finding = found.in_input(finding.clone());
        }
    }
    reading.taken.note(&found.unit, &migration);
    if let Some(earlier) = earlier_server(context, &migration) {
        keep_tools(&mut migration, &earlier);
    }
    check_result(&migration)?;
    Ok(migration)
}

/// Returns METADATA.yml of the skill on disk, for an MCP server, whose tools only that has.
fn earlier_server(context: &Context<'_>, migration: &Migration) -> Option<Metadata> {
    if migration.metadata.transport != Some(Transport::Mcp) {
        return None;
    }
    let path = context.store.path(migration.name.as_str());
    let text = context
        .store
        .root()?
        .read(&format!("{path}/METADATA.yml"), MAX_METADATA);
    read_metadata(std::str::from_utf8(&text.ok()?).ok()?).0
}

/// Returns the refusal of a unit that the package, as it was read, does not have: its file is not
/// copied, or the package changed since it was named.
fn refuse_lost(
    found: &Candidate,
    collected: &PluginFiles,
    mut findings: Vec<Diagnostic>,
) -> Refusal {
    if findings
        .iter()
        .any(|finding| finding.severity == Severity::Error)
    {
        return (Status::Rejected, findings);
    }
    let reasons = left_out(found, collected);
    if reasons.is_empty() {
        return changed_meanwhile(found);
    }
    findings.extend(reasons);
    (Status::Rejected, findings)
}

/// Returns the reasons why the file of a unit is not read.
fn left_out(found: &Candidate, collected: &PluginFiles) -> Vec<Diagnostic> {
    let left = collected.left_out.iter();
    let left = left.filter(|left| found.is_file_of(&left.path));
    left.map(|left| unread::finding(found, collected, left))
        .collect()
}

/// Checks that the planned skill is valid; anything else is a defect of this tool and is not
/// written.
fn check_result(migration: &Migration) -> Result<(), Refusal> {
    let skill = migration
        .generated
        .iter()
        .find(|file| file.path == "SKILL.md");
    if skill.is_some_and(|file| is_skill(migration.name.as_str(), &file.text)) {
        return Ok(());
    }
    let message = format!(
        "the skill `{}` would not be valid; please report this",
        migration.name
    );
    Err((
        Status::Failed,
        vec![Diagnostic::error(INVALID_RESULT, message)],
    ))
}
