//! Private files: left out by the migrator, reported by the validator, never served and never
//! published.
//!
//! There is one table of names ([`table`]) and a small set of file signatures ([`content`]). They
//! are the union of what their four users need: a file that one of them would not pass on is not
//! passed on by any.
//!
//! Sources: the threat table of `SECURITY.md`; `docs/design/legacy-host.md` §1.8; the documentation of git,
//! Chromium, `SQLite` and `LevelDB` for names of files.

mod content;
mod notes;
mod row;
mod table;

use std::collections::BTreeMap;
use std::sync::LazyLock;

pub use content::{PRIVATE_HEAD, private_content};
use notes::NOTES;
pub use row::{PrivateKind, PrivateName};
use table::{CLOSED_DIRECTORIES, CODE, DATA_DIRECTORIES, FILES, TEMPLATES};

/// Returns the row that makes a directory private with all of its content; such a directory need
/// not be entered.
pub fn private_directory(name: &str) -> Option<&'static PrivateName> {
    static CLOSED: LazyLock<Names> = LazyLock::new(|| Names::new(CLOSED_DIRECTORIES));
    CLOSED.find(&name.to_lowercase())
}

/// Returns the row that makes the file at a path private, by its own name or by one of its
/// directories. The path is relative to the plugin or skill, with `/` between components.
pub fn private_path(path: &str) -> Option<&'static PrivateName> {
    static DATA: LazyLock<Names> = LazyLock::new(|| Names::new(DATA_DIRECTORIES));
    let lower = path.to_lowercase();
    let (directories, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    let parts = || directories.split('/').filter(|part| !part.is_empty());
    let closed = parts().find_map(private_directory);
    let is_text_of_skill = name.ends_with(".md") && directories.starts_with("references");
    let in_data = || {
        let is_open = is_code(name) || is_text_of_skill;
        (!is_open).then(|| parts().find_map(|part| DATA.find(part)))?
    };
    let note = || (!is_text_of_skill).then(|| private_note(name))?;
    closed
        .or_else(|| private_file(name))
        .or_else(note)
        .or_else(in_data)
}

/// Returns whether a path is withheld from others: it is private, or a component begins with a dot.
pub fn is_withheld(path: &str) -> bool {
    path.split('/').any(|part| part.starts_with('.')) || private_path(path).is_some()
}

/// Returns all rows with an example path for each; the tests of all users of the table go through
/// them.
pub fn private_examples() -> impl Iterator<Item = (String, &'static PrivateName)> {
    let example = |row: &PrivateName| row.pattern.replace("[0-9]", "1").replace('*', "x");
    let closed = CLOSED_DIRECTORIES
        .iter()
        .map(move |row| (format!("{}/file.txt", example(row)), row));
    let data = DATA_DIRECTORIES
        .iter()
        .map(move |row| (format!("{}/file.txt", example(row)), row));
    let files = FILES.iter().map(move |row| (example(row), row));
    let notes = NOTES.iter().map(move |row| (example(row), row));
    closed.chain(data).chain(files).chain(notes)
}

/// Returns paths for the tests of all users of the table, each with the row that makes it private,
/// if there is one. They place every row deep in a directory, in capitals, as a directory of code
/// and of data, and in a longer name; and they include similar names that are not private. A path is
/// never the directory of another.
pub fn private_cases() -> Vec<(String, Option<&'static PrivateName>)> {
    let mut paths: Vec<String> = LOOK_ALIKE.iter().map(|path| (*path).to_owned()).collect();
    for (path, _) in private_examples() {
        let (directory, name) = path.split_once('/').unwrap_or(("", &path));
        let upper = path.to_uppercase();
        paths.extend([
            path.clone(),
            upper,
            format!("x{name}"),
            format!("{name}.js"),
        ]);
        if !directory.is_empty() {
            for name in ["index.js", "data.json", "deep/notes.md", "deep/main.py"] {
                paths.push(format!("{directory}/{name}"));
            }
        }
    }
    let numbered = paths.into_iter().enumerate();
    let cases = numbered.map(|(n, path)| {
        let path = format!("scripts/c{n}/{path}");
        let row = private_path(&path);
        (path, row)
    });
    cases.collect()
}

/// Names of program files that resemble private ones.
const LOOK_ALIKE: [&str; 14] = [
    "config.env.example",
    "example.env",
    "data/holidays.json",
    "lib/diary.js",
    "targets/a.js",
    "build/target.js",
    "dist/index.js",
    "environment.md",
    "env.js",
    "keyboard.json",
    "tokenizer.json",
    "vendor/lib.py",
    "logs.py",
    "packages/a/index.js",
];

/// Looks up the last component, in lower case.
fn private_file(name: &str) -> Option<&'static PrivateName> {
    static NAMES: LazyLock<Names> = LazyLock::new(|| Names::new(FILES));
    if is_template(name) || is_code(name) {
        return None;
    }
    NAMES.find(name)
}

/// Looks up a Markdown note by its last component, in lower case.
fn private_note(name: &str) -> Option<&'static PrivateName> {
    static NAMES: LazyLock<Names> = LazyLock::new(|| Names::new(NOTES));
    NAMES.find(name)
}

fn is_code(name: &str) -> bool {
    CODE.iter().any(|end| name.ends_with(end))
}

