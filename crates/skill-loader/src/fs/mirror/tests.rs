//! What programs do to their copy, and what an update makes of it.
#![expect(
    clippy::disallowed_methods,
    reason = "what programs do must be done by other means"
)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, FileType, Mode, mknodat};
use tempfile::TempDir;

use super::*;

/// A source, its copy, and a directory that is none of theirs.
struct World {
    dir: TempDir,
    known: BTreeMap<String, Copied>,
}

impl World {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let res = Self {
            dir,
            known: BTreeMap::new(),
        };
        for (path, text) in [
            ("source/main", "1"),
            ("source/data", "1"),
            ("source/sub/keys", "1"),
            ("outside/keys", "precious"),
        ] {
            res.write(path, text);
        }
        res
    }

    fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|error| error.kind().to_string())
    }

    fn mirror(&mut self, prefer: Prefer) -> Mirrored {
        let source = Root::open(&self.path("source")).unwrap();
        let state = Root::open(self.dir.path()).unwrap();
        let rules = MirrorRules {
            link: &|_| false,
            skip: &|path| path == "skipped",
            prefer,
        };
        let res = state.mirror("copy", (&source, ""), &self.known, &rules);
        let res = res.unwrap();
        self.known.clone_from(&res.files);
        res
    }
}

/// Copies, lets `change` do its worst, copies again: what `file` of the copy says, and what was
/// reported as kept.
#[track_caller]
fn check(change: impl Fn(&World), prefer: Prefer, (file, text): (&str, &str), kept: &[&str]) {
    let mut world = World::new();
    world.mirror(Prefer::Undecided);
    change(&world);
    let res = world.mirror(prefer);
    assert_eq!(res.kept, kept);
    assert_eq!(world.text(&format!("copy/{file}")), text);
    assert_eq!(world.text("outside/keys"), "precious");
    let outside = fs::read_dir(world.path("outside")).unwrap().count();
    assert_eq!(outside, 1);
}

#[test]
fn what_changed_on_one_side() {
    let ask = Prefer::Undecided;
    check(
        |world| world.write("source/data", "22"),
        ask,
        ("data", "22"),
        &[],
    );
    check(
        |world| world.write("copy/data", "by the program"),
        ask,
        ("data", "by the program"),
        &[],
    );
    let gone = |world: &World| fs::remove_file(world.path("source/data")).unwrap();
    check(gone, ask, ("data", "entity not found"), &[]);
    let changed_and_gone = |world: &World| {
        world.write("copy/data", "by the program");
        gone(world);
    };
    check(changed_and_gone, ask, ("data", "by the program"), &[]);
    let deleted = |world: &World| fs::remove_file(world.path("copy/data")).unwrap();
    check(deleted, ask, ("data", "entity not found"), &[]);
}

#[test]
fn what_changed_on_both_sides() {
    let both = |world: &World| {
        world.write("copy/data", "by the program");
        world.write("source/data", "by the author");
    };
    check(
        both,
        Prefer::Undecided,
        ("data", "by the program"),
        &["data"],
    );
    check(both, Prefer::Copy, ("data", "by the program"), &[]);
    check(both, Prefer::Source, ("data", "by the author"), &[]);
    check(
        both,
        Prefer::Source,
        ("data.1.replaced", "by the program"),
        &[],
    );
    // A file that the program made, and the author afterwards.
    let new = |world: &World| {
        world.write("copy/new", "by the program");
        world.write("source/new", "by the author");
    };
    check(new, Prefer::Undecided, ("new", "by the program"), &["new"]);
    let same = |world: &World| {
        world.write("copy/new", "same");
        world.write("source/new", "same");
    };
    check(same, Prefer::Undecided, ("new", "same"), &[]);
    // It is reported until somebody chooses, and a choice for the copy lasts.
    let mut world = World::new();
    world.mirror(Prefer::Undecided);
    both(&world);
    let mut kept = |prefer| world.mirror(prefer).kept.len();
    let order = [
        Prefer::Undecided,
        Prefer::Undecided,
        Prefer::Copy,
        Prefer::Undecided,
    ];
    assert_eq!(order.map(&mut kept), [1, 1, 0, 0]);
}

