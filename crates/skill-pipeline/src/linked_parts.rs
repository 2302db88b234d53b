//! Directories of parts that are symbolic links: nothing behind a link is read, so its parts are lost.

use plugin_readers::is_home;
use skill_diagnostics::{Code, Diagnostic};
use skill_loader::fs::{Kind, Root, WalkLimits};

/// A part is not migrated, because it cannot be read.
pub(crate) const UNIT_LEFT_OUT: Code = Code("unit-left-out");

/// The directories of parts.
const DIRECTORIES: [&str; 8] = [
    "skills", "skill", "commands", "command", "prompts", "agents", "agent", "rules",
];
/// The endings of files, of which there are findings of their own.
const FILES: [&str; 5] = [".md", ".mdc", ".toml", ".json", ".txt"];
/// The most links that a finding names.
const MAX_NAMED: usize = 6;
/// The largest SKILL.md, in bytes.
const MAX_SKILL: u64 = 4 << 20;
const LIMITS: WalkLimits = WalkLimits {
    depth: 1,
    entries: 10_000,
};

/// Returns the findings about the links in a package, or in the directory of a host in a project, each
/// with its links.
pub(crate) fn linked_parts(
    input: &Root,
    path: &str,
    is_package: bool,
) -> Vec<(Diagnostic, Vec<String>)> {
    let name = path.rsplit('/').next().unwrap_or(path);
    if !is_package && !is_home(name) {
        return Vec::new();
    }
    let skip = if path.is_empty() { 0 } else { path.len() + 1 };
    let is_other = |path: &str| {
        let inner = path.get(skip..).unwrap_or_default();
        !DIRECTORIES.contains(&inner.split('/').next().unwrap_or_default())
    };
    let listing = input.walk(path, &LIMITS, &is_other).unwrap_or_default();
    let links = listing.entries.into_iter().filter(|entry| {
        let is_file = FILES.iter().any(|ending| entry.path.ends_with(ending));
        entry.kind == Kind::Symlink && !is_file && !is_other(&entry.path)
    });
    let (read, lost): (Vec<String>, Vec<String>) = links
        .map(|link| link.path)
        .partition(|link| is_read_there(input, link));
    let list = listed(&read, skip);
    let message = format!(
        "symbolic links are not followed; what they lead to is read at its own place: {list}"
    );
    let note = (Diagnostic::note(UNIT_LEFT_OUT, message), read);
    let list = listed(&lost, skip);
    let message = format!("parts behind symbolic links are not read: {list}");
    let warning = (Diagnostic::warning(UNIT_LEFT_OUT, message), lost);
    let found = [note, warning].into_iter();
    let found = found.filter_map(|(finding, links)| {
        let help = "put copies of the directories in their places, if their skills are missing";
        let finding = finding.in_file(links.first()?).with_help(help);
        Some((finding, links))
    });
    found.collect()
}

/// Returns the first links, and the number of the others.
fn listed(links: &[String], skip: usize) -> String {
    let named = links.iter().take(MAX_NAMED);
    let named: Vec<String> = named
        .map(|link| format!("`{}`", link[skip..].escape_debug()))
        .collect();
    let list = named.join(", ");
    match links.len().saturating_sub(MAX_NAMED) {
        0 => list,
        n_more => format!("{list} and {n_more} more"),
    }
}

/// Returns true if a link leads to a skill in the directory of a host in the input, as `npx skills add`
/// writes it: that directory is read.
fn is_read_there(input: &Root, link: &str) -> bool {
    let Ok(target) = input.link_target(link) else {
        return false;
    };
    let mut path: Vec<&str> = link.split('/').collect();
    path.pop();
    if target.starts_with('/') {
        return false;
    }
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." if path.pop().is_none() => return false,
            ".." => {}
            part => path.push(part),
        }
    }
    let is_of_host = path.iter().any(|part| is_home(part));
    let skill = format!("{}/SKILL.md", path.join("/"));
    is_of_host && input.read(&skill, MAX_SKILL).is_ok()
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the test lays out its own files")]
    fn links_to_directories_of_parts_are_named() {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().join(".claude");
        Root::make(&home).unwrap();
        Root::make(&home.join("skills")).unwrap();
        symlink("../elsewhere", home.join("agents")).unwrap();
        symlink("../../elsewhere", home.join("skills/x")).unwrap();
        let agents = dir.path().join(".agents");
        for path in ["", "skills", "skills/npx"] {
            Root::make(&agents.join(path)).unwrap();
        }
        std::fs::write(agents.join("skills/npx/SKILL.md"), "x").unwrap();
        symlink("../../.agents/skills/npx", home.join("skills/npx")).unwrap();
        symlink("../elsewhere.md", home.join("skills/a.md")).unwrap();
        symlink("../elsewhere", home.join("plugins")).unwrap();
        let input = Root::open(dir.path()).unwrap();
        let found = linked_parts(&input, ".claude", false).into_iter();
        let found: Vec<String> = found
            .map(|(it, links)| format!("{} {}", it.severity.word(), links.join(" ")))
            .collect();
        let expected = [
            "note .claude/skills/npx",
            "warning .claude/agents .claude/skills/x",
        ];
        assert_eq!(found, expected);
        assert!(linked_parts(&input, "", false).is_empty());
    }
}