/// Returns true for names such as `config.env.example`, `example.env`, `cookies.sample.json`.
fn is_template(name: &str) -> bool {
    let mut parts = name.split('.');
    parts.any(|part| matches!(part, "example" | "sample" | "template"))
        || TEMPLATES.iter().any(|end| name.ends_with(end))
}

/// Rows by name: those without a pattern in a map, the others in a list.
struct Names {
    exact: BTreeMap<&'static str, &'static PrivateName>,
    patterns: Vec<&'static PrivateName>,
}

impl Names {
    fn new(rows: &'static [PrivateName]) -> Self {
        let (patterns, exact): (Vec<&PrivateName>, Vec<&PrivateName>) = rows
            .iter()
            .partition(|row| row.pattern.contains(['*', '[']));
        let exact = exact.into_iter().map(|row| (row.pattern, row)).collect();
        Self { exact, patterns }
    }

    fn find(&self, lower_name: &str) -> Option<&'static PrivateName> {
        let exact = self.exact.get(lower_name).copied();
        exact.or_else(|| {
            let mut patterns = self.patterns.iter().copied();
            patterns.find(|row| fits(row.pattern, lower_name))
        })
    }
}

/// Returns whether a name matches a pattern of the table. Patterns have at most three `*`.
fn fits(pattern: &str, name: &str) -> bool {
    let Some((before, after)) = pattern.split_once('*') else {
        return fits_start(pattern, name) == Some("");
    };
    let Some(rest) = fits_start(before, name) else {
        return false;
    };
    if after.is_empty() {
        return true;
    }
    // Most patterns end in plain letters, and most names do not.
    if !after.contains(['*', '[']) {
        return rest.ends_with(after);
    }
    let mut ends = rest.char_indices().map(|(at, _)| at);
    ends.any(|at| fits(after, &rest[at..]))
}

/// Returns the rest of a name after a prefix that matches a pattern without `*`.
fn fits_start<'n>(pattern: &str, name: &'n str) -> Option<&'n str> {
    if !pattern.contains('[') {
        return name.strip_prefix(pattern);
    }
    match pattern.split_once("[0-9]") {
        None => name.strip_prefix(pattern),
        Some((before, after)) => {
            let rest = name.strip_prefix(before)?;
            fits_start(after, rest.strip_prefix(|c: char| c.is_ascii_digit())?)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(expected: Option<PrivateKind>, paths: &[&str]) {
        for path in paths {
            let found = private_path(path).map(|row| row.kind);
            assert_eq!(found, expected, "{path}");
        }
    }

    #[test]
    fn every_row_finds_its_example() {
        for (path, row) in private_examples() {
            let found = private_path(&path).map(|found| found.kind);
            assert_eq!(found, Some(row.kind), "{path}");
            let upper = format!("sub/{}", path.to_uppercase());
            assert!(private_path(&upper).is_some(), "{upper}");
        }
    }

    #[test]
    fn user_data_is_private_by_name() {
        check(
            Some(PrivateKind::UserData),
            &[
                "memory.sqlite",
                "data/notes.db",
                "dailynote/Nova/2026-01-01.txt",
                "diary.txt",
                "cache/history.json",
                "state.json",
                "state/session.json",
                "screenshot.png",
                "output/result-1.json",
                "nohup.out",
                "backup.zip",
                "known_hosts",
                "user-data-dir/Default/Preferences",
                "LOGS/a.txt",
                "日记/2026.txt",
                "我的日记/1.md",
                "小明的日记本.txt",
                "日志/a.txt",
                "聊天记录/1.json",
                "备份/a.zip",
                "缓存/a.bin",
                "截图/a.png",
                "历史记录.json",
                "用户数据/a.json",
                "diary-2025.md",
                "my_diary.txt",
                "journal.md",
                "VCPTimedContacts/1.json",
                "cache.json",
            ],
        );
        check(
            Some(PrivateKind::Credentials),
            &[
                "Cookies",
                "storageState.json",
                "wallet.dat",
                "auth_code.txt",
                "server.PEM",
            ],
        );
        check(
            Some(PrivateKind::Settings),
            &[
                "config.env",
                ".env.local",
                "config.env.bak",
                "test.env",
                "a/.env.production",
            ],
        );
    }

    #[test]
    fn what_a_program_needs_is_not_private() {
        check(
            None,
            &[
                "config.env.example",
                ".env.example",
                "example.env",
                "cookies.sample.json",
                "token.json.template",
                "data/holidays.json",
                "lib/diary.js",
                "cache/index.js",
                "state/reducer.ts",
                "output/format.py",
                "environment.md",
                "env.js",
                "references/state/overview.md",
                "templates/_rels/.rels",
                "keyboard.json",
                "tokenizer.json",
                "history.js",
                "screenshot.py",
                "assets/logo.png",
                "data.json",
                "prompts/diary_prompt.md",
                "references/journal.md",
                "日记/index.js",
                "日记使用说明.md",
                "journals.json",
                "缓存.py",
            ],
        );
    }

    #[test]
    fn hidden_names_are_withheld() {
        assert!(is_withheld("scripts/.git"));
        assert!(is_withheld("a/.hidden/b.txt"));
        assert!(!is_withheld("scripts/main.py"));
    }
}
