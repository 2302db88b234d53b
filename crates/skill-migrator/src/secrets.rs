//! Secrets in files that would be copied.
//!
//! A plugin with a secret is refused with the position and never the value (`SECURITY.md`, M11).

use std::{cmp::Reverse, collections::BTreeSet};

use skill_diagnostics::{Diagnostic, LineIndex, Position, Span};
use skill_model::{REDACTED, SecretHit, scan_secrets};

/// Returns one finding per secret in the text of a file, with its position and without its value.
pub fn secret_findings(path: &str, text: &str) -> Vec<Diagnostic> {
    findings_of(path, text, &scan_secrets(text), 0)
}

/// Returns one finding for each of the hits in a part of a file, which `n_lines` lines precede: an
/// error, or a warning for a secret in base64, which is taken out and does not keep a plugin back.
pub fn findings_of(path: &str, text: &str, hits: &[SecretHit], n_lines: u32) -> Vec<Diagnostic> {
    if hits.is_empty() {
        return Vec::new();
    }
    let index = LineIndex::new(text);
    let finding = |hit: &SecretHit| {
        let mut position = index.position(hit.range.start);
        position.line += n_lines;
        let Position { line, .. } = position;
        let message = format!("{path}:{line} contains what looks like {}", hit.kind);
        // An empty span: an excerpt must not contain the value.
        let span = Span {
            start: hit.range.start,
            end: hit.range.start,
            position,
        };
        let made = if hit.is_encoded() {
            Diagnostic::warning(crate::codes::SECRET_FOUND, message)
        } else {
            Diagnostic::error(crate::codes::SECRET_FOUND, message)
        };
        made.in_file(path)
            .at(span)
            .with_help("move it to config.env, which is never copied, or use --secrets redact")
    };
    hits.iter().map(finding).collect()
}

/// Returns the text with `REDACTED` in place of every secret.
pub fn redact(text: &str) -> String {
    replace(text, |_| REDACTED.to_owned())
}

/// Returns the text with `REDACTED` in place of every occurrence of the values, also in their JSON
/// form.
pub fn redact_values(text: &str, values: &BTreeSet<String>) -> String {
    let mut longest_first: Vec<&String> = values.iter().collect();
    longest_first.sort_by_key(|value| Reverse(value.len()));
    let mut res = text.to_owned();
    for value in longest_first {
        let quoted = serde_json::Value::from(value.as_str()).to_string();
        let escaped = quoted.trim_matches('"');
        for form in [value.as_str(), escaped] {
            if !form.is_empty() && res.contains(form) {
                res = res.replace(form, REDACTED);
            }
        }
    }
    res
}

/// Returns the text with asterisks in place of the bytes of every secret, so that positions in it
/// stay the same.
pub fn mask(text: &str) -> String {
    replace(text, |secret| "*".repeat(secret.len()))
}

fn replace(text: &str, with: impl Fn(&str) -> String) -> String {
    let mut res = String::with_capacity(text.len());
    let mut at = 0;
    for hit in scan_secrets(text) {
        res.push_str(&text[at..hit.range.start]);
        res.push_str(&with(&text[hit.range.clone()]));
        at = hit.range.end;
    }
    res.push_str(&text[at..]);
    res
}
