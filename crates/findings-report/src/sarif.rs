//! SARIF 2.1.0 (<https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>): one run, all
//! rules with their documentation, stable fingerprints.

use std::io::{self, Write};

use serde_json::{Value, json};
use skill_diagnostics::Severity;
use skill_validator::{Level, Profile, RULES, Rule};

use super::{Item, Report};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Writes the report in this format.
pub fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let rules: Vec<Value> = RULES
        .iter()
        .map(|rule| descriptor(rule, report.profile))
        .collect();
    let results: Vec<Value> = report.items.iter().map(result).collect();
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "skills-validate",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
                "properties": { "profile": report.profile.name() },
            } },
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": { "SRCROOT": { "description": { "text": "the working directory" } } },
            "results": results,
        }],
    });
    serde_json::to_writer_pretty(&mut *out, &log)?;
    writeln!(out)
}

fn descriptor(rule: &Rule, profile: Profile) -> Value {
    let level = rule.levels.get(profile);
    json!({
        "id": rule.code.0,
        "shortDescription": { "text": rule.what },
        "fullDescription": { "text": rule.why },
        "help": { "text": format!("{} {}\nExample: {}\nSource: {}", rule.what, rule.why, rule.example, rule.source) },
        "defaultConfiguration": {
            "enabled": level != Level::Off,
            "level": match level {
                Level::Off => "none",
                other => other.word(),
            },
        },
        "properties": { "tags": [rule.group.word()] },
    })
}

fn result(item: &Item) -> Value {
    let finding = &item.finding;
    let text = match &finding.help {
        Some(help) => format!("{}; {help}", finding.message),
        None => finding.message.clone(),
    };
    let mut location = json!({
        "artifactLocation": { "uri": uri(&item.user_path), "uriBaseId": "SRCROOT" },
    });
    if let Some(span) = &finding.place.span {
        location["region"] = json!({
            "startLine": span.position.line,
            "startColumn": span.position.column,
        });
    }
    let mut res = json!({
        "ruleId": finding.code.0,
        "level": level(finding.severity),
        "message": { "text": text },
        "locations": [{ "physicalLocation": location }],
        "partialFingerprints": { "skillsValidate/v1": item.fingerprint },
    });
    if let Ok(at) = RULES.binary_search_by(|rule| rule.code.0.cmp(finding.code.0)) {
        res["ruleIndex"] = at.into();
    }
    res
}

fn level(severity: Severity) -> &'static str {
    severity.word()
}

/// Returns a relative reference (RFC 3986): bytes other than unreserved ones and slashes are escaped.
fn uri(path: &str) -> String {
    use std::fmt::Write as _;
    let mut res = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~' | b'/') {
            res.push(char::from(byte));
        } else {
            write!(res, "%{byte:02X}").expect("writing to a String does not fail");
        }
    }
    res
}

#[cfg(test)]
mod tests {
    #[test]
    fn uris_are_escaped() {
        assert_eq!(super::uri("a b/参.md"), "a%20b/%E5%8F%82.md");
    }
}
