//! Trees that are not read again, and trees that are.

use std::time::Duration;

use super::*;
use crate::fs::{Fingerprint, Root};

/// Writes V1 with sources, long enough before the end of the run to be trusted.
fn settled() -> (tempfile::TempDir, PathBuf) {
    let (dir, out) = fresh();
    fs::create_dir(dir.path().join("plugin")).unwrap();
    fs::write(dir.path().join("plugin/manifest"), "{}").unwrap();
    let store = Store::open(&out).unwrap();
    let print = source(&dir);
    for (name, files) in V1 {
        put(&store, name, files);
        store.know_source(name, &print);
    }
    std::thread::sleep(Duration::from_millis(60));
    store.finish().unwrap();
    (dir, out)
}

fn source(dir: &tempfile::TempDir) -> Fingerprint {
    let root = Root::open(&dir.path().join("plugin")).unwrap();
    let limits = crate::fs::WalkLimits::default();
    root.walk("", &limits, &|_| false).unwrap().fingerprint()
}

fn is_trusted(out: &Path, name: &str) -> bool {
    let store = Store::open(out).unwrap();
    let (out, writer) = store.writer().unwrap();
    let limits = crate::fs::WalkLimits::default();
    let listing = out.open_dir(name).unwrap();
    let listing = listing.walk("", &limits, &|_| false).unwrap();
    let entry = store.locked(name).unwrap();
    let stamps = writer.stamps();
    stamps.is_skill(name, entry, &listing.fingerprint())
}

#[test]
fn what_nobody_touched_is_trusted() {
    let (dir, out) = settled();
    assert!(is_trusted(&out, "a"));
    let store = Store::open(&out).unwrap();
    assert!(store.is_source_known("a", &source(&dir)));
    assert!(!store.is_source_known("c", &source(&dir)));
    drop(store);
    let looking = Store::open_read_only(&out).unwrap();
    assert!(!looking.is_source_known("a", &source(&dir)));
}

#[test]
fn a_touch_shows_even_when_the_times_are_set_back() {
    let (dir, out) = settled();
    for path in [out.join("a/SKILL.md"), dir.path().join("plugin/manifest")] {
        let before = fs::metadata(&path).unwrap().modified().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.to_uppercase()).unwrap();
        let file = fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(before).unwrap();
    }
    assert!(!is_trusted(&out, "a"));
    assert!(is_trusted(&out, "b"));
    assert!(matches!(state(&out, "a"), State::Edited(_)));
    let store = Store::open(&out).unwrap();
    assert!(matches!(store.state("a").unwrap(), State::Edited(_)));
    assert!(!store.is_source_known("a", &source(&dir)));
}

#[test]
fn a_tree_is_trusted_for_its_own_entry_only() {
    let (dir, out) = settled();
    let lock = fs::read_to_string(out.join("skills.lock")).unwrap();
    let digest = Digest::from_content(b"a1").to_string();
    let other = Digest::from_content(b"a2").to_string();
    fs::write(out.join("skills.lock"), lock.replace(&digest, &other)).unwrap();
    assert!(!is_trusted(&out, "a"));
    let store = Store::open(&out).unwrap();
    assert!(matches!(store.state("a").unwrap(), State::Edited(_)));
    let mut changed = store.locked("b").unwrap().clone();
    changed.source.digest = Digest::from_content(b"another source").to_string();
    store.record("b", changed).unwrap();
    store.finish().unwrap();
    let store = Store::open(&out).unwrap();
    assert!(!store.is_source_known("b", &source(&dir)));
}

#[test]
fn what_was_touched_a_moment_before_is_read_again() {
    let (_dir, out) = settled();
    let store = Store::open(&out).unwrap();
    put(&store, "a", V2[0].1);
    store.finish().unwrap();
    assert!(!is_trusted(&out, "a"));
    assert!(is_trusted(&out, "b"));
}

#[test]
fn without_the_file_everything_is_read() {
    for text in [None, Some("nonsense")] {
        let (_dir, out) = settled();
        fs::remove_file(meta(&out, "stamps")).unwrap();
        if let Some(text) = text {
            fs::write(meta(&out, "stamps"), text).unwrap();
        }
        assert!(!is_trusted(&out, "a"));
        assert!(!run(&out, V1));
    }
}
