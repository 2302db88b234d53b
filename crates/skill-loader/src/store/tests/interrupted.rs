//! Interrupted runs, and the state that the next run finds.

use super::*;

/// Writes the skills of V2 over those of V1 and stops without finishing.
fn killed() -> (tempfile::TempDir, PathBuf) {
    let (dir, out) = fresh();
    run(&out, V1);
    interrupted(&out, |store| {
        put(store, "a", V2[0].1);
        put(store, "c", V2[1].1);
        store.remove("b").unwrap();
        let mut half = store.stage("d").unwrap();
        half.write("SKILL.md", b"half", false).unwrap();
        std::mem::forget(half);
    });
    (dir, out)
}

#[test]
fn what_was_done_is_taken_into_the_lock() {
    let (_dir, out) = killed();
    let store = Store::open(&out).unwrap();
    let recovery = store.recovery().unwrap();
    assert_eq!(recovery.written, ["a", "c"]);
    assert_eq!(recovery.removed, ["b"]);
    assert_eq!(store.state("a").unwrap(), State::Clean);
    assert_eq!(store.state("c").unwrap(), State::Clean);
    assert_eq!(store.state("b").unwrap(), State::Absent);
    assert_eq!(store.state("d").unwrap(), State::Absent);
    assert!(store.locked("b").is_none());
    assert_eq!(kept(&out), KEPT);
    assert!(!store.finish().unwrap());
    assert!(Store::open(&out).unwrap().recovery().is_none());
}

#[test]
fn a_killed_run_can_be_rolled_back() {
    let (_dir, out) = killed();
    let res = rollback_of(&out).unwrap();
    assert_eq!(res.restored, ["a", "b"]);
    assert_eq!(res.removed, ["c"]);
    run(&out, V1);
    assert_eq!(tree(&out)["a/SKILL.md"], "a1");
}

#[test]
fn looking_sees_the_same_and_changes_nothing() {
    let (_dir, out) = killed();
    let before = stamps(&out);
    let store = Store::open_read_only(&out).unwrap();
    assert_eq!(store.state("a").unwrap(), State::Clean);
    assert_eq!(store.recovery().unwrap().written, ["a", "c"]);
    let seen = store.lock().clone();
    drop(store);
    assert_eq!(stamps(&out), before);
    assert_eq!(Store::open(&out).unwrap().lock(), &seen);
}

#[test]
fn a_skill_edited_after_the_kill_is_edited_and_not_foreign() {
    let (_dir, out) = killed();
    fs::write(out.join("a/SKILL.md"), "mine").unwrap();
    let store = Store::open(&out).unwrap();
    assert!(matches!(store.state("a").unwrap(), State::Edited(_)));
    assert_eq!(store.locked("a"), Some(&entry(V2[0].1)));
}

#[test]
fn a_run_that_did_nothing_leaves_the_previous_one() {
    let (_dir, out) = fresh();
    run(&out, V1);
    let first = tree(&out);
    run(&out, V2);
    interrupted(&out, |store| std::mem::forget(store.stage("a").unwrap()));
    rollback_of(&out).unwrap();
    assert_eq!(tree(&out), first);
}

/// Checks the state after a kill between two moves of the skill `a`, given as moves from the
/// finished state.
#[track_caller]
fn check_moves(moves: &[(&str, &str)], want: &str, want_old: Option<&str>) {
    let (_dir, out) = killed();
    for (from, to) in moves {
        fs::rename(meta(&out, from), meta(&out, to)).unwrap();
        shown(&meta(&out, to));
    }
    let looked = Store::open_read_only(&out).unwrap().lock().clone();
    let store = Store::open(&out).unwrap();
    assert_eq!(store.lock(), &looked);
    assert_eq!(store.state("a").unwrap(), State::Clean);
    store.finish().unwrap();
    assert_eq!(tree(&out)["a/SKILL.md"], want);
    let old = tree(&meta(&out, "previous/old"));
    assert_eq!(
        old.get(&format!("a/{PUT_AWAY}")).map(String::as_str),
        want_old
    );
    assert_eq!(kept(&out), KEPT);
}

#[test]
fn every_instant_of_an_exchange_is_understood() {
    check_moves(&[], "a2", Some("a1"));
    // Exchanged, and the old version not yet put away.
    check_moves(&[("run/old/a", "staging/a")], "a2", Some("a1"));
    // Not yet exchanged.
    check_moves(&[("../a", "staging/a"), ("run/old/a", "../a")], "a1", None);
    // Without an atomic exchange: the old version is put away, the new one not yet in place.
    check_moves(&[("../a", "staging/a")], "a2", Some("a1"));
    // The same, and the new version was lost.
    check_moves(&[("../a", "x"), ("x", "staging/z")], "a1", None);
}

#[test]
fn an_old_version_edited_before_the_run_is_kept() {
    let (_dir, out) = fresh();
    run(&out, V1);
    fs::write(out.join("a/SKILL.md"), "mine").unwrap();
    interrupted(&out, |store| {
        put(store, "a", V2[0].1);
    });
    fs::rename(meta(&out, "run/old/a"), meta(&out, "staging/a")).unwrap();
    Store::open(&out).unwrap().finish().unwrap();
    assert_eq!(
        tree(&meta(&out, "previous/old"))[&format!("a/{PUT_AWAY}")],
        "mine"
    );
    rollback_of(&out).unwrap();
    assert_eq!(tree(&out)["a/SKILL.md"], "mine");
}

#[test]
fn a_torn_line_of_the_journal_was_never_acted_upon() {
    let (_dir, out) = killed();
    let path = meta(&out, "run/journal");
    let mut text = fs::read_to_string(&path).unwrap();
    text.push_str(r#"{"put":{"name":"e","repl"#);
    fs::write(&path, text).unwrap();
    let store = Store::open(&out).unwrap();
    assert_eq!(store.recovery().unwrap().written, ["a", "c"]);
}

#[test]
fn a_journal_that_names_other_places_is_not_followed() {
    let (dir, out) = killed();
    let path = meta(&out, "run/journal");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(
        &path,
        text.replace(r#""name":"a""#, r#""name":"../victim""#),
    )
    .unwrap();
    fs::create_dir(dir.path().join("victim")).unwrap();
    Store::open(&out).unwrap().finish().unwrap();
    assert!(dir.path().join("victim").exists());
}

#[test]
fn a_lock_written_before_the_kill_is_no_obstacle() {
    let (_dir, out) = killed();
    fs::create_dir_all(meta(&out, "saved/old")).unwrap();
    fs::rename(meta(&out, "saved"), meta(&out, "staging/saved")).unwrap();
    fs::write(meta(&out, "skills.lock.new"), "half").unwrap();
    Store::open(&out).unwrap().finish().unwrap();
    assert_eq!(kept(&out), KEPT);
}
