//! Output directories and names that lead elsewhere.

use std::os::unix::fs::symlink;

use super::*;

#[track_caller]
fn check_refused(prepare: impl FnOnce(&Path, &Path), want: &str) {
    let (dir, out) = fresh();
    let victim = dir.path().join("victim");
    fs::create_dir(&victim).unwrap();
    fs::write(victim.join("file"), "untouched").unwrap();
    prepare(&out, &victim);
    let got = Store::open(&out)
        .and_then(|store| store.stage("a").map(drop))
        .unwrap_err();
    assert!(got.to_string().contains(want), "{got}");
    assert_eq!(tree(&victim).len(), 1, "{:?}", tree(&victim));
}

#[test]
fn nothing_is_written_through_what_lies_in_the_way() {
    check_refused(|out, _| fs::write(out, "").unwrap(), "skills: is a file");
    check_refused(
        |out, victim| symlink(victim, out).unwrap(),
        "skills: is a symbolic link",
    );
    check_refused(
        |out, _| symlink("nowhere", out).unwrap(),
        "skills: is a symbolic link",
    );
    for (path, want) in [
        ("", ".skills-migrate: is a symbolic link"),
        ("run", "run: is a symbolic link"),
        ("trash", "trash: is a symbolic link"),
        ("lock", "cannot open"),
    ] {
        check_refused(
            |out, victim| {
                fs::create_dir(out).unwrap();
                let link = meta(out, path);
                let link: PathBuf = link.components().collect();
                fs::create_dir_all(link.parent().unwrap()).unwrap();
                symlink(victim, link).unwrap();
            },
            want,
        );
    }
    check_refused(
        |out, victim| {
            fs::create_dir(out).unwrap();
            symlink(victim.join("file"), out.join("skills.lock")).unwrap();
        },
        "symbolic link",
    );
}

#[test]
fn a_link_among_the_left_overs_is_swept_and_not_followed() {
    let (dir, out) = fresh();
    let victim = dir.path().join("victim");
    fs::create_dir_all(victim.join("a")).unwrap();
    fs::write(victim.join("a/file"), "untouched").unwrap();
    fs::create_dir_all(meta(&out, "trash")).unwrap();
    symlink(&victim, meta(&out, "staging")).unwrap();
    symlink(&victim, meta(&out, "trash/0")).unwrap();
    run(&out, V1);
    assert_eq!(tree(&victim)["a/file"], "untouched");
    assert_eq!(kept(&out), KEPT);
}

#[test]
fn a_link_in_the_place_of_a_skill_is_replaced_and_kept() {
    let (dir, out) = fresh();
    let victim = dir.path().join("victim");
    fs::create_dir_all(&victim).unwrap();
    fs::create_dir_all(&out).unwrap();
    symlink(&victim, out.join("a")).unwrap();
    fs::write(out.join("b"), "a file").unwrap();
    let before = tree(&out);
    run(&out, V1);
    assert_eq!(tree(&out)["a/SKILL.md"], "a1");
    assert!(tree(&victim).is_empty());
    rollback_of(&out).unwrap();
    assert_eq!(tree(&out), before);
    assert_eq!(fs::read_link(out.join("a")).unwrap(), victim);
}

#[test]
fn names_and_paths_stay_inside() {
    let (_dir, out) = fresh();
    let store = Store::open(&out).unwrap();
    for name in [
        "",
        "..",
        "../x",
        "/x",
        "a/b",
        ".skills-migrate",
        "skills.lock",
    ] {
        let is_bad = |res: Result<(), StoreError>| {
            assert!(matches!(res, Err(StoreError::BadName { .. })), "{name:?}");
        };
        is_bad(store.stage(name).map(drop));
        is_bad(store.state(name).map(drop));
        is_bad(store.remove(name).map(drop));
        is_bad(store.record(name, entry(&[])));
        is_bad(store.backup(name, &out).map(drop));
    }
    let mut staging = store.stage("a").unwrap();
    for path in ["", "..", "../x", "/x", "x//y", "x/../../y", "x\0", "./x"] {
        let res = staging.write(path, b"", false);
        assert!(matches!(res, Err(StoreError::BadPath { .. })), "{path:?}");
    }
    staging.write("x", b"", false).unwrap();
    assert!(staging.write("x", b"", false).is_err(), "written twice");
    assert!(staging.write("x/y", b"", false).is_err(), "below a file");
}

#[test]
fn an_entry_lists_exactly_what_was_staged() {
    let (_dir, out) = fresh();
    let store = Store::open(&out).unwrap();
    for listed in [&[][..], &[("x", ""), ("y", "")], &[("y", "")]] {
        let mut staging = store.stage("a").unwrap();
        staging.write("x", b"", false).unwrap();
        let res = store.commit(staging, entry(listed));
        assert!(matches!(res, Err(StoreError::NotAsListed { .. })));
    }
    assert!(!store.finish().unwrap());
    assert!(tree(&out).is_empty());
}

#[test]
fn a_broken_lock_is_an_error() {
    for (text, want) in [
        ("", "EOF"),
        ("<<<<<<< HEAD", "expected value"),
        (r#"{"schema":2,"skills":{}}"#, "schema 2"),
        (
            r#"{"schema":1,"skills":{"../x":ENTRY}}"#,
            "`../x` cannot be the name",
        ),
        (
            r#"{"schema":1,"skills":{"x":ENTRY}}"#,
            "`../y` cannot be a path",
        ),
    ] {
        let (_dir, out) = fresh();
        fs::create_dir(&out).unwrap();
        let entry = serde_json::to_string(&entry(&[("../y", "")])).unwrap();
        fs::write(out.join("skills.lock"), text.replace("ENTRY", &entry)).unwrap();
        for res in [Store::open(&out), Store::open_read_only(&out)] {
            let message = res.unwrap_err().to_string();
            assert!(
                message.contains("skills.lock: is not a lock file"),
                "{message}"
            );
            assert!(message.contains(want), "{message}");
        }
    }
}
