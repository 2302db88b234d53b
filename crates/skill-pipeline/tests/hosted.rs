//! Plugins that are parts of a host: where they go, and what happens when that changes.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests lay out their own files, and a failed step is a failed test"
)]

use std::fs;
use std::path::Path;

use skill_pipeline::{HostedPolicy, MigrateOptions, Migrated, Mode, Status, migrate};

/// A message preprocessor and a command that uses its module.
fn plugins(dir: &Path) {
    for (name, manifest, script, code) in [
        (
            "Polisher",
            r#"{"name": "Polisher", "pluginType": "messagePreprocessor", "description": "Polishes messages.", "communication": {"protocol": "direct"},
                "entryPoint": {"type": "nodejs", "script": "polish.js"}}"#,
            "polish.js",
            "module.exports = {};\n",
        ),
        (
            "Dice",
            r#"{"name": "Dice", "pluginType": "synchronous", "description": "Rolls dice.", "communication": {"protocol": "stdio"},
                "entryPoint": {"command": "node dice.js"},
                "capabilities": {"invocationCommands": [{"commandIdentifier": "roll", "description": "Rolls dice."}]}}"#,
            "dice.js",
            "process.stdin.on('data', (call) => console.log(String(call)));\nmodule.exports = {};\n",
        ),
    ] {
        let dir = dir.join("in").join(name);
        fs::create_dir_all(&dir).unwrap();
        fs::write(dir.join("plugin-manifest.json"), manifest).unwrap();
        fs::write(dir.join(script), code).unwrap();
    }
}

fn run(dir: &Path, change: impl Fn(&mut MigrateOptions)) -> Migrated {
    let mut options = MigrateOptions::new(dir.join("in"), dir.join("out"));
    change(&mut options);
    migrate(options, &|_| ()).unwrap()
}

fn statuses(migrated: &Migrated) -> Vec<(&str, Status, bool)> {
    let outcomes = migrated.outcomes.iter();
    outcomes
        .map(|it| {
            (
                it.skill.as_deref().unwrap_or_default(),
                it.status,
                it.is_hosted,
            )
        })
        .collect()
}

fn collection() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    plugins(dir.path());
    dir
}

#[test]
fn parts_of_a_host_are_kept_apart() {
    let dir = collection();
    let migrated = run(dir.path(), |_| ());
    let expected = [
        ("dice", Status::Created, false),
        ("polisher", Status::Created, true),
    ];
    assert_eq!(statuses(&migrated), expected);
    assert_eq!((migrated.totals.migrated, migrated.totals.hosted), (2, 1));
    let out = dir.path().join("out");
    assert!(out.join("dice/SKILL.md").is_file());
    assert!(out.join(".host/polisher/METADATA.yml").is_file());
    let files = |out: &Path| {
        let skill = out.join(".host/polisher");
        ["SKILL.md", "SKILL.host.md"].map(|file| skill.join(file).is_file())
    };
    assert_eq!(files(&out), [false, true], "no agent finds it");
    let again = run(dir.path(), |_| ());
    assert!(!again.changed);
    assert_eq!(statuses(&again)[1], ("polisher", Status::Unchanged, true));
}

#[test]
fn a_skill_moves_with_the_edits_by_hand() {
    let dir = collection();
    run(dir.path(), |options| options.hosted = HostedPolicy::Keep);
    let out = dir.path().join("out");
    let skill = out.join("polisher/SKILL.md");
    let text = fs::read_to_string(&skill).unwrap();
    fs::write(&skill, format!("{text}\nA remark by hand.\n")).unwrap();
    fs::write(out.join("polisher/own.txt"), "own").unwrap();
    let check = run(dir.path(), |options| options.mode = Mode::Check);
    assert!(check.totals.has_drift(), "--check says that skills move");
    assert!(skill.is_file());
    let moved = run(dir.path(), |_| ());
    assert_eq!(statuses(&moved)[1], ("polisher", Status::Merged, true));
    assert!(!out.join("polisher").exists());
    let text = fs::read_to_string(out.join(".host/polisher/SKILL.host.md")).unwrap();
    assert!(text.ends_with("A remark by hand.\n"), "{text}");
    assert!(out.join(".host/polisher/own.txt").is_file());
    let back = run(dir.path(), |options| options.hosted = HostedPolicy::Keep);
    assert_eq!(statuses(&back)[1], ("polisher", Status::Merged, false));
    assert!(out.join("polisher/own.txt").is_file() && !out.join(".host").exists());
    let text = fs::read_to_string(&skill).unwrap();
    assert!(text.ends_with("A remark by hand.\n"), "{text}");
    assert!(!out.join("polisher/SKILL.host.md").exists());
}

