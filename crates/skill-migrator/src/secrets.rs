//! Secrets in what would be carried.
//!
//! A plugin that holds one is refused with the place and never the value (`SECURITY.md`, M11).

use skill_diagnostics::{Diagnostic, LineIndex, Position, Span};
use skill_model::scan_secrets;

/// Files over this size are data rather than text that somebody wrote.
const MAX_SCANNED: u64 = 8 * 1024 * 1024;

/// Whether a file is looked at for secrets.
pub fn is_scanned(bytes: u64) -> bool {
    bytes <= MAX_SCANNED
}

/// One finding for each secret in the text of a file, with its place and without its value.
pub fn secret_findings(path: &str, text: &str) -> Vec<Diagnostic> {
    let hits = scan_secrets(text);
    if hits.is_empty() {
        return Vec::new();
    }
    let index = LineIndex::new(text);
    let findings = hits.into_iter().map(|hit| {
        let position = index.position(hit.range.start);
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
    });
    findings.collect()
}

/// The text with `REDACTED` in place of every secret.
pub fn redact(text: &str) -> String {
    let mut res = String::with_capacity(text.len());
    let mut at = 0;
    for hit in scan_secrets(text) {
        if hit.range.start >= at {
            res.push_str(&text[at..hit.range.start]);
            res.push_str("REDACTED");
            at = hit.range.end;
        }
    }
    res.push_str(&text[at..]);
    res
}
