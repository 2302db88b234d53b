//! Keeps secrets out of skills: every file that would be copied and every text that would be
//! written is searched, and secrets are rejected or redacted.

use std::{borrow::Cow, collections::BTreeSet};

use plugin_model::SourceFile;
use skill_diagnostics::{Code, Diagnostic, Severity};
use skill_loader::{Digest, fs::ReadError};
use skill_migrator::{Migration, findings_of, manifest_secrets, places_of};
use skill_model::{SecretHit, scan_issuers, scan_secrets};

use crate::{
    SecretPolicy,
    context::Context,
    decode::{Encoding, decode, encode},
    discover::Candidate,
    outcome::Status,
    plugin_files::PluginFiles,
    redaction,
    refusal::Refusal,
    scans::{Scan, Scans},
    server_entries::{self, Planned, ServerEntries},
};

const SECRETS_UNCHECKED: Code = Code("secrets-unchecked");

/// The size of a part, in bytes; larger files are read in parts.
const PART: usize = 4 << 20;
/// The number of bytes at the end of a part that are searched again with the next one. The longest
/// secret is a private key of 16 KiB.
const OVERLAP: usize = 64 << 10;

/// Finds secrets in the files that would be copied. Values to be redacted are added to `values`.
/// `needed` are the files that the unit needs; `None` stands for all. Secrets in the entries of other MCP
/// servers are not the unit's: they are only redacted.
pub(crate) fn find_secrets(
    context: &Context<'_>,
    found: &Candidate,
    (collected, scans): (&PluginFiles, &Scans),
    values: &mut BTreeSet<String>,
    (needed, planned): (Option<&BTreeSet<String>>, Planned<'_>),
) -> Result<Vec<Diagnostic>, Refusal> {
    let mut findings = in_manifest(found, (collected, scans), values, planned);
    let is_needed = |file: &&SourceFile| needed.is_none_or(|needed| needed.contains(&file.path));
    for file in collected.files.iter().filter(is_needed) {
        let scan = scans.file(&file.path, || scan_file(found, collected, file));
        let scan = scan.map_err(|error| failed_read(&error))?;
        values.extend(scan.values.iter().cloned());
        let about = about_unit(collected, (file, planned), &scan.findings);
        findings.extend(about.map_err(|error| failed_read(&error))?);
    }
    for path in needed.into_iter().flatten() {
        let is_copied = collected.files.iter().any(|file| file.path == *path);
        if let Some(text) = collected.texts.get(path).filter(|_| !is_copied) {
            findings.extend(in_document(found, (path, text), scans, values, planned));
        }
    }
    judge(findings, policy(context, found))
}

/// Finds secrets in a document that is read and not copied, such as `.mcp.json`.
fn in_document(
    found: &Candidate,
    (path, text): (&str, &str),
    scans: &Scans,
    values: &mut BTreeSet<String>,
    planned: Planned<'_>,
) -> Vec<Diagnostic> {
    let scan = scans.file(path, || {
        let mut values = BTreeSet::new();
        let whole = found.path_of(path);
        let findings = manifest_findings(&whole, text, &mut values);
        Ok(Scan { findings, values })
    });
    let Ok(scan) = scan else {
        return Vec::new();
    };
    values.extend(scan.values.iter().cloned());
    ServerEntries::of(planned, path, text).about_unit(scan.findings.clone())
}

/// Returns true if addresses in the documents of a service have secrets, which no copy has.
pub(crate) fn has_address_secrets(
    found: &Candidate,
    collected: &PluginFiles,
    scans: &Scans,
) -> bool {
    let manifest = String::from_utf8_lossy(&collected.manifest);
    let mut texts = collected.texts.values().map(String::as_str);
    let has = |text: &str| scans.without_address_secrets(text).is_some();
    is_service(found) && (has(&manifest) || texts.any(has))
}

/// Returns true for a unit that is described by the document of a service.
fn is_service(found: &Candidate) -> bool {
    matches!(found.reader.name, "openapi" | "ai-plugin")
}

/// Returns a text without secrets and these values.
fn redacted(
    found: &Candidate,
    (path, text): (&str, &str),
    values: &BTreeSet<String>,
    scans: &Scans,
) -> String {
    let without = is_service(found).then(|| scans.without_address_secrets(text));
    let without = without.flatten();
    redaction::redacted(path, without.as_deref().unwrap_or(text), values)
}

/// Redacts values in the manifest and in all files.
pub(crate) fn take_out_values(
    found: &Candidate,
    mut collected: PluginFiles,
    values: &BTreeSet<String>,
    scans: &Scans,
) -> Result<PluginFiles, Refusal> {
    let manifest = String::from_utf8_lossy(&collected.manifest).into_owned();
    let redacted = redacted(found, (&found.manifest_file, &manifest), values, scans);
    if redacted != manifest {
        let left = manifest_findings(&found.manifest_path(), &redacted, &mut BTreeSet::new());
        refuse_left(left.into_iter().map(|(_, finding)| finding).collect())?;
        collected.manifest = redacted.into_bytes();
    }
    let mut files = std::mem::take(&mut collected.files);
    for file in &mut files {
        let left = take_out(found, (&mut collected, file), values, scans)
            .map_err(|error| failed_read(&error))?;
        refuse_left(left)?;
    }
    collected.files = files;
    Ok(collected)
}

/// Finds secrets in the texts that would be written, if the sources have them in a form that the
/// first search does not recognize. The findings name the place in the manifest; the values are
/// added to `values`.
pub(crate) fn in_texts(
    found: &Candidate,
    collected: &PluginFiles,
    migration: &Migration,
    values: &mut BTreeSet<String>,
) -> Vec<Diagnostic> {
    let manifest = String::from_utf8_lossy(&collected.manifest);
    let path = found.manifest_path();
    let mut findings: Vec<Diagnostic> = Vec::new();
    for file in &migration.generated {
        for hit in scan_secrets(&file.text) {
            if is_digest(&file.text, &hit) {
                continue;
            }
            let value = &file.text[hit.range.clone()];
            values.insert(value.to_owned());
            let places = places_of(value, hit.kind, &manifest);
            let made = places.iter().map(|place| place.finding(&path, &manifest));
            let mut made: Vec<Diagnostic> = made.collect();
            if made.is_empty() {
                made = findings_of(
                    &format!("{}/{}", migration.name, file.path),
                    &file.text,
                    &[hit],
                    0,
                );
            }
            made.retain(|finding| !findings.contains(finding));
            findings.extend(made);
        }
    }
    findings
}

/// Returns true for a digest of ours in METADATA.yml: that of a tool may have a name such as `press_key`.
fn is_digest(text: &str, hit: &SecretHit) -> bool {
    const MARK: &str = "sha256:";
    let value = &text[hit.range.clone()];
    let is_marked = text[..hit.range.start].ends_with(MARK);
    let digits = value.strip_prefix(MARK).or(is_marked.then_some(value));
    digits.is_some_and(|it| it.len() == 64 && it.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Returns what happens to secrets. The document of an API is full of examples of keys, and most are those
/// of nobody: they are redacted, so that the API is migrated and no value is carried.
pub(crate) fn policy(context: &Context<'_>, found: &Candidate) -> SecretPolicy {
    if is_service(found) {
        SecretPolicy::Redact
    } else {
        context.options.secrets
    }
}

/// Rejects a plugin with secrets, or turns the findings into warnings for a caller that redacts the
/// secrets. Secrets that are only encoded are always redacted.
pub(crate) fn judge(
    mut findings: Vec<Diagnostic>,
    policy: SecretPolicy,
) -> Result<Vec<Diagnostic>, Refusal> {
    let is_certain = |finding: &Diagnostic| finding.severity == Severity::Error;
    if policy == SecretPolicy::Refuse && findings.iter().any(is_certain) {
        return Err((Status::Rejected, findings));
    }
    let is_judged = |finding: &Diagnostic| server_entries::is_judged(finding.help.as_deref());
    for finding in findings.iter_mut().filter(|it| !is_judged(it)) {
        finding.severity = Severity::Warning;
        finding.help =
            Some("REDACTED was written in its place; pass the value at run time".to_owned());
    }
    Ok(findings)
}

/// Rejects a plugin in which secrets remain after the redaction.
pub(crate) fn refuse_left(mut left: Vec<Diagnostic>) -> Result<(), Refusal> {
    if left.is_empty() {
        return Ok(());
    }
    for finding in &mut left {
        finding.severity = Severity::Error;
    }
    Err((Status::Rejected, left))
}

fn in_manifest(
    found: &Candidate,
    (collected, scans): (&PluginFiles, &Scans),
    values: &mut BTreeSet<String>,
    planned: Planned<'_>,
) -> Vec<Diagnostic> {
    let manifest = String::from_utf8_lossy(&collected.manifest);
    let text = manifest.strip_prefix('\u{FEFF}').unwrap_or(&manifest);
    let scan = scans.manifest.get_or_init(|| {
        let mut values = BTreeSet::new();
        let findings = manifest_findings(&found.manifest_path(), text, &mut values);
        Scan { findings, values }
    });
    values.extend(scan.values.iter().cloned());
    // The usual manifest has none, and is not parsed for that.
    if scan.findings.is_empty() {
        return Vec::new();
    }
    let entries = ServerEntries::of(planned, &found.manifest_file, text);
    entries.about_unit(scan.findings.clone())
}

/// Finds secrets in the values of the manifest, then those that only its whole text shows. Returns
/// findings with their offsets.
fn manifest_findings(
    path: &str,
    manifest: &str,
    values: &mut BTreeSet<String>,
) -> Vec<(usize, Diagnostic)> {
    let manifest = manifest.strip_prefix('\u{FEFF}').unwrap_or(manifest);
    let secrets = manifest_secrets(manifest);
    let findings = secrets
        .iter()
        .map(|secret| (secret.start, secret.finding(path, manifest)));
    let mut findings: Vec<(usize, Diagnostic)> = findings.collect();
    let is_known = |value: &str| secrets.iter().any(|known| value.contains(&known.value));
    let hits = scan_secrets(manifest).into_iter();
    let more: Vec<SecretHit> = hits
        .filter(|hit| !is_known(&manifest[hit.range.clone()]))
        .collect();
    let starts = more.iter().map(|hit| hit.range.start);
    findings.extend(starts.zip(findings_of(path, manifest, &more, 0)));
    add_values(manifest, &more, values);
    values.extend(secrets.into_iter().map(|secret| secret.value));
    findings
}

/// Adds the values of hits. Short values are left out, because they also occur as ordinary words.
fn add_values(text: &str, hits: &[SecretHit], values: &mut BTreeSet<String>) {
    const MIN: usize = 6;
    let found = hits.iter().map(|hit| &text[hit.range.clone()]);
    values.extend(found.filter(|value| value.len() >= MIN).map(str::to_owned));
}

/// Finds secrets in one file of any size.
fn scan_file(
    found: &Candidate,
    collected: &PluginFiles,
    file: &SourceFile,
) -> Result<Scan, ReadError> {
    let path = format!("{}/{}", found.directory, file.path);
    let path = path.trim_start_matches('/');
    let mut values = BTreeSet::new();
    let findings = match bytes_of(collected, file)? {
        Some(bytes) => in_bytes(path, &bytes, &mut values),
        None => {
            let findings = in_parts(path, collected, file, &mut values)?;
            findings.into_iter().map(|it| (usize::MAX, it)).collect()
        }
    };
    Ok(Scan { findings, values })
}

/// Returns the bytes of a file; `None` if it is read in parts.
fn bytes_of<'c>(
    collected: &'c PluginFiles,
    file: &SourceFile,
) -> Result<Option<Cow<'c, [u8]>>, ReadError> {
    match collected.bytes.get(&file.path) {
        Some(bytes) => Ok(Some(Cow::Borrowed(bytes))),
        None if file.bytes <= PART as u64 => {
            let bytes = collected.root.read(&file.path, file.bytes)?;
            Ok(Some(Cow::Owned(bytes)))
        }
        None => Ok(None),
    }
}

/// Returns the findings in a file that are about the unit. The usual file has none, and is not parsed for that.
fn about_unit(
    collected: &PluginFiles,
    (file, planned): (&SourceFile, Planned<'_>),
    findings: &[(usize, Diagnostic)],
) -> Result<Vec<Diagnostic>, ReadError> {
    if findings.is_empty() {
        return Ok(Vec::new());
    }
    let Some(bytes) = bytes_of(collected, file)? else {
        return Ok(findings.iter().map(|(_, it)| it.clone()).collect());
    };
    let text = decode(&bytes, Encoding::detect(&bytes));
    let entries = ServerEntries::of(planned, &file.path, &text);
    Ok(entries.about_unit(findings.to_vec()))
}

/// Finds secrets in the bytes of a file. Returns findings with their offsets in its text.
fn in_bytes(path: &str, bytes: &[u8], values: &mut BTreeSet<String>) -> Vec<(usize, Diagnostic)> {
    let encoding = Encoding::detect(bytes);
    let text = decode(bytes, encoding);
    let hits = match encoding {
        Encoding::Binary => scan_issuers(&text),
        _ => scan_secrets(&text),
    };
    add_values(&text, &hits, values);
    let starts = hits.iter().map(|hit| hit.range.start);
    starts.zip(findings_of(path, &text, &hits, 0)).collect()
}

/// Returns the findings about the bytes of a file.
fn findings_in(path: &str, bytes: &[u8]) -> Vec<Diagnostic> {
    let findings = in_bytes(path, bytes, &mut BTreeSet::new());
    findings.into_iter().map(|(_, finding)| finding).collect()
}

/// Finds secrets in a file that is too large for memory.
fn in_parts(
    path: &str,
    collected: &PluginFiles,
    file: &SourceFile,
    values: &mut BTreeSet<String>,
) -> Result<Vec<Diagnostic>, ReadError> {
    let (mut reader, _) = collected.root.read_parts(&file.path, file.bytes)?;
    let mut part = reader.take(PART)?;
    let encoding = Encoding::detect(&part);
    let mut findings: Vec<Diagnostic> = Vec::new();
    let mut n_lines: u32 = 0;
    loop {
        let text = decode(&part, encoding);
        let hits = match encoding {
            Encoding::Binary => scan_issuers(&text),
            _ => scan_secrets(&text),
        };
        add_values(&text, &hits, values);
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

/// Redacts all secrets in a file. Returns findings about secrets that cannot be redacted: in a
/// compiled program, that would break the rest.
fn take_out(
    found: &Candidate,
    (collected, file): (&mut PluginFiles, &mut SourceFile),
    values: &BTreeSet<String>,
    scans: &Scans,
) -> Result<Vec<Diagnostic>, ReadError> {
    let bytes = match collected.bytes.get(&file.path) {
        Some(bytes) => Cow::Borrowed(bytes.as_slice()),
        None => Cow::Owned(collected.root.read(&file.path, file.bytes)?),
    };
    let path = format!("{}/{}", found.directory, file.path);
    let path = path.trim_start_matches('/');
    let encoding = Encoding::detect(&bytes);
    if encoding == Encoding::Binary {
        return Ok(findings_in(path, &bytes));
    }
    let text = decode(&bytes, encoding);
    let redacted = redacted(found, (&file.path, &text), values, scans);
    if redacted == text {
        return Ok(Vec::new());
    }
    let redacted = encode(&redacted, encoding);
    let left = findings_in(path, &redacted);
    if !left.is_empty() {
        return Ok(left);
    }
    file.bytes = redacted.len() as u64;
    file.sha256 = Digest::from_content(&redacted).hex();
    if collected.texts.contains_key(&file.path) {
        let text = String::from_utf8_lossy(&redacted).into_owned();
        collected.texts.insert(file.path.clone(), text);
    }
    collected.bytes.insert(file.path.clone(), redacted);
    Ok(Vec::new())
}

/// Returns the refusal of a plugin with a file that could not be searched for secrets.
fn failed_read(error: &ReadError) -> Refusal {
    (
        Status::Failed,
        vec![Diagnostic::error(SECRETS_UNCHECKED, error.to_string())],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[bool]) {
        let hits = scan_secrets(text);
        let found: Vec<bool> = hits.iter().map(|hit| is_digest(text, hit)).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn digests_of_tools_are_no_secrets() {
        let digest = "6dd1346a210f1c54fa0a05611880d42fb30d781a60cae43cad9ac6bd6d986233";
        check(&format!("browser_press_key: sha256:{digest}\n"), &[true]);
        check(&format!("api_key: {digest}\n"), &[false]);
        check(&format!("api_key: sha256:{digest}ab\n"), &[false]);
    }
}
