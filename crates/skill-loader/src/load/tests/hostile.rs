//! Names and entries that must be refused, with the code of the error.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;

use rustix::fs::{CWD, FileType, Mode, mknodat};

use super::*;

const BLOCKED: &str = "path-traversal-blocked";
const NO_TEXT: &str = "not-a-text-file";
const LARGE: &str = "file-too-large";
const IO: &str = "io";

/// Invalid names.
const NAMES: &[(&str, &str)] = &[
    // Parent directories.
    ("..", BLOCKED),
    ("../secret.md", BLOCKED),
    ("../../secret.md", BLOCKED),
    ("../../../../../../etc/passwd", BLOCKED),
    ("../a-skill-evil/x.md", BLOCKED),
    ("../a-skill/SKILL.md", BLOCKED),
    ("../other/SKILL.md", BLOCKED),
    ("references/..", BLOCKED),
    ("references/../..", BLOCKED),
    ("references/../guide.md", BLOCKED),
    ("references/../../secret.md", BLOCKED),
    ("references/../../../secret.md", BLOCKED),
    ("references/../references/guide.md", BLOCKED),
    ("references/guide.md/..", BLOCKED),
    ("references/guide.md/../../../secret.md", BLOCKED),
    ("missing/../../secret.md", BLOCKED),
    ("./../secret.md", BLOCKED),
    ("a/b/c/../../../../secret.md", BLOCKED),
    // Forms that are not normalized.
    ("", BLOCKED),
    (".", BLOCKED),
    ("/", BLOCKED),
    ("//", BLOCKED),
    ("./references/guide.md", BLOCKED),
    ("references/./guide.md", BLOCKED),
    ("references//guide.md", BLOCKED),
    ("references/", BLOCKED),
    ("references/guide.md/", BLOCKED),
    ("references/guide.md/.", BLOCKED),
    // Absolute.
    ("/etc/passwd", BLOCKED),
    ("/etc/hosts.md", BLOCKED),
    ("//etc/passwd", BLOCKED),
    ("///etc/passwd", BLOCKED),
    ("/proc/self/environ", BLOCKED),
    ("/proc/self/cwd/SKILL.md", BLOCKED),
    ("/dev/stdin", BLOCKED),
    ("/SKILL.md", BLOCKED),
    // Drives and shares.
    ("C:", BLOCKED),
    ("C:/Windows/win.ini", BLOCKED),
    ("C:\\Windows\\win.ini", BLOCKED),
    ("c:secret.md", BLOCKED),
    ("Z:../secret.md", BLOCKED),
    ("\\\\server\\share\\x.md", BLOCKED),
    ("//server/share/x.md", BLOCKED),
    ("\\\\?\\C:\\x.md", BLOCKED),
    ("\\\\.\\pipe\\x.md", BLOCKED),
    ("/cygdrive/c/x.md", BLOCKED),
    // Backslashes.
    ("..\\secret.md", BLOCKED),
    ("..\\..\\secret.md", BLOCKED),
    ("references\\guide.md", BLOCKED),
    ("references\\..\\..\\secret.md", BLOCKED),
    ("references/..\\..\\secret.md", BLOCKED),
    ("\\etc\\passwd", BLOCKED),
    ("\\", BLOCKED),
    // NUL and other control characters.
    ("\0", BLOCKED),
    ("SKILL.md\0", BLOCKED),
    ("SKILL.md\0.png", BLOCKED),
    ("../secret.md\0.md", BLOCKED),
    ("references/\0/guide.md", BLOCKED),
    ("new\nline.md", BLOCKED),
    ("new\r\nline.md", BLOCKED),
    ("\n", BLOCKED),
    ("tab\t.md", BLOCKED),
    ("bell\u{7}.md", BLOCKED),
    ("\u{1b}[2Jx.md", BLOCKED),
    ("del\u{7f}.md", BLOCKED),
    ("c1\u{85}.md", BLOCKED),
    ("\u{202e}dm.md", BLOCKED),
    ("zero\u{200b}width.md", BLOCKED),
    ("line\u{2028}separator.md", BLOCKED),
    ("isolate\u{2066}.md", BLOCKED),
    ("\u{feff}SKILL.md", BLOCKED),
    // Percent-encoded.
    ("%2e%2e/secret.md", BLOCKED),
    ("%2E%2E/secret.md", BLOCKED),
    (".%2e/secret.md", BLOCKED),
    ("..%2fsecret.md", BLOCKED),
    ("..%2Fsecret.md", BLOCKED),
    ("..%5csecret.md", BLOCKED),
    ("%2e%2e%2fsecret.md", BLOCKED),
    ("%252e%252e%252fsecret.md", BLOCKED),
    ("%25252e/secret.md", BLOCKED),
    ("%c0%ae%c0%ae/secret.md", BLOCKED),
    ("..%c0%afsecret.md", BLOCKED),
    ("%e0%80%ae/secret.md", BLOCKED),
    ("%u002e%u002e/secret.md", BLOCKED),
    ("..%u2215secret.md", BLOCKED),
    ("SKILL.md%00.png", BLOCKED),
    ("%2fetc%2fpasswd", BLOCKED),
    // Shells, schemes and variables.
    ("~", BLOCKED),
    ("~/.ssh/id_rsa", BLOCKED),
    ("~root/x.md", BLOCKED),
    ("file:///etc/passwd", BLOCKED),
    ("file:/etc/hosts.md", BLOCKED),
    ("FILE:x.md", BLOCKED),
    ("http://localhost/x.md", BLOCKED),
    ("https:x.md", BLOCKED),
    ("skill:other/SKILL.md", BLOCKED),
    ("...", BLOCKED),
    ("..../secret.md", BLOCKED),
    (".. /secret.md", BLOCKED),
    (" ../secret.md", BLOCKED),
    (" ", BLOCKED),
    ("references/ /guide.md", BLOCKED),
    // Patterns are ordinary names here, and no file has them.
    ("*", NO_TEXT),
    ("*.md", IO),
    ("references/*.md", IO),
    ("**/*.md", IO),
    ("references/guide.{md,txt}", NO_TEXT),
    ("reference?/guide.md", IO),
    ("[r]eferences/guide.md", IO),
    ("$HOME/x.md", IO),
    ("${HOME}/x.md", IO),
    ("$(id).md", IO),
    ("`id`.md", IO),
    ("-rf.md", IO),
    ("．．/secret.md", IO),
    ("‥/secret.md", IO),
    ("..／secret.md", IO),
    ("missing.md", IO),
    ("missing/deep/file.md", IO),
    ("SKILL.md/x.md", IO),
    ("skill.MD", IO),
    // Types.
    (".env", NO_TEXT),
    ("config.env", NO_TEXT),
    ("id_rsa", NO_TEXT),
    ("SKILL.md.exe", NO_TEXT),
    ("SKILL.md ", NO_TEXT),
    ("SKILL.md.", NO_TEXT),
    ("SKILL.md::$DATA", NO_TEXT),
    // Names of Windows.
    ("nul.md", BLOCKED),
    ("references/COM1.md", BLOCKED),
    ("references./guide.md", BLOCKED),
    ("a:b.md", BLOCKED),
];

