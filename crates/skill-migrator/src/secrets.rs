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
        made.in_file(path).at(span).with_help(help(path))
    };
    hits.iter().map(finding).collect()
}

/// Returns what to do about a secret in a file: a document often only shows one.
fn help(path: &str) -> &'static str {
    let is_document = [".md", ".mdc", ".markdown", ".txt", ".rst"]
        .iter()
        .any(|end| path.to_ascii_lowercase().ends_with(end));
    if is_document {
        "if it is an example, write `your-secret` in its place; if it is real, take it out of the text and revoke it; --secrets redact writes REDACTED"
    } else {
        "move it to config.env, which is never copied, or use --secrets redact"
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, text: &str, expected: &[&str]) {
        let found = secret_findings(path, text);
        let messages: Vec<&str> = found.iter().map(|it| it.message.as_str()).collect();
        assert_eq!(messages, expected);
    }

    #[test]
    fn the_help_for_a_document_works() {
        let text = "Run:\n\n```sh\nexport API_KEY=q8Zt0Lw3Vx7Rb2Nm\n```\n";
        check(
            "a.md",
            text,
            &["a.md:4 contains what looks like a secret (by its name)"],
        );
        let help = secret_findings("a.md", text)[0].help.clone();
        assert!(help.is_some_and(|it| it.contains("`your-secret`")));
        check(
            "a.md",
            &text.replace("q8Zt0Lw3Vx7Rb2Nm", "your-secret"),
            &[],
        );
    }

    #[test]
    fn examples_in_documentation_are_no_secrets() {
        for line in [
            "ANTHROPIC_API_KEY=sk-ant-xxxx",
            "aws_access_key_id = AKIAIOSFODNN7EXAMPLE",
            "password: \"changeme\"",
            "DATABASE_URL=postgres://user:password@localhost:5432/app",
        ] {
            check("a.md", &format!("```\n{line}\n```\n"), &[]);
        }
        let real = "AKIA2E0A8F3B244C9986";
        let kind = format!("aws_access_key_id = {real}\n");
        check(
            "a.md",
            &kind,
            &["a.md:1 contains what looks like an AWS access key id"],
        );
    }
}
