//! The frontmatter uses anchors, aliases, tags, merge keys or brackets.

use skill_diagnostics::{Code, Diagnostic};
use skill_model::yaml::{Content, Node, Style};

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("yaml-feature"),
    group: Group::Specification,
    levels: Levels::STYLE,
    what: "The frontmatter uses anchors, aliases, tags, merge keys or brackets.",
    why: "Simple readers and StrictYAML, which the Python reference uses, refuse them.",
    example: "license: &l MIT",
    source: "skills-ref 0.1.1 (StrictYAML); https://agentskills.io/specification says only \"YAML\"",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    if let Some(skill) = cx.skill {
        visit(cx, &skill.header, &mut findings);
    }
    findings
}

fn visit(cx: &Context<'_>, node: &Node, findings: &mut Vec<Diagnostic>) {
    if let Some(feature) = feature(node) {
        let message = format!("the frontmatter uses {feature}, which simple readers refuse");
        findings.push(cx.at(RULE.code, node.range.clone(), message));
        return;
    }
    match &node.content {
        Content::Scalar { .. } => {}
        Content::Sequence { items, .. } => items.iter().for_each(|item| visit(cx, item, findings)),
        Content::Mapping { entries, .. } => entries.iter().for_each(|(key, value)| {
            visit(cx, key, findings);
            visit(cx, value, findings);
        }),
    }
}

fn feature(node: &Node) -> Option<&'static str> {
    match &node.content {
        _ if node.anchored => Some("an anchor or an alias"),
        _ if node.tag.is_some() => Some("a tag"),
        Content::Sequence { flow: true, .. } => Some("a list in brackets"),
        Content::Mapping { flow: true, .. } => Some("a map in braces"),
        Content::Scalar {
            text,
            style: Style::Plain,
        } if text == "<<" => Some("a merge key"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn wants_plain_yaml() {
        check_rule(&RULE, &frontmatter("metadata:\n  a: \"[b]\""), &[]);
        let message = |what| {
            format!("SKILL.md:2:10 the frontmatter uses {what}, which simple readers refuse")
        };
        check_rule(
            &RULE,
            &frontmatter("license: [a]"),
            &[&message("a list in brackets")],
        );
        check_rule(
            &RULE,
            &frontmatter("license: {a: b}"),
            &[&message("a map in braces")],
        );
        assert_eq!(
            run(&RULE, &frontmatter("license: &l MIT\nname: *l")).len(),
            2
        );
        assert_eq!(run(&RULE, &frontmatter("license: !!str MIT")).len(), 1);
    }
}
