//! Texts with their documents: hints, names, files that come along, sentences.

use std::collections::BTreeMap;
use std::sync::Arc;

use plugin_model::{
    ConfigShape, Configuration, Document, Field, Format, HostModules, Identity, Key, Kind, Member,
    Node, Package, Place, Role, SourceFile, Sources, Text, Unit, UnitKey, UnitKind, key,
    parse_json,
};
use plugin_template::{Dialect, Template};
use serde_json::{Value, json};
use skill_model::{SkillName, parse_skill};

use crate::{Calls, HostRoot, Mentions, Migration, Options, Source, Templates, migrate};

mod fates;

use fates::check_fates;

const KEYS: &[Key] = &[
    key("name", Role::Name),
    key("description", Role::Description),
    key("when_to_use", Role::WhenToUse),
    key("license", Role::License),
    key("compatibility", Role::Compatibility),
    key("metadata", Role::Metadata),
    key("allowed-tools", Role::AllowedTools),
    key("argument-hint", Role::ArgumentHint),
    key("arguments", Role::Arguments),
    key("disable-model-invocation", Role::OnRequest),
    key("infer", Role::OffersItself),
    key("disable", Role::Off),
    key("tools", Role::Stated("It used only {}.")),
    key("model", Role::Kept),
    key("mcpServers", Role::Dropped("its host ignores it")),
];

/// Creates the document of a text, with its placeholders, as a reader does.
fn document<'a>(file: &str, header: &'a str, body: &str) -> Document<'a> {
    let root = parse_json(header).0.expect("valid JSON");
    let mut res = Document {
        file: file.into(),
        text: header,
        root,
        keys: KEYS,
    };
    let template = Template::parse(body, Dialect::Claude, &res.words(Role::Arguments));
    let mut leaves: BTreeMap<usize, String> = BTreeMap::new();
    for piece in template.placeholders() {
        let source = template.source(piece).to_owned();
        leaves.entry(piece.range.start).or_insert(source);
    }
    let node = |kind| Node { span: 0..0, kind };
    let leaves = leaves.into_iter().map(|(at, source)| Member {
        key: format!("@{at}"),
        value: node(Kind::String(source)),
    });
    let leaves: Vec<Member> = leaves.collect();
    if let Kind::Object(members) = &mut res.root.kind
        && !leaves.is_empty()
    {
        members.push(Member {
            key: "body".to_owned(),
            value: node(Kind::Object(leaves)),
        });
    }
    res
}

/// Migrates one text of the package `tea` with these files. Returns the plan and the leaves.
fn migrate_text(
    kind: fn(Box<Text>) -> UnitKind,
    header: &Value,
    body: &str,
    files: &[(&str, &str)],
) -> (Migration, Vec<(String, String)>) {
    let texts: BTreeMap<String, String> = files
        .iter()
        .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
        .collect();
    let files: Vec<SourceFile> = texts
        .iter()
        .map(|(path, text)| SourceFile {
            path: path.clone(),
            bytes: text.len() as u64,
            executable: false,
            sha256: "0".repeat(64),
        })
        .collect();
    let header = header.to_string();
    let file: Arc<str> = "skills/brew/SKILL.md".into();
    let text = Text {
        call: "tea:brew".to_owned(),
        body: body.to_owned(),
        directory: Some("skills/brew".to_owned()),
    };
    let package = Package {
        format: Format::Claude,
        is_enabled: true,
        identity: identity(),
        config: Configuration {
            keys: Vec::new(),
            shape: ConfigShape::Absent,
        },
        units: vec![Unit {
            key: UnitKey::new("skill", "brew"),
            file: Arc::clone(&file),
            kind: kind(Box::new(text)),
        }],
        documents: vec![document(&file, &header, body)],
        attached: Vec::new(),
        sources: Sources {
            manifest_file: "",
            manifest: b"",
            files: &files,
            texts: &texts,
            left_out: &[],
            host: &HostModules::default(),
            read_by_others: &std::collections::BTreeSet::new(),
        },
    };
    let name = SkillName::new("brew").expect("a name");
    let calls = BTreeMap::from([("tea:brew".to_owned(), name.clone())]);
    let source = Source {
        directory: "tea",
        package: &package,
        unit: &package.units[0],
        neighbours: &BTreeMap::new(),
        host: &HostRoot::default(),
        calls: Calls {
            units: &BTreeMap::new(),
            own: &calls,
            all: &calls,
        },
        mentions: &Mentions::default(),
        polish: None,
    };
    let templates = Templates::new(&[]).expect("the built-in templates");
    let migration = migrate(&source, &name, Vec::new(), &templates, Options::default());
    let root = &package.documents[0].root;
    let value = |leaf: &String| root.at(leaf).map(|node| node.to_value().to_string());
    let leaves = root.leaves().into_iter();
    let leaves = leaves.map(|leaf| (leaf.clone(), value(&leaf).unwrap_or_default()));
    (
        migration.expect("texts have no templates"),
        leaves.collect(),
    )
}

