//! The files that a copied file needs. What counts depends on the file:
//!
//! | file | what counts |
//! |---|---|
//! | a document of the skill, or one that its text names | every path |
//! | another document | its links, and paths after the variable of the host for the package |
//! | a program | its texts in quotes, not its comments; of a script of a shell, its commands |
//! | a test, a change log, a readme of something else | nothing |

use crate::{carry::is_code_file, code};

/// The way in which a file came to be among those of a skill.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Reach {
    /// It is in the directory of the skill, or the text of the skill names it.
    Near,
    /// A copied file mentions it.
    Far,
}

/// The ends of the variables of hosts for the directory of the package.
pub(super) const ROOTS: [&str; 2] = ["PLUGIN_ROOT", "extensionPath"];

/// The words of file names before the ending that are about a project, not about a task.
const ABOUT: [&str; 9] = [
    "readme",
    "changelog",
    "changes",
    "history",
    "contributing",
    "license",
    "agents",
    "claude",
    "gemini",
];
/// The names of directories with tests.
const TESTS: [&str; 8] = [
    "test",
    "tests",
    "__tests__",
    "spec",
    "specs",
    "testdata",
    "e2e",
    "__snapshots__",
];

/// Returns the parts of a text in which a path is that of a file that it needs.
pub(super) fn parts<'t>(path: &str, text: &'t str, reach: Reach) -> Vec<&'t str> {
    if is_program(path) {
        return if is_code_file(path) {
            code::strings(path, text)
        } else {
            text.lines().map(without_comment).collect()
        };
    }
    match reach {
        Reach::Near if path.contains("CHANGELOG") => Vec::new(),
        Reach::Near => vec![text],
        Reach::Far if !is_document(path) || is_about(path) => Vec::new(),
        Reach::Far => links(text).chain(in_package(text)).collect(),
    }
}

/// Returns true for a program.
pub(super) fn is_program(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let suffixes = [".sh", ".bash", ".zsh", ".rb", ".ps1", ".pl"];
    is_code_file(path) || suffixes.iter().any(|suffix| lower.ends_with(suffix))
}

/// Returns true for a file that only tests others.
pub(super) fn is_test(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let (directory, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    directory.split('/').any(|part| TESTS.contains(&part))
        || name.contains(".test.")
        || name.contains(".spec.")
        || is_program(name) && (name.starts_with("test_") || name.contains("_test."))
}

/// Returns true for a document about a project, such as a readme.
pub(super) fn is_about(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let stem = name.split('.').next().unwrap_or_default();
    is_document(path) && ABOUT.contains(&stem)
}

fn is_document(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let suffixes = [".md", ".mdc", ".markdown", ".txt", ".rst"];
    suffixes.iter().any(|suffix| lower.ends_with(suffix))
}

/// Returns a line of a script without its comment.
fn without_comment(line: &str) -> &str {
    if line.trim_start().starts_with('#') {
        return "";
    }
    line.find(" # ").map_or(line, |at| &line[..at])
}

/// Returns the targets of the links of a document.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let starts = text.match_indices("](").map(|(at, mark)| at + mark.len());
    let link = |start: usize| {
        let rest = &text[start..];
        &rest[..rest.find([')', '#', ' ', '\n']).unwrap_or(rest.len())]
    };
    starts.map(link)
}

/// Returns the words with the variable of the host for the directory of the package.
fn in_package(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split_ascii_whitespace();
    words.filter(|word| ROOTS.iter().any(|root| word.contains(root)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, text: &str, reach: Reach, expected: &[&str]) {
        let found = parts(path, text, reach);
        let found: Vec<&str> = found.into_iter().filter(|it| !it.is_empty()).collect();
        assert_eq!(found, expected, "{path}");
    }

    #[test]
    fn what_counts_depends_on_the_file() {
        let text = "See [a](a/b.md#c) and `c/d.md`.\n";
        check("guide/x.md", text, Reach::Near, &[text]);
        check("guide/x.md", text, Reach::Far, &["a/b.md"]);
        let root = "Run ${CLAUDE_PLUGIN_ROOT}/a.sh now.\n";
        check(
            "guide/x.md",
            root,
            Reach::Far,
            &["${CLAUDE_PLUGIN_ROOT}/a.sh"],
        );
        check("README.md", text, Reach::Far, &[]);
        check("data.json", "{\"a\": \"b/c.md\"}", Reach::Far, &[]);
        let code = "// like src/old.ts\nimport x from './y';\n/* tests/a.ts */ read(\"z.json\")\n";
        check("src/a.ts", code, Reach::Far, &["./y", "z.json"]);
        let python = "\"\"\"See guide/a.md\nand b.\n\"\"\"\n# c/d.md\nopen('e/f.txt')\n";
        check("a.py", python, Reach::Near, &["e/f.txt"]);
        let shell = "#!/bin/sh\n# see guide/a.md\n. ./lib.sh # as b.sh\n";
        check("a.sh", shell, Reach::Far, &[". ./lib.sh"]);
    }

    #[test]
    fn tests_and_documents_about_a_project() {
        let tests = ["tests/a.md", "src/a.test.ts", "x/test_a.py", "b_test.sh"];
        assert!(tests.iter().all(|path| is_test(path)));
        let others = ["latest/a.md", "references/test_plan.md", "src/contest.ts"];
        assert!(!others.iter().any(|path| is_test(path)));
        assert!(is_about("a/README.zh.md") && !is_about("a/agents.py"));
    }
}
