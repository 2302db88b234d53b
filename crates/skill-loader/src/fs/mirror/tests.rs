//! Changes that programs make to their copy, and the result of an update.
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

/// A source, its copy, and a third directory.
struct Fixture {
    dir: TempDir,
    known: BTreeMap<String, CopiedFile>,
}

impl Fixture {
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

    fn mirror(&mut self, prefer: Prefer) -> MirrorResult {
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

/// Copies, applies `change`, copies again; compares the text of `file` in the copy and the reported
/// conflicts.
#[track_caller]
fn check(change: impl Fn(&Fixture), prefer: Prefer, (file, text): (&str, &str), kept: &[&str]) {
    let mut fixture = Fixture::new();
    fixture.mirror(Prefer::Undecided);
    change(&fixture);
    let res = fixture.mirror(prefer);
    assert_eq!(res.kept, kept);
    assert_eq!(fixture.text(&format!("copy/{file}")), text);
    assert_eq!(fixture.text("outside/keys"), "precious");
    let outside = fs::read_dir(fixture.path("outside")).unwrap().count();
    assert_eq!(outside, 1);
}

#[test]
fn what_changed_on_one_side() {
    let ask = Prefer::Undecided;
    check(
        |fixture| fixture.write("source/data", "22"),
        ask,
        ("data", "22"),
        &[],
    );
    check(
        |fixture| fixture.write("copy/data", "by the program"),
        ask,
        ("data", "by the program"),
        &[],
    );
    let gone = |fixture: &Fixture| fs::remove_file(fixture.path("source/data")).unwrap();
    check(gone, ask, ("data", "entity not found"), &[]);
    let changed_and_gone = |fixture: &Fixture| {
        fixture.write("copy/data", "by the program");
        gone(fixture);
    };
    check(changed_and_gone, ask, ("data", "by the program"), &[]);
    let deleted = |fixture: &Fixture| fs::remove_file(fixture.path("copy/data")).unwrap();
    check(deleted, ask, ("data", "entity not found"), &[]);
}

#[test]
fn what_changed_on_both_sides() {
    let both = |fixture: &Fixture| {
        fixture.write("copy/data", "by the program");
        fixture.write("source/data", "by the author");
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
    // A file that the program created first, and the author afterwards.
    let new = |fixture: &Fixture| {
        fixture.write("copy/new", "by the program");
        fixture.write("source/new", "by the author");
    };
    check(new, Prefer::Undecided, ("new", "by the program"), &["new"]);
    let same = |fixture: &Fixture| {
        fixture.write("copy/new", "same");
        fixture.write("source/new", "same");
    };
    check(same, Prefer::Undecided, ("new", "same"), &[]);
    // A conflict is reported until the user chooses, and a choice for the copy lasts.
    let mut fixture = Fixture::new();
    fixture.mirror(Prefer::Undecided);
    both(&fixture);
    let mut kept = |prefer| fixture.mirror(prefer).kept.len();
    let order = [
        Prefer::Undecided,
        Prefer::Undecided,
        Prefer::Copy,
        Prefer::Undecided,
    ];
    assert_eq!(order.map(&mut kept), [1, 1, 0, 0]);
}

/// A directory of the copy that became a link: nothing behind it is removed or written.
#[test]
fn links_in_the_copy_lead_nowhere() {
    let link = |fixture: &Fixture| {
        fs::rename(fixture.path("copy/sub"), fixture.path("copy/old")).unwrap();
        symlink(fixture.path("outside"), fixture.path("copy/sub")).unwrap();
    };
    let gone = |fixture: &Fixture| {
        link(fixture);
        fs::remove_dir_all(fixture.path("source/sub")).unwrap();
    };
    check(gone, Prefer::Undecided, ("old/keys", "1"), &[]);
    let changed = |fixture: &Fixture| {
        link(fixture);
        fixture.write("source/sub/keys", "22");
        fixture.write("source/sub/more", "22");
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
    let file = |fixture: &Fixture| {
        fs::remove_file(fixture.path("copy/data")).unwrap();
        symlink(fixture.path("outside/keys"), fixture.path("copy/data")).unwrap();
        fixture.write("source/data", "22");
    };
    check(file, Prefer::Undecided, ("data", "precious"), &["data"]);
    check(file, Prefer::Source, ("data", "22"), &[]);
}

#[test]
fn a_fifo_or_directory_in_place_of_a_file() {
    let fifo = |path: &Path| mknodat(CWD, path, FileType::Fifo, Mode::RWXU, 0).unwrap();
    let in_the_way = |fixture: &Fixture| {
        for name in ["data", "main"] {
            fs::remove_file(fixture.path(&format!("copy/{name}"))).unwrap();
            fixture.write(&format!("source/{name}"), "22");
        }
        fifo(&fixture.path("copy/data"));
        fs::create_dir(fixture.path("copy/main")).unwrap();
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
    let skipped = |fixture: &Fixture| fixture.write("source/skipped", "private");
    check(
        skipped,
        Prefer::Undecided,
        ("skipped", "entity not found"),
        &[],
    );
}

/// The single operations do not follow a link either.
#[test]
fn no_operation_passes_a_link() {
    let fixture = Fixture::new();
    symlink(fixture.path("outside"), fixture.path("source/way")).unwrap();
    fs::remove_file(fixture.path("source/data")).unwrap();
    mknodat(
        CWD,
        fixture.path("source/data"),
        FileType::Fifo,
        Mode::RWXU,
        0,
    )
    .unwrap();
    let root = Root::open(&fixture.path("source")).unwrap();
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
    assert_eq!(fixture.text("outside/keys"), "precious");
    assert_eq!(fs::read_dir(fixture.path("outside")).unwrap().count(), 1);
    // Of two writers of one name, the first wins.
    assert!(root.write_if_free("once", b"1").unwrap());
    assert!(!root.write_if_free("once", b"2").unwrap());
    assert!(root.rename("main", "once").is_err());
    assert_eq!(fixture.text("source/once"), "1");
}

#[test]
fn names_that_are_not_portable_are_left_out() {
    let mut fixture = Fixture::new();
    fixture.write("source/12:30.log", "1");
    fixture.write("source/nul/file", "1");
    let res = fixture.mirror(Prefer::Undecided);
    assert_eq!(res.left_out, ["12:30.log", "nul"]);
    assert_eq!(fixture.text("copy/main"), "1");
    assert_eq!(fixture.text("copy/12:30.log"), "entity not found");
}
