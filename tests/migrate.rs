//! Migration of the project's own plugins: the skill of each, and promises that hold for all.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::{cases, tool, tree};

/// Returns true for the files of a skill that a reviewer should read; programs are only listed.
fn is_worth_reading(path: &str) -> bool {
    !path.starts_with("scripts/") && path != "references/legacy-manifest.json"
}

#[test]
fn each_plugin_becomes_this() {
    let out = TempDir::new().unwrap();
    let report = tool::report(
        &cases::fixtures("plugins"),
        out.path(),
        &["--include-disabled"],
    );
    let stories =
        plugins(&report).map(|plugin| (text(plugin, "directory"), story(plugin, out.path())));
    cases::check_each_case("migrate", stories);
}

#[test]
fn each_broken_plugin_becomes_this() {
    let out = TempDir::new().unwrap();
    let report = tool::report(&cases::fixtures("broken"), out.path(), &[]);
    let stories =
        plugins(&report).map(|plugin| (text(plugin, "directory"), story(plugin, out.path())));
    cases::check_each_case("broken", stories);
}

#[test]
fn output_for_people() {
    let out = TempDir::new().unwrap();
    let mut output = String::new();
    for area in ["plugins", "broken"] {
        let [input, out] = [cases::fixtures(area), out.path().join(area)];
        let run = tool::migrate(&[input.to_str().unwrap(), "--out", out.to_str().unwrap()]);
        let stdout = run.stdout.replace(input.to_str().unwrap(), "IN");
        let stdout = stdout.replace(out.to_str().unwrap(), "OUT");
        write!(
            output,
            "{area}: status {}\n{stdout}--- stderr\n{}\n",
            run.status, run.stderr
        )
        .unwrap();
    }
    insta::assert_snapshot!(output);
}

/// Checks the standard error of a run over an input without plugins: nothing is created.
#[track_caller]
fn check_no_plugins(files: &[&str], flags: &[&str], expected: &str) {
    let dir = TempDir::new().unwrap();
    let [input, out] = [dir.path().join("in"), dir.path().join("out")];
    fs::create_dir(&input).unwrap();
    for file in files {
        let path = input.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "{}").unwrap();
    }
    let args = [input.to_str().unwrap(), "--out", out.to_str().unwrap()];
    let run = tool::migrate(&[&args[..], flags].concat());
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.stderr.contains(expected), "{run:?}");
    assert!(!run.stdout.contains("0 of 0"), "{run:?}");
    assert!(!out.exists(), "{files:?} {flags:?}");
}

#[test]
fn an_input_without_plugins_is_an_error() {
    let empty = "error[no-plugins]: the input has no plugin: the directory is empty";
    for flags in [
        &[][..],
        &["--check"],
        &["--dry-run"],
        &["--quiet"],
        &["--format", "json"],
    ] {
        check_no_plugins(&[], flags, empty);
    }
    check_no_plugins(
        &["weather/SKILL.md", "weather/METADATA.yml", "skills.lock"],
        &[],
        "the input has no plugin: found only `skills.lock`, `weather/`\n",
    );
    check_no_plugins(
        &["a", "b", "c", "d", "e", "f", "g"],
        &[],
        "found `a`, `b`, `c`, `d`, `e` and 2 more",
    );
    check_no_plugins(
        &["A/plugin-manifest.json"],
        &["--only", "B"],
        "none of the 1 plugin of the input is selected",
    );
    let refused = "bundle-refused]: the bundle is refused: the archive is broken";
    check_no_plugins(&["notes.mcpb"], &[], refused);
    let others = "the input has no plugin besides bundles that are refused";
    check_no_plugins(&["notes.mcpb"], &[], others);
}

