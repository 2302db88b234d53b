//! Modules of the old host: which of them a skill gets, and why not the others.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests lay out their own files, and a failed step is a failed test"
)]

use std::fs;
use std::path::Path;

use skill_pipeline::{Details, MigrateOptions, Migrated, Status, migrate};

const MANIFEST: &str = r#"{"name": "Own", "pluginType": "synchronous", "entryPoint": {"command": "node main.js"},
    "communication": {"protocol": "stdio"}}"#;

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Writes a host with one plugin, whose program is `main`, and further files.
fn host(dir: &Path, main: &str, files: &[(&str, &str)]) {
    let host = dir.join("host");
    write(&host.join("Plugin.js"), "require('./modules/everything');");
    write(&host.join("package.json"), r#"{"license": "MIT"}"#);
    write(&host.join("LICENSE"), "Permission is hereby granted\n");
    write(&host.join("Plugin/Own/plugin-manifest.json"), MANIFEST);
    write(&host.join("Plugin/Own/main.js"), main);
    for (path, text) in files {
        write(&host.join(path), text);
    }
}

fn run(dir: &Path, options: impl FnOnce(&mut MigrateOptions)) -> Migrated {
    let mut all = MigrateOptions::new(dir.join("host/Plugin"), dir.join("skills"));
    all = all.details(Details {
        findings: true,
        ..Details::default()
    });
    options(&mut all);
    migrate(all, &|_| {}).unwrap()
}

/// Migrates a plugin; checks the files in `legacy/`, and a part of the findings with their advice.
#[track_caller]
fn check(main: &str, files: &[(&str, &str)], carried: &[&str], finding: &str) {
    let dir = tempfile::tempdir().unwrap();
    host(dir.path(), main, files);
    check_in(dir.path(), carried, finding);
}

#[track_caller]
fn check_in(dir: &Path, carried: &[&str], finding: &str) {
    let migrated = run(dir, |_| {});
    let outcome = &migrated.outcomes[0];
    let found = outcome.findings.iter();
    let found = found.map(|it| format!("{}; {}", it.message, it.help.as_deref().unwrap_or("")));
    let found: Vec<String> = found.collect();
    assert!(
        found.iter().any(|text| text.contains(finding)),
        "{found:#?}"
    );
    assert_eq!(legacy(dir), carried);
    assert_eq!(outcome.runnable, Some(!carried.is_empty()), "{found:#?}");
}

/// Returns the files in `legacy/` of the skill, sorted.
fn legacy(dir: &Path) -> Vec<String> {
    let root = dir.join("skills/own/legacy");
    let mut waiting = vec![root.clone()];
    let mut res = Vec::new();
    while let Some(at) = waiting.pop() {
        for entry in fs::read_dir(at).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                res.push(path.strip_prefix(&root).unwrap().display().to_string());
            }
        }
    }
    res.sort();
    res
}

#[test]
fn modules_are_carried_with_what_they_load() {
    check(
        "require('../../modules/a'); require('../../Plugin.js'); require('../../config/words.json');",
        &[
            (
                "modules/a.js",
                "require('./b'); require('./gone'); require('../KnowledgeBaseManager')",
            ),
            ("modules/b/index.js", "require('../a')"),
            ("modules/unused.js", ""),
            ("config/words.json", "{}"),
        ],
        &[
            "LICENSE",
            "config/words.json",
            "modules/a.js",
            "modules/b/index.js",
        ],
        "4 files of the old host are in `legacy/` (1 KB): LICENSE, config/words.json, modules/a.js, modules/b/index.js; the license of the host applies to them: MIT",
    );
}