/// Entries of the tree that [`hostile`] makes.
const THINGS: &[(&str, &str)] = &[
    ("link.md", BLOCKED),
    ("link", BLOCKED),
    ("link-absolute.md", BLOCKED),
    ("link-inside.md", BLOCKED),
    ("link-self.md", BLOCKED),
    ("link-dangling.md", BLOCKED),
    ("link-proc.md", BLOCKED),
    ("link-fd.md", BLOCKED),
    ("link-chain.md", BLOCKED),
    ("link-evil/x.md", BLOCKED),
    ("link-up/secret.md", BLOCKED),
    ("link-up/a-skill/SKILL.md", BLOCKED),
    ("link-here/SKILL.md", BLOCKED),
    ("link-dir/guide.md", BLOCKED),
    ("link-dir/missing.png", BLOCKED),
    ("link-root/etc/passwd", BLOCKED),
    ("references/middle/secret.md", BLOCKED),
    ("references/middle/../secret.md", BLOCKED),
    ("deep/a/link/guide.md", BLOCKED),
    ("hard.md", BLOCKED),
    ("fifo.md", NO_TEXT),
    ("fifo", NO_TEXT),
    ("socket.md", NO_TEXT),
    ("directory.md", NO_TEXT),
    ("references", NO_TEXT),
    ("directory.md/x.md", IO),
    ("binary.md", NO_TEXT),
    ("with-nul.md", NO_TEXT),
    ("latin.txt", NO_TEXT),
    ("utf16.md", NO_TEXT),
    ("cut.md", NO_TEXT),
    ("picture.png", NO_TEXT),
    ("large.md", LARGE),
    ("sparse.md", LARGE),
    ("bad\u{fffd}.md", IO),
];

const LINKS: &[(&str, &str)] = &[
    ("../../secret.md", "link.md"),
    ("../../secret.md", "link"),
    ("/etc/hosts", "link-absolute.md"),
    ("SKILL.md", "link-inside.md"),
    ("link-self.md", "link-self.md"),
    ("nowhere.md", "link-dangling.md"),
    ("/proc/self/environ", "link-proc.md"),
    ("/proc/self/fd/0", "link-fd.md"),
    ("link.md", "link-chain.md"),
    ("../a-skill-evil", "link-evil"),
    ("..", "link-up"),
    (".", "link-here"),
    ("references", "link-dir"),
    ("/", "link-root"),
    ("../../..", "references/middle"),
    ("../../references", "deep/a/link"),
];

