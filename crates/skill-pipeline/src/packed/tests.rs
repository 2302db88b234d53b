#![expect(
    clippy::disallowed_methods,
    reason = "tests lay out their own directories"
)]

use std::fs;
use std::path::Path;

use super::zip::{content, members};
use crate::{MigrateOptions, Migrated, migrate};

/// A file of an archive: its name, its Unix mode, its content and whether it is deflated.
struct File<'f> {
    name: &'f str,
    mode: u32,
    bytes: &'f [u8],
    deflated: bool,
}

fn file<'f>(name: &'f str, bytes: &'f [u8]) -> File<'f> {
    File {
        name,
        mode: 0o100_644,
        bytes,
        deflated: false,
    }
}

/// Returns an archive, and the places of its local headers.
fn archive(files: &[File<'_>]) -> Vec<u8> {
    let (mut res, mut directory) = (Vec::new(), Vec::new());
    let word = |number: usize| u32::try_from(number).unwrap().to_le_bytes();
    let half = |number: usize| u16::try_from(number).unwrap().to_le_bytes();
    for file in files {
        let packed = if file.deflated {
            miniz_oxide::deflate::compress_to_vec(file.bytes, 6)
        } else {
            file.bytes.to_vec()
        };
        let start = res.len();
        let mut common = Vec::new();
        common.extend(half(20));
        common.extend(half(0));
        common.extend(half(if file.deflated { 8 } else { 0 }));
        common.extend(word(0));
        common.extend(crc(file.bytes).to_le_bytes());
        common.extend(word(packed.len()));
        common.extend(word(file.bytes.len()));
        common.extend(half(file.name.len()));
        common.extend(half(0));
        res.extend(b"PK\x03\x04");
        res.extend(&common);
        res.extend(file.name.as_bytes());
        res.extend(&packed);
        directory.extend(b"PK\x01\x02");
        directory.extend(half(0x0314));
        directory.extend(&common);
        directory.extend([0; 6]);
        directory.extend((file.mode << 16).to_le_bytes());
        directory.extend(word(start));
        directory.extend(file.name.as_bytes());
    }
    let start = res.len();
    res.extend(&directory);
    res.extend(b"PK\x05\x06\0\0\0\0");
    res.extend([half(files.len()), half(files.len())].concat());
    res.extend(word(directory.len()));
    res.extend(word(start));
    res.extend([0; 2]);
    res
}

/// The CRC-32 by its definition, bit by bit.
fn crc(bytes: &[u8]) -> u32 {
    let mut res = u32::MAX;
    for byte in bytes {
        res ^= u32::from(*byte);
        for _ in 0..8 {
            res = if res & 1 == 1 {
                (res >> 1) ^ 0xEDB8_8320
            } else {
                res >> 1
            };
        }
    }
    !res
}

/// Reads an archive: its files with their content, or why it is refused.
fn read(archive: &[u8]) -> Result<Vec<(String, Vec<u8>, bool)>, String> {
    let found = members(archive, &|name| name == "node_modules")?;
    let files = found.files.iter().map(|member| {
        let bytes = content(archive, member)?;
        Ok((member.path.clone(), bytes, member.is_executable))
    });
    files.collect()
}

#[track_caller]
fn refused(archive: &[u8], why: &str) {
    let message = read(archive).unwrap_err();
    assert!(message.contains(why), "{message}");
}

#[test]
fn files_of_an_archive() {
    let text = b"let x = 1;\n".repeat(100);
    let program = File {
        mode: 0o100_755,
        deflated: true,
        ..file("server/index.js", &text)
    };
    let link = File {
        mode: 0o120_777,
        ..file("node_modules/.bin/x", b"../../..")
    };
    let mut bytes = archive(&[
        program,
        file("manifest.json", b"{}"),
        file("server/", b""),
        link,
        file("empty", b""),
    ]);
    let expected = vec![
        ("empty".to_owned(), Vec::new(), false),
        ("manifest.json".to_owned(), b"{}".to_vec(), false),
        ("server/index.js".to_owned(), text, true),
    ];
    assert_eq!(read(&bytes).unwrap(), expected);
    // The signature of a bundle is behind the archive.
    bytes.extend(b"MCPB_SIG_V1\x10\0\0\0signature of 16 bMCPB_SIG_END");
    assert_eq!(read(&bytes).unwrap(), expected);
}

#[test]
fn paths_that_leave_are_refused() {
    for name in [
        "../x",
        "a/../../x",
        "/etc/x",
        "a//x",
        "./x",
        "C:/x",
        "a\\..\\x",
        "a:b",
        "con",
        "a/nul.txt",
        "x.",
    ] {
        refused(
            &archive(&[file(name, b"x")]),
            &name.escape_debug().to_string(),
        );
    }
}

#[test]
fn links_and_names_that_collide_are_refused() {
    let link = File {
        mode: 0o120_777,
        ..file("a", b"/etc/passwd")
    };
    refused(&archive(&[link]), "`a` is a link or a device");
    let twice = |a, b| archive(&[file(a, b"1"), file(b, b"2")]);
    refused(&twice("a", "a"), "the same name on some systems");
    refused(
        &twice("Read.md", "read.MD"),
        "the same name on some systems",
    );
    refused(
        &twice("\u{e9}", "e\u{301}"),
        "the same name on some systems",
    );
    refused(
        &twice("a", "a/b"),
        "`a` is a file, and the directory of `a/b`",
    );
}

/// Changes bytes of an archive.
fn changed(archive: &[u8], mark: &[u8], at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut res = archive.to_vec();
    let found = res.windows(mark.len()).position(|it| it == mark).unwrap();
    res[found + at..found + at + bytes.len()].copy_from_slice(bytes);
    res
}

#[test]
fn archives_that_lie_are_refused() {
    let zeros = vec![0; 1 << 20];
    let bomb = archive(&[File {
        deflated: true,
        ..file("bomb", &zeros)
    }]);
    assert!(bomb.len() < 2_000);
    assert_eq!(read(&bomb).unwrap()[0].1.len(), 1 << 20);
    let entry = b"PK\x01\x02";
    refused(
        &changed(&bomb, entry, 24, &[100, 0, 0, 0]),
        "`bomb` is not what",
    );
    refused(
        &changed(&bomb, entry, 24, &[0xFF; 4]),
        "`bomb` makes the archive too large",
    );
    refused(
        &changed(&bomb, entry, 16, &[1, 2, 3, 4]),
        "`bomb` is not what",
    );
    refused(&changed(&bomb, entry, 10, &[12]), "compressed by method 12");
    refused(&changed(&bomb, entry, 8, &[1]), "`bomb` is encrypted");
    refused(&changed(&bomb, entry, 20, &[0xFF; 4]), "broken at `bomb`");
    refused(
        &changed(&bomb, b"PK\x03\x04", 30, b"BOMB"),
        "broken at `bomb`",
    );
    let two = archive(&[file("a", &[7; 50]), file("b", &[8; 50])]);
    let shared = changed(&two, b"PK\x01\x02", 20, &[90, 0, 0, 0]);
    refused(&shared, "`a` and `b` share bytes");
    refused(&two[..two.len() - 1], "its directory cannot be read");
    refused(
        &changed(&two, b"PK\x05\x06", 10, &[0xFF, 0xFF]),
        "its directory cannot be read",
    );
    refused(b"", "its directory cannot be read");
    refused(&[b'P'; 10_000], "its directory cannot be read");
    // Every cut and every changed byte is an answer and no panic.
    for at in 0..two.len() {
        let _ = read(&two[..at]);
        let mut bytes = two.clone();
        bytes[at] ^= 0xFF;
        let _ = read(&bytes);
    }
}

/// The files of a bundle with a prompt.
fn bundle() -> Vec<u8> {
    let manifest = br#"{"manifest_version": "0.3", "name": "notes", "version": "1.0.0",
        "server": {"type": "node", "entry_point": "server/index.js"},
        "prompts": [{"name": "sum-up", "arguments": ["topic"], "text": "Sum up ${arguments.topic}."}]}"#;
    let program = File {
        deflated: true,
        ..file("server/index.js", b"process.stdin.resume();")
    };
    archive(&[
        file("manifest.json", manifest),
        program,
        file("skills/x/SKILL.md", b"---\nname: x\ndescription: y\n---\n"),
        file("node_modules/con", b"left out"),
    ])
}

