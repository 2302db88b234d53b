//! A directory of skills becomes a package.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests make directories, and a failed step is a failed test"
)]

mod mistakes; // skills that were packed and are broken now
mod requirements; // the skills that packed skills require

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use skill_packages::{PackError, PackOptions, Packed, pack};
use tempfile::TempDir;

/// A SKILL.md of the skill `tea`.
const TEA: &str = "---\nname: tea\ndescription: Brews tea.\n---\nBoil water.\n";
/// A METADATA.yml with the command `brew`, which needs `minutes`.
const METADATA: &str = "schema: 1\nname: tea\nversion: 1.0.0\ntype: stdio\nenabled: true\n\
    runnable: true\nentry: {runtime: native, argv: [./tea], dir: scripts}\ncommands:\n\
    - id: brew\n  dispatch: null\n  input_schema:\n    type: object\n    properties:\n      \
    minutes: {type: integer}\n    required: [minutes]\n";

fn options() -> PackOptions {
    PackOptions {
        name: Some("kitchen".to_owned()),
        description: None,
        author: None,
        license: None,
        version: None,
        only: Vec::new(),
        only_runnable: false,
        archives: true,
        server: true,
    }
}

/// Skills, and the place of a package.
struct Kitchen(TempDir);

impl Kitchen {
    fn new(files: &[(&str, &str)]) -> Self {
        let res = Self(TempDir::new().unwrap());
        for (path, text) in files {
            res.write(path, text);
        }
        res
    }

    fn write(&self, path: &str, text: &str) {
        let file = self.0.path().join("skills").join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    fn pack_with(&self, options: &PackOptions) -> Result<Packed, PackError> {
        let [skills, out] = ["skills", "out"].map(|name| self.0.path().join(name));
        pack(&skills, &out, options)
    }

    fn pack(&self) -> Packed {
        self.pack_with(&options()).unwrap()
    }

    /// Packs, and checks the version and the findings by code and message.
    #[track_caller]
    fn check(&self, version: &str, findings: &[&str]) {
        let packed = self.pack();
        assert_eq!(packed.version.to_string(), version);
        let found = packed.findings.iter();
        let found = found.map(|finding| format!("{}: {}", finding.code, finding.message));
        assert_eq!(found.collect::<Vec<_>>(), findings);
    }

    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut res = BTreeMap::new();
        let out = self.0.path().join("out");
        if out.exists() {
            collect(&out, &out, &mut res);
        }
        res
    }

    fn read(&self, name: &str) -> String {
        String::from_utf8(self.files()[name].clone()).unwrap()
    }

    fn names(&self) -> Vec<String> {
        self.files().into_keys().collect()
    }
}

fn collect(root: &Path, dir: &Path, acc: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, acc);
        } else {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap();
            acc.insert(name.to_owned(), fs::read(&path).unwrap());
        }
    }
}

#[test]
fn the_files_of_a_package() {
    let kitchen = Kitchen::new(&[("tea/SKILL.md", TEA), ("tea/METADATA.yml", METADATA)]);
    kitchen.check("1.0.0", &[]);
    let first = kitchen.files();
    assert_eq!(
        kitchen.names(),
        [
            ".agents/plugins/marketplace.json",
            ".claude-plugin/marketplace.json",
            ".claude-plugin/plugin.json",
            "README.md",
            "archives/tea.skill",
            "archives/tea.zip",
            "gemini-extension.json",
            "mcp.json",
            "plugin.json",
            "skills.lock",
            "skills/tea/METADATA.yml",
            "skills/tea/SKILL.md",
        ]
    );
    let again = kitchen.pack();
    assert_eq!((again.n_written, kitchen.files()), (0, first.clone()));
    let elsewhere = Kitchen::new(&[("tea/SKILL.md", TEA), ("tea/METADATA.yml", METADATA)]);
    elsewhere.pack();
    assert_eq!(elsewhere.files(), first);
}