#[test]
fn modules_that_are_not_carried_have_a_reason() {
    let load = "require('../../modules/a')";
    let refused = |text: &str, finding: &str| check(load, &[("modules/a.js", text)], &[], finding);
    refused(
        "const apiKey = 'sk-proj-4fJq8ZtR2mXw9LbN7vKc3HdG6yPs1QaE';",
        "it seems to contain a secret",
    );
    check(
        "require('../../modules/.git/a')",
        &[("modules/.git/a.js", "")],
        &[],
        "belongs to version control",
    );
    check(
        "require('../../../elsewhere/a.js')",
        &[("../elsewhere/a.js", "")],
        &[],
        "the code loads `../elsewhere/a.js` of the old host; it must be replaced",
    );
    check(
        "require('../../server.js')",
        &[("server.js", "")],
        &[],
        "the code loads `server.js` of the old host",
    );
}

#[test]
fn a_large_closure_is_not_carried() {
    let names: Vec<String> = (0..80).map(|n| format!("modules/m{n}.js")).collect();
    let texts: Vec<String> = (0..80)
        .map(|n| format!("require('./m{}')", n + 1))
        .collect();
    let files = names
        .iter()
        .map(String::as_str)
        .zip(texts.iter().map(String::as_str));
    let files: Vec<_> = files.collect();
    check(
        "require('../../modules/m0')",
        &files,
        &[],
        "more than 64 files",
    );
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    for (link, target) in [("modules/a.js", "../Plugin.js"), ("modules", "other")] {
        let dir = tempfile::tempdir().unwrap();
        host(
            dir.path(),
            "require('../../modules/a.js')",
            &[("other/a.js", "")],
        );
        let link = dir.path().join("host").join(link);
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(target, &link).unwrap();
        let migrated = run(dir.path(), |_| {});
        let help = migrated.outcomes[0]
            .findings
            .iter()
            .filter_map(|finding| finding.help.as_deref());
        assert!(
            help.clone().any(|help| help.contains("symbolic link")),
            "{:?}",
            help.collect::<Vec<_>>()
        );
        assert_eq!(migrated.outcomes[0].runnable, Some(false));
        assert!(legacy(dir.path()).is_empty());
    }
}

#[test]
fn the_host_can_be_named() {
    let dir = tempfile::tempdir().unwrap();
    host(
        dir.path(),
        "require('../../modules/a')",
        &[("modules/a.js", "")],
    );
    let plugins = dir.path().join("plugins");
    fs::rename(dir.path().join("host/Plugin"), &plugins).unwrap();
    let input = |options: &mut MigrateOptions| options.input.clone_from(&plugins);
    let migrated = run(dir.path(), input);
    let help = migrated.outcomes[0]
        .findings
        .iter()
        .filter_map(|finding| finding.help.as_deref());
    assert!(
        help.clone().any(|help| help.contains("--host DIR")),
        "{:?}",
        help.collect::<Vec<_>>()
    );

    fs::create_dir(dir.path().join("host/Plugin")).unwrap();
    let migrated = run(dir.path(), |options| {
        input(options);
        options.host = Some(dir.path().join("host"));
    });
    assert_eq!(migrated.outcomes[0].runnable, Some(true));
    assert_eq!(legacy(dir.path()), ["LICENSE", "modules/a.js"]);

    let mut options = MigrateOptions::new(&plugins, dir.path().join("skills"));
    options.host = Some(plugins);
    let error = migrate(options, &|_| {}).unwrap_err().to_string();
    assert!(
        error.ends_with("expected one with Plugin.js and Plugin/"),
        "{error}"
    );
}

#[test]
fn a_change_of_the_host_is_a_change_of_the_skill() {
    let dir = tempfile::tempdir().unwrap();
    host(
        dir.path(),
        "require('../../modules/a')",
        &[("modules/a.js", "1")],
    );
    let status =
        |details: Details| run(dir.path(), |options| options.details = details).outcomes[0].status;
    assert_eq!(status(Details::default()), Status::Created);
    assert_eq!(status(Details::default()), Status::Unchanged);
    write(&dir.path().join("host/modules/a.js"), "2");
    assert_eq!(status(Details::default()), Status::Updated);
    let text = fs::read_to_string(dir.path().join("skills/own/legacy/modules/a.js")).unwrap();
    assert_eq!(text, "2");
}
