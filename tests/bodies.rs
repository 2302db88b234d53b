//! Bodies of skills of other hosts: nothing changes but what fates and findings name.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::{cases, migrate, tool};

/// A skill with everything that the migration changes in a body, and much that it must leave.
const MARKED: &str = "---\nname: marked\ndescription: Shows what changes.\nmodel: opus\n---\n\n\
    # Title\n\nCosts $5,000 and `a@b.c`, <b>bold</b>, {{ jinja }}.\n\n\
    Fix $ARGUMENTS in ${CLAUDE_PLUGIN_ROOT}/shared/a.md.\n\n\
    See [a](../../shared/a.md) and [b](b.md).\n\nThen /m:brew, not m:brewing.\n\n\
    ```sh\necho $HOME \"$1\"\n\nawk '{print $2}'\n```\n\n\
    | a | b |\n|---|---|\n| 1 | 2 |  \n\n\u{4e2d}\u{6587}\u{3002}\n";

#[test]
fn bodies_change_only_where_it_is_said() {
    let dir = TempDir::new().unwrap();
    let input = dir.path().join("in");
    let files = [
        (
            ".claude-plugin/plugin.json",
            r#"{"name": "m", "license": "MIT"}"#,
        ),
        ("skills/marked/SKILL.md", MARKED),
        (
            "skills/plain/SKILL.md",
            "---\nname: plain\ndescription: d\n---\n\nPlain $HOME.\n\n- a\n",
        ),
        ("skills/marked/b.md", "b\n"),
        ("shared/a.md", "a\n"),
        ("commands/brew.md", "Brew it.\n"),
    ];
    for (path, text) in files {
        let path = input.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    assert_eq!(check(&input), 2);
    assert!(check(&cases::fixtures("hosts")) >= 6);
}

/// Migrates the packages, compares the body of each skill, and returns their number.
#[track_caller]
fn check(input: &Path) -> usize {
    let out = TempDir::new().unwrap();
    let report = tool::report(input, out.path(), &[]);
    let mut n_skills = 0;
    for plugin in migrate::plugins(&report) {
        let key = plugin["directory"].as_str().unwrap();
        let Some((package, _)) = key.split_once("#skill/") else {
            continue;
        };
        let directory = out.path().join(plugin["skill"].as_str().unwrap());
        let metadata = fs::read_to_string(directory.join("METADATA.yml")).unwrap();
        let file = metadata
            .lines()
            .find_map(|line| line.strip_prefix("  file: "));
        let source = fs::read_to_string(input.join(package).join(file.unwrap())).unwrap();
        let written = fs::read_to_string(directory.join("SKILL.md")).unwrap();
        let (before, after) = (body(&source), body(&written));
        // This section names files that the old host always loaded, and what its keys did.
        let after = after.split("\n## From the old host\n").next().unwrap();
        if let Err(line) = compare(before, after, &Changes::new(plugin, before)) {
            panic!("{key}: {line:?} is not explained\n--- before\n{before}\n--- after\n{after}");
        }
        n_skills += 1;
    }
    n_skills
}

/// Returns the text behind the frontmatter.
fn body(text: &str) -> &str {
    let rest = text.strip_prefix("---\n").unwrap();
    rest.split_once("\n---\n").unwrap().1
}

/// The changes of a body that a report names.
struct Changes {
    /// The numbers of the lines in which a placeholder changes.
    placeholders: BTreeSet<usize>,
    codes: BTreeSet<String>,
    /// True if a key of the frontmatter becomes a sentence, or arguments a section.
    adds: bool,
}

impl Changes {
    fn new(plugin: &Value, body: &str) -> Self {
        let fates = plugin["fates"].as_array().unwrap();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let changed = fates.iter().filter(|fate| fate["fate"] != "carried");
        let mut placeholders = BTreeSet::new();
        let mut adds = false;
        for fate in changed {
            let pointer = text(&fate["pointer"]);
            match pointer.strip_prefix("/body/@") {
                Some(at) => {
                    let at: usize = at.parse().unwrap();
                    placeholders.insert(body[..at].matches('\n').count());
                    adds |= text(&fate["to"]).contains("#Input");
                }
                None => adds |= text(&fate["file"]).ends_with("SKILL.md"),
            }
        }
        let findings = plugin["findings"].as_array().unwrap();
        let codes = findings.iter().map(|finding| text(&finding["code"]));
        Self {
            placeholders,
            codes: codes.collect(),
            adds,
        }
    }

    /// Returns true if a line of the source may be written otherwise.
    fn explains(&self, number: usize, line: &str) -> bool {
        let links = self.codes.contains("links-rewritten")
            && (line.contains("](") || line.contains("`../"));
        let names = self.codes.contains("references-rewritten")
            && (line.contains(':') || line.contains("agent-") || line.contains("Skill("));
        let defused = self.codes.contains("command-text-defused") && line.contains("!`");
        self.placeholders.contains(&number) || links || names || defused
    }
}

/// Compares two bodies line by line: lines that nothing explains stay in their order, without
/// others between them. Returns the first line that is gone or new.
fn compare<'t>(before: &'t str, after: &'t str, changes: &Changes) -> Result<(), &'t str> {
    let after: Vec<&str> = after.trim().lines().map(str::trim_end).collect();
    let (mut at, mut is_open) = (0, changes.adds);
    let lines = before
        .lines()
        .enumerate()
        .skip_while(|(_, line)| line.trim().is_empty());
    for (number, line) in lines {
        if changes.explains(number, line) {
            is_open = true;
            continue;
        }
        let line = line.trim_end();
        let Some(found) = after[at..].iter().position(|it| *it == line) else {
            if line.is_empty() {
                continue;
            }
            return Err(line);
        };
        if found > 0 && !is_open {
            return Err(after[at]);
        }
        at += found + 1;
        is_open &= line.is_empty();
    }
    match after.get(at) {
        Some(line) if !is_open && !changes.adds => Err(line),
        _ => Ok(()),
    }
}

#[test]
fn what_is_not_said_is_found() {
    let quiet = || Changes {
        placeholders: BTreeSet::new(),
        codes: BTreeSet::new(),
        adds: false,
    };
    let with = |line| Changes {
        placeholders: BTreeSet::from([line]),
        ..quiet()
    };
    assert_eq!(compare("a\nb\n", "a\nb\n", &quiet()), Ok(()));
    assert_eq!(compare("a\nb\n", "a\nc\n", &quiet()), Err("b"));
    assert_eq!(compare("a\nb\n", "a\n", &quiet()), Err("b"));
    assert_eq!(compare("a\nb\n", "a\nx\nb\n", &quiet()), Err("x"));
    assert_eq!(compare("a\nb\n", "a\nb\nx\n", &quiet()), Err("x"));
    assert_eq!(compare("a\n$0\nb\n", "a\n<x>\nb\n", &with(1)), Ok(()));
    assert_eq!(compare("a\n$0\nb\n", "a\n<x>\nc\n", &with(1)), Err("b"));
    assert_eq!(
        compare("a\n$0\nb\nc\n", "a\n<x>\nb\ny\nc\n", &with(1)),
        Err("y")
    );
}