#[test]
fn a_bundle_without_a_name_is_a_skill() {
    let dir = TempDir::new().unwrap();
    let [input, out] = [dir.path().join("in"), dir.path().join("out")];
    fs::create_dir_all(input.join("a")).unwrap();
    let manifest =
        r#"{"dxt_version": "0.1", "server": {"type": "node", "entry_point": "main.js"}}"#;
    fs::write(input.join("a/manifest.json"), manifest).unwrap();
    let run = tool::migrate(&[input.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.stdout.contains("bundle  created"), "{run:?}");
}

#[test]
fn findings_of_unchanged_skills_are_shown_with_v() {
    let dir = TempDir::new().unwrap();
    let [input, out] = [cases::fixtures("plugins"), dir.path().join("out")];
    let args = [
        input.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
        "-v",
    ];
    let first = tool::migrate(&args);
    let second = tool::migrate(&args);
    assert!(
        second.stdout.contains("0 created, 0 updated, 42 unchanged"),
        "{}",
        second.stdout
    );
    assert!(
        first.stderr.contains("warning[") && first.stderr == second.stderr,
        "{}",
        second.stderr
    );
}

#[test]
fn a_rollback_names_what_it_did() {
    let dir = TempDir::new().unwrap();
    let [input, out] = [dir.path().join("in"), dir.path().join("out")];
    let names = ["TeaTimer", "WordCount"];
    for name in names {
        cases::copy(&cases::fixtures("plugins").join(name), &input.join(name));
    }
    let out = out.to_str().unwrap();
    tool::migrate(&[input.to_str().unwrap(), "--out", out]);
    let run = tool::migrate(&["rollback", "--out", out]);
    assert_eq!(
        run.stdout,
        "0 skills restored\n2 skills removed: tea-timer, word-count\n"
    );
}

#[test]
fn a_second_run_changes_no_byte() {
    let out = TempDir::new().unwrap();
    let input = cases::fixtures("plugins");
    tool::report(&input, out.path(), &[]);
    let before = contents(out.path());
    let report = tool::report(&input, out.path(), &[]);
    assert_same(&contents(out.path()), &before);
    let changed =
        plugins(&report).filter(|it| it["status"] == "created" || it["status"] == "updated");
    assert_eq!(changed.count(), 0);
}

#[test]
fn directories_that_were_not_searched_are_reported() {
    let dir = TempDir::new().unwrap();
    let [input, out] = [dir.path().join("plugins"), dir.path().join("skills")];
    fs::create_dir_all(input.join("a/b/c/d/e/f/g/h/i/j")).unwrap();
    std::os::unix::fs::symlink(cases::fixtures("plugins"), input.join("linked")).unwrap();
    let report = tool::report(&input, &out, &[]);
    let found = report["not_searched"].as_array().unwrap();
    let files: Vec<&str> = found
        .iter()
        .map(|it| it["file"].as_str().unwrap())
        .collect();
    assert_eq!(files, ["a/b/c/d/e/f/g/h/i", "linked"]);
}

#[test]
fn the_same_plugins_give_the_same_bytes_elsewhere() {
    let [first, second] = [TempDir::new().unwrap(), TempDir::new().unwrap()];
    let copy = second.path().join("a plugin collection, moved");
    cases::copy(&cases::fixtures("plugins"), &copy);
    tool::report(
        &cases::fixtures("plugins"),
        &first.path().join("out"),
        &["--jobs", "1"],
    );
    tool::report(&copy, &second.path().join("out"), &["--jobs", "8"]);
    let [first, second] = [first, second].map(|it| contents(&it.path().join("out")));
    assert_same(&first, &second);
}

#[test]
fn every_leaf_has_a_fate() {
    let out = TempDir::new().unwrap();
    let input = cases::fixtures("plugins");
    let report = tool::report(&input, out.path(), &["--include-disabled"]);
    for plugin in plugins(&report) {
        let directory = text(plugin, "directory");
        let settled: BTreeSet<String> = items(&plugin["fates"])
            .map(|it| text(it, "pointer"))
            .collect();
        assert_eq!(settled, leaves(&input.join(&directory)), "{directory}");
        for fate in items(&plugin["fates"]).filter(|it| it["to"].is_string()) {
            let file = text(fate, "to");
            let file = file.split('#').next().unwrap();
            let path = skill_dir(out.path(), plugin).join(file);
            assert!(path.is_file(), "{directory}: {fate}");
        }
    }
}

#[test]
fn programs_are_carried_byte_for_byte() {
    let out = TempDir::new().unwrap();
    let input = cases::fixtures("plugins");
    let report = tool::report(&input, out.path(), &["--include-disabled"]);
    for plugin in plugins(&report) {
        let scripts = skill_dir(out.path(), plugin).join("scripts");
        let source = input.join(text(plugin, "directory"));
        for path in tree::files(&scripts) {
            let is_list = ["package.json", "requirements.txt"].contains(&path.as_str());
            if is_list && !source.join(&path).exists() {
                // Written for package managers, because the plugin has none.
                continue;
            }
            assert_eq!(
                fs::read(scripts.join(&path)).unwrap(),
                fs::read(source.join(&path)).unwrap(),
                "{path}"
            );
        }
    }
}

#[test]
fn every_skill_is_valid() {
    let out = TempDir::new().unwrap();
    tool::report(
        &cases::fixtures("plugins"),
        out.path(),
        &["--include-disabled"],
    );
    for profile in ["spec", "skills-ref", "claude-code", "codex"] {
        let run = tool::validate(&[out.path().to_str().unwrap(), "--profile", profile]);
        assert_eq!(run.status, 0, "{profile}: {run:?}");
    }
}

#[test]
fn settings_stay_behind() {
    let out = TempDir::new().unwrap();
    tool::report(
        &cases::fixtures("plugins"),
        out.path(),
        &["--include-disabled"],
    );
    for (path, bytes) in contents(out.path()) {
        let text = String::from_utf8_lossy(&bytes);
        assert!(
            !text.contains("secret-canary"),
            "{path} holds a value of config.env"
        );
        assert!(
            !path.contains("node_modules") && !path.contains("__pycache__"),
            "{path} was copied"
        );
        assert!(!path.ends_with("/config.env"), "{path} was copied");
    }
}

#[test]
fn a_dry_run_writes_nothing_and_a_check_finds_differences() {
    let out = TempDir::new().unwrap();
    let skills = out.path().join("skills");
    let input = cases::fixtures("plugins");
    let args = [input.to_str().unwrap(), "--out", skills.to_str().unwrap()];
    let dry = tool::migrate(&[&args[..], &["--dry-run", "--diff"]].concat());
    assert!(
        dry.stdout.contains("+name: \"art-palette\""),
        "{}",
        dry.stdout
    );
    assert!(!skills.exists());
    assert_eq!(tool::migrate(&[&args[..], &["--check"]].concat()).status, 1);
    assert_eq!(tool::migrate(&args).status, 0);
    assert_eq!(tool::migrate(&[&args[..], &["--check"]].concat()).status, 0);
}

#[test]
fn an_edited_skill_is_kept_and_reported() {
    let out = TempDir::new().unwrap();
    let input = cases::fixtures("plugins");
    let args = [
        input.to_str().unwrap(),
        "--out",
        out.path().to_str().unwrap(),
    ];
    tool::migrate(&args);
    let edited = out.path().join("tea-timer/SKILL.md");
    fs::write(&edited, "mine").unwrap();
    let run = tool::migrate(&args);
    assert_eq!(run.status, 1);
    assert!(run.stderr.contains("until the plugin changes"), "{run:?}");
    assert_eq!(fs::read_to_string(&edited).unwrap(), "mine");
    assert_eq!(tool::migrate(&[&args[..], &["--force"]].concat()).status, 0);
    assert_ne!(fs::read_to_string(&edited).unwrap(), "mine");
}

#[test]
fn what_another_wrote_is_kept_and_the_help_is_true() {
    let dir = TempDir::new().unwrap();
    let [input, out] = [dir.path().join("in"), dir.path().join("out")];
    cases::copy(
        &cases::fixtures("plugins").join("TeaTimer"),
        &input.join("TeaTimer"),
    );
    fs::create_dir_all(out.join("tea-timer")).unwrap();
    fs::write(out.join("tea-timer/SKILL.md"), "theirs").unwrap();
    let args = [input.to_str().unwrap(), "--out", out.to_str().unwrap()];
    let run = tool::migrate(&args);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(!run.stderr.contains("until the plugin changes"), "{run:?}");
    assert!(run.stderr.contains("move it away"), "{run:?}");
    assert_eq!(tool::migrate(&[&args[..], &["--ours"]].concat()).status, 1);
    assert_eq!(tool::migrate(&[&args[..], &["--force"]].concat()).status, 0);
}

/// Returns the result for one plugin, for a reviewer.
pub(crate) fn story(plugin: &Value, out: &Path) -> String {
    let mut acc = format!(
        "status: {}, runnable: {}\n",
        text(plugin, "status"),
        plugin["runnable"]
    );
    for finding in items(&plugin["findings"]) {
        writeln!(acc, "{}", one_line(finding)).unwrap();
    }
    for left in items(&plugin["left_out"]) {
        writeln!(
            acc,
            "left out: {} ({})",
            text(left, "path"),
            text(left, "reason")
        )
        .unwrap();
    }
    for fate in items(&plugin["fates"]).filter(|it| it["fate"] == "kept" || it["fate"] == "dropped")
    {
        writeln!(
            acc,
            "{}: {} {}{}",
            text(fate, "fate"),
            text(fate, "pointer"),
            text(fate, "to"),
            text(fate, "why")
        )
        .unwrap();
    }
    if plugin["skill"].is_string() && skill_dir(out, plugin).is_dir() {
        let skill = skill_dir(out, plugin);
        let shown = skill.strip_prefix(out).unwrap().display();
        write!(
            acc,
            "\n{shown}/\n{}",
            tree::render(&skill, is_worth_reading)
        )
        .unwrap();
    }
    acc
}

fn one_line(finding: &Value) -> String {
    let place = [&finding["line"], &finding["column"]]
        .map(Value::to_string)
        .join(":")
        .replace("null:null", "");
    let help = text(finding, "help");
    let hint = if help.is_empty() {
        help
    } else {
        format!("\n  hint: {help}")
    };
    let [severity, code, pointer, message] =
        ["severity", "code", "pointer", "message"].map(|key| text(finding, key));
    format!("{severity}[{code}] {place}{pointer}: {message}{hint}")
}

pub(crate) fn plugins(report: &Value) -> impl Iterator<Item = &Value> {
    items(&report["plugins"])
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// Returns the directory of the skill of a plugin, which may be a part of a host.
fn skill_dir(out: &Path, plugin: &Value) -> PathBuf {
    skill_loader::dir_in(out, &text(plugin, "skill"))
}

fn text(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

/// Returns the pointers of all leaves of the manifest, found without the project's own reader.
fn leaves(directory: &Path) -> BTreeSet<String> {
    let name = ["plugin-manifest.json", "plugin-manifest.json.block"];
    let path = name
        .map(|name| directory.join(name))
        .into_iter()
        .find(|path| path.is_file())
        .unwrap();
    let text = fs::read_to_string(path).unwrap();
    let mut acc = BTreeSet::new();
    walk(
        &serde_json::from_str(text.trim_start_matches('\u{feff}')).unwrap(),
        "",
        &mut acc,
    );
    acc
}

fn walk(value: &Value, pointer: &str, acc: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            for (key, inner) in map {
                let key = key.replace('~', "~0").replace('/', "~1");
                walk(inner, &format!("{pointer}/{key}"), acc);
            }
        }
        Value::Array(list) if !list.is_empty() => {
            for (at, inner) in list.iter().enumerate() {
                walk(inner, &format!("{pointer}/{at}"), acc);
            }
        }
        _ => drop(acc.insert(pointer.to_owned())),
    }
}

/// Returns every file with its bytes, without the tool's own state.
fn contents(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = tree::files(root)
        .into_iter()
        .filter(|path| !path.starts_with(".skills-migrate/"));
    files
        .map(|path| (path.clone(), fs::read(root.join(&path)).unwrap()))
        .collect()
}

/// Fails with the names of the files that differ, not with their bytes.
#[track_caller]
fn assert_same(left: &BTreeMap<String, Vec<u8>>, right: &BTreeMap<String, Vec<u8>>) {
    let paths: BTreeSet<&String> = left.keys().chain(right.keys()).collect();
    let differ: Vec<_> = paths
        .into_iter()
        .filter(|path| left.get(*path) != right.get(*path))
        .collect();
    assert!(differ.is_empty(), "these files differ: {differ:?}");
}
