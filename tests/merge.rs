//! Histories: changes of a plugin, edits of its skill, and runs in between.
//!
//! A case is a file in `histories/`, and a step is a line:
//!
//! ```text
//! plugin write PATH TEXT         plugin replace PATH OLD => NEW     plugin remove PATH
//! hand append PATH TEXT          hand rename PATH NEW               hand cut PATH TEXT
//! run [FLAGS] => STATUS EXIT     rollback => EXIT
//! has PATH TEXT                  lacks PATH TEXT                    gone PATH
//! ```
//!
//! `\n` in a text is a line end. Some promises are checked after every run: a dry run reported the
//! same and wrote nothing, a second run changes nothing, `--check` agrees, and every edit by hand is
//! in the skill or in one of its backups.

use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::{cases, tool, tree};

#[test]
fn each_history_ends_as_described() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("histories");
    let names = tree::files(&folder);
    assert!(!names.is_empty(), "{} is empty", folder.display());
    let mut failed = Vec::new();
    for name in names {
        let text = fs::read_to_string(folder.join(&name)).unwrap();
        let play = || History::new().play(&name, &text);
        if catch_unwind(AssertUnwindSafe(play)).is_err() {
            failed.push(name);
        }
    }
    assert!(
        failed.is_empty(),
        "{} failed: {}",
        failed.len(),
        failed.join(", ")
    );
}

/// A plugin and its skill.
struct History {
    _dir: TempDir,
    plugins: PathBuf,
    out: PathBuf,
    /// Lines that were written by hand and not given up by a flag.
    written: Vec<String>,
}

const PLUGIN: &str = "TeaTimer";
const SKILL: &str = "tea-timer";

impl History {
    fn new() -> Self {
        let dir = TempDir::new().unwrap();
        let [plugins, out] = ["plugins", "skills"].map(|name| dir.path().join(name));
        cases::copy(
            &cases::fixtures("plugins").join(PLUGIN),
            &plugins.join(PLUGIN),
        );
        Self {
            _dir: dir,
            plugins,
            out,
            written: Vec::new(),
        }
    }

