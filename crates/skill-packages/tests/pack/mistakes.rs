//! Skills that were packed and are broken now, and files that are not packed for what they are.

use super::*;

/// A METADATA.yml whose argument has this schema.
fn with_argument(schema: &str) -> String {
    METADATA.replace("{type: integer}", schema)
}

/// Packs the skills `tea` and `mate`, changes a file of `tea`, and checks that the package is kept.
#[track_caller]
fn check_kept(path: &str, text: &str, code: &str) {
    let kitchen = Kitchen::new(&[
        ("tea/SKILL.md", TEA),
        ("tea/METADATA.yml", METADATA),
        ("mate/SKILL.md", &TEA.replace("tea", "mate")),
    ]);
    kitchen.check("1.0.0", &[]);
    let before = kitchen.files();
    kitchen.write(path, text);
    kitchen.write("mate/SKILL.md", &(TEA.replace("tea", "mate") + "Stir.\n"));
    let packed = kitchen.pack();
    assert!(!packed.is_complete());
    let codes: BTreeSet<&str> = packed.findings.iter().map(|it| it.code.0).collect();
    assert_eq!(codes, [code, "package-kept"].into());
    assert_eq!(
        (packed.version.to_string().as_str(), packed.n_written),
        ("1.0.0", 0)
    );
    assert_eq!((&packed.changes[..], kitchen.files()), (&[][..], before));
    // Once the mistake is mended, the skill is still the same one.
    kitchen.write("tea/SKILL.md", TEA);
    kitchen.write("tea/METADATA.yml", METADATA);
    kitchen.write("tea/notes.md", "x");
    kitchen.check("1.0.1", &[]);
}

#[test]
fn a_mistake_in_one_skill_removes_nothing() {
    let secret = format!("use ghp_{}", "qT7vXk2LmR9sWd4HzYb6NcPf3JgUa8Ee5BtK");
    check_kept(
        "tea/SKILL.md",
        "---\nname: \"tea\n---\n",
        "invalid-frontmatter",
    );
    check_kept("tea/notes.md", &secret, "package-secret");
    check_kept("tea/METADATA.yml", "a: [b", "package-metadata");
    let unmet = METADATA.to_owned() + "requires:\n  skills: ['milk@^1']\n";
    check_kept("tea/METADATA.yml", &unmet, "package-needs");
}

#[test]
fn a_skill_with_a_broken_metadata_file_is_not_packed() {
    let kitchen = Kitchen::new(&[
        ("tea/SKILL.md", TEA),
        ("tea/METADATA.yml", "a: [b"),
        ("mate/SKILL.md", &TEA.replace("tea", "mate")),
    ]);
    let packed = kitchen.pack();
    assert_eq!(packed.skills, ["mate"]);
    let said = &packed.findings[0].message;
    assert!(
        said.starts_with("the skill `tea` is not packed: its METADATA.yml cannot be used: "),
        "{said}"
    );
}

#[test]
#[cfg(unix)]
fn files_with_a_second_name_are_said() {
    let kitchen = Kitchen::new(&[
        ("tea/SKILL.md", TEA),
        ("tea/a.md", "a"),
        ("mate/SKILL.md", &TEA.replace("tea", "mate")),
    ]);
    let at = |path: &str| kitchen.0.path().join(path);
    fs::hard_link(at("skills/tea/a.md"), at("second")).unwrap();
    fs::hard_link(at("skills/mate/SKILL.md"), at("third")).unwrap();
    std::os::unix::fs::symlink("a.md", at("skills/tea/b.md")).unwrap();
    let packed = kitchen.pack();
    let found = packed.findings.iter();
    let found = found.map(|it| format!("{}: {}", it.severity.word(), it.message));
    assert_eq!(
        found.collect::<Vec<_>>(),
        [
            "error: the skill `mate` is not packed: it needs `SKILL.md`, which has a second name, a hard link",
            "warning: left out of `tea`: `a.md` has a second name, a hard link",
            "warning: left out of `tea`: `b.md` is a symbolic link",
        ]
    );
    assert_eq!(packed.skills, ["tea"]);
}

