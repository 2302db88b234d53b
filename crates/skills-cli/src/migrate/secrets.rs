//! Secrets kept out of skills: looked for in every file that would be carried and in every text
//! that would be written, then refused or taken out.

use std::borrow::Cow;

use skill_diagnostics::{Code, Diagnostic, Severity};
use skill_loader::{Digest, fs::ReadError};
use skill_migrator::{Migration, SourceFile, findings_of, is_code_file, redact, secret_findings};
use skill_model::scan_issuers;

use super::{
    SecretPolicy,
    collect::Collected,
    decode::{Encoding, decode, encode},
    discover::Found,
    outcome::Status,
    work::{Context, Refusal, manifest_path},
};

const SECRETS_UNCHECKED: Code = Code("secrets-unchecked");

/// Larger files are read in parts of this many bytes.
const PART: usize = 4 << 20;
/// So many bytes at the end of a part are looked at again with the next one; the longest secret
/// is a private key of 16 KiB.
const OVERLAP: usize = 64 << 10;

/// Secrets in what would be carried: reported and refused, or taken out.
pub(super) fn guard_secrets(
    context: &Context<'_>,
    found: &Found,
    collected: &mut Collected,
) -> Result<Vec<Diagnostic>, Refusal> {
    let is_redacting = context.settings.secrets == SecretPolicy::Redact;
    let mut findings = in_manifest(found, collected);
    let files = std::mem::take(&mut collected.files);
    for mut file in files {
        let in_file = in_file(found, collected, &file).map_err(|error| failed_read(&error))?;
        let is_clean = in_file.is_empty();
        findings.extend(in_file);
        if !is_clean && is_redacting {
            let is_redacted =
                take_out(collected, &mut file).map_err(|error| failed_read(&error))?;
            if !is_redacted {
                // A compiled program: taking something out would break the rest.
                return Err((Status::Rejected, findings));
            }
        }
        collected.files.push(file);
    }
    judge(findings, is_redacting)
}

/// Secrets in the texts that would be written. What was taken out of the sources may stand in
/// them in another form.
pub(super) fn guard_texts(
    context: &Context<'_>,
    migration: &mut Migration,
) -> Result<Vec<Diagnostic>, Refusal> {
    let is_redacting = context.settings.secrets == SecretPolicy::Redact;
    let mut findings = Vec::new();
    for file in &mut migration.generated {
        let path = format!("{}/{}", migration.name, file.path);
        let in_file = secret_findings(&path, &file.text);
        if !in_file.is_empty() && is_redacting {
            file.text = redact(&file.text);
            let left = secret_findings(&path, &file.text);
            if !left.is_empty() {
                return Err((Status::Rejected, left));
            }
        }
        findings.extend(in_file);
    }
    judge(findings, is_redacting)
}

fn judge(mut findings: Vec<Diagnostic>, is_redacting: bool) -> Result<Vec<Diagnostic>, Refusal> {
    if !findings.is_empty() && !is_redacting {
        return Err((Status::Rejected, findings));
    }
    for finding in &mut findings {
        finding.severity = Severity::Warning;
        finding.help = Some("REDACTED stands in its place; hand it over at run time".to_owned());
    }
    Ok(findings)
}

fn in_manifest(found: &Found, collected: &mut Collected) -> Vec<Diagnostic> {
    let manifest = String::from_utf8_lossy(&collected.manifest).into_owned();
    let findings = secret_findings(&manifest_path(found), &manifest);
    if !findings.is_empty() {
        collected.manifest = redact(&manifest).into_bytes();
    }
    findings
}

/// Secrets in one file, whatever its size.
fn in_file(
    found: &Found,
    collected: &Collected,
    file: &SourceFile,
) -> Result<Vec<Diagnostic>, ReadError> {
    let path = format!("{}/{}", found.directory, file.path);
    let path = path.trim_start_matches('/');
    match collected.bytes.get(&file.path) {
        Some(bytes) => Ok(in_bytes(path, bytes)),
        None if file.bytes <= PART as u64 => {
            let bytes = collected.root.read(&file.path, file.bytes)?;
            Ok(in_bytes(path, &bytes))
        }
        None => in_parts(path, collected, file),
    }
}

fn in_bytes(path: &str, bytes: &[u8]) -> Vec<Diagnostic> {
    let encoding = Encoding::of(bytes);
    let text = decode(bytes, encoding);
    match encoding {
        Encoding::Binary => findings_of(path, &text, &scan_issuers(&text), 0),
        _ => secret_findings(path, &text),
    }
}

/// Secrets in a file that is too large to be held in memory.
fn in_parts(
    path: &str,
    collected: &Collected,
    file: &SourceFile,
) -> Result<Vec<Diagnostic>, ReadError> {
    let (mut reader, _) = collected.root.read_parts(&file.path, file.bytes)?;
    let mut part = reader.take(PART)?;
    let encoding = Encoding::of(&part);
    let mut findings: Vec<Diagnostic> = Vec::new();
    let mut n_lines: u32 = 0;
    loop {
        let text = decode(&part, encoding);
        let hits = match encoding {
            Encoding::Binary => scan_issuers(&text),
            _ => skill_model::scan_secrets(&text),
        };
        for finding in findings_of(path, &text, &hits, n_lines) {
            // The overlap shows a secret twice, on the same line.
            let is_known = findings.iter().rev().take(hits.len().min(64));
            if !is_known
                .into_iter()
                .any(|known| known.message == finding.message)
            {
                findings.push(finding);
            }
        }
        let next = reader.take(PART)?;
        if next.is_empty() {
            return Ok(findings);
        }
        // UTF-16 has two bytes a character.
        let kept = part.len().saturating_sub(OVERLAP) & !1;
        let n_new = decode(&part[..kept], encoding).matches('\n').count();
        n_lines = n_lines.saturating_add(u32::try_from(n_new).unwrap_or(u32::MAX));
        part.drain(..kept);
        part.extend(next);
    }
}

/// Takes all secrets out of a file. The answer is false when that is not possible.
fn take_out(collected: &mut Collected, file: &mut SourceFile) -> Result<bool, ReadError> {
    let bytes = match collected.bytes.get(&file.path) {
        Some(bytes) => Cow::Borrowed(bytes.as_slice()),
        None => Cow::Owned(collected.root.read(&file.path, file.bytes)?),
    };
    let encoding = Encoding::of(&bytes);
    if encoding == Encoding::Binary {
        return Ok(false);
    }
    let redacted = encode(&redact(&decode(&bytes, encoding)), encoding);
    if !in_bytes("", &redacted).is_empty() {
        return Ok(false);
    }
    file.bytes = redacted.len() as u64;
    file.sha256 = Digest::of(&redacted).hex();
    if is_code_file(&file.path) {
        let text = String::from_utf8_lossy(&redacted).into_owned();
        collected.texts.insert(file.path.clone(), text);
    }
    collected.bytes.insert(file.path.clone(), redacted);
    Ok(true)
}

/// What was not looked at for secrets is not carried.
fn failed_read(error: &ReadError) -> Refusal {
    (
        Status::Failed,
        vec![Diagnostic::error(SECRETS_UNCHECKED, error.to_string())],
    )
}
