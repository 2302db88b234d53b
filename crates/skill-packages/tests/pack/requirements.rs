//! The skills that packed skills require.

use super::*;

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
        "warning: the archive of `tea` does not contain what the skill builds on: `water 1.0`",
        "warning: the archive of `water` does not contain what the skill builds on: `ice 2.1`",
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
                "schema: 1\nname: {name}\nversion: '1.0'\ntype: direct\nentry: {{runtime: native, argv: [./tea]}}\nconfig: {{secret: [TEA_KEY]}}\nrequires:\n  skills: [{requires}]\n"
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
fn a_skill_that_requires_itself_builds_on_no_other() {
    let metadata = METADATA.to_owned() + "requires:\n  skills: [tea]\n";
    let kitchen = Kitchen::new(&[("tea/SKILL.md", TEA), ("tea/METADATA.yml", &metadata)]);
    kitchen.check("1.0.0", &[]);
    // A file without a type or a program only says what the instructions build on.
    kitchen.write("mate/SKILL.md", &TEA.replace("tea", "mate"));
    let text = "schema: 1\nname: mate\nversion: '1'\nrequires:\n  skills: [tea]\n";
    kitchen.write("mate/METADATA.yml", text);
    kitchen.pack();
    let readme = kitchen.read("README.md");
    assert!(
        readme.contains("| instructions only | skills: tea |"),
        "{readme}"
    );
}
