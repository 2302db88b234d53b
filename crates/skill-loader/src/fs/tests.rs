//! Hostile trees, as tables.
#![expect(
    clippy::disallowed_methods,
    reason = "what is read here must be made by other means"
)]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::fs::{CWD, FileType, Mode, mknodat};
use tempfile::TempDir;

use super::sys::open;
use super::*;
use skill_model::Digest;

/// `root/` with an entry of every kind, next to a secret that must stay unreachable.
fn hostile() -> (TempDir, Root) {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("root");
    fs::create_dir_all(root.join("sub/deep")).unwrap();
    fs::create_dir(dir.path().join("root-evil")).unwrap();
    for (path, text) in [
        ("secret", "SECRET"),
        ("root-evil/x", "SECRET"),
        ("root/plain", "plain"),
        ("root/empty", ""),
        ("root/sub/deep/file", "deep"),
        ("root/new\nline", "newline"),
        ("root/-rf", "dash"),
    ] {
        fs::write(dir.path().join(path), text).unwrap();
    }
    fs::set_permissions(root.join("plain"), fs::Permissions::from_mode(0o4755)).unwrap();
    fs::hard_link(root.join("empty"), root.join("hard")).unwrap();
    for (target, link) in [
        ("../secret", "link"),
        ("plain", "inner-link"),
        ("..", "link-up"),
        ("sub", "link-dir"),
        ("loop", "loop"),
        ("/proc/self/root", "magic"),
        ("nowhere", "dangling"),
    ] {
        symlink(target, root.join(link)).unwrap();
    }
    let mode = Mode::from_raw_mode(0o644);
    mknodat(CWD, root.join("fifo"), FileType::Fifo, mode, 0).unwrap();
    UnixListener::bind(root.join("socket")).unwrap();
    fs::write(root.join(OsStr::from_bytes(b"bad\xff")), "bytes").unwrap();
    let opened = Root::open(&root).unwrap();
    (dir, opened)
}

#[track_caller]
fn check_read(root: &Root, path: &str, want: &str) {
    let got = match root.read(path, 6) {
        Ok(bytes) => format!("ok {}", String::from_utf8(bytes).unwrap()),
        Err(err) => {
            let name = format!("{err:?}");
            name.split([' ', '(']).next().unwrap().to_lowercase()
        }
    };
    assert_eq!(got, want, "{path:?}");
}

const READS: &[(&str, &str)] = &[
    ("plain", "ok plain"),
    ("empty", "ok "),
    ("sub/deep/file", "ok deep"),
    ("-rf", "ok dash"),
    ("new\nline", "toolarge"),
    ("missing", "missing"),
    ("plain/x", "missing"),
    ("sub/missing/x", "missing"),
    ("", "notregular"),
    ("sub", "notregular"),
    ("fifo", "notregular"),
    ("socket", "notregular"),
    ("link", "link"),
    ("inner-link", "link"),
    ("dangling", "link"),
    ("loop", "link"),
    ("link-up/secret", "link"),
    ("link-dir/deep/file", "link"),
    ("magic/etc/passwd", "link"),
    ("../secret", "outside"),
    ("../root-evil/x", "outside"),
    ("sub/../../secret", "outside"),
    ("sub/../plain", "outside"),
    ("./plain", "outside"),
    ("/etc/passwd", "outside"),
    ("sub//deep/file", "outside"),
    ("plain/", "outside"),
    ("plain\0", "outside"),
    ("..", "outside"),
];

#[test]
fn reads_only_regular_files_inside() {
    let (_dir, root) = hostile();
    for (path, want) in READS {
        check_read(&root, path, want);
    }
}

#[test]
fn without_openat2_the_answers_are_the_same() {
    let (_dir, root) = hostile();
    for (path, want) in READS {
        if check_relative(path).is_err() {
            continue;
        }
        let got = open::by_component(root.dir(), path, open::FILE);
        let is_link = matches!(got, Err(rustix::io::Errno::LOOP));
        assert_eq!(is_link, *want == "link", "{path}: {got:?}");
        let is_missing = matches!(
            got,
            Err(rustix::io::Errno::NOENT | rustix::io::Errno::NOTDIR)
        );
        assert_eq!(is_missing, *want == "missing", "{path}: {got:?}");
    }
    for path in ["../secret", "sub/../../secret", "/etc/passwd", ".."] {
        let got = open::by_component(root.dir(), path, open::FILE);
        assert!(matches!(got, Err(rustix::io::Errno::XDEV)), "{path}");
    }
}

#[test]
fn devices_are_refused() {
    let dev = Root::open(Path::new("/dev")).unwrap();
    check_read(&dev, "null", "notregular");
}