#[test]
fn options_leave_parts_out() {
    let stopped = METADATA.replace("runnable: true", "runnable: false");
    let kitchen = Kitchen::new(&[
        ("tea/SKILL.md", TEA),
        ("tea/METADATA.yml", &stopped),
        ("mate/SKILL.md", &TEA.replace("tea", "mate")),
    ]);
    let packed = kitchen
        .pack_with(&PackOptions {
            only_runnable: true,
            archives: false,
            server: false,
            ..options()
        })
        .unwrap();
    assert_eq!(packed.not_runnable, ["tea"]);
    let left = ["archives/", "mcp.json", "skills/tea/"];
    let names = kitchen.names();
    assert!(
        !names
            .iter()
            .any(|name| left.iter().any(|left| name.starts_with(left)))
    );
    let only = PackOptions {
        only: vec!["t?a".to_owned()],
        ..options()
    };
    assert_eq!(kitchen.pack_with(&only).unwrap().skills, ["tea"]);
}

#[test]
fn what_is_private_is_not_packed() {
    let kitchen = Kitchen::new(&[
        ("tea/SKILL.md", TEA),
        ("tea/config.env", "TOKEN=x"),
        ("tea/.cache/x", "x"),
        ("tea/assets/table.bin", "SQLite format 3\0"),
        (".skills-migrate/backup/old/SKILL.md", TEA),
        (".host/service/SKILL.md", &TEA.replace("tea", "service")),
    ]);
    kitchen.check(
        "1.0.0",
        &[
            "package-left-out: left out of `tea`: `.cache`, `config.env`",
            "package-left-out: left out of `tea`: `assets/table.bin` is private by its content",
        ],
    );
    let names = kitchen.names();
    let of_skills = names.iter().filter(|name| name.starts_with("skills/"));
    assert_eq!(of_skills.collect::<Vec<_>>(), ["skills/tea/SKILL.md"]);
}

#[test]
fn a_skill_with_a_secret_is_not_packed() {
    // In two parts, so that no scanner of this repository stumbles over it.
    let secret = format!("use ghp_{}", "qT7vXk2LmR9sWd4HzYb6NcPf3JgUa8Ee5BtK");
    let kitchen = Kitchen::new(&[("tea/SKILL.md", TEA), ("tea/references/a.md", &secret)]);
    let packed = kitchen.pack();
    assert!(!packed.is_complete());
    let codes: Vec<&str> = packed
        .findings
        .iter()
        .map(|finding| finding.code.0)
        .collect();
    assert_eq!(codes, ["package-empty", "package-secret"]);
    assert_eq!(kitchen.names(), [""; 0]);
}

#[test]
fn a_skill_in_conflict_is_not_packed() {
    let source = "{\"directory\": \"Tea\", \"manifest\": \"plugin-manifest.json\", \"digest\": \"sha256:0\"}";
    let lock = format!(
        "{{\"schema\": 1, \"skills\": {{\"tea\": {{\"source\": {source}, \"recipe\": \"x\", \
         \"files\": {{}}, \"conflicts\": [\"SKILL.md\"]}}}}}}"
    );
    let kitchen = Kitchen::new(&[
        ("tea/SKILL.md", TEA),
        ("mate/SKILL.md", &TEA.replace("tea", "mate")),
        ("skills.lock", &lock),
    ]);
    kitchen.check(
        "1.0.0",
        &["package-conflict: the skill `tea` is not packed: it is in conflict"],
    );
}

#[test]
fn an_upload_that_would_be_refused_has_no_archive() {
    let kitchen = Kitchen::new(&[("tea/SKILL.md", TEA), ("tea/scripts/SKILL.md", TEA)]);
    kitchen.check(
        "1.0.0",
        &["package-upload: no archive of `tea`: 2 manifests, expected one (`scripts/SKILL.md`)"],
    );
    assert!(
        !kitchen
            .names()
            .iter()
            .any(|name| name.starts_with("archives/"))
    );
}