/// Migrates an input without an observer.
fn run(input: &Path, out: &Path) -> Migrated {
    migrate(MigrateOptions::new(input, out), &|_| {}).unwrap()
}

#[track_caller]
fn check_skills(input: &Path, out: &Path) {
    let done = run(input, out);
    let names = done
        .outcomes
        .iter()
        .map(|it| it.skill.clone().unwrap_or_default());
    let mut names: Vec<String> = names.collect();
    names.sort();
    assert_eq!(names, ["notes", "sum-up"], "{done:?}");
    let program = fs::read_to_string(out.join("notes/scripts/server/index.js")).unwrap();
    assert_eq!(program, "process.stdin.resume();");
    let text = fs::read_to_string(out.join("sum-up/SKILL.md")).unwrap();
    assert!(text.contains("Sum up `<topic>`."), "{text}");
    assert!(!out.join("notes/scripts/skills/x/SKILL.md").exists());
    assert!(!run(input, out).changed);
}

#[test]
fn a_packed_bundle_is_a_package() {
    let dir = tempfile::tempdir().unwrap();
    let input = dir.path().join("in");
    fs::create_dir_all(input.join("deep")).unwrap();
    let path = input.join("deep/Notes 1.0.mcpb");
    fs::write(&path, bundle()).unwrap();
    check_skills(&path, &dir.path().join("from-file"));
    check_skills(&input, &dir.path().join("from-directory"));
}

