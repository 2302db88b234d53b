//! Two paths are the same after Unicode normalization and without upper and lower case.

use crate::input::Entry;
use skill_diagnostics::{Code, Diagnostic};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry as MapEntry;
use unicode_normalization::UnicodeNormalization;

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("names-collide"),
    group: Group::Safety,
    levels: Levels::UNSAFE,
    what: "Two paths are the same after Unicode normalization and without upper and lower case.",
    why: "On macOS and Windows one file replaces the other, in an unpredictable order.",
    example: "README.md and readme.md",
    source: "https://www.unicode.org/reports/tr15/; https://github.com/vercel-labs/skills/issues/353",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let mut first: BTreeMap<String, &Entry> = BTreeMap::new();
    let mut findings = Vec::new();
    for entry in &cx.files.entries {
        match first.entry(folded(&entry.path)) {
            MapEntry::Vacant(slot) => {
                slot.insert(entry);
            }
            MapEntry::Occupied(slot) => {
                let other = slot.get().path.escape_debug();
                let message =
                    format!("the path is the same as `{other}` on systems that fold names");
                findings.push(cx.finding(RULE.code, message).in_file(entry.path.clone()));
            }
        }
    }
    findings
}

fn folded(path: &str) -> String {
    if path.is_ascii() {
        return path.to_ascii_lowercase();
    }
    let normalized: String = path.nfc().collect();
    normalized.to_lowercase().nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn folds_case_and_accents() {
        let mut files = body("x");
        add(&mut files, "a.md", b"x");
        add(&mut files, "A.md", b"x");
        add(&mut files, "cafe\u{301}", b"x");
        add(&mut files, "caf\u{e9}", b"x");
        check_rule(
            &RULE,
            &files,
            &[
                "a.md the path is the same as `A.md` on systems that fold names",
                "caf\u{e9} the path is the same as `cafe\u{301}` on systems that fold names",
            ],
        );
    }
}