    fn play(&mut self, name: &str, text: &str) {
        for (n, line) in text.lines().enumerate() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let place = format!("{name}:{}: {line}", n + 1);
            let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
            match verb {
                "plugin" => change(&self.plugins.join(PLUGIN), rest, &place),
                "hand" => self.edit(rest, &place),
                "run" => self.run(rest, &place),
                "rollback" => self.rollback(rest, &place),
                "has" | "lacks" => self.look(verb == "has", rest, &place),
                "gone" => assert!(!self.skill().join(rest).exists(), "{place}"),
                _ => panic!("{place}: no such step"),
            }
        }
    }

    fn skill(&self) -> PathBuf {
        self.out.join(SKILL)
    }

    fn edit(&mut self, step: &str, place: &str) {
        change(&self.skill(), step, place);
        let new = step.split_once(" => ").map_or(step, |(_, new)| new);
        let lines = new
            .split("\\n")
            .filter_map(|line| line.find("mine").map(|at| &line[at..]));
        self.written.extend(lines.map(str::to_owned));
    }

    fn look(&self, expected: bool, rest: &str, place: &str) {
        let (path, text) = rest.split_once(' ').unwrap();
        let file = self.skill().join(path);
        let actual = fs::read(&file).unwrap_or_else(|err| panic!("{place}: {err}"));
        let actual = String::from_utf8_lossy(&actual);
        let found = actual.contains(&text.replace("\\n", "\n"));
        assert_eq!(found, expected, "{place}\n{actual}");
    }

    fn migrate(&self, flags: &[&str]) -> (String, u8, tool::Run) {
        let report = self.out.with_file_name("report.json");
        let [plugins, out, report] =
            [&self.plugins, &self.out, &report].map(|it| it.to_str().unwrap());
        let run = tool::migrate(&[&[plugins, "--out", out, "--report", report], flags].concat());
        let text = fs::read_to_string(report).unwrap();
        let report: serde_json::Value = serde_json::from_str(&text).unwrap();
        let status = &report["plugins"][0]["status"];
        (status.as_str().unwrap().to_owned(), run.status, run)
    }

    fn run(&mut self, step: &str, place: &str) {
        let (flags, expected) = step.split_once("=> ").unwrap_or_else(|| panic!("{place}"));
        let flags: Vec<&str> = flags.split_whitespace().collect();
        let (status, exit) = expected.split_once(' ').unwrap();
        let exit: u8 = exit.parse().unwrap();
        let before = self.contents();
        let dry = self.migrate(&[&flags[..], &["--dry-run", "--diff"]].concat());
        assert!(
            before == self.contents(),
            "{place}: a dry run wrote something"
        );
        let real = self.migrate(&flags);
        assert_eq!((&*real.0, real.1), (status, exit), "{place}\n{:?}", real.2);
        assert_eq!(
            (dry.0, dry.1),
            (real.0, real.1),
            "{place}: the dry run said so"
        );
        let after = self.contents();
        if skill_of(&before) != skill_of(&after) {
            assert!(
                dry.2.stdout.contains("+++ "),
                "{place}: no diff\n{}",
                dry.2.stdout
            );
        }
        let lasting: Vec<&str> = flags
            .into_iter()
            .filter(|flag| *flag == "--prune")
            .collect();
        self.assert_unchanged_by_a_second_run(&lasting, exit, &after, place);
        self.assert_edits_exist(place);
    }

    /// Checks that nothing is left to do.
    fn assert_unchanged_by_a_second_run(
        &self,
        flags: &[&str],
        exit: u8,
        after: &BTreeMap<String, Vec<u8>>,
        place: &str,
    ) {
        let check = self.migrate(&[flags, &["--check"]].concat());
        assert_eq!(check.1, exit, "{place}: --check\n{:?}", check.2);
        let again = self.migrate(flags);
        assert_eq!(again.1, exit, "{place}: again\n{:?}", again.2);
        assert_ne!(again.0, "merged", "{place}: merged twice");
        let now = self.contents();
        let differ: Vec<_> = now
            .iter()
            .filter(|(path, bytes)| after.get(*path) != Some(bytes))
            .map(|it| it.0)
            .collect();
        assert!(differ.is_empty(), "{place}: a second run wrote {differ:?}");
        let valid = tool::validate(&[self.out.to_str().unwrap()]).status;
        let has_marks = skill_of(after)
            .values()
            .any(|it| String::from_utf8_lossy(it).contains("<<<<<<< "));
        assert!(!has_marks || valid == 1, "{place}: valid with markers");
    }

    fn assert_edits_exist(&self, place: &str) {
        let all: String = tree::files(&self.out)
            .iter()
            .filter(|path| {
                !path.starts_with(".skills-migrate/base") && !path.contains("/previous/")
            })
            .map(|path| {
                String::from_utf8_lossy(&fs::read(self.out.join(path)).unwrap()).into_owned()
            })
            .collect();
        for line in &self.written {
            assert!(all.contains(line.as_str()), "{place}: `{line}` is lost");
        }
    }

    fn rollback(&self, step: &str, place: &str) {
        let exit: u8 = step.trim_start_matches("=> ").parse().unwrap();
        let run = tool::migrate(&["rollback", "--out", self.out.to_str().unwrap()]);
        assert_eq!(run.status, exit, "{place}: {run:?}");
    }

    /// Returns every file, without the tool's own state.
    fn contents(&self) -> BTreeMap<String, Vec<u8>> {
        if !self.out.exists() {
            return BTreeMap::new();
        }
        let files = tree::files(&self.out).into_iter();
        files
            .filter(|path| !path.starts_with(".skills-migrate/"))
            .map(|path| (path.clone(), fs::read(self.out.join(&path)).unwrap()))
            .collect()
    }
}

fn skill_of(contents: &BTreeMap<String, Vec<u8>>) -> BTreeMap<&String, &Vec<u8>> {
    contents
        .iter()
        .filter(|(path, _)| *path != "skills.lock")
        .collect()
}

/// Applies one change to a file below `root`.
fn change(root: &Path, step: &str, place: &str) {
    let mut words = step.splitn(3, ' ');
    let [verb, path] = [(); 2].map(|()| words.next().unwrap_or_else(|| panic!("{place}")));
    let text = words.next().unwrap_or_default();
    let file = root.join(path);
    let read = || fs::read_to_string(&file).unwrap_or_else(|err| panic!("{place}: {err}"));
    let plain = |text: &str| text.replace("\\n", "\n");
    match verb {
        "write" => {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            // `\0` makes it binary.
            fs::write(&file, plain(text).replace("\\0", "\0")).unwrap();
        }
        "append" => fs::write(&file, read() + &plain(text)).unwrap(),
        "replace" => {
            let (old, new) = text.split_once(" => ").unwrap();
            let before = read();
            assert!(before.contains(&plain(old)), "{place}: not in\n{before}");
            fs::write(&file, before.replacen(&plain(old), &plain(new), 1)).unwrap();
        }
        "cut" => {
            let before = read();
            assert!(before.contains(&plain(text)), "{place}: not in\n{before}");
            fs::write(&file, before.replacen(&plain(text), "", 1)).unwrap();
        }
        "remove" => fs::remove_file(&file).unwrap(),
        "rename" => {
            fs::create_dir_all(root.join(text).parent().unwrap()).unwrap();
            fs::rename(&file, root.join(text)).unwrap();
        }
        _ => panic!("{place}: no such change"),
    }
}
