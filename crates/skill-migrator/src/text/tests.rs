//! Properties of every text: each leaf and each placeholder has a fate, and the fate is true.

use std::collections::BTreeMap;
use std::sync::Arc;

use plugin_model::{
    ConfigShape, Configuration, Document, Field, Format, HostModules, Identity, Key, Kind, Member,
    Node, Package, Place, Role, SourceFile, Sources, Text, Unit, UnitKey, UnitKind, key,
    parse_json,
};
use plugin_template::{Dialect, Template};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use skill_model::{SkillName, parse_skill};

use crate::{Calls, Fate, HostPackages, Migration, Options, Source, Templates, migrate};

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
        },
    };
    let name = SkillName::new("brew").expect("a name");
    let calls = BTreeMap::from([("tea:brew".to_owned(), name.clone())]);
    let source = Source {
        directory: "tea",
        package: &package,
        unit: &package.units[0],
        neighbours: &BTreeMap::new(),
        host: &HostPackages::default(),
        calls: Calls {
            units: &BTreeMap::new(),
            own: &calls,
            all: &calls,
        },
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

/// Checks that every leaf has a fate, and that carried and kept values are where the fate says.
fn check_fates(header: &Value, body: &str) -> Result<(), TestCaseError> {
    for kind in [UnitKind::Prompt, UnitKind::Instructions, UnitKind::Agent] {
        let (migration, leaves) = migrate_text(kind, header, body, &[]);
        let (skill, findings) = parse_skill(skill(&migration));
        prop_assert_eq!(findings, []);
        let frontmatter = skill.map(|skill| skill.frontmatter()).unwrap_or_default();
        let metadata = serde_json::to_value(&migration.metadata).expect("a sidecar is JSON");
        let fates: Vec<&String> = migration.fates.keys().map(|place| &place.pointer).collect();
        let mut expected: Vec<&String> = leaves.iter().map(|(leaf, _)| leaf).collect();
        expected.sort();
        expected.dedup();
        prop_assert_eq!(fates, expected);
        for (leaf, value) in &leaves {
            let place = Place::new(&"skills/brew/SKILL.md".into(), leaf.clone());
            let value: Value = serde_json::from_str(value).expect("a leaf is JSON");
            match &migration.fates[&place] {
                Fate::Kept { to } => {
                    let to = to.trim_start_matches("METADATA.yml#");
                    prop_assert_eq!(metadata.pointer(to), Some(&value), "{} to {}", leaf, to);
                }
                Fate::Carried { to } if to.starts_with("SKILL.md#metadata.") => {
                    let key = to.trim_start_matches("SKILL.md#metadata.");
                    let found = frontmatter.metadata.get(key);
                    prop_assert_eq!(found.map(String::as_str), value.as_str());
                }
                Fate::Carried { to } if to.starts_with("METADATA.yml#") => {
                    let to = to.trim_start_matches("METADATA.yml#");
                    prop_assert_eq!(metadata.pointer(to), Some(&value));
                }
                Fate::Carried { to } if leaf.starts_with("/body/") => {
                    prop_assert_eq!(to.as_str(), "SKILL.md");
                    let text = value.as_str().unwrap_or_default();
                    let text = text.replace("!`", "! `").replace("```!", "``` !");
                    prop_assert!(self::skill(&migration).contains(&text), "{}", text);
                }
                Fate::Carried { to } => prop_assert!(to.starts_with("SKILL.md")),
                Fate::Transformed { to, .. } => prop_assert!(!to.is_empty()),
                Fate::Dropped { why } => prop_assert!(!why.is_empty()),
            }
        }
    }
    Ok(())
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[a-zA-Z参 :,()\\[\\]<>|`-]{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map("[a-z/~]{1,4}", inner, 0..3)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn header() -> impl Strategy<Value = Value> {
    let known: Vec<&str> = KEYS.iter().map(|key| key.name).collect();
    let key = prop_oneof![
        4 => prop::sample::select(known).prop_map(str::to_owned),
        1 => "[a-z-]{1,6}",
    ];
    prop::collection::btree_map(key, value(), 0..6)
        .prop_map(|map| Value::Object(map.into_iter().collect::<Map<_, _>>()))
}

fn body() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "$ARGUMENTS",
        "$1",
        "$0",
        "$x",
        "!`git log`",
        "!`echo $1`",
        "@src/a.md",
        "\\$1",
        "$5,000",
        "${CLAUDE_PLUGIN_ROOT}/a.md",
        "${CLAUDE_SKILL_DIR}",
        "${user_config.k}",
        "\n",
        " ",
        "word",
        "```\n",
        "`",
        "!",
        "```!\nls\n```\n",
        "/tea:brew",
        "](../a.md)",
    ]);
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_leaf_and_placeholder_has_a_fate_that_is_true(header in header(), body in body()) {
        check_fates(&header, &body)?;
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
