//! Undisturbed runs.

use std::os::unix::fs::PermissionsExt;
use std::sync::mpsc;

use super::*;
use crate::fs::Root;

#[test]
fn a_run_gives_what_was_wanted() {
    let (_dir, out) = fresh();
    assert!(run(&out, V1));
    let got = tree(&out);
    assert_eq!(got["a/SKILL.md"], "a1");
    assert_eq!(got["a/scripts/x.js"], "x1");
    assert_eq!(got["b/SKILL.md"], "b1");
    assert!(got["skills.lock"].ends_with("}\n"));
    assert_eq!(got.len(), 4);
    assert_eq!(all(&out)[".skills-migrate/.gitignore"], "*\n");
    assert_eq!(kept(&out), KEPT);

    assert!(run(&out, V2));
    let got = tree(&out);
    assert_eq!(got["a/SKILL.md"], "a2");
    assert_eq!(got["c/SKILL.md"], "c2");
    assert_eq!(got.len(), 4, "{got:?}");
    assert_eq!(kept(&out), KEPT);
}

#[test]
fn an_unchanged_run_changes_nothing() {
    let (_dir, out) = fresh();
    run(&out, V1);
    let before = stamps(&out);
    assert!(!run(&out, V1));
    assert_eq!(stamps(&out), before);
    let store = Store::open(&out).unwrap();
    let same = store.locked("a").unwrap().clone();
    store.record("a", same).unwrap();
    drop(store.stage("z").unwrap());
    assert!(!store.finish().unwrap());
    assert_eq!(kept(&out), KEPT);
    assert_eq!(tree(&out).len(), 4);
}

#[test]
fn an_empty_run_writes_no_lock() {
    let (_dir, out) = fresh();
    assert!(!run(&out, &[]));
    assert!(tree(&out).is_empty());
    assert_eq!(rollback_of(&out), None);
}

#[test]
fn reading_only_creates_nothing() {
    let (_dir, out) = fresh();
    let store = Store::open_read_only(&out).unwrap();
    assert_eq!(store.state("a").unwrap(), State::Absent);
    assert!(store.root().is_none());
    assert!(matches!(
        store.stage("a").unwrap_err(),
        StoreError::ReadOnly { .. }
    ));
    assert!(matches!(store.finish(), Err(StoreError::ReadOnly { .. })));
    assert!(!out.exists());

    run(&out, V1);
    let before = stamps(&out);
    let store = Store::open_read_only(&out).unwrap();
    assert_eq!(store.state("a").unwrap(), State::Clean);
    assert!(store.remove("a").is_err());
    assert!(store.forget("a").is_err());
    assert_eq!(stamps(&out), before);
}

#[test]
fn every_state_has_its_name() {
    let (_dir, out) = fresh();
    run(&out, V1);
    fs::write(out.join("file"), "").unwrap();
    fs::create_dir(out.join("dir")).unwrap();
    std::os::unix::fs::symlink("a", out.join("link")).unwrap();
    assert_eq!(state(&out, "nothing"), State::Absent);
    assert_eq!(state(&out, "a"), State::Clean);
    assert_eq!(state(&out, "dir"), State::Foreign(crate::fs::Kind::Dir));
    let link = State::Foreign(crate::fs::Kind::Symlink);
    assert_eq!(state(&out, "link"), link);
    assert!(matches!(state(&out, "file"), State::Foreign(_)));
    fs::remove_dir_all(out.join("b")).unwrap();
    assert_eq!(state(&out, "b"), State::Absent);
    std::os::unix::fs::symlink("a", out.join("b")).unwrap();
    assert_eq!(state(&out, "b"), link);
}

#[test]
fn a_skill_whose_entry_was_lost_can_be_recorded_again() {
    let (_dir, out) = fresh();
    run(&out, V1);
    let first = tree(&out);
    fs::remove_file(out.join("skills.lock")).unwrap();
    let store = Store::open(&out).unwrap();
    for (name, files) in V1 {
        assert!(matches!(store.state(name).unwrap(), State::Foreign(_)));
        assert!(store.holds(name, &entry(files)).unwrap());
        assert!(!store.holds(name, &entry(&[("SKILL.md", "other")])).unwrap());
        store.record(name, entry(files)).unwrap();
    }
    store.finish().unwrap();
    assert_eq!(tree(&out), first);
}

#[track_caller]
fn check_edit(edit: impl FnOnce(&Path), [changed, added, removed]: [&[&str]; 3]) {
    let (_dir, out) = fresh();
    run(&out, V1);
    edit(&out.join("a"));
    let State::Edited(edits) = state(&out, "a") else {
        panic!("{:?}", state(&out, "a"))
    };
    assert_eq!(edits.changed, changed);
    assert_eq!(edits.added, added);
    assert_eq!(edits.removed, removed);
}

#[test]
fn every_edit_is_seen() {
    check_edit(
        |a| fs::write(a.join("SKILL.md"), "A1").unwrap(),
        [&["SKILL.md"], &[], &[]],
    );
    check_edit(
        |a| fs::write(a.join("notes.md"), "mine").unwrap(),
        [&[], &["notes.md"], &[]],
    );
    check_edit(
        |a| fs::create_dir_all(a.join("scripts-mine/empty")).unwrap(),
        [&[], &["scripts-mine/empty/"], &[]],
    );
    check_edit(
        |a| fs::remove_file(a.join("scripts/x.js")).unwrap(),
        [&[], &["scripts/"], &["scripts/x.js"]],
    );
    check_edit(
        |a| {
            fs::rename(a.join("SKILL.md"), a.join("real.md")).unwrap();
            std::os::unix::fs::symlink("real.md", a.join("SKILL.md")).unwrap();
        },
        [&["SKILL.md"], &["real.md"], &[]],
    );
    check_edit(
        |a| {
            let name = std::os::unix::ffi::OsStrExt::from_bytes(b"\xff");
            fs::write(a.join::<&std::ffi::OsStr>(name), "").unwrap();
        },
        [&[], &["\u{fffd}"], &[]],
    );
}

