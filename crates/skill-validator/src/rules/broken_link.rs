//! A link in `SKILL.md` leads to a file that the skill does not have.

use crate::markdown::{local_path, normalized};
use skill_diagnostics::nearest;
use skill_diagnostics::{Code, Diagnostic};
use std::ops::Range;

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("broken-link"),
    group: Group::Quality,
    levels: Levels::ADVICE,
    what: "A link in `SKILL.md` leads to a file that the skill does not have.",
    why: "The agent reads the link and fails, usually in the middle of a task.",
    example: "[guide](references/GUIDE.md)",
    source: "https://agentskills.io/specification#file-references (\"relative paths from the skill root\")",
    check: Check::Skill(check),
};

/// Maximum number of findings with a suggestion: each is compared with the name of every file.
const MAX_SUGGESTIONS: usize = 20;

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let links = cx.markdown().links.iter();
    let broken = links.filter_map(|(destination, range)| check_link(cx, destination, range));
    let findings = broken.enumerate().map(|(at, (path, finding))| {
        let is_asked = at < MAX_SUGGESTIONS;
        let near = is_asked.then(|| suggestion(cx, &path)).flatten();
        match near {
            Some(near) => finding.with_help(format!("did you mean `{near}`?")),
            None => finding,
        }
    });
    findings.collect()
}

/// Returns the path of a broken link, and the finding.
fn check_link(
    cx: &Context<'_>,
    destination: &str,
    range: &Range<usize>,
) -> Option<(String, Diagnostic)> {
    let path = normalized(&local_path(destination)?)?;
    if path.is_empty() || exists(cx, &path) {
        return None;
    }
    let start = cx.body_start();
    let range = start + range.start..start + range.end;
    let finding = cx.at(
        RULE.code,
        range,
        format!("the link leads to `{path}`, which does not exist"),
    );
    Some((path, finding))
}

fn suggestion<'a>(cx: &Context<'a>, path: &str) -> Option<&'a str> {
    let files = cx.files.entries.iter().map(|entry| entry.path.as_str());
    nearest(path, files)
}

fn exists(cx: &Context<'_>, path: &str) -> bool {
    cx.files.entry(path).is_some() || cx.files.has_below(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn wants_the_file() {
        let mut files =
            body("See [a](references/A.md), [b](https://x.y/z), [c](#d) and [e](references).\n");
        check_rule(
            &RULE,
            &files,
            &[
                "SKILL.md:5:5 the link leads to `references/A.md`, which does not exist",
                "SKILL.md:5:59 the link leads to `references`, which does not exist",
            ],
        );
        add(&mut files, "references/A.md", b"x");
        check_rule(&RULE, &files, &[]);
    }
}
