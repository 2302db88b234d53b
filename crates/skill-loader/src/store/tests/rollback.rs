//! Rolling back to the state before the last run.

use super::*;

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn brings_back_what_was_before() {
    let (_dir, out) = fresh();
    run(&out, V1);
    let first = tree(&out);
    run(&out, V2);
    let want = Rollback {
        restored: names(&["a", "b"]),
        removed: names(&["c"]),
        conflicts: Vec::new(),
    };
    assert_eq!(rollback_of(&out), Some(want));
    assert_eq!(tree(&out), first);
    assert_eq!(state(&out, "a"), State::Clean);
    assert_eq!(kept(&out), KEPT_WITHOUT_PREVIOUS);
    assert_eq!(rollback_of(&out), None);
    assert_eq!(tree(&out), first);
}

#[test]
fn the_first_run_can_be_undone_too() {
    let (_dir, out) = fresh();
    run(&out, V1);
    assert_eq!(rollback_of(&out).unwrap().removed, ["a", "b"]);
    assert!(tree(&out).is_empty());
}

#[test]
fn without_a_run_there_is_nothing() {
    let (_dir, out) = fresh();
    assert_eq!(rollback_of(&out), None);
    assert!(!out.exists());
}

#[test]
fn a_run_that_changed_nothing_does_not_count() {
    let (_dir, out) = fresh();
    run(&out, V1);
    let first = tree(&out);
    run(&out, V2);
    run(&out, V2);
    rollback_of(&out).unwrap();
    assert_eq!(tree(&out), first);
}

#[test]
fn several_changes_of_one_run_are_one() {
    let (_dir, out) = fresh();
    run(&out, V1);
    let first = tree(&out);
    let store = Store::open(&out).unwrap();
    put(&store, "a", &[("SKILL.md", "a2")]);
    put(&store, "a", &[("SKILL.md", "a3")]);
    put(&store, "new", &[("SKILL.md", "n1")]);
    put(&store, "new", &[("SKILL.md", "n2")]);
    store.remove("b").unwrap();
    put(&store, "b", &[("SKILL.md", "b2")]);
    put(&store, "gone", &[("SKILL.md", "g1")]);
    store.remove("gone").unwrap();
    store.finish().unwrap();
    assert_eq!(tree(&out)["a/SKILL.md"], "a3");
    assert_eq!(
        tree(&meta(&out, "previous/old"))[&format!("a/{PUT_AWAY}")],
        "a1"
    );
    rollback_of(&out).unwrap();
    assert_eq!(tree(&out), first);
}

#[test]
fn a_change_of_the_lock_alone_is_undone() {
    let (_dir, out) = fresh();
    run(&out, V1);
    let first = tree(&out);
    let store = Store::open(&out).unwrap();
    let mut changed = store.locked("a").unwrap().clone();
    changed.recipe = Digest::from_content(b"other").to_string();
    store.record("a", changed).unwrap();
    assert!(store.finish().unwrap());
    assert_ne!(tree(&out), first);
    assert_eq!(rollback_of(&out), Some(Rollback::default()));
    assert_eq!(tree(&out), first);
    assert_eq!(rollback_of(&out), None);
}

#[test]
fn a_skill_edited_since_is_kept_and_can_be_rolled_back_later() {
    let (_dir, out) = fresh();
    run(&out, V1);
    let first = tree(&out);
    run(&out, V2);
    for name in ["a", "c"] {
        fs::write(out.join(name).join("SKILL.md"), "mine").unwrap();
    }
    for _ in 0..2 {
        let res = rollback_of(&out).unwrap();
        assert_eq!(res.conflicts, ["a", "c"]);
        assert_eq!(tree(&out)["a/SKILL.md"], "mine");
        assert_eq!(tree(&out)["c/SKILL.md"], "mine");
        assert_eq!(tree(&out)["b/SKILL.md"], "b1");
        assert!(matches!(state(&out, "a"), State::Edited(_)));
    }
    fs::remove_dir_all(out.join("a")).unwrap();
    fs::remove_dir_all(out.join("c")).unwrap();
    assert_eq!(rollback_of(&out).unwrap().restored, ["a"]);
    assert_eq!(tree(&out), first);
    assert_eq!(rollback_of(&out), None);
}

#[test]
fn foreign_things_that_came_since_stay() {
    let (_dir, out) = fresh();
    run(&out, V1);
    run(&out, V2);
    fs::create_dir(out.join("b")).unwrap();
    fs::write(out.join("b/mine"), "mine").unwrap();
    let res = rollback_of(&out).unwrap();
    assert_eq!(res.conflicts, ["b"]);
    assert_eq!(tree(&out)["b/mine"], "mine");
    assert_eq!(state(&out, "b"), State::Foreign(crate::fs::Kind::Dir));
}

/// Every state in which a killed rollback of one skill can be, given as moves before the marker is
/// found.
#[test]
fn an_interrupted_rollback_is_completed() {
    let moves: [&[(&str, &str)]; 4] = [
        &[],
        &[("previous/old/a", "previous/back/a")],
        &[
            ("previous/old/a", "previous/back/a"),
            ("../a", "x"),
            ("previous/back/a", "../a"),
            ("x", "previous/back/a"),
        ],
        &[
            ("previous/old/a", "../x"),
            ("../a", "trash/1"),
            ("../x", "../a"),
        ],
    ];
    for steps in moves {
        let (_dir, out) = fresh();
        run(&out, V1);
        let first = tree(&out);
        run(&out, V2);
        for dir in ["previous/rolling-back", "previous/back", "trash"] {
            fs::create_dir(meta(&out, dir)).unwrap();
        }
        for (from, to) in steps {
            fs::rename(meta(&out, from), meta(&out, to)).unwrap();
            if to.starts_with("../") {
                shown(&meta(&out, to));
            }
        }
        if tree(&out)["a/SKILL.md"] == "a1" {
            assert_eq!(state(&out, "a"), State::Clean, "{steps:?}");
        }
        let store = Store::open(&out).unwrap();
        assert!(store.recovery().unwrap().rolled_back);
        assert!(!store.recovery().unwrap().written.is_empty());
        assert_eq!(store.state("a").unwrap(), State::Clean);
        store.finish().unwrap();
        assert_eq!(tree(&out), first, "{steps:?}");
        assert_eq!(kept(&out), KEPT_WITHOUT_PREVIOUS);
    }
}