/// Gives the instructions of the part of a host the name that an earlier version gave them.
fn as_an_earlier_version(out: &Path) {
    let skill = out.join(".host/polisher");
    fs::rename(skill.join("SKILL.host.md"), skill.join("SKILL.md")).unwrap();
    let lock = fs::read_to_string(out.join("skills.lock")).unwrap();
    fs::write(
        out.join("skills.lock"),
        lock.replace("SKILL.host.md", "SKILL.md"),
    )
    .unwrap();
}

#[test]
fn instructions_of_an_earlier_version_get_the_new_name() {
    for edit in ["", "\nA remark by hand.\n"] {
        let dir = collection();
        run(dir.path(), |_| ());
        let out = dir.path().join("out");
        let new = out.join(".host/polisher/SKILL.host.md");
        let made = fs::read_to_string(&new).unwrap();
        as_an_earlier_version(&out);
        let old = out.join(".host/polisher/SKILL.md");
        fs::write(&old, format!("{made}{edit}")).unwrap();
        let check = run(dir.path(), |options| options.mode = Mode::Check);
        assert!(check.totals.has_drift(), "--check says that a file moves");
        let moved = run(dir.path(), |_| ());
        let expected = if edit.is_empty() {
            Status::Updated
        } else {
            Status::Merged
        };
        assert_eq!(statuses(&moved)[1], ("polisher", expected, true));
        assert!(!old.exists());
        assert_eq!(fs::read_to_string(&new).unwrap(), format!("{made}{edit}"));
        let again = run(dir.path(), |_| ());
        assert!(!again.changed, "{edit:?}");
    }
}

#[test]
fn an_unedited_skill_moves_and_is_updated() {
    let dir = collection();
    run(dir.path(), |options| options.hosted = HostedPolicy::Keep);
    let moved = run(dir.path(), |_| ());
    assert_eq!(statuses(&moved)[1], ("polisher", Status::Updated, true));
    assert!(!dir.path().join("out/polisher").exists());
}

#[test]
fn skipped_parts_are_reported_and_pruned() {
    let dir = collection();
    run(dir.path(), |_| ());
    let skip = |options: &mut MigrateOptions| options.hosted = HostedPolicy::Skip;
    let skipped = run(dir.path(), skip);
    let expected = [
        ("dice", Status::Unchanged, false),
        ("polisher", Status::HostPart, false),
        ("polisher", Status::Stale, false),
    ];
    assert_eq!(statuses(&skipped), expected);
    let message = &skipped.outcomes[2].findings[0].message;
    assert_eq!(
        message,
        "the plugin of the skill `polisher` is a part of a host"
    );
    let pruned = run(dir.path(), |options| {
        skip(options);
        options.prune = true;
    });
    assert_eq!(statuses(&pruned)[2].1, Status::Removed);
    assert!(!dir.path().join("out/.host").exists());
}

#[test]
fn what_is_in_the_place_stays() {
    let dir = collection();
    run(dir.path(), |options| options.hosted = HostedPolicy::Keep);
    let own = dir.path().join("out/.host/polisher");
    fs::create_dir_all(&own).unwrap();
    fs::write(own.join("own.txt"), "own").unwrap();
    let moved = run(dir.path(), |_| ());
    assert_eq!(statuses(&moved)[1].1, Status::Conflict);
    assert!(own.join("own.txt").is_file());
    assert!(dir.path().join("out/polisher/SKILL.md").is_file());
}