#[test]
fn the_version_follows_from_the_changes() {
    let kitchen = Kitchen::new(&[("tea/SKILL.md", TEA), ("tea/METADATA.yml", METADATA)]);
    kitchen.check("1.0.0", &[]);
    kitchen.write("tea/SKILL.md", &TEA.replace("water", "fresh water"));
    kitchen.check("1.0.1", &[]);
    kitchen.check("1.0.1", &[]);
    let optional = METADATA.replace("    required: [minutes]\n", "");
    kitchen.write("tea/METADATA.yml", &optional);
    kitchen.check("1.1.0", &[]);
    kitchen.write(
        "tea/METADATA.yml",
        &optional.replace("id: brew", "id: steep"),
    );
    kitchen.check("2.0.0", &[]);
    let packed = kitchen.pack_with(&PackOptions {
        description: Some("Hot drinks".to_owned()),
        ..options()
    });
    assert_eq!(packed.unwrap().version.to_string(), "2.0.1");
    let given = |text: &str| PackOptions {
        version: Some(text.parse().unwrap()),
        ..options()
    };
    let late = kitchen.pack_with(&PackOptions {
        description: Some("Cold drinks".to_owned()),
        ..given("2.0.1")
    });
    assert!(matches!(late, Err(PackError::OldVersion { .. })));
    let packed = kitchen.pack_with(&given("3.1.4")).unwrap();
    assert_eq!(packed.version.to_string(), "3.1.4");
    assert_eq!(packed.last_version.as_deref(), Some("2.0.1"));
    let unchanged = kitchen.pack_with(&given("0.5.0"));
    assert!(matches!(unchanged, Err(PackError::OldVersion { .. })));
    assert_eq!(kitchen.pack_with(&given("3.1.4")).unwrap().n_written, 0);
}

#[test]
fn a_package_keeps_its_name() {
    let kitchen = Kitchen::new(&[("tea/SKILL.md", TEA)]);
    kitchen.check("1.0.0", &[]);
    let unnamed = PackOptions {
        name: None,
        ..options()
    };
    let packed = kitchen.pack_with(&unnamed).unwrap();
    assert_eq!((&*packed.name, packed.n_written), ("kitchen", 0));
    let other = PackOptions {
        name: Some("bar".to_owned()),
        ..options()
    };
    let packed = kitchen.pack_with(&other).unwrap();
    assert_eq!(packed.name, "bar");
    assert_eq!(
        packed.findings[0].message,
        "the package was called `kitchen` and is now called `bar`"
    );
}

#[test]
fn a_package_is_a_directory_of_skills_too() {
    let kitchen = Kitchen::new(&[("tea/SKILL.md", TEA)]);
    kitchen.pack();
    let [first, second] = ["out", "again"].map(|name| kitchen.0.path().join(name));
    let mut options = options();
    options.name = None;
    let packed = pack(&first, &second, &options).unwrap();
    assert_eq!(
        (&*packed.name, &packed.skills[..]),
        ("kitchen", &["tea".to_owned()][..])
    );
    assert!(second.join("skills/tea/SKILL.md").is_file());
    assert!(!second.join("skills/kitchen").exists());
    let other = kitchen.0.path().join("skills/.claude-plugin");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("plugin.json"), r#"{"name": "cups"}"#).unwrap();
    let [skills, third] = ["skills", "third"].map(|name| kitchen.0.path().join(name));
    assert_eq!(pack(&skills, &third, &options).unwrap().name, "cups");
}