#[test]
fn a_limit_is_the_last_size_that_is_read() {
    let (_dir, root) = hostile();
    assert_eq!(root.read("plain", 5).unwrap(), b"plain");
    assert!(matches!(
        root.read("plain", 4),
        Err(ReadError::TooLarge { limit: 4, .. })
    ));
    let mut buffer = vec![1; 100];
    root.read_into("plain", 5, &mut buffer).unwrap();
    assert_eq!(buffer, b"plain");
    let (digest, n_bytes) = root.digest("plain").unwrap();
    assert_eq!((digest, n_bytes), (Digest::from_content(b"plain"), 5));
}

#[test]
fn a_file_is_read_in_parts() {
    let (_dir, root) = hostile();
    let (mut parts, info) = root.read_parts("plain", 5).unwrap();
    assert_eq!(info.size, 5);
    let read = [2, 0, usize::MAX, 1].map(|n| parts.take(n).unwrap());
    assert_eq!(read, [&b"pl"[..], b"", b"ain", b""]);
    assert!(matches!(
        root.read_parts("plain", 4),
        Err(ReadError::TooLarge { limit: 4, .. })
    ));
}

#[test]
fn files_whose_size_is_not_told_are_read_whole() {
    let proc = Root::open_following(Path::new("/proc/self")).unwrap();
    let text = proc.read("status", 1 << 20).unwrap();
    assert!(text.len() > 100);
    assert!(matches!(
        proc.read("status", 100),
        Err(ReadError::TooLarge { .. })
    ));
}

#[test]
fn a_sparse_file_is_refused_before_it_is_read() {
    let (dir, root) = hostile();
    let file = fs::File::create(dir.path().join("root/sparse")).unwrap();
    file.set_len(1 << 40).unwrap();
    assert!(matches!(
        root.read("sparse", 1 << 30),
        Err(ReadError::TooLarge { .. })
    ));
}

#[test]
fn a_walk_lists_everything_and_follows_nothing() {
    let (_dir, root) = hostile();
    let listing = root.walk("", &WalkLimits::default(), &|_| false).unwrap();
    let got: Vec<String> = listing
        .entries
        .iter()
        .map(|entry| format!("{} {:?}", entry.kind, entry.path))
        .collect();
    assert_eq!(
        got,
        [
            r#"file "-rf""#,
            r#"symbolic link "dangling""#,
            r#"file "empty""#,
            r#"named pipe "fifo""#,
            r#"file "hard""#,
            r#"symbolic link "inner-link""#,
            r#"symbolic link "link""#,
            r#"symbolic link "link-dir""#,
            r#"symbolic link "link-up""#,
            r#"symbolic link "loop""#,
            r#"symbolic link "magic""#,
            r#"file "new\nline""#,
            r#"file "plain""#,
            r#"socket "socket""#,
            r#"directory "sub""#,
            r#"directory "sub/deep""#,
            r#"file "sub/deep/file""#,
        ]
    );
    let [note] = &listing.notes[..] else {
        panic!("{:?}", listing.notes)
    };
    assert_eq!(note.path, "bad\u{fffd}");
    assert!(matches!(note.kind, NoteKind::NotUtf8));
}

#[test]
fn a_walk_knows_size_mode_and_links() {
    let (_dir, root) = hostile();
    let Some(Kind::File(plain)) = root.kind("plain").unwrap() else {
        panic!("a file")
    };
    assert_eq!((plain.size, plain.executable, plain.n_links), (5, true, 1));
    let Some(Kind::File(hard)) = root.kind("hard").unwrap() else {
        panic!("a file")
    };
    assert_eq!((hard.size, hard.executable, hard.n_links), (0, false, 2));
    assert_eq!(root.kind("link").unwrap(), Some(Kind::Symlink));
    assert_eq!(root.kind("nothing/at/all").unwrap(), None);
    assert_eq!(root.kind("").unwrap(), Some(Kind::Dir));
}

#[track_caller]
fn check_notes(root: &Root, limits: WalkLimits, want: &[&str]) {
    let prune = |path: &str| path == "sub";
    let listing = root.walk("", &limits, &prune).unwrap();
    let got: Vec<String> = listing
        .notes
        .iter()
        .map(|note| format!("{:?} {}", note.kind, note.path))
        .filter(|note| !note.starts_with("NotUtf8"))
        .collect();
    assert_eq!(got, want);
}

#[test]
fn whatever_a_walk_leaves_out_is_noted() {
    let (dir, root) = hostile();
    fs::create_dir_all(dir.path().join("root/other/deep")).unwrap();
    let all = WalkLimits::default();
    check_notes(&root, all, &["Pruned sub"]);
    let flat = WalkLimits { depth: 0, ..all };
    check_notes(&root, flat, &["TooDeep other", "Pruned sub"]);
    let few = WalkLimits { entries: 3, ..all };
    check_notes(&root, few, &["TooMany "]);
}

#[test]
fn a_root_that_is_a_link_is_opened_only_when_asked() {
    let (dir, _) = hostile();
    let link = dir.path().join("entrance");
    symlink("root", &link).unwrap();
    for path in [link.clone(), link.join("")] {
        let err = Root::open(&path).unwrap_err();
        assert!(err.source.to_string().contains("symbolic link"), "{err:?}");
    }
    let root = Root::open_following(&link).unwrap();
    check_read(&root, "plain", "ok plain");
    assert!(Root::open(&dir.path().join("secret")).is_err());
}

