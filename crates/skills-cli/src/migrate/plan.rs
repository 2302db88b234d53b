//! The plan for one plugin: secrets kept out, the manifest read, the result checked.

use std::borrow::Cow;

use skill_diagnostics::{Code, Diagnostic, Severity};
use skill_loader::{Digest, fs::ReadError};
use skill_migrator::{
    Migration, Plugin, is_code_file, is_scanned, migrate, redact, secret_findings,
};
use skill_model::parse_skill;

use super::{
    SecretPolicy,
    collect::Collected,
    discover::Found,
    outcome::Status,
    work::{Context, INVALID_RESULT, Refusal, manifest_path},
};

const SECRETS_UNCHECKED: Code = Code("secrets-unchecked");

/// Secrets in what would be carried: reported and refused, or taken out.
pub(super) fn guard_secrets(
    context: &Context<'_>,
    found: &Found,
    collected: &mut Collected,
) -> Result<Vec<Diagnostic>, Refusal> {
    let mut findings = Vec::new();
    let manifest_path = manifest_path(found);
    let manifest = String::from_utf8_lossy(&collected.manifest).into_owned();
    let in_manifest = secret_findings(&manifest_path, &manifest);
    if !in_manifest.is_empty() {
        collected.manifest = redact(&manifest).into_bytes();
        findings.extend(in_manifest);
    }
    for file in &mut collected.files {
        if !is_scanned(file.bytes) {
            continue;
        }
        let bytes = match collected.bytes.get(&file.path) {
            Some(bytes) => Cow::Borrowed(bytes.as_slice()),
            None => Cow::Owned(
                collected
                    .root
                    .read(&file.path, file.bytes)
                    .map_err(|error| failed_read(&error))?,
            ),
        };
        let text = lossy(&bytes);
        let path = format!("{}/{}", found.directory, file.path);
        let in_file = secret_findings(path.trim_start_matches('/'), &text);
        if in_file.is_empty() {
            continue;
        }
        findings.extend(in_file);
        if std::str::from_utf8(&bytes).is_err() {
            // A binary file or another encoding: taking something out would break the rest.
            return Err((Status::Rejected, findings));
        }
        let redacted = redact(&text).into_bytes();
        file.bytes = redacted.len() as u64;
        file.sha256 = Digest::of(&redacted).hex();
        if is_code_file(&file.path) {
            collected.texts.insert(
                file.path.clone(),
                String::from_utf8_lossy(&redacted).into_owned(),
            );
        }
        collected.bytes.insert(file.path.clone(), redacted);
    }
    if findings.is_empty() || context.settings.secrets == SecretPolicy::Redact {
        for finding in &mut findings {
            finding.severity = Severity::Warning;
            finding.help =
                Some("REDACTED stands in its place; hand it over at run time".to_owned());
        }
        return Ok(findings);
    }
    Err((Status::Rejected, findings))
}

/// What was not looked at for secrets is not carried.
fn failed_read(error: &ReadError) -> Refusal {
    (
        Status::Failed,
        vec![Diagnostic::error(SECRETS_UNCHECKED, error.to_string())],
    )
}

/// The text of a file, UTF-16 included. Checking first is much faster than replacing where nothing
/// is wrong.
fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    match (bytes, std::str::from_utf8(bytes)) {
        (_, Ok(text)) => Cow::Borrowed(text),
        ([0xFF, 0xFE, rest @ ..], _) => utf16(rest, u16::from_le_bytes),
        ([0xFE, 0xFF, rest @ ..], _) => utf16(rest, u16::from_be_bytes),
        _ => String::from_utf8_lossy(bytes),
    }
}

fn utf16(bytes: &[u8], unit: impl Fn([u8; 2]) -> u16) -> Cow<'static, str> {
    let units: Vec<u16> = bytes
        .chunks_exact(2)
        .map(|pair| unit([pair[0], pair[1]]))
        .collect();
    Cow::Owned(String::from_utf16_lossy(&units))
}

/// The manifest read, the plan made and checked.
pub(super) fn plan(
    context: &Context<'_>,
    found: &Found,
    collected: &Collected,
    secrets: Vec<Diagnostic>,
) -> Result<Migration, Refusal> {
    let in_manifest = |findings: Vec<Diagnostic>| -> Vec<Diagnostic> {
        findings
            .into_iter()
            .map(|finding| finding.in_file(manifest_path(found)))
            .collect()
    };
    let (text, mut findings) = plugin_manifest::decode(&collected.manifest);
    let Some(text) = text else {
        return Err((Status::Rejected, in_manifest(findings)));
    };
    let (manifest, more) = plugin_manifest::read(text);
    findings.extend(more);
    findings = in_manifest(findings);
    let (Some(manifest), Some(naming)) = (manifest, &found.naming) else {
        return Err((Status::Rejected, findings));
    };
    findings.extend(in_manifest(naming.findings.clone()));
    findings.extend(secrets);
    let plugin = Plugin {
        directory: &found.directory,
        manifest_file: found.manifest_file,
        manifest_text: text,
        manifest: &manifest,
        files: &collected.files,
        texts: &collected.texts,
        left_out: &collected.left_out,
        neighbours: &found.neighbours,
    };
    let migration = migrate(
        &plugin,
        &naming.name,
        findings,
        context.templates,
        context.settings.options,
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

/// What is written must be a valid skill; anything else is our own mistake and is not written.
fn check_result(migration: &Migration) -> Result<(), Refusal> {
    let skill = migration
        .generated
        .iter()
        .find(|file| file.path == "SKILL.md");
    let (parsed, findings) = parse_skill(skill.map_or("", |file| &file.text));
    let frontmatter = parsed.map(|skill| skill.frontmatter());
    let is_valid = findings.is_empty()
        && frontmatter.is_some_and(|frontmatter| {
            let n_characters = frontmatter.description.chars().count();
            frontmatter.name == migration.name.as_str() && (1..=1024).contains(&n_characters)
        });
    if is_valid {
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
