//! A file under `scripts/`, `references/` or `assets/` is not named in any Markdown file of the skill.

use crate::input::{Entry, Kind};
use aho_corasick::{AhoCorasick, AhoCorasickKind};
use skill_diagnostics::{Code, Diagnostic, steps};
use std::collections::BTreeSet;

use crate::context::{Context, METADATA_YML, is_markdown};
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("unreferenced-resource"),
    group: Group::Quality,
    levels: Levels::REMARK,
    what: "A file under `scripts/`, `references/` or `assets/` is not named in any Markdown file of the skill.",
    why: "Agents only read files that the skill mentions; the file costs space and review and is never used.",
    example: "scripts/old.py",
    source: "https://agentskills.io/specification#progressive-disclosure",
    check: Check::Skill(check),
};

/// Maximum number of findings; a large resource directory counts as one problem.
const MAX: usize = 10;

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    if cx.skill.is_none() {
        return Vec::new();
    }
    let entries = cx.files.entries.iter().filter(|entry| is_resource(entry));
    let resources: Vec<&Entry> = entries.collect();
    if resources.is_empty() {
        return Vec::new();
    }
    let is_prose = |path: &str| is_markdown(path) || path == METADATA_YML;
    let texts: Vec<&str> = cx
        .texts()
        .filter(|(path, _)| is_prose(path))
        .map(|(_, text)| text)
        .collect();
    let named = named(&resources, &texts);
    let unnamed = resources
        .iter()
        .filter(|entry| !words(entry).any(|word| named.contains(word)));
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

/// Returns the words by which a text can name a file: its name, its stem, and its directories with
/// a slash.
fn words(entry: &Entry) -> impl Iterator<Item = &str> {
    let name = entry.name();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let directories = entry
        .path
        .match_indices('/')
        .map(|(at, _)| &entry.path[..=at]);
    std::iter::once(name)
        .chain(Some(stem).filter(|stem| stem.len() > 4))
        .chain(directories)
}

/// Returns the words of all resources that occur in a text. Each text is read once for all of them.
fn named<'a>(resources: &[&'a Entry], texts: &[&str]) -> BTreeSet<&'a str> {
    let wanted: BTreeSet<&str> = resources.iter().flat_map(|entry| words(entry)).collect();
    let wanted: Vec<&str> = wanted.into_iter().collect();
    let Ok(matcher) = AhoCorasick::builder()
        .kind(Some(AhoCorasickKind::NoncontiguousNFA))
        .build(&wanted)
    else {
        // More words than the matcher supports; nothing is reported for so large a directory.
        return wanted.into_iter().collect();
    };
    let mut found = BTreeSet::new();
    for text in texts {
        steps::count(text.len());
        for hit in matcher.find_overlapping_iter(text) {
            steps::count(1);
            let word = wanted[hit.pattern().as_usize()];
            if !word.ends_with('/') || ends_path(&text[hit.end()..]) {
                found.insert(word);
            }
        }
    }
    found
}

/// Returns whether a directory path ends here.
fn ends_path(rest: &str) -> bool {
    !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_')
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
