//! A migration from Rust: options in, outcomes and events out.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests lay out their own files, and a failed step is a failed test"
)]

use std::fs;
use std::path::Path;
use std::sync::Mutex;

use skill_pipeline::{
    Details, ErrorKind, Event, MergeShards, MigrateOptions, Migrated, Mode, merge_shards, migrate,
};
use tempfile::TempDir;

const MANIFEST: &str = r#"{
    "manifestVersion": "1.0.0", "name": "NAME", "displayName": "Name", "description": "Says hello.",
    "version": "1.0.0", "pluginType": "synchronous",
    "entryPoint": {"type": "nodejs", "command": "node hello.js"},
    "communication": {"protocol": "stdio"},
    "capabilities": {"invocationCommands": [{"commandIdentifier": "Say", "description": "Says hello."}]}
}"#;

fn plugins(dir: &Path, names: &[&str]) {
    for name in names {
        let plugin = dir.join("plugins").join(name);
        fs::create_dir_all(&plugin).unwrap();
        let manifest = MANIFEST.replace("NAME", name);
        fs::write(plugin.join("plugin-manifest.json"), manifest).unwrap();
        fs::write(plugin.join("hello.js"), "console.log('{}')\n").unwrap();
    }
}

fn options(dir: &TempDir) -> MigrateOptions {
    MigrateOptions::new(dir.path().join("plugins"), dir.path().join("skills"))
}

/// Each outcome as `directory: status`.
fn outcomes(migrated: &Migrated) -> Vec<String> {
    let outcomes = migrated.outcomes.iter();
    outcomes
        .map(|it| format!("{}: {}", it.directory, it.status.word()))
        .collect()
}

#[track_caller]
fn check(options: MigrateOptions, expected: &[&str]) -> Migrated {
    let migrated = migrate(options, &|_| {}).unwrap();
    assert_eq!(outcomes(&migrated), expected);
    migrated
}

#[test]
fn a_directory_is_migrated_and_then_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    plugins(dir.path(), &["Alpha", "Beta"]);
    let dry = check(
        options(&dir).mode(Mode::DryRun),
        &["Alpha: created", "Beta: created"],
    );
    assert!(!dry.changed && !dir.path().join("skills").exists());
    assert!(check(options(&dir), &["Alpha: created", "Beta: created"]).changed);
    assert!(!check(options(&dir), &["Alpha: unchanged", "Beta: unchanged"]).changed);
    fs::remove_dir_all(dir.path().join("plugins/Beta")).unwrap();
    check(options(&dir), &["Alpha: unchanged", "Beta: stale"]);
    check(
        options(&dir).prune(true),
        &["Alpha: unchanged", "Beta: removed"],
    );
    assert!(!dir.path().join("skills/beta").exists());
}

/// A skill stays while a part of the input cannot be read: its plugin may be there.
#[test]
fn nothing_is_removed_while_a_part_cannot_be_read() {
    let dir = tempfile::tempdir().unwrap();
    plugins(dir.path(), &["Alpha"]);
    let list = dir.path().join("plugins/tools/.mcp.json");
    fs::create_dir_all(list.parent().unwrap()).unwrap();
    fs::write(&list, r#"{"mcpServers": {"zz": {"command": "zz"}}}"#).unwrap();
    check(
        options(&dir),
        &["Alpha: created", "tools#server/zz: created"],
    );
    fs::write(&list, "{oops").unwrap();
    let broken = check(
        options(&dir).prune(true),
        &["Alpha: unchanged", "tools#server/zz: stale"],
    );
    let found = &broken.not_searched[0];
    assert_eq!(found.place.file.as_deref(), Some("tools/.mcp.json"));
    assert!(broken.is_incomplete() && dir.path().join("skills/zz/SKILL.md").exists());
    fs::remove_file(&list).unwrap();
    check(
        options(&dir).prune(true),
        &["Alpha: unchanged", "tools#server/zz: removed"],
    );
}

#[test]
fn details_are_there_when_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    plugins(dir.path(), &["Alpha"]);
    let plain = check(options(&dir).mode(Mode::DryRun), &["Alpha: created"]);
    assert!(plain.outcomes[0].account.is_none() && plain.outcomes[0].diff.is_empty());
    let details = Details {
        account: true,
        findings: true,
        diff: true,
        comparison: true,
    };
    let options = options(&dir).mode(Mode::DryRun).details(details);
    let full = check(options, &["Alpha: created"]);
    let outcome = &full.outcomes[0];
    assert!(outcome.diff.contains("+++ b/alpha/SKILL.md"));
    assert_eq!(outcome.changes.len(), 1);
    let account = outcome.account.as_ref().unwrap();
    assert!(account.fates.keys().any(|place| place.pointer == "/name") && account.tokens.is_some());
}

