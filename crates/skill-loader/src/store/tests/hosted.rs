//! Skills that move between the output and the parts of a host.

use super::*;

const FILES: &[(&str, &str)] = &[("SKILL.md", "a1"), ("scripts/x.js", "x")];

fn hosted(files: &[(&str, &str)]) -> LockedSkill {
    LockedSkill {
        hosted: true,
        ..entry(files)
    }
}

fn put_entry(store: &Store, name: &str, files: &[(&str, &str)], entry: LockedSkill) {
    let mut staging = store.stage(name).unwrap();
    for (path, text) in files {
        staging.write(path, text.as_bytes(), false).unwrap();
    }
    store.commit(staging, entry).unwrap();
}

/// Writes V1, and then moves the skill `a`.
fn moved() -> (tempfile::TempDir, PathBuf) {
    let (dir, out) = fresh();
    run(&out, V1);
    let store = Store::open(&out).unwrap();
    put_entry(&store, "a", FILES, hosted(FILES));
    store.finish().unwrap();
    (dir, out)
}

#[test]
fn a_skill_moves_and_comes_back() {
    let (_dir, out) = moved();
    let there = tree(&out);
    assert_eq!(there[".host/a/SKILL.md"], "a1");
    assert!(!out.join("a").exists());
    let store = Store::open_read_only(&out).unwrap();
    assert_eq!(store.path("a"), ".host/a");
    assert_eq!(store.path("b"), "b");
    assert_eq!(store.state("a").unwrap(), State::Clean);
    drop(store);
    let store = Store::open(&out).unwrap();
    put_entry(&store, "a", FILES, entry(FILES));
    store.finish().unwrap();
    assert_eq!(tree(&out)["a/SKILL.md"], "a1");
    assert!(!out.join(".host").exists());
}

/// Some agents search hidden directories too.
#[test]
#[expect(clippy::disallowed_methods, reason = "an edit by hand")]
fn no_agent_finds_what_was_put_away() {
    let (_dir, out) = moved();
    run(&out, V2);
    fs::write(out.join("c/SKILL.md"), "mine").unwrap();
    let store = Store::open(&out).unwrap();
    store.backup("c", &meta(&out, "backup")).unwrap();
    put(
        &store,
        "c",
        &[("SKILL.md", "c3"), ("scripts/x/SKILL.md", "inside")],
    );
    store.finish().unwrap();
    let store = Store::open(&out).unwrap();
    put(&store, "c", V1[0].1);
    store.finish().unwrap();
    let found: Vec<String> = all(&meta(&out, "")).into_keys().collect();
    let named = found.iter().filter(|path| path.ends_with("SKILL.md"));
    assert_eq!(named.collect::<Vec<_>>(), [""; 0], "{found:?}");
}

#[test]
fn a_rollback_moves_it_back() {
    let (_dir, out) = fresh();
    run(&out, V1);
    let first = tree(&out);
    let store = Store::open(&out).unwrap();
    put_entry(&store, "a", FILES, hosted(FILES));
    put_entry(&store, "new", FILES, hosted(FILES));
    store.finish().unwrap();
    let res = rollback_of(&out).unwrap();
    assert_eq!(
        (res.restored, res.removed),
        (vec!["a".into()], vec!["new".into()])
    );
    assert_eq!(tree(&out), first);
    assert!(!out.join(".host").exists());
}

#[test]
#[expect(clippy::disallowed_methods, reason = "an edit by hand")]
fn an_edited_part_of_a_host_is_not_rolled_back() {
    let (_dir, out) = moved();
    fs::write(out.join(".host/a/SKILL.md"), "edited").unwrap();
    let State::Edited(edits) = state(&out, "a") else {
        panic!("it was edited");
    };
    assert_eq!(edits.changed, ["SKILL.md"]);
    assert_eq!(rollback_of(&out).unwrap().conflicts, ["a"]);
    assert_eq!(tree(&out)[".host/a/SKILL.md"], "edited");
}

#[test]
fn a_killed_move_is_completed_or_undone() {
    let (_dir, out) = fresh();
    run(&out, V1);
    interrupted(&out, |store| put_entry(store, "a", FILES, hosted(FILES)));
    let store = Store::open(&out).unwrap();
    assert_eq!(store.recovery().unwrap().written, ["a"]);
    assert_eq!(store.path("a"), ".host/a");
    assert_eq!(store.state("a").unwrap(), State::Clean);
    drop(store);
    assert_eq!(rollback_of(&out).unwrap().restored, ["a"]);
    assert!(out.join("a").exists() && !out.join(".host").exists());
}

/// The process ends when the earlier version was put away and the new one is still staged.
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "the directories of a killed process"
)]
fn a_move_that_ends_halfway() {
    let (_dir, out) = fresh();
    run(&out, V1);
    interrupted(&out, |store| put_entry(store, "a", FILES, hosted(FILES)));
    let staging = meta(&out, "staging");
    fs::create_dir_all(&staging).unwrap();
    fs::rename(out.join(".host/a"), staging.join("a")).unwrap();
    let store = Store::open(&out).unwrap();
    assert_eq!(store.recovery().unwrap().written, ["a"]);
    assert_eq!(store.state("a").unwrap(), State::Clean);
    assert_eq!(tree(&out)[".host/a/SKILL.md"], "a1");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "something of the user's")]
fn what_others_put_there_stays() {
    let (_dir, out) = fresh();
    run(&out, V1);
    fs::create_dir_all(out.join(".host/a")).unwrap();
    fs::write(out.join(".host/a/own"), "x").unwrap();
    let store = Store::open(&out).unwrap();
    let staging = store.stage("a").unwrap();
    let refused = store.commit(staging, hosted(&[])).unwrap_err();
    let why = std::error::Error::source(&refused).map(ToString::to_string);
    assert!(
        format!("{refused}: {why:?}").contains("something else is there"),
        "{refused}: {why:?}"
    );
    drop(store);
    assert_eq!(tree(&out)["a/SKILL.md"], "a1");
    assert_eq!(tree(&out)[".host/a/own"], "x");
}