#[test]
fn a_directory_swapped_for_a_link_leaks_nothing() {
    const N_READS: usize = 20_000;
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    for name in ["root/sub", "outside"] {
        fs::create_dir_all(at(name)).unwrap();
        fs::write(at(name).join("file"), name).unwrap();
    }
    symlink("../outside", at("root/link")).unwrap();
    let root = Root::open(&at("root")).unwrap();
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let exchange = rustix::fs::RenameFlags::EXCHANGE;
            while !is_done.load(Ordering::Relaxed) {
                rustix::fs::renameat_with(root.dir(), "sub", root.dir(), "link", exchange).unwrap();
            }
        });
        for n in 0..N_READS {
            let res = match n % 3 {
                0 => root.read("sub/file", 100),
                1 => root.open_dir("sub").and_then(|sub| sub.read("file", 100)),
                _ => read_by_component(&root),
            };
            match res {
                Ok(bytes) => assert_eq!(bytes, b"root/sub"),
                Err(ReadError::Link { .. } | ReadError::Missing { .. }) => {}
                Err(err) => assert!(format!("{err:?}").contains("AGAIN"), "{err:?}"),
            }
        }
        is_done.store(true, Ordering::Relaxed);
    });
}

fn read_by_component(root: &Root) -> Result<Vec<u8>, ReadError> {
    let file = open::by_component(root.dir(), "sub/file", open::FILE)
        .map_err(|err| ReadError::from_open("sub/file".into(), err.into()))?;
    let mut res = Vec::new();
    read::read_to_end(&file.into(), 8, 100, &mut res).unwrap();
    Ok(res)
}

#[test]
fn starts_links_and_replacements() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a"), "0123456789").unwrap();
    symlink("../x", dir.path().join("l")).unwrap();
    let root = Root::open(dir.path()).unwrap();
    assert_eq!(root.read_start("a", 4).unwrap(), b"0123");
    assert_eq!(root.read_start("a", 40).unwrap(), b"0123456789");
    assert_eq!(root.link_target("l").unwrap(), "../x");
    root.replace("a", b"new").unwrap();
    assert_eq!(root.read("a", 10).unwrap(), b"new");
    assert!(root.replace("l", b"new").is_err());
    assert!(root.replace("../a", b"new").is_err());
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
}

/// A directory for its owner alone is refused if another program could have put something there.
#[test]
fn a_private_directory_is_nobody_elses() {
    let outside = tempfile::tempdir().unwrap();
    let check = |prepare: &dyn Fn(&Path), others: Others, expected: &str| {
        let dir = tempfile::tempdir().unwrap();
        prepare(&dir.path().join("own"));
        let root = Root::open(dir.path()).unwrap();
        let made = root.make_private_dir("own", others);
        let error = made.err().map(|error| match error {
            ReadError::Io(error) => error.source.to_string(),
            error => error.to_string(),
        });
        let error = error.unwrap_or_default();
        assert!(
            error.contains(expected) && error.is_empty() == expected.is_empty(),
            "{error}"
        );
    };
    let with_mode = |mode: u32| {
        move |path: &Path| {
            fs::create_dir(path).unwrap();
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        }
    };
    check(&|_| {}, Others::Nothing, "");
    check(&with_mode(0o700), Others::Nothing, "");
    check(&with_mode(0o755), Others::Read, "");
    check(&with_mode(0o755), Others::Nothing, "mode 0755");
    check(&with_mode(0o775), Others::Read, "chmod 700");
    check(
        &|path| fs::write(path, "").unwrap(),
        Others::Read,
        "it is a file",
    );
    check(
        &|path| symlink(outside.path(), path).unwrap(),
        Others::Read,
        "symbolic link",
    );
    let foreign = |path: &Path| {
        with_mode(0o700)(path);
        std::os::unix::fs::chown(path, Some(12_345), None).unwrap();
    };
    if rustix::process::geteuid().is_root() {
        check(&foreign, Others::Nothing, "user 12345");
    }
}

#[test]
fn a_new_file_takes_the_place_of_a_file_only() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("name");
    let root = Root::open(dir.path()).unwrap();
    let check = |make: &dyn Fn(), expected: &str| {
        make();
        let written = root.write_whole(".", "name", b"new");
        let found = written.map_or_else(|error| error.to_string(), |()| "written".to_owned());
        assert!(found.contains(expected), "{found}");
        let _ = fs::remove_file(&path);
        let _ = fs::remove_dir(&path);
    };
    check(&|| {}, "written");
    check(&|| fs::write(&path, "old").unwrap(), "written");
    check(&|| fs::create_dir(&path).unwrap(), "is a directory");
    let fifo = || mknodat(CWD, &path, FileType::Fifo, Mode::RWXU, 0).unwrap();
    check(&fifo, "is a named pipe");
}