fn identity() -> Identity {
    let place = Place::new(&"".into(), "");
    Identity {
        name: Field {
            value: "tea".to_owned(),
            place,
            exact: false,
        },
        display_name: None,
        description: None,
        version: None,
        author: None,
        license: None,
        domain: None,
        tags: Vec::new(),
    }
}

fn skill(migration: &Migration) -> &str {
    let mut files = migration.generated.iter();
    let file = files.find(|file| file.path == "SKILL.md");
    file.map_or("", |file| &file.text)
}

/// Compares the fates of the arguments of a command or skill.
#[track_caller]
fn check_hint(kind: fn(Box<Text>) -> UnitKind, header: &Value, body: &str, expected: &[&str]) {
    check_fates(header, body).expect("true fates");
    let (migration, _) = migrate_text(kind, header, body, &[]);
    let fates = migration.fates.iter();
    let fates = fates.filter(|(place, _)| place.pointer.starts_with("/argument"));
    let shown = fates.map(|(place, fate)| format!("{} {}", place.pointer, fate.word()));
    assert_eq!(shown.collect::<Vec<_>>(), expected, "{body}");
}

#[test]
fn hints_are_told_or_kept() {
    let hint = json!({"argument-hint": "[file] <level>"});
    let told = &["/argument-hint transformed"];
    let kept = &["/argument-hint kept"];
    check_hint(UnitKind::Prompt, &hint, "Look at $ARGUMENTS.", told);
    // Claude Code appends what the user wrote behind a command.
    check_hint(UnitKind::Prompt, &hint, "Look.", told);
    check_hint(UnitKind::Instructions, &hint, "Look at $0.", told);
    check_hint(UnitKind::Instructions, &hint, "Look.", kept);
    check_hint(UnitKind::Agent, &hint, "Look at $0.", kept);
    let values = json!({"argument-hint": "FILE=<path> [--level low|high]"});
    check_hint(UnitKind::Prompt, &values, "Look.", told);
    let more = json!({"argument-hint": "<a> <b> <c>", "arguments": ["x", "y"]});
    let both = &[
        "/argument-hint kept",
        "/arguments/0 transformed",
        "/arguments/1 transformed",
    ];
    check_hint(UnitKind::Prompt, &more, "Look at $x.", both);
    check_hint(
        UnitKind::Prompt,
        &json!({"argument-hint": ""}),
        "",
        &["/argument-hint dropped"],
    );
    check_hint(UnitKind::Prompt, &json!({"argument-hint": "["}), "", kept);
}

#[test]
fn names_for_people_are_carried() {
    for (name, expected) in [
        ("brew", None),
        ("Tea Brewer", Some("Tea Brewer")),
        ("steep", None),
    ] {
        let header = json!({"name": name});
        check_fates(&header, "Brew.").expect("true fates");
        let (migration, _) = migrate_text(UnitKind::Agent, &header, "Brew.", &[]);
        assert_eq!(migration.metadata.display_name.as_deref(), expected);
    }
}

/// Compares the body of a text, and the copied files as `from > to`.
#[track_caller]
fn check(
    kind: fn(Box<Text>) -> UnitKind,
    body: &str,
    files: &[(&str, &str)],
    expected: &str,
    copied: &[&str],
) {
    let header = json!({"description": "x", "license": "MIT"});
    let (migration, _) = migrate_text(kind, &header, body, files);
    let text = skill(&migration);
    let (skill, _) = parse_skill(text);
    assert_eq!(skill.expect("a skill").body(text), expected);
    let copies = migration.copies.iter();
    let shown: Vec<String> = copies
        .map(|copy| format!("{} > {}", copy.from, copy.to))
        .collect();
    assert_eq!(shown, copied);
}

#[test]
fn instructions_without_placeholders_keep_every_byte() {
    for body in ["\n# Brew\r\n\r\nCosts $5,000 {{x}}  \n", "", "no line end"] {
        check(UnitKind::Instructions, body, &[], body, &[]);
    }
    // The directory of a package, without a path, is only explained.
    let explained = "# ${CLAUDE_PLUGIN_ROOT}\n\nUse `${CLAUDE_SKILL_DIR}` for paths.\n";
    check(UnitKind::Instructions, explained, &[], explained, &[]);
    check(
        UnitKind::Agent,
        "Ask for $ARGUMENTS and $1.",
        &[],
        "Ask for $ARGUMENTS and $1.",
        &[],
    );
}

