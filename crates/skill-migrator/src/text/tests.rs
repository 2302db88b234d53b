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
use skill_model::{Frontmatter, SkillName, parse_skill};

use crate::{Calls, Fate, HostPackages, Mentions, Migration, Options, Source, Templates, migrate};

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

/// A planned skill, in which fates are looked up.
struct Planned {
    body: String,
    frontmatter: Frontmatter,
    metadata: Value,
}

impl Planned {
    fn new(migration: &Migration) -> Self {
        let text = skill(migration);
        let (skill, findings) = parse_skill(text);
        assert_eq!(findings, []);
        let skill = skill.expect("a skill");
        Self {
            body: skill.body(text).to_owned(),
            frontmatter: skill.frontmatter(),
            metadata: serde_json::to_value(&migration.metadata).expect("a sidecar is JSON"),
        }
    }

    /// Returns what is at the destination of a fate; `None` if it does not exist.
    fn at(&self, to: &str) -> Option<Value> {
        if let Some(pointer) = to.strip_prefix("METADATA.yml#") {
            return self.metadata.pointer(pointer).cloned();
        }
        let place = to.strip_prefix("SKILL.md").expect("a file of the skill");
        let header = &self.frontmatter;
        let text = match place.trim_start_matches('#') {
            "" => Some(&self.body),
            "Input" => return self.input().map(Value::from),
            "name" => Some(&header.name),
            "description" => Some(&header.description),
            "license" => header.license.as_ref(),
            "compatibility" => header.compatibility.as_ref(),
            "allowed-tools" => header.allowed_tools.as_ref(),
            key => header.metadata.get(key.strip_prefix("metadata.")?),
        };
        text.cloned().map(Value::from)
    }

    /// Returns the section *Input*.
    fn input(&self) -> Option<&str> {
        let titles = ["## Input\n", "## 输入\n"];
        titles.iter().find_map(|title| {
            let (_, section) = self.body.rsplit_once(title)?;
            section.split("\n## ").next()
        })
    }
}

/// Checks that every leaf has a fate, and that what is carried, kept or transformed is where the fate
/// says.
fn check_fates(header: &Value, body: &str) -> Result<(), TestCaseError> {
    for kind in [UnitKind::Prompt, UnitKind::Instructions, UnitKind::Agent] {
        let (migration, leaves) = migrate_text(kind, header, body, &[]);
        let planned = Planned::new(&migration);
        let fates: Vec<&String> = migration.fates.keys().map(|place| &place.pointer).collect();
        let mut expected: Vec<&String> = leaves.iter().map(|(leaf, _)| leaf).collect();
        expected.sort();
        expected.dedup();
        prop_assert_eq!(fates, expected);
        for (leaf, value) in &leaves {
            let place = Place::new(&"skills/brew/SKILL.md".into(), leaf.clone());
            let value: Value = serde_json::from_str(value).expect("a leaf is JSON");
            check_fate(leaf, &value, &migration.fates[&place], &planned)?;
        }
    }
    Ok(())
}

fn check_fate(
    leaf: &str,
    value: &Value,
    fate: &Fate,
    planned: &Planned,
) -> Result<(), TestCaseError> {
    let (Fate::Carried { to } | Fate::Kept { to } | Fate::Transformed { to, .. }) = fate else {
        let is_said = matches!(fate, Fate::Dropped { why } if !why.is_empty());
        prop_assert!(is_said, "{}", leaf);
        return Ok(());
    };
    let Some(there) = planned.at(to) else {
        return Err(TestCaseError::fail(format!("{leaf}: {to} does not exist")));
    };
    match fate {
        Fate::Transformed { .. } => {
            let (told, text) = (there.to_string(), text_of(value));
            for word in told_words(leaf, &text) {
                prop_assert!(
                    told.contains(word),
                    "{}: `{}` of {} in {}",
                    leaf,
                    word,
                    to,
                    told
                );
            }
        }
        _ if leaf.starts_with("/body/") => {
            let text = text_of(value).replace("!`", "! `").replace("```!", "``` !");
            prop_assert!(planned.body.contains(&text), "{}", text);
        }
        _ => prop_assert_eq!(&there, value, "{} to {}", leaf, to),
    }
    Ok(())
}

/// Returns a leaf as text; empty if it is a list, a map or nothing.
fn text_of(leaf: &Value) -> String {
    match leaf {
        Value::String(text) => text.clone(),
        Value::Number(_) | Value::Bool(_) => leaf.to_string(),
        _ => String::new(),
    }
}

/// Returns the words of a leaf that its destination must have: not the names of placeholders, nor the
/// value of a switch.
fn told_words<'t>(leaf: &str, text: &'t str) -> impl Iterator<Item = &'t str> {
    let is_body = leaf.starts_with("/body/");
    let is_switch = ["/disable-model-invocation", "/infer", "/disable"].contains(&leaf);
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(move |word| {
        let is_name = word.chars().all(|c| c.is_uppercase() || c.is_numeric())
            || word.starts_with("ARGUMENTS")
            || ["user", "config", "x", "tea"].contains(word);
        !word.is_empty() && !is_switch && (!is_body || !is_name)
    })
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
