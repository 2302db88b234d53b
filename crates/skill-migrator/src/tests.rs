//! Properties of every manifest: each leaf has a fate, and the fate is true.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::{Fate, testing::migrate_plugin};

/// Returns the value that a fate points to, if it points into the sidecar.
fn target<'a>(metadata: &'a Value, to: &str) -> Option<&'a Value> {
    let pointer = to.strip_prefix("METADATA.yml#")?;
    metadata.pointer(pointer)
}

#[track_caller]
fn check(manifest: &Value) -> Result<(), TestCaseError> {
    let (migration, leaves) = migrate_plugin("p", manifest, &[]);
    let metadata = serde_json::to_value(&migration.metadata).expect("a sidecar is JSON");
    let fates = migration.fates.keys();
    let fates = fates.map(|place| place.pointer.clone());
    prop_assert_eq!(fates.collect::<Vec<_>>(), {
        let mut leaves = leaves;
        leaves.sort();
        leaves
    });
    for (place, fate) in &migration.fates {
        let leaf = &place.pointer;
        let value = manifest.pointer(leaf).expect("a leaf is in the manifest");
        match fate {
            Fate::Carried { to } if to.starts_with("METADATA.yml#/tags") => {
                prop_assert!(
                    metadata["tags"]
                        .as_array()
                        .is_some_and(|tags| tags.contains(value))
                );
            }
            Fate::Carried { to } if to.starts_with("METADATA.yml#") => {
                prop_assert_eq!(target(&metadata, to), Some(value), "{} to {}", leaf, to);
            }
            Fate::Kept { to } => {
                prop_assert_eq!(target(&metadata, to), Some(value), "{} to {}", leaf, to);
            }
            Fate::Carried { to } if to == "SKILL.md#license" => {
                let skill = migration
                    .generated
                    .iter()
                    .find(|file| file.path == "SKILL.md");
                let (skill, _) = skill_model::parse_skill(skill.map_or("", |file| &file.text));
                let license = skill.and_then(|skill| skill.frontmatter().license);
                prop_assert_eq!(license.as_deref(), value.as_str());
            }
            Fate::Carried { to } => {
                let text = value.as_str().unwrap_or_default();
                let stands = migration
                    .generated
                    .iter()
                    .any(|file| holds(&file.text, text));
                prop_assert!(stands, "{leaf} to {to}: {text:?}");
            }
            Fate::Transformed { to, .. } => prop_assert!(!to.is_empty()),
            Fate::Dropped { .. } => {
                let is_empty = value.is_null()
                    || value == ""
                    || value.as_array().is_some_and(Vec::is_empty)
                    || value.as_object().is_some_and(Map::is_empty);
                prop_assert!(is_empty, "{leaf} was dropped: {value}");
            }
        }
    }
    Ok(())
}

/// Returns whether a file contains a text, ignoring white space and escapes.
fn holds(file: &str, text: &str) -> bool {
    let essence = |text: &str| -> String { text.chars().filter(|c| c.is_alphanumeric()).collect() };
    essence(file).contains(&essence(text))
}

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[a-zA-Z参数 :{}|`#<>\\n-]{0,12}".prop_map(Value::from),
    ]
}

fn tree() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(key(), inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// Keys with a meaning for the host, and others.
fn key() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "type",
        "description",
        "default",
        "required",
        "name",
        "command",
        "commandIdentifier",
        "example",
        "examples",
        "parameters",
        "args",
        "placeholder",
        "protocol",
        "timeout",
        "enum",
        "min",
        "max",
        "enabled",
        "messageType",
        "isDynamic",
        "npm",
        "python",
        "libraries",
    ]);
    prop_oneof![3 => known.prop_map(str::to_owned), 1 => "[a-z/~]{1,4}"]
}

fn field() -> impl Strategy<Value = (String, Value)> {
    let known = prop::sample::select(vec![
        "displayName",
        "description",
        "version",
        "author",
        "license",
        "manifestVersion",
        "communication",
        "configSchema",
        "configSchemaDescriptions",
        "defaults",
        "capabilities",
        "webSocketPush",
        "refreshIntervalCron",
        "requiresAdmin",
        "hasApiRoutes",
        "requiresContextBridge",
        "requiresKnowledgeBaseManager",
        "dependencies",
        "tags",
        "keywords",
        "domain",
        "category",
        "permissions",
        "lifecycle",
        "commands",
    ]);
    let key = prop_oneof![4 => known.prop_map(str::to_owned), 1 => "[a-z]{1,6}"];
    (key, tree())
}

fn capabilities() -> impl Strategy<Value = Value> {
    let items = |()| prop::collection::vec(tree(), 0..3).prop_map(Value::from);
    (items(()), items(()), tree()).prop_map(|(commands, placeholders, other)| {
        json!({ "invocationCommands": commands, "systemPromptPlaceholders": placeholders, "other": other })
    })
}

fn manifest() -> impl Strategy<Value = Value> {
    let types = prop::sample::select(vec![
        "synchronous",
        "asynchronous",
        "static",
        "messagePreprocessor",
        "service",
        "hybridservice",
        "direct-execution",
        "distributed-tool",
        "internal",
    ]);
    let entry = prop::sample::select(vec![
        json!({}),
        json!({"command": "node x.js", "type": "nodejs"}),
        json!({"script": "x.js", "timeout": 5}),
        json!({"command": "a && b", "script": 3}),
    ]);
    (
        types,
        entry,
        prop::collection::vec(field(), 0..8),
        capabilities(),
    )
        .prop_map(|(kind, entry, fields, capabilities)| {
            let mut map: Map<String, Value> = fields.into_iter().collect();
            map.insert("capabilities".to_owned(), capabilities);
            map.insert("name".to_owned(), json!("Probe"));
            map.insert("pluginType".to_owned(), json!(kind));
            map.insert("entryPoint".to_owned(), entry);
            Value::Object(map)
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_leaf_has_a_fate_that_is_true(manifest in manifest()) {
        check(&manifest)?;
    }
}

#[test]
fn a_nested_skill_does_not_keep_its_name() {
    let manifest = json!({
        "name": "Kit", "pluginType": "synchronous", "description": "Does it.",
        "entryPoint": {"command": "node kit.js"}, "communication": {"protocol": "stdio"},
    });
    let paths = |code: &str| {
        let files = [("kit.js", code), ("lib/skill.md", "x"), ("SKILL.md", "x")];
        let (migration, _) = migrate_plugin("Kit", &manifest, &files);
        let nested = migration.copies.into_iter().map(|copy| copy.to);
        nested
            .filter(|path| path.to_lowercase().contains("skill"))
            .collect::<Vec<_>>()
    };
    let renamed = ["scripts/SKILL.upstream.md", "scripts/lib/SKILL.upstream.md"];
    assert_eq!(paths("console.log(1)"), renamed);
    // The executor gives it its name again where the program runs.
    assert_eq!(paths("read(dir + '/SKILL.md')"), renamed);
}