#[test]
#[cfg(target_os = "linux")]
fn odd_names_of_files_hide_no_skill() {
    use std::os::unix::ffi::OsStrExt;

    let long = format!("tea/{}.md", "n".repeat(252));
    let kitchen = Kitchen::new(&[("tea/SKILL.md", TEA), (&long, "a"), ("tea/a\nb.md", "a")]);
    let odd = std::ffi::OsStr::from_bytes(b"\xff.md");
    fs::write(kitchen.0.path().join("skills/tea").join(odd), "a").unwrap();
    let packed = kitchen.pack();
    let found: Vec<&str> = packed
        .findings
        .iter()
        .map(|it| it.message.as_str())
        .collect();
    assert_eq!(
        found,
        [
            "the file or directory is left out: its name is not UTF-8, expected a name that every system can write",
            "left out of `tea`: `a\\nb.md` has a character that Windows does not store",
            "left out of `tea`: `\u{fffd}.md` has a name that is not UTF-8",
        ]
    );
    assert_eq!(packed.skills, ["tea"]);
}

#[test]
fn a_description_that_an_api_refuses_has_no_archive() {
    let long = TEA.replace("Brews tea.", &"Brews tea. ".repeat(100));
    let kitchen = Kitchen::new(&[("tea/SKILL.md", &long)]);
    kitchen.check(
        "1.0.0",
        &["package-upload: no archive of `tea`: a description of 1099 characters, expected at most 1024"],
    );
}

#[test]
fn arguments_that_accept_less_are_breaking() {
    let string = with_argument("{type: string, enum: [a, b]}");
    let kitchen = Kitchen::new(&[("tea/SKILL.md", TEA), ("tea/METADATA.yml", &string)]);
    kitchen.check("1.0.0", &[]);
    for (schema, version) in [
        ("{type: string, enum: [a, b, c]}", "1.1.0"),
        ("{type: string, enum: [c]}", "2.0.0"),
        ("{type: string}", "2.1.0"),
        ("{type: integer}", "3.0.0"),
        ("{type: integer, maximum: 3}", "4.0.0"),
        ("{type: integer, maximum: 9}", "4.1.0"),
    ] {
        kitchen.write("tea/METADATA.yml", &with_argument(schema));
        kitchen.check(version, &[]);
    }
    let off =
        with_argument("{type: integer, maximum: 9}").replace("enabled: true", "enabled: false");
    kitchen.write("tea/METADATA.yml", &off);
    let packed = kitchen.pack();
    assert_eq!(packed.version.to_string(), "5.0.0");
    assert_eq!(packed.changes[0].what, "it is switched off now");
}

/// An earlier version of this tool did not write what arguments accept.
#[test]
fn what_a_newer_tool_knows_is_not_a_change() {
    let kitchen = Kitchen::new(&[("tea/SKILL.md", TEA), ("tea/METADATA.yml", METADATA)]);
    kitchen.check("1.0.0", &[]);
    let mut lock: serde_json::Value = serde_json::from_str(&kitchen.read("skills.lock")).unwrap();
    let tea = lock["skills"]["tea"].as_object_mut().unwrap();
    assert!(tea.remove("accepts").is_some());
    let path = kitchen.0.path().join("out/skills.lock");
    fs::write(path, lock.to_string()).unwrap();
    kitchen.check("1.0.0", &[]);
    assert!(kitchen.read("skills.lock").contains("accepts"));
}

#[test]
fn patterns_that_name_nothing_are_errors() {
    let kitchen = Kitchen::new(&[("tea/SKILL.md", TEA)]);
    let only = |patterns: &[&str]| PackOptions {
        only: patterns.iter().map(|&it| it.to_owned()).collect(),
        ..options()
    };
    let packed = kitchen.pack_with(&only(&["t*", "typo*"])).unwrap();
    assert_eq!(
        (packed.is_complete(), &packed.skills[..]),
        (false, &["tea".to_owned()][..])
    );
    assert_eq!(
        packed.findings[0].message,
        "no skill matches `typo*`, expected names of skills after --only"
    );
    let err = kitchen.pack_with(&only(&["[bad"])).unwrap_err();
    assert!(matches!(err, PackError::Pattern(_)), "{err}");
    let empty = Kitchen::new(&[]);
    fs::create_dir(empty.0.path().join("skills")).unwrap();
    assert_eq!(empty.pack().findings[0].help, None);
}
