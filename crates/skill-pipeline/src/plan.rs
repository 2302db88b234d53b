//! Plans one unit and checks the result.

use skill_diagnostics::Diagnostic;
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
            .map(|finding| finding.in_file(found.manifest_path()))
            .collect()
    };
    let (package, findings) = (found.reader.read)(collected.sources());
    let mut findings = in_manifest(findings);
    let (Some(package), Some(naming)) = (package, &found.naming) else {
        return Err((Status::Rejected, findings));
    };
    let mut units = package.units.iter();
    let Some(unit) = units.find(|unit| unit.key == found.unit) else {
        return Err(changed_meanwhile(found));
    };
    findings.extend(in_manifest(naming.findings.clone()));
    findings.extend(secrets);
    let source = Source {
        directory: &found.directory,
        package: &package,
        unit,
        neighbours: &found.neighbours,
        host: &found.host,
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
