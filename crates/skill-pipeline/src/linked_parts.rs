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
const LIMITS: WalkLimits = WalkLimits {
    depth: 1,
    entries: 10_000,
};

/// Returns the findings about the links in a package, or in the directory of a host in a project.
pub(crate) fn linked_parts(input: &Root, path: &str, is_package: bool) -> Vec<Diagnostic> {
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
    let finding = |path: String| {
        let message = format!(
            "`{}` is not read: a symbolic link is not followed",
            path[skip..].escape_debug()
        );
        Diagnostic::warning(UNIT_LEFT_OUT, message)
            .in_file(path)
            .with_help("put a copy of the directory in its place")
    };
    links.map(|link| finding(link.path)).collect()
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_to_directories_of_parts_are_named() {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().join(".claude");
        Root::make(&home).unwrap();
        Root::make(&home.join("skills")).unwrap();
        symlink("../elsewhere", home.join("agents")).unwrap();
        symlink("../../elsewhere", home.join("skills/x")).unwrap();
        symlink("../elsewhere.md", home.join("skills/a.md")).unwrap();
        symlink("../elsewhere", home.join("plugins")).unwrap();
        let input = Root::open(dir.path()).unwrap();
        let found = linked_parts(&input, ".claude", false).into_iter();
        let mut files: Vec<String> = found.filter_map(|it| it.place.file).collect();
        files.sort();
        assert_eq!(files, [".claude/agents", ".claude/skills/x"]);
        assert!(linked_parts(&input, "", false).is_empty());
    }
}
