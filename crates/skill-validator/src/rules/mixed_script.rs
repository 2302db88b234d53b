//! A word of the name or the description mixes Latin with Cyrillic or Greek letters.

use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("mixed-script"),
    group: Group::Safety,
    levels: Levels::ADVICE,
    what: "A word of the name or the description mixes Latin with Cyrillic or Greek letters.",
    why: "It looks like another word: `pаypal` with a Cyrillic а.",
    example: "nоte-helper (Cyrillic о)",
    source: "https://www.unicode.org/reports/tr39/",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    ["name", "description"]
        .iter()
        .filter_map(|key| check_field(cx, key))
        .collect()
}

fn check_field(cx: &Context<'_>, key: &str) -> Option<Diagnostic> {
    let (text, node) = cx.field_text(key)?;
    if text.is_ascii() {
        return None;
    }
    let word = text
        .split(|c: char| !c.is_alphabetic())
        .find(|word| is_mixed(word))?;
    let message = format!(
        "the word `{}` mixes scripts that look alike",
        word.escape_debug()
    );
    Some(cx.at(RULE.code, node.range.clone(), message))
}

/// Returns true for a word of at least three letters that mixes Latin with similar letters. Greek
/// letters alone in a Latin word are units and formulas.
fn is_mixed(word: &str) -> bool {
    let n_latin = word
        .chars()
        .filter(|c| matches!(u32::from(*c), 0x41..=0x024F))
        .count();
    let n_cyrillic = word
        .chars()
        .filter(|c| matches!(u32::from(*c), 0x0400..=0x052F))
        .count();
    let n_greek = word
        .chars()
        .filter(|c| matches!(u32::from(*c), 0x0370..=0x03FF))
        .count();
    n_latin > 0
        && (n_cyrillic > 0 || (n_greek > 0 && n_latin > 2))
        && n_latin + n_cyrillic + n_greek > 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn finds_look_alikes() {
        check_rule(
            &RULE,
            &frontmatter("description: Привет world, 10 μm, ΔT"),
            &[],
        );
        check_rule(
            &RULE,
            &frontmatter("description: p\u{430}ypal"),
            &["SKILL.md:2:14 the word `p\u{430}ypal` mixes scripts that look alike"],
        );
    }
}