#[test]
fn a_refused_bundle_is_an_error_beside_the_others() {
    let dir = tempfile::tempdir().unwrap();
    let input = dir.path().join("in");
    fs::create_dir(&input).unwrap();
    fs::write(input.join("good.mcpb"), bundle()).unwrap();
    let bad = archive(&[file("manifest.json", b"{}"), file("../x", b"")]);
    fs::write(input.join("bad.dxt"), bad).unwrap();
    let done = run(&input, &dir.path().join("out"));
    assert!(done.is_incomplete());
    let messages: Vec<String> = done
        .not_searched
        .iter()
        .map(|it| {
            format!(
                "{}: {}",
                it.place.file.as_deref().unwrap_or_default(),
                it.message
            )
        })
        .collect();
    assert_eq!(
        messages,
        ["bad.dxt: the bundle is refused: `../x` is not a path inside of the archive"]
    );
    assert_eq!(done.outcomes.len(), 2);
}

#[test]
fn a_bundle_of_a_marketplace_is_a_package() {
    let dir = tempfile::tempdir().unwrap();
    let input = dir.path().join("in");
    let market = r#"{"plugins": [{"name": "x", "source": "./plugins/x"}]}"#;
    for (path, text) in [
        (".claude-plugin/marketplace.json", market),
        (".claude-plugin/notes.md", "x"),
    ] {
        let path = input.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    fs::write(input.join("x.mcpb"), bundle()).unwrap();
    let found = run(&input, &dir.path().join("out")).not_searched;
    let found = found
        .iter()
        .find(|it| it.code.0 == "files-outside-packages");
    assert_eq!(
        found.map(|it| it.message.as_str()),
        Some("1 file is in no package of the marketplace: `.claude-plugin/` (1 file)")
    );
}