#[test]
fn events_count_the_plugins() {
    let dir = tempfile::tempdir().unwrap();
    plugins(dir.path(), &["Alpha", "Beta"]);
    let seen = Mutex::new((0, 0, Vec::new()));
    let mut options = options(&dir);
    options.carry.push("*.sqlite".to_owned());
    migrate(options, &|event| {
        let mut seen = seen.lock().unwrap();
        match event {
            Event::Started { n_plugins } => seen.0 = n_plugins,
            Event::Done(_) => seen.1 += 1,
            Event::IdlePattern(idle) => seen.2.push(idle.glob.clone()),
            _ => {}
        }
    })
    .unwrap();
    assert_eq!(
        seen.into_inner().unwrap(),
        (2, 2, vec!["*.sqlite".to_owned()])
    );
}

#[test]
fn a_rejected_plugin_is_an_outcome_with_its_errors() {
    let dir = tempfile::tempdir().unwrap();
    plugins(dir.path(), &["Alpha"]);
    fs::write(
        dir.path().join("plugins/Alpha/plugin-manifest.json"),
        "{ nonsense",
    )
    .unwrap();
    let migrated = check(options(&dir), &["Alpha: rejected"]);
    let outcome = &migrated.outcomes[0];
    assert_eq!(outcome.errors.len(), 1);
    assert_eq!(outcome.manifest.as_deref(), Some("{ nonsense"));
    assert!(migrated.totals.has_failures());
}

#[test]
fn shards_are_merged_into_what_one_run_would_write() {
    let dir = tempfile::tempdir().unwrap();
    plugins(dir.path(), &["Alpha", "Beta", "Gamma", "Delta"]);
    let parts = ["1/2", "2/2"].map(|shard| {
        let part = dir.path().join(format!("part-{}", &shard[..1]));
        let mut options = MigrateOptions::new(dir.path().join("plugins"), &part);
        options.shard = Some(shard.parse().unwrap());
        migrate(options, &|_| {}).unwrap();
        part
    });
    let mut merge = MergeShards {
        shards: parts.to_vec(),
        out: dir.path().join("merged"),
        ..MergeShards::default()
    };
    let merged = merge_shards(&merge, &|_| {}).unwrap();
    assert_eq!((merged.n_skills, merged.n_written), (4, 4));
    migrate(options(&dir), &|_| {}).unwrap();
    let lock = |out: &str| fs::read(dir.path().join(out).join("skills.lock")).unwrap();
    assert_eq!(lock("merged"), lock("skills"));
    // A shard that could not read all of its input does not say that a skill is gone.
    let beta = dir.path().join("plugins/Beta");
    fs::rename(&beta, dir.path().join("Beta")).unwrap();
    merge.prune = true;
    for (list, expected) in [("{oops", (1, 0)), ("{}", (0, 1))] {
        fs::write(dir.path().join("plugins/.mcp.json"), list).unwrap();
        for (shard, part) in ["1/2", "2/2"].iter().zip(&parts) {
            let mut options = MigrateOptions::new(dir.path().join("plugins"), part);
            options.shard = Some(shard.parse().unwrap());
            options.prune = list == "{}";
            let _ = fs::remove_dir_all(part.join("beta"));
            migrate(options, &|_| {}).unwrap();
        }
        let merged = merge_shards(&merge, &|_| {}).unwrap();
        assert_eq!((merged.n_stale, merged.n_removed), expected, "{list}");
    }
    merge.shards.push(dir.path().join("part-3"));
    let missing = merge_shards(&merge, &|_| {}).unwrap_err();
    assert_eq!(missing.kind(), ErrorKind::Input);
    assert!(missing.hint().is_some());
}

#[test]
fn an_output_inside_the_input_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    plugins(dir.path(), &["Alpha"]);
    let input = dir.path().join("plugins");
    let error = migrate(MigrateOptions::new(&input, input.join("skills")), &|_| {}).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Options);
    assert!(
        error
            .to_string()
            .contains("choose a directory next to the input")
    );
}