/// A directory of the copy that became a link leads to nothing that is removed or written.
#[test]
fn links_in_the_copy_lead_nowhere() {
    let link = |world: &World| {
        fs::rename(world.path("copy/sub"), world.path("copy/old")).unwrap();
        symlink(world.path("outside"), world.path("copy/sub")).unwrap();
    };
    let gone = |world: &World| {
        link(world);
        fs::remove_dir_all(world.path("source/sub")).unwrap();
    };
    check(gone, Prefer::Undecided, ("old/keys", "1"), &[]);
    let changed = |world: &World| {
        link(world);
        world.write("source/sub/keys", "22");
        world.write("source/sub/more", "22");
    };
    check(
        changed,
        Prefer::Undecided,
        ("old/keys", "1"),
        &["sub/keys", "sub/more"],
    );
    check(
        changed,
        Prefer::Source,
        ("old/keys", "1"),
        &["sub/keys", "sub/more"],
    );
    // A link in place of a file.
    let file = |world: &World| {
        fs::remove_file(world.path("copy/data")).unwrap();
        symlink(world.path("outside/keys"), world.path("copy/data")).unwrap();
        world.write("source/data", "22");
    };
    check(file, Prefer::Undecided, ("data", "precious"), &["data"]);
    check(file, Prefer::Source, ("data", "22"), &[]);
}

#[test]
fn a_fifo_or_directory_in_place_of_a_file() {
    let fifo = |path: &Path| mknodat(CWD, path, FileType::Fifo, Mode::RWXU, 0).unwrap();
    let in_the_way = |world: &World| {
        for name in ["data", "main"] {
            fs::remove_file(world.path(&format!("copy/{name}"))).unwrap();
            world.write(&format!("source/{name}"), "22");
        }
        fifo(&world.path("copy/data"));
        fs::create_dir(world.path("copy/main")).unwrap();
    };
    check(
        in_the_way,
        Prefer::Undecided,
        ("sub/keys", "1"),
        &["data", "main"],
    );
    check(in_the_way, Prefer::Source, ("data", "22"), &["main"]);
}

#[test]
fn what_is_skipped() {
    let skipped = |world: &World| world.write("source/skipped", "private");
    check(
        skipped,
        Prefer::Undecided,
        ("skipped", "entity not found"),
        &[],
    );
}

/// The single operations do not pass a link either.
#[test]
fn no_operation_passes_a_link() {
    let world = World::new();
    symlink(world.path("outside"), world.path("source/way")).unwrap();
    fs::remove_file(world.path("source/data")).unwrap();
    mknodat(
        CWD,
        world.path("source/data"),
        FileType::Fifo,
        Mode::RWXU,
        0,
    )
    .unwrap();
    let root = Root::open(&world.path("source")).unwrap();
    root.remove("way/keys").unwrap();
    root.remove_empty_dir("way/keys").unwrap();
    assert!(root.append("way/keys", b"x").is_err());
    assert!(root.append("way", b"x").is_err());
    assert!(
        root.append("data", b"x").is_err(),
        "a FIFO that nobody reads"
    );
    assert!(root.link("way/new", "x").is_err());
    assert!(root.rename("main", "way/new").is_err());
    assert!(root.rename("way/keys", "new").is_err());
    assert!(root.write_if_free("way/new", b"x").is_err());
    assert!(root.write_whole("way", "keys", b"x").is_err());
    assert_eq!(world.text("outside/keys"), "precious");
    assert_eq!(fs::read_dir(world.path("outside")).unwrap().count(), 1);
    // Of two that write one name, the first counts.
    assert!(root.write_if_free("once", b"1").unwrap());
    assert!(!root.write_if_free("once", b"2").unwrap());
    assert!(root.rename("main", "once").is_err());
    assert_eq!(world.text("source/once"), "1");
}
