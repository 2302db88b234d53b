//! Files by their directories, for findings about files that are in no skill.

use std::collections::{BTreeMap, BTreeSet};

use plugin_readers::is_readme;
use skill_diagnostics::{Code, Diagnostic};

/// Files of a package are in no skill.
const FILES_LEFT: Code = Code("files-not-migrated");

/// The most directories at two levels that a finding names; more are named by their first level.
const MAX_GROUPS: usize = 12;

/// The meaning for a host of the directories at the top of a package.
const KINDS: [(&str, &str); 24] = [
    ("output-styles", "output styles"),
    ("rules", "rules"),
    ("themes", "themes"),
    ("theme", "themes"),
    ("monitors", "monitors"),
    ("workflows", "workflows"),
    ("policies", "policies"),
    ("hooks", "hooks"),
    (".lsp.json", "language servers"),
    (".app.json", "apps"),
    ("settings.json", "settings"),
    ("tool", "code tools"),
    ("tools", "code tools"),
    ("plugin", "code plugins"),
    ("plugins", "code plugins"),
    ("mode", "modes"),
    ("modes", "modes"),
    ("agents", "other agents"),
    ("agent", "other agents"),
    ("commands", "other commands"),
    ("command", "other commands"),
    ("prompts", "other prompts"),
    ("skills", "without SKILL.md"),
    ("skill", "without SKILL.md"),
];

/// Returns the finding about these files of a package that has no skill.
pub(crate) fn left(open: &BTreeSet<&str>) -> Option<Diagnostic> {
    let is_part = open.iter().any(|path| is_part(path));
    let groups = grouped(open, &kind);
    (!groups.is_empty()).then(|| finding(&groups, is_part))
}

/// Returns the finding about groups of files; a warning if a part of a host is among them.
pub(crate) fn finding(groups: &[String], is_part: bool) -> Diagnostic {
    let message = format!(
        "files of the package are in no skill: {}",
        groups.join(", ")
    );
    let help = "a file that a skill needs must be named in its text; set up in your agent what else you need";
    let finding = if is_part {
        Diagnostic::warning(FILES_LEFT, message)
    } else {
        Diagnostic::note(FILES_LEFT, message)
    };
    finding.with_help(help)
}

/// Returns true for a file that is a part of a host by its place. A readme among texts is not one.
pub(crate) fn is_part(path: &str) -> bool {
    kind(path).is_some() && !is_readme_of_texts(path)
}

/// Returns true for a readme in a directory of texts. Most hosts offer it as a command, but it only says
/// what the directory has.
fn is_readme_of_texts(path: &str) -> bool {
    const TEXTS: [&str; 5] = ["commands", "command", "prompts", "agents", "agent"];
    let Some((directory, name)) = path.rsplit_once('/') else {
        return false;
    };
    let first = directory.split('/').next().unwrap_or_default();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    TEXTS.contains(&first) && stem != "SKILL" && is_readme(stem)
}

/// The reason why a readme among texts is in no skill.
const README: &str = "a readme, which describes the texts beside it";

/// Returns the kind of the part of a host that a file is by its place.
pub(crate) fn kind(path: &str) -> Option<&'static str> {
    let first = path.split('/').next().unwrap_or_default();
    let row = KINDS.iter().find(|(name, _)| *name == first);
    row.map(|(_, kind)| *kind)
}

/// Returns each file at the top, and each directory with the number of its files, at most at two levels.
pub(crate) fn groups(paths: &BTreeSet<&str>) -> Vec<String> {
    grouped(paths, &|_| None)
}

/// Returns each file at the top, and each directory with the number of its files.
pub(crate) fn grouped(
    paths: &BTreeSet<&str>,
    kind: &dyn Fn(&str) -> Option<&'static str>,
) -> Vec<String> {
    let by = |levels: usize| {
        let mut groups: BTreeMap<String, (usize, Option<&'static str>)> = BTreeMap::new();
        for path in paths {
            let parts: Vec<&str> = path.split('/').collect();
            let n_directories = (parts.len() - 1).min(levels);
            let is_readme = is_readme_of_texts(path);
            let group = match n_directories {
                n if n > 0 && !is_readme => format!("{}/", parts[..n].join("/")),
                _ => (*path).to_owned(),
            };
            let kind = if is_readme { Some(README) } else { kind(path) };
            let group = groups.entry(group).or_insert((0, kind));
            group.0 += 1;
        }
        groups
    };
    let groups = Some(by(2)).filter(|it| it.len() <= MAX_GROUPS);
    let groups = groups.unwrap_or_else(|| by(1));
    let groups = groups.into_iter().map(|(group, (n_files, kind))| {
        let path = group.escape_debug();
        let files = if n_files == 1 { "file" } else { "files" };
        match (group.ends_with('/'), kind) {
            (true, Some(kind)) => format!("`{path}` ({n_files} {files}: {kind})"),
            (true, None) => format!("`{path}` ({n_files} {files})"),
            (false, Some(kind)) => format!("`{path}` ({kind})"),
            (false, None) => format!("`{path}`"),
        }
    });
    groups.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(paths: &[&str], expected: &[&str]) {
        let paths: BTreeSet<&str> = paths.iter().copied().collect();
        assert_eq!(grouped(&paths, &kind), expected);
    }

    #[test]
    fn files_are_named_by_their_directories() {
        check(
            &[
                "README.md",
                "themes/a.json",
                "themes/b.json",
                "src/a/b/c.rs",
            ],
            &[
                "`README.md`",
                "`src/a/` (1 file)",
                "`themes/` (2 files: themes)",
            ],
        );
        check(
            &[
                "commands/README.md",
                "commands/a/ReadMe.zh-CN.md",
                "commands/b.txt",
            ],
            &[
                "`commands/` (1 file: other commands)",
                "`commands/README.md` (a readme, which describes the texts beside it)",
                "`commands/a/ReadMe.zh-CN.md` (a readme, which describes the texts beside it)",
            ],
        );
        check(&[".lsp.json"], &["`.lsp.json` (language servers)"]);
        let many: Vec<String> = (0..20).map(|n| format!("docs/{n}/a.md")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        check(&many, &["`docs/` (20 files)"]);
    }
}