#[test]
fn what_is_forced_away_is_kept_and_backed_up() {
    let (dir, out) = fresh();
    run(&out, V1);
    fs::write(out.join("a/SKILL.md"), "mine").unwrap();
    std::os::unix::fs::symlink("/etc/passwd", out.join("a/link")).unwrap();
    let store = Store::open(&out).unwrap();
    let backups = dir.path().join("backups");
    assert_eq!(store.backup("a", &backups).unwrap(), backups.join("a"));
    assert_eq!(store.backup("a", &backups).unwrap(), backups.join("a.1"));
    assert_eq!(put(&store, "a", V2[0].1), CommitOutcome::Replaced);
    store.finish().unwrap();
    assert_eq!(tree(&out)["a/SKILL.md"], "a2");
    for (copy, file) in [
        (meta(&out, "previous/old/a"), PUT_AWAY),
        (backups.join("a.1"), "SKILL.md"),
    ] {
        assert_eq!(tree(&copy)[file], "mine");
        assert_eq!(tree(&copy)["scripts/x.js"], "x1");
        let target = fs::read_link(copy.join("link")).unwrap();
        assert_eq!(target, Path::new("/etc/passwd"));
    }
    let script = fs::metadata(backups.join("a/scripts/x.js")).unwrap();
    assert_eq!(script.permissions().mode() & 0o7777, 0o755);
}

#[test]
fn modes_are_exact() {
    let (_dir, out) = fresh();
    run(&out, V1);
    let mode = |path: &str| fs::metadata(out.join(path)).unwrap().permissions().mode() & 0o7777;
    assert_eq!(mode("a"), 0o755);
    assert_eq!(mode("a/scripts"), 0o755);
    assert_eq!(mode("a/SKILL.md"), 0o644);
    assert_eq!(mode("a/scripts/x.js"), 0o755);
    assert_eq!(mode("skills.lock"), 0o644);
}

#[test]
fn big_files_are_copied_and_checked() {
    let (dir, out) = fresh();
    let bytes = vec![7; 3_000_000];
    fs::write(dir.path().join("big"), &bytes).unwrap();
    let from = Root::open(dir.path()).unwrap();
    let store = Store::open(&out).unwrap();
    let mut staging = store.stage("a").unwrap();
    let digest = Digest::from_content(&bytes);
    let got = staging.copy_from(&from, "big", "x/big", true, Some(digest));
    assert_eq!(got.unwrap(), digest);
    let wrong = Some(Digest::from_content(b"other"));
    let res = staging.copy_from(&from, "big", "x/other", true, wrong);
    assert!(matches!(res, Err(StoreError::Changed { .. })));
    drop(staging);
    let mut staging = store.stage("a").unwrap();
    staging
        .copy_from(&from, "big", "x/big", true, None)
        .unwrap();
    let mut wanted = entry(&[]);
    wanted.files.insert("x/big".to_owned(), digest.to_string());
    store.commit(staging, wanted).unwrap();
    store.finish().unwrap();
    assert_eq!(state(&out, "a"), State::Clean);
}

#[test]
fn many_threads_commit_at_once() {
    let (_dir, out) = fresh();
    for version in ["1", "2"] {
        let store = Store::open(&out).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let store = &store;
                scope.spawn(move || {
                    for n in 0..25 {
                        put(store, &format!("s-{thread}-{n}"), &[("SKILL.md", version)]);
                    }
                });
            }
        });
        store.finish().unwrap();
        let store = Store::open_read_only(&out).unwrap();
        assert_eq!(store.lock().skills.len(), 200);
        for name in store.lock().skills.keys() {
            assert_eq!(store.state(name).unwrap(), State::Clean);
        }
    }
    assert_eq!(tree(&meta(&out, "previous/old")).len(), 200);
}

#[test]
fn a_second_writer_waits_and_says_so() {
    let (_dir, out) = fresh();
    let store = Store::open(&out).unwrap();
    let (sender, waits) = mpsc::channel();
    std::thread::scope(|scope| {
        let second = scope.spawn(|| {
            let mut say = || sender.send(()).unwrap();
            Store::open_with(&out, StoreOptions::default(), &mut say).map(|store| {
                let names = store.lock().skills.keys().cloned();
                names.collect::<Vec<String>>()
            })
        });
        waits.recv().unwrap();
        put(&store, "a", V1[0].1);
        store.finish().unwrap();
        assert_eq!(second.join().unwrap().unwrap(), ["a"]);
    });
}

#[test]
fn with_sync_the_outcome_is_the_same() {
    let (_dir, out) = fresh();
    let options = StoreOptions { sync: true };
    for version in [V1, V2] {
        let store = Store::open_with(&out, options, &mut || ()).unwrap();
        put(&store, "a", version[0].1);
        store.finish().unwrap();
        assert_eq!(state(&out, "a"), State::Clean);
    }
}

#[test]
fn the_first_of_many_at_once_creates_the_directory_for_all() {
    let dir = tempfile::tempdir().unwrap();
    for round in 0..300 {
        let out = dir.path().join(format!("{round}/out"));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| output::open_or_create(&out).unwrap());
            }
        });
    }
}