#[test]
fn files_that_other_systems_cannot_store_are_left_out() {
    let kitchen = Kitchen::new(&[
        ("tea/SKILL.md", TEA),
        ("tea/references/Case.txt", "a"),
        ("tea/references/case.txt", "b"),
        ("tea/references/a\nb.md", "c"),
        ("tea/references/e\u{202e}x.md", "d"),
    ]);
    kitchen.check(
        "1.0.0",
        &[
            "package-file-name: left out of `tea`: `references/a\\nb.md` has a character that Windows does not store",
            "package-file-name: left out of `tea`: `references/case.txt` and `references/Case.txt` have the same name on systems that ignore case or the Unicode form",
            "package-file-name: left out of `tea`: `references/e\\u{202e}x.md` has a name with invisible characters, or of more than 255 bytes",
        ],
    );
    let names = kitchen.names();
    let of_skills = names.iter().filter(|name| name.starts_with("skills/"));
    assert_eq!(
        of_skills.collect::<Vec<_>>(),
        ["skills/tea/SKILL.md", "skills/tea/references/Case.txt"]
    );
}

#[test]
fn a_removed_skill_is_removed_and_breaking() {
    let kitchen = Kitchen::new(&[
        ("tea/SKILL.md", TEA),
        ("mate/SKILL.md", &TEA.replace("tea", "mate")),
    ]);
    kitchen.check("1.0.0", &[]);
    fs::remove_dir_all(kitchen.0.path().join("skills/mate")).unwrap();
    kitchen.check("2.0.0", &[]);
    assert!(!kitchen.names().iter().any(|name| name.contains("mate")));
    assert!(!kitchen.0.path().join("out/skills/mate").exists());
}

#[test]
fn edits_by_hand_are_not_overwritten() {
    let kitchen = Kitchen::new(&[("tea/SKILL.md", TEA)]);
    kitchen.pack();
    fs::write(kitchen.0.path().join("out/LICENSE"), "MIT").unwrap();
    kitchen.check("1.0.0", &[]);
    fs::write(kitchen.0.path().join("out/README.md"), "mine").unwrap();
    let err = kitchen.pack_with(&options()).unwrap_err();
    assert_eq!(
        err.to_string(),
        "1 of the files in the directory of the package were edited by hand or are not of a package: \
         README.md; move them or choose another directory"
    );
    assert_eq!(
        fs::read(kitchen.0.path().join("out/README.md")).unwrap(),
        b"mine"
    );
}

#[test]
fn what_cannot_be_a_package_is_refused() {
    let kitchen = Kitchen::new(&[("tea/SKILL.md", TEA)]);
    let at = |path: &str| kitchen.0.path().join(path);
    let inside = pack(&at("skills"), &at("skills/out"), &options());
    assert!(matches!(inside, Err(PackError::Inside)));
    let named = PackOptions {
        name: Some("My Kitchen".to_owned()),
        ..options()
    };
    assert!(matches!(kitchen.pack_with(&named), Err(PackError::Name(_))));
    fs::create_dir(at("out")).unwrap();
    fs::write(at("out/skills.lock"), "{\"schema\": 1, \"skills\": {}}").unwrap();
    assert!(matches!(
        kitchen.pack_with(&options()),
        Err(PackError::Lock(_))
    ));
}

#[test]
fn a_package_keeps_what_was_said_about_it() {
    let kitchen = Kitchen::new(&[("tea/SKILL.md", TEA)]);
    let said = PackOptions {
        author: Some("Ada".to_owned()),
        license: Some("MIT".to_owned()),
        description: Some("Hot drinks".to_owned()),
        ..options()
    };
    kitchen.pack_with(&said).unwrap();
    assert_eq!(kitchen.pack().n_written, 0, "nothing was dropped");
    let without = PackOptions {
        license: Some(String::new()),
        ..options()
    };
    kitchen.pack_with(&without).unwrap();
    let plugin: serde_json::Value = serde_json::from_str(&kitchen.read("plugin.json")).unwrap();
    assert_eq!(plugin["author"]["name"], "Ada");
    assert_eq!(plugin.get("license"), None);
    // A description of names follows the skills.
    let other = Kitchen::new(&[("tea/SKILL.md", TEA)]);
    other.pack();
    other.write("mate/SKILL.md", &TEA.replace("tea", "mate"));
    other.pack();
    assert!(
        other
            .read("plugin.json")
            .contains("2 Agent Skills: mate, tea")
    );
}