#[test]
fn files_come_with_what_they_mention() {
    let files = [
        ("LICENSE", "…"),
        ("data/a.md", "See b.md and ../shared/c.md."),
        ("data/b.md", "See a.md."),
        ("lib/run.py", ""),
        ("lib/tool/x.py", ""),
        ("shared/c.md", "Run ${CLAUDE_PLUGIN_ROOT}/lib/run.py."),
        ("shared/unused.md", ""),
        ("skills/brew/own.md", ""),
    ];
    check(
        UnitKind::Instructions,
        "Read ${CLAUDE_PLUGIN_ROOT}/data/a.md and [own](own.md).",
        &files,
        "Read data/a.md and [own](own.md).",
        &[
            "LICENSE > LICENSE",
            "data/a.md > data/a.md",
            "data/b.md > data/b.md",
            "lib/run.py > lib/run.py",
            "lib/tool/x.py > lib/tool/x.py",
            "skills/brew/own.md > own.md",
            "shared/c.md > shared/c.md",
        ],
    );
    check(
        UnitKind::Instructions,
        "[c](../../shared/unused.md#top) [out](../../../etc/passwd)",
        &files,
        "[c](shared/unused.md#top) [out](../../../etc/passwd)",
        &[
            "LICENSE > LICENSE",
            "skills/brew/own.md > own.md",
            "shared/unused.md > shared/unused.md",
        ],
    );
}

#[test]
fn commands_never_run_while_a_skill_is_read() {
    let (migration, _) = migrate_text(
        UnitKind::Agent,
        &json!({}),
        "a !`rm x` b\n```!\nrm y\n```\n",
        &[],
    );
    let text = skill(&migration);
    assert!(!text.contains("!`") && !text.contains("```!"), "{text}");
    let codes: Vec<&str> = migration
        .findings
        .iter()
        .map(|finding| finding.code.0)
        .collect();
    assert!(codes.contains(&"command-text-defused"), "{codes:?}");
}

#[test]
fn restrictions_are_sentences_and_no_permissions() {
    let header = json!({"description": "x", "tools": ["Read", "Grep"]});
    let (migration, _) = migrate_text(UnitKind::Agent, &header, "Taste.\n", &[]);
    let text = skill(&migration);
    assert!(
        text.ends_with("Taste.\n\n## From the old host\n\n- It used only Read, Grep.\n"),
        "{text}"
    );
    assert!(!text.contains("allowed-tools"), "{text}");
}

/// Permitted tools name the copies that the skill has.
#[test]
fn tools_have_the_paths_of_the_skill() {
    let cases = [
        (
            json!("Bash(${CLAUDE_PLUGIN_ROOT}/scripts/run.sh:*), Read(${CLAUDE_SKILL_DIR}/own.md)"),
            "Bash(scripts/run.sh:*) Read(own.md)",
        ),
        (
            json!(["Bash(python3 $CLAUDE_PLUGIN_ROOT/scripts/run.sh)", "Read"]),
            "Bash(python3 scripts/run.sh) Read",
        ),
        (
            json!("Bash(${CLAUDE_PLUGIN_ROOT}/scripts/*), Write(${CLAUDE_PROJECT_DIR}/notes/*)"),
            "Bash(scripts/*) Write(./notes/*)",
        ),
        (
            json!("Bash(git add:*), Bash(echo $HOME)"),
            "Bash(git add:*) Bash(echo $HOME)",
        ),
    ];
    for (tools, expected) in cases {
        let header = json!({"description": "x", "license": "MIT", "allowed-tools": tools});
        let files = [("scripts/run.sh", "true\n"), ("skills/brew/own.md", "x")];
        let (migration, _) = migrate_text(UnitKind::Prompt, &header, "Brew.\n", &files);
        let parsed = parse_skill(skill(&migration)).0.expect("a skill");
        let found = parsed.frontmatter().allowed_tools;
        assert_eq!(found.as_deref(), Some(expected));
        let is_copied = migration
            .copies
            .iter()
            .any(|copy| copy.to == "scripts/run.sh");
        assert_eq!(is_copied, expected.contains("scripts/"), "{expected}");
    }
}

#[test]
fn booleans_can_be_texts() {
    let cases = [
        ("disable-model-invocation", json!(true), true),
        ("disable-model-invocation", json!("true"), true),
        ("disable-model-invocation", json!("yes"), false),
        ("disable-model-invocation", json!("false"), false),
        ("infer", json!("false"), true),
        ("infer", json!("user"), true),
        ("infer", json!("all"), false),
        ("disable", json!("true"), true),
        ("disable", json!(false), false),
    ];
    for (key, value, expected) in cases {
        let header = json!({"description": "Brews tea.", "license": "MIT", key: value});
        let (migration, _) = migrate_text(UnitKind::Agent, &header, "Brew.\n", &[]);
        let parsed = parse_skill(skill(&migration)).0.expect("a skill");
        let description = parsed.frontmatter().description;
        assert_eq!(
            description != "Brews tea.",
            expected,
            "{header}: {description}"
        );
    }
}
