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

/// The links in a package, or in the directory of a host in a project.
#[derive(Debug)]
pub(crate) struct Links {
    directory: String,
    /// Each link, with the directory of the skill in the input that it leads to.
    pub(crate) all: Vec<(String, Option<String>)>,
}

/// Returns the links to directories of parts.
pub(crate) fn linked_parts(input: &Root, path: &str, is_package: bool) -> Option<Links> {
    let name = path.rsplit('/').next().unwrap_or(path);
    if !is_package && !is_home(name) {
        return None;
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
    let links = links.map(|link| {
        let target = skill_at(input, &link.path);
        (link.path, target)
    });
    let all: Vec<_> = links.collect();
    (!all.is_empty()).then(|| Links {
        directory: path.to_owned(),
        all,
    })
}

impl Links {
    /// Returns the findings. `is_read` is true for the directory of a skill that is read at its own place.
    pub(crate) fn findings(&self, is_read: &dyn Fn(&str) -> bool) -> Vec<Diagnostic> {
        let skip = match self.directory.len() {
            0 => 0,
            length => length + 1,
        };
        let is_known = |target: &Option<String>| target.as_deref().is_some_and(is_read);
        let (read, lost): (Vec<_>, Vec<_>) = self.all.iter().partition(|(_, it)| is_known(it));
        let message = |links: &[&(String, Option<String>)], is_read: bool| {
            let list = listed(links, skip);
            if is_read {
                format!(
                    "links to skills are not copied; each skill is read at its own place: {list}"
                )
            } else {
                format!("parts behind symbolic links are not read: {list}")
            }
        };
        let mut acc = Vec::new();
        if let Some((first, _)) = read.first() {
            acc.push(Diagnostic::note(UNIT_LEFT_OUT, message(&read, true)).in_file(first));
        }
        if let Some((first, _)) = lost.first() {
            let finding = Diagnostic::warning(UNIT_LEFT_OUT, message(&lost, false)).in_file(first);
            acc.push(finding.with_help("put copies of the directories in their places"));
        }
        acc
    }
}

/// Returns the first links, and the number of the others.
fn listed(links: &[&(String, Option<String>)], skip: usize) -> String {
    let named = links.iter().take(MAX_NAMED);
    let named: Vec<String> = named
        .map(|(link, _)| format!("`{}`", link[skip..].escape_debug()))
        .collect();
    let list = named.join(", ");
    match links.len().saturating_sub(MAX_NAMED) {
        0 => list,
        n_more => format!("{list} and {n_more} more"),
    }
}

/// Returns the directory in the input that a link leads to, if it has a skill.
fn skill_at(input: &Root, link: &str) -> Option<String> {
    let target = input.link_target(link).ok()?;
    if target.starts_with('/') {
        return None;
    }
    let mut path: Vec<&str> = link.split('/').collect();
    path.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                path.pop()?;
            }
            part => path.push(part),
        }
    }
    let path = path.join("/");
    let is_skill = input.read(&format!("{path}/SKILL.md"), MAX_SKILL).is_ok();
    (is_skill && !path.is_empty()).then_some(path)
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
        let links = linked_parts(&input, ".claude", false).unwrap();
        let found = links.findings(&|target| target == ".agents/skills/npx");
        let found: Vec<String> = found
            .into_iter()
            .map(|it| format!("{} {}", it.severity.word(), it.place.file.unwrap()))
            .collect();
        let expected = ["note .claude/skills/npx", "warning .claude/agents"];
        assert_eq!(found, expected);
        assert!(linked_parts(&input, "", false).is_none());
    }
}
