//! Secrets in what would be carried.
//!
//! A plugin that holds one is refused with the place and never the value (`SECURITY.md`, M11).

use std::{cmp::Reverse, collections::BTreeSet};

use skill_diagnostics::{Diagnostic, LineIndex, Position, Span};
use skill_model::{SecretHit, scan_secrets};

/// One finding for each secret in the text of a file, with its place and without its value.
pub fn secret_findings(path: &str, text: &str) -> Vec<Diagnostic> {
    findings_of(path, text, &scan_secrets(text), 0)
}

/// One finding for each of the hits in a part of a file; `n_lines` lines stand before the part.
pub fn findings_of(path: &str, text: &str, hits: &[SecretHit], n_lines: u32) -> Vec<Diagnostic> {
    if hits.is_empty() {
        return Vec::new();
    }
    let index = LineIndex::new(text);
    let finding = |hit: &SecretHit| {
        let mut position = index.position(hit.range.start);
        position.line += n_lines;
        let Position { line, .. } = position;
        let message = format!("{path}:{line} holds what looks like {}", hit.kind);
        // An empty span: an excerpt must not show the value.
        let span = Span {
            start: hit.range.start,
            end: hit.range.start,
            position,
        };
        Diagnostic::error(crate::codes::SECRET_FOUND, message)
            .in_file(path)
            .at(span)
            .with_help("move it to config.env, which is never copied, or use --secrets redact")
    };
    hits.iter().map(finding).collect()
}

/// The text with `REDACTED` in place of every secret.
pub fn redact(text: &str) -> String {
    replace(text, |_| "REDACTED".to_owned())
}

/// The text with `REDACTED` in place of every occurrence of the values, also as JSON writes them.
pub fn redact_values(text: &str, values: &BTreeSet<String>) -> String {
    let mut longest_first: Vec<&String> = values.iter().collect();
    longest_first.sort_by_key(|value| Reverse(value.len()));
    let mut res = text.to_owned();
    for value in longest_first {
        let quoted = serde_json::Value::from(value.as_str()).to_string();
        let escaped = quoted.trim_matches('"');
        for form in [value.as_str(), escaped] {
            if !form.is_empty() && res.contains(form) {
                res = res.replace(form, "REDACTED");
            }
        }
    }
    res
}

/// The text with as many asterisks as a secret has bytes in place of every secret, so that places
/// in it stay where they are.
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
