//! The bases for merging, and how long they are kept.

use super::*;

/// One run that writes skill `a` with one text and stores it as its base.
fn put_with_base(out: &Path, text: &str, is_killed: bool) {
    let store = Store::open(out).unwrap();
    let files = [("SKILL.md", text)];
    let texts = BTreeMap::from([("SKILL.md", text.as_bytes())]);
    store.keep_base("a", entry(&files).made(), &texts).unwrap();
    put(&store, "a", &files);
    if !is_killed {
        store.finish().unwrap();
    }
}

/// Returns the base of the current version of the skill.
fn base_of(out: &Path) -> Option<String> {
    let store = Store::open_read_only(out).unwrap();
    let mut base = store.base("a", store.locked("a")?.made()).unwrap();
    base.remove("SKILL.md")
        .map(|bytes| String::from_utf8(bytes).unwrap())
}

fn n_kept(out: &Path) -> usize {
    fs::read_dir(meta(out, "base")).unwrap().count()
}

#[test]
fn a_rollback_and_a_kill_find_their_base() {
    let (_dir, out) = fresh();
    for text in ["one", "two", "three"] {
        put_with_base(&out, text, false);
    }
    assert_eq!(base_of(&out).as_deref(), Some("three"));
    assert_eq!(n_kept(&out), 2, "this version's, and the one of a rollback");
    rollback_of(&out).unwrap();
    assert_eq!(base_of(&out).as_deref(), Some("two"));
    put_with_base(&out, "four", true);
    assert_eq!(base_of(&out).as_deref(), Some("four"));
    put_with_base(&out, "five", false);
    assert_eq!(base_of(&out).as_deref(), Some("five"));
    assert_eq!(n_kept(&out), 2);
}

#[test]
fn a_base_that_was_tampered_with_is_none() {
    let (_dir, out) = fresh();
    put_with_base(&out, "one", false);
    let file = fs::read_dir(meta(&out, "base")).unwrap().next().unwrap();
    let path = file.unwrap().path();
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("one", "two")).unwrap();
    assert_eq!(base_of(&out), None);
    fs::write(&path, "not at all").unwrap();
    assert_eq!(base_of(&out), None);
    fs::remove_file(&path).unwrap();
    assert_eq!(base_of(&out), None);
}
