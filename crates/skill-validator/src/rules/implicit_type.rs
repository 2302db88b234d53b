//! A value without quotes is a number, a boolean or null in YAML, although the specification
//! requires a string.

use skill_diagnostics::{Code, Diagnostic};
use skill_model::yaml::Node;
use skill_model::{Frontmatter, Skill};

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("implicit-type"),
    group: Group::Specification,
    levels: Levels::STYLE,
    what: "A value without quotes is a number, a boolean or null in YAML, although the specification requires a string.",
    why: "`version: 1.0` is the number 1 to one reader and the text `1.0` to another.",
    example: "metadata:\n  version: 1.0",
    source: "https://agentskills.io/specification#metadata-field (\"a map from string keys to string values\")",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let entries = cx.skill.map(Skill::entries).unwrap_or_default().iter();
    let known = entries.filter(|(key, _)| Frontmatter::KEYS.iter().any(|k| key.text() == Some(k)));
    let mut findings = Vec::new();
    for (key, value) in known {
        let inner = value.entries().unwrap_or_default().iter();
        let pairs = std::iter::once((key, value)).chain(inner.map(|(key, value)| (key, value)));
        findings.extend(pairs.filter_map(|(key, value)| check_value(cx, key, value)));
    }
    findings
}

fn check_value(cx: &Context<'_>, key: &Node, value: &Node) -> Option<Diagnostic> {
    let text = value.text()?;
    let parsed = value.to_value();
    let is_required = matches!(key.text(), Some("name" | "description" | "compatibility"));
    if parsed.is_string() || (parsed.is_null() && is_required) {
        return None;
    }
    let key = key.text().unwrap_or("the value");
    let message = format!("`{key}` is {} in YAML, expected a string", value.kind());
    let finding = cx.at(RULE.code, value.range.clone(), message);
    Some(if text.is_empty() {
        finding.with_help("leave the key out, or give it a value")
    } else {
        finding.with_help(format!("put it in quotes: \"{text}\""))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn wants_quotes() {
        check_rule(
            &RULE,
            &frontmatter("name: 123\nmetadata:\n  version: 1.0\n  a: \"1.0\"\n  b: 1.0.0"),
            &[
                "SKILL.md:2:7 `name` is a number in YAML, expected a string",
                "SKILL.md:4:12 `version` is a number in YAML, expected a string",
            ],
        );
        check_rule(
            &RULE,
            &frontmatter("metadata:"),
            &["SKILL.md:2:9 `metadata` is nothing in YAML, expected a string"],
        );
    }
}
