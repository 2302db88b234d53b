//! A file under `scripts/`, `references/` or `assets/` is not named in any Markdown file of the skill.

use crate::input::{Entry, Kind};
use skill_diagnostics::{Code, Diagnostic};

use crate::context::{Context, METADATA_YML, is_markdown};
use crate::rule::{Check, Group, Levels, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code("unreferenced-resource"),
    group: Group::Quality,
    levels: Levels::REMARK,
    what: "A file under `scripts/`, `references/` or `assets/` is not named in any Markdown file of the skill.",
    why: "Agents read what they are told of; the file costs space and review and is never used.",
    example: "scripts/old.py",
    source: "https://agentskills.io/specification#progressive-disclosure",
    check: Check::Skill(check),
};

/// Most findings; a large resource directory is one idea.
const MAX: usize = 10;

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    if cx.skill.is_none() {
        return Vec::new();
    }
    let is_prose = |path: &str| is_markdown(path) || path == METADATA_YML;
    let texts: Vec<&str> = cx
        .texts()
        .filter(|(path, _)| is_prose(path))
        .map(|(_, text)| text)
        .collect();
    let entries = cx.files.entries.iter().filter(|entry| is_resource(entry));
    let unnamed = entries.filter(|entry| !texts.iter().any(|text| names(text, entry)));
    unnamed.take(MAX).map(|entry| finding(cx, entry)).collect()
}

fn is_resource(entry: &Entry) -> bool {
    let path = entry.path.as_str();
    let top = path.split('/').next().unwrap_or_default();
    matches!(entry.kind, Kind::File { .. })
        && matches!(top, "scripts" | "references" | "assets")
        && path != top
        && entry.name() != "__init__.py"
}

/// Whether a text has the file's name, or names a directory that it is in.
fn names(text: &str, entry: &Entry) -> bool {
    let stem = entry
        .name()
        .rsplit_once('.')
        .map_or(entry.name(), |(stem, _)| stem);
    let directories = entry
        .path
        .match_indices('/')
        .map(|(at, _)| &entry.path[..=at]);
    text.contains(entry.name())
        || (stem.len() > 4 && text.contains(stem))
        || directories
            .into_iter()
            .any(|directory| names_directory(text, directory))
}

fn names_directory(text: &str, directory: &str) -> bool {
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    text.match_indices(directory)
        .any(|(at, found)| ends(&text[at + found.len()..]))
}

fn finding(cx: &Context<'_>, entry: &Entry) -> Diagnostic {
    let message = format!(
        "no Markdown file of the skill names `{}`",
        entry.path.escape_debug()
    );
    cx.finding(RULE.code, message).in_file(entry.path.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn wants_a_mention() {
        let mut files = body("Run `scripts/a.py`.\n");
        add(&mut files, "assets/logo.png", b"x");
        add(&mut files, "scripts/a.py", b"x");
        add(&mut files, "scripts/b.py", b"x");
        check_rule(
            &RULE,
            &files,
            &[
                "assets/logo.png no Markdown file of the skill names `assets/logo.png`",
                "scripts/b.py no Markdown file of the skill names `scripts/b.py`",
            ],
        );
    }

    #[test]
    fn a_directory_is_enough() {
        let mut files = body("Templates are in `assets/`.\n");
        add(&mut files, "assets/logo.png", b"x");
        check_rule(&RULE, &files, &[]);
    }
}
