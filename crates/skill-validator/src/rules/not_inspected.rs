//! A file was not inspected: it is too large or could not be read.

use crate::input::{Content, Kind};
use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("not-inspected"),
    group: Group::Safety,
    levels: Levels::ADVICE,
    what: "A file was not inspected: it is too large or could not be read.",
    why: "A check must not silently skip files.",
    example: "a script of 10 MB",
    source: "docs/design/security.md, \"Inspection\"",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let entries = cx.files.entries.iter();
    let reasons = entries.filter_map(|entry| Some((entry, reason(&entry.kind)?)));
    reasons
        .map(|(entry, reason)| cx.finding(RULE.code, reason).in_file(entry.path.clone()))
        .collect()
}

fn reason(kind: &Kind) -> Option<String> {
    match kind {
        Kind::File {
            content: Content::Unreadable(error),
            ..
        } => Some(format!("the file was not inspected: {error}")),
        Kind::File {
            size,
            content: Content::TooLarge(head),
        } if is_text(head) => Some(format!("the file was not inspected: {size} bytes of text")),
        _ => None,
    }
}

/// Returns whether a file looks like text. Large images and archives have no text for a rule to
/// read.
fn is_text(head: &[u8]) -> bool {
    !head.contains(&0)
        && String::from_utf8_lossy(head)
            .chars()
            .filter(|c| *c == '\u{fffd}')
            .count()
            <= 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn says_what_was_left_out() {
        let mut files = body("x");
        let mut add = |path: &str, content| {
            let kind = Kind::File { size: 9, content };
            files.entries.push(Entry {
                path: path.to_owned(),
                kind,
            });
        };
        add("a.bin", Content::TooLarge(vec![0, 1]));
        add("a.txt", Content::TooLarge(b"text".to_vec()));
        add("b", Content::Unreadable("permission denied".to_owned()));
        check_rule(
            &RULE,
            &files,
            &[
                "a.txt the file was not inspected: 9 bytes of text",
                "b the file was not inspected: permission denied",
            ],
        );
    }
}