fn hostile() -> (TempDir, SkillPlace) {
    let (dir, place) = skill("# Body\n", "# Guide\n");
    let root = dir.path().join("skills/a-skill");
    let write = |path: &str, bytes: &[u8]| fs::write(root.join(path), bytes).unwrap();
    for made in ["directory.md", "deep/a", "../a-skill-evil", "../other"] {
        fs::create_dir_all(root.join(made)).unwrap();
    }
    for secret in [
        "../../secret.md",
        "../secret.md",
        "../a-skill-evil/x.md",
        "../other/SKILL.md",
    ] {
        write(secret, b"SECRET");
    }
    write("binary.md", b"\x7fELF\xff\xfe");
    write("with-nul.md", b"text\0text");
    write("latin.txt", b"caf\xe9");
    write("utf16.md", b"\xff\xfea\0b\0");
    write("cut.md", "指".as_bytes().split_last().unwrap().1);
    write("picture.png", b"\x89PNG");
    write("large.md", &vec![b'x'; 2_000_001]);
    write("new\nline.md", b"SECRET");
    write("..\\secret.md", b"SECRET");
    fs::write(root.join(OsStr::from_bytes(b"bad\xff.md")), "SECRET").unwrap();
    fs::hard_link(dir.path().join("secret.md"), root.join("hard.md")).unwrap();
    let sparse = fs::File::create(root.join("sparse.md")).unwrap();
    sparse.set_len(1 << 40).unwrap();
    for (target, link) in LINKS {
        symlink(target, root.join(link)).unwrap();
    }
    for name in ["fifo.md", "fifo"] {
        mknodat(
            CWD,
            root.join(name),
            FileType::Fifo,
            Mode::from_raw_mode(0o644),
            0,
        )
        .unwrap();
    }
    UnixListener::bind(root.join("socket.md")).unwrap();
    (dir, place)
}

#[track_caller]
fn check(place: &SkillPlace, path: &str, expected: &str) {
    match load_resource(place, path, &Selection::default(), &Limits::default()) {
        Ok(loaded) => panic!("{path:?} gave {:?}", loaded.text),
        Err(error) => {
            assert_eq!(error.code().0, expected, "{path:?}: {error}");
            assert!(
                !error.to_string().contains(['\n', '\0', '\u{1b}']),
                "{error}"
            );
        }
    }
}

#[test]
fn every_name_is_refused_with_its_code() {
    let (_dir, place) = hostile();
    for (path, expected) in NAMES {
        check(&place, path, expected);
    }
    check(&place, &format!("{}.md", "x".repeat(300)), BLOCKED);
    check(&place, &format!("{}x.md", "d/".repeat(3000)), IO);
    check(&place, &format!("{}secret.md", "../".repeat(500)), BLOCKED);
}

#[test]
fn every_thing_is_refused_with_its_code() {
    let (_dir, place) = hostile();
    for (path, expected) in THINGS {
        check(&place, path, expected);
    }
    assert!(NAMES.len() + THINGS.len() >= 120);
}

#[test]
fn what_lies_inside_is_given() {
    let (_dir, place) = hostile();
    for path in ["SKILL.md", "references/guide.md"] {
        load_resource(&place, path, &Selection::default(), &Limits::default()).unwrap();
    }
}

#[test]
fn a_link_is_no_skill_and_no_body() {
    let (dir, _) = hostile();
    let skills = dir.path().join("skills");
    symlink("a-skill", skills.join("linked")).unwrap();
    fs::create_dir(skills.join("hollow")).unwrap();
    symlink("../../secret.md", skills.join("hollow/SKILL.md")).unwrap();
    let root = Arc::new(Root::open(&skills).unwrap());
    for name in ["linked", "hollow"] {
        let place = SkillPlace::directory(root.clone(), name);
        let error = load_skill_body(&place, &Selection::default(), &Limits::default());
        assert_eq!(error.unwrap_err().code().0, BLOCKED, "{name}");
    }
}

#[test]
fn an_unreadable_file_is_an_error_of_the_system() {
    let (dir, place) = hostile();
    let file = dir.path().join("skills/a-skill/references/guide.md");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&file).is_err() {
        check(&place, "references/guide.md", IO);
    }
}

#[test]
fn hard_links_are_given_where_they_are_allowed() {
    let (_dir, place) = hostile();
    let limits = Limits {
        hard_links: true,
        ..Limits::default()
    };
    let loaded = load_resource(&place, "hard.md", &Selection::default(), &limits).unwrap();
    assert_eq!(loaded.text, "SECRET");
}
