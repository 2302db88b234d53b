//! A document under `references/` is named, but not by `SKILL.md` or a document that it leads to.

use std::collections::BTreeSet;

use skill_diagnostics::{Code, Diagnostic};

use crate::context::{Context, SKILL_MD, is_markdown};
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("unlinked-reference"),
    group: Group::Quality,
    levels: Levels::ADVICE,
    what: "A Markdown document under `references/` is named neither in `SKILL.md` nor in a document that `SKILL.md` leads to.",
    why: "An agent reads `SKILL.md` and follows what it names. A document that is only named elsewhere is never read. One that no document names at all is a finding of `unreferenced-resource`.",
    example: "references/README.md, named only in scripts/NOTES.md",
    source: "https://agentskills.io/specification#progressive-disclosure",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    if cx.skill.is_none() {
        return Vec::new();
    }
    let documents: Vec<(&str, &str)> = cx.texts().filter(|(path, _)| is_markdown(path)).collect();
    if documents.len() > MAX_DOCUMENTS {
        return Vec::new();
    }
    let reached = reached(&documents);
    let lost = documents.iter().filter(|(path, _)| {
        path.starts_with("references/")
            && !reached.contains(path)
            && documents
                .iter()
                .any(|(other, text)| other != path && names(text, path))
    });
    let finding = |(path, _): &(&str, &str)| {
        let message = format!("`SKILL.md` does not lead to `{}`", path.escape_debug());
        let finding = cx.finding(RULE.code, message).in_file((*path).to_owned());
        finding.with_help("link it in SKILL.md, and say when to read it")
    };
    lost.take(MAX).map(finding).collect()
}

/// Maximum number of findings.
const MAX: usize = 10;
/// Maximum number of documents of a skill; each is compared with all others.
const MAX_DOCUMENTS: usize = 200;

/// Returns the documents that can be reached from `SKILL.md`.
fn reached<'a>(documents: &[(&'a str, &'a str)]) -> BTreeSet<&'a str> {
    let mut res = BTreeSet::from([SKILL_MD]);
    let start = documents.iter().filter(|(path, _)| *path == SKILL_MD);
    let mut open: Vec<&str> = start.map(|(_, text)| *text).collect();
    while let Some(text) = open.pop() {
        for (path, next) in documents {
            if !res.contains(path) && names(text, path) {
                res.insert(*path);
                open.push(*next);
            }
        }
    }
    res
}

/// Returns true if a text has the name of a document, its name without the ending in a longer word, or a
/// directory above it.
fn names(text: &str, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let directories = path.match_indices('/').map(|(at, _)| &path[..=at]);
    let mut directories = directories.skip(usize::from(name.eq_ignore_ascii_case("readme.md")));
    text.contains(name)
        || stem.len() > 6 && text.contains(stem)
        || directories.any(|directory| ends_word(text, directory))
}

/// Returns true if a text names a directory itself, not only a file in it.
fn ends_word(text: &str, directory: &str) -> bool {
    text.match_indices(directory).any(|(at, _)| {
        let rest = &text[at + directory.len()..];
        !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_')
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    fn skill(text: &str) -> SkillFiles {
        let mut res = body(text);
        add(&mut res, "references/a.md", b"See b.md.");
        add(&mut res, "references/b.md", b"x");
        add(&mut res, "scripts/NOTES.md", b"See references/README.md.");
        add(&mut res, "references/README.md", b"x");
        res
    }

    #[test]
    fn documents_are_followed() {
        let readme = "references/README.md `SKILL.md` does not lead to `references/README.md`";
        check_rule(&RULE, &skill("See [a](references/a.md).\n"), &[readme]);
        check_rule(&RULE, &skill("See `a.md` and references/README.md.\n"), &[]);
        check_rule(
            &RULE,
            &skill("More is in `references/`, and the README.md there.\n"),
            &[],
        );
        check_rule(
            &RULE,
            &skill("Nothing.\n"),
            &[
                readme,
                "references/b.md `SKILL.md` does not lead to `references/b.md`",
            ],
        );
    }
}
