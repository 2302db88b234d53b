//! Plans one unit and checks the result.

use plugin_model::Package;
use skill_diagnostics::{Code, Diagnostic, Severity};
use skill_migrator::{Migration, Source, migrate};

use crate::{
    context::Context,
    discover::Candidate,
    outcome::Status,
    plugin_files::PluginFiles,
    refusal::{INVALID_RESULT, Refusal, changed_meanwhile},
    valid::is_skill,
};

/// Reads the package, plans the unit and checks the plan.
pub(crate) fn plan(
    context: &Context<'_>,
    found: &Candidate,
    collected: &PluginFiles,
    secrets: Vec<Diagnostic>,
) -> Result<Migration, Refusal> {
    let in_manifest = |findings: Vec<Diagnostic>| -> Vec<Diagnostic> {
        findings
            .into_iter()
            .map(|finding| match finding.place.file.clone() {
                Some(file) => finding.in_file(found.path_of(&file)),
                None => finding.in_file(found.manifest_path()),
            })
            .collect()
    };
    let (package, findings) = (found.reader.read)(collected.sources());
    let findings = findings.into_iter();
    let findings = findings.filter(|finding| !is_of_other(finding, found, package.as_ref()));
    let mut findings = in_manifest(findings.collect());
    let (Some(package), Some(naming)) = (package, &found.naming) else {
        return Err((Status::Rejected, findings));
    };
    let mut units = package.units.iter();
    let Some(unit) = units.find(|unit| unit.key == found.unit) else {
        return Err(refuse_lost(found, collected, findings));
    };
    findings.extend(in_manifest(naming.findings.clone()));
    findings.extend(secrets);
    let source = Source {
        directory: &found.directory,
        package: &package,
        unit,
        neighbours: &found.neighbours,
        host: &found.host,
        calls: &found.calls,
    };
    let migration = migrate(
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
    check_result(&migration)?;
    Ok(migration)
}

/// Returns true for a finding in the file of another unit, which the report of that unit has.
fn is_of_other(finding: &Diagnostic, found: &Candidate, package: Option<&Package<'_>>) -> bool {
    let (Some(file), Some(package)) = (finding.place.file.as_deref(), package) else {
        return false;
    };
    let mut units = package.units.iter();
    let is_found = package.units.iter().any(|unit| unit.key == found.unit);
    let is_of_unit = units.any(|unit| unit.key != found.unit && *unit.file == *file);
    // A part that cannot be read is not a unit. Its errors are those of that part only.
    let is_broken = finding.severity == Severity::Error;
    is_of_unit || is_broken && (is_found || !found.is_file_of(file))
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
    let left = collected.left_out.iter();
    let left = left.filter(|left| found.is_file_of(&left.path));
    let reasons = left.map(|left| {
        let message = format!(
            "`{}` is not read: {}",
            left.path.escape_debug(),
            left.reason.phrase()
        );
        Diagnostic::error(UNIT_LEFT_OUT, message).in_file(found.path_of(&left.path))
    });
    let reasons: Vec<Diagnostic> = reasons.collect();
    if reasons.is_empty() {
        return changed_meanwhile(found);
    }
    findings.extend(reasons);
    (Status::Rejected, findings)
}

const UNIT_LEFT_OUT: Code = Code("unit-left-out");

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
