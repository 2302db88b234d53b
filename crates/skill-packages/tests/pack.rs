//! A directory of skills becomes a package.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests make directories, and a failed step is a failed test"
)]

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
        &["package-left-out: left out of `tea`: `.cache`, `config.env`, `assets/table.bin`"],
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
fn what_a_chosen_skill_requires_is_packed_too() {
    let skill = |name: &str| format!("---\nname: {name}\ndescription: Does {name}.\n---\nDo it.\n");
    let metadata = |name: &str, version: &str, requires: &str| {
        format!(
            "schema: 1\nname: {name}\nversion: '{version}'\ntype: prompt\nenabled: true\nrunnable: true\nrequires:\n  skills: [{requires}]\n"
        )
    };
    let kitchen = Kitchen::new(&[]);
    for (name, requires) in [
        ("tea", "'water@^1'"),
        ("water", "'ice@2'"),
        ("ice", ""),
        ("salt", ""),
    ] {
        kitchen.write(&format!("{name}/SKILL.md"), &skill(name));
        kitchen.write(
            &format!("{name}/METADATA.yml"),
            &metadata(name, "1.0", requires),
        );
        kitchen.write(&format!("{name}/evals/triggers.json"), "[]");
    }
    let only = PackOptions {
        only: vec!["tea".to_owned()],
        ..options()
    };
    kitchen.write("ice/METADATA.yml", &metadata("ice", "2.1", ""));
    let packed = kitchen.pack_with(&only).unwrap();
    assert_eq!(packed.skills, ["ice", "tea", "water"]);
    let found = packed.findings.iter();
    let found = found.map(|it| format!("{}: {}", it.severity.word(), it.message));
    let expected = [
        "warning: the archive of `tea` has not what the skill builds on: `water 1.0`",
        "warning: the archive of `water` has not what the skill builds on: `ice 2.1`",
        "note: `ice` is packed because `tea` builds on it",
        "note: `water` is packed because `tea` builds on it",
    ];
    assert_eq!(
        found.collect::<BTreeSet<_>>(),
        expected.map(str::to_owned).into()
    );
    assert!(kitchen.names().iter().all(|name| !name.contains("evals")));
}

#[test]
fn versions_of_a_skill_are_packed_side_by_side() {
    let kitchen = Kitchen::new(&[]);
    for (directory, name, version, requires) in [
        ("a/cake", "cake", "1.0", "'tea@^1'"),
        ("a/tea", "tea", "2.0.0", ""),
        ("b/tea", "tea", "1.4.0", ""),
        ("c/tea", "tea", "1.2.0", ""),
        ("a/pie", "pie", "1.0", "'tea@2', tea"),
    ] {
        kitchen.write(
            &format!("{directory}/SKILL.md"),
            &format!("---\nname: {name}\ndescription: Makes {name} {version}.\n---\nDo it.\n"),
        );
        kitchen.write(
            &format!("{directory}/METADATA.yml"),
            &format!(
                "schema: 1\nname: {name}\nversion: '{version}'\ntype: prompt\nenabled: true\nrunnable: true\nrequires:\n  skills: [{requires}]\n"
            ),
        );
    }
    let packed = kitchen.pack();
    assert!(packed.is_complete(), "{:?}", packed.findings);
    assert_eq!(packed.skills, ["cake", "pie", "tea", "tea@1.4.0"]);
    let names = kitchen.names();
    let instructions = names.iter().filter(|name| name.contains("SKILL"));
    assert_eq!(
        instructions.collect::<Vec<_>>(),
        [
            "skills/.host/tea@1.4.0/SKILL.host.md",
            "skills/cake/SKILL.md",
            "skills/pie/SKILL.md",
            "skills/tea/SKILL.md",
        ]
    );
    let lock: serde_json::Value = serde_json::from_str(&kitchen.read("skills.lock")).unwrap();
    assert_eq!(
        lock["skills"]["cake"]["requires"],
        serde_json::json!({"tea": "1.4.0"})
    );
    let again = Kitchen::new(&[]);
    for name in names.iter().filter(|name| name.starts_with("skills/")) {
        again.write(name.trim_start_matches("skills/"), &kitchen.read(name));
    }
    assert_eq!(
        again.pack().skills,
        packed.skills,
        "a package can be packed again"
    );
    kitchen.write(
        "b/tea/METADATA.yml",
        "schema: 1\nname: tea\nversion: '3.0.0'\ntype: prompt\nenabled: true\nrunnable: true\n",
    );
    let changed = kitchen.pack();
    let whats: Vec<String> = changed
        .changes
        .iter()
        .map(|it| format!("{}: {}", it.skill, it.what))
        .collect();
    assert_eq!(
        whats,
        [
            "cake: it builds on `tea` 1.2.0 now, before on 1.4.0",
            "tea@1.2.0: the skill is new",
            "tea@1.4.0: the skill is removed",
        ]
    );
}

#[test]
fn a_skill_whose_requirement_is_not_met_is_not_packed() {
    let kitchen = Kitchen::new(&[]);
    for (name, requires) in [
        ("tea", ""),
        ("bad", "'tea@^9'"),
        ("worse", "'bad@1'"),
        ("loose", "milk"),
    ] {
        kitchen.write(
            &format!("{name}/SKILL.md"),
            &format!("---\nname: {name}\ndescription: Makes {name}.\n---\nDo it.\n"),
        );
        kitchen.write(
            &format!("{name}/METADATA.yml"),
            &format!(
                "schema: 1\nname: {name}\nversion: '1.0'\ntype: direct\nconfig: {{secret: [TEA_KEY]}}\nrequires:\n  skills: [{requires}]\n"
            ),
        );
    }
    let packed = kitchen.pack();
    assert!(!packed.is_complete());
    assert_eq!(packed.skills, ["loose", "tea"]);
    let said: Vec<_> = packed
        .findings
        .iter()
        .map(|it| it.message.as_str())
        .collect();
    let [bad, worse] = ["bad", "worse"].map(|name| format!("the skill `{name}` is not packed: "));
    assert!(said.iter().any(|text| text.starts_with(&bad)), "{said:?}");
    assert!(said.iter().any(|text| text.starts_with(&worse)), "{said:?}");
    let readme = kitchen.read("README.md");
    assert!(
        readme.contains("| yes | programs: skills-run; settings: TEA_KEY |"),
        "{readme}"
    );
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
