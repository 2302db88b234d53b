//! The recorded readings of `config.env` and of declared keys.

use std::collections::BTreeMap;

use serde_json::json;
use skill_model::read_metadata;

use super::{Given, resolve};

fn of_file(text: &str) -> Given<'_> {
    Given {
        file: Some(text),
        ..Given::default()
    }
}

#[test]
fn cascade() {
    let (metadata, _) = read_metadata(
        "name: x\ntype: direct\nconfig:\n  schema:\n    properties:\n      I: {type: integer}\n      W: {type: integer}\n      B: {type: boolean}\n      G: {type: boolean}\n      F: {type: number}\n      P: {type: boolean, x-legacy-type: bool}\n      N: {type: string, x-legacy-default: d}\n",
    );
    let metadata = metadata.expect("metadata");
    let file = "I=7.9\nW=zz\nB=yes\nF=1.50\nP=1\nUNDECLARED=u\n";
    let host: BTreeMap<_, _> = [
        ("G", "TRUE"),
        ("I", "99"),
        ("DebugMode", "True"),
        ("OTHER", "x"),
    ]
    .map(|(key, value)| (key.to_owned(), value.to_owned()))
    .into();
    let config = resolve(&metadata, None, of_file(file), &host);
    // Code that reads the file finds its own keys as they were, and nothing of others.
    let own = config.file.expect("a file").text;
    assert_eq!(own, "I=7.9\nW=zz\nB=yes\nF=1.50\nP=1\n");
    let values = json!({"I": 7, "B": false, "G": true, "F": "1.50", "P": "1", "DebugMode": true});
    assert_eq!(serde_json::Value::Object(config.values), values);
}

#[test]
fn the_manifest_says_what_the_source_said() {
    let (metadata, _) = read_metadata("name: x\ntype: direct\n");
    let (mut metadata, host) = (metadata.expect("metadata"), BTreeMap::new());
    let manifest = json!({"configSchema": {"I": "integer", "O": {"type": "integer"}, "N": null}});
    let values = |metadata: &_| {
        let file = of_file("I=1x\nO=2x\nN=3x");
        resolve(metadata, Some(&manifest), file, &host).values
    };
    let main = values(&metadata);
    assert_eq!(
        json!(main),
        json!({"I": 1, "O": 2, "N": "3x", "DebugMode": false})
    );
    // `docs/design/legacy-host.md` §1.2: the distributed node never coerces the object form.
    metadata.legacy = Some(skill_model::Legacy {
        host: "vcp-distributed".to_owned(),
        name: "X".to_owned(),
        directory: "X".to_owned(),
        file: None,
        plugin_type: "synchronous".to_owned(),
        manifest_version: None,
        extra: serde_json::Map::new(),
    });
    let node = values(&metadata);
    assert_eq!(
        json!(node),
        json!({"I": 1, "O": "2x", "N": "3x", "DebugMode": false})
    );
}

/// A file for one skill may also hold what its code uses without declaring it.
#[test]
fn undeclared_keys_of_a_file_of_ones_own() {
    let (metadata, _) = read_metadata(
        "name: x\ntype: direct\nconfig:\n  schema: {properties: {A: {type: string}}}\n  undeclared: [B]\n",
    );
    let metadata = metadata.expect("metadata");
    let shared = of_file("A=1\nB=2\nC=3\nDebugMode=true\n");
    let given = Given {
        is_own_file: true,
        ..shared
    };
    let own = resolve(&metadata, None, given, &BTreeMap::new());
    assert_eq!(own.file.expect("a file").text, "A=1\nB=2\nDebugMode=true\n");
    assert!(!own.values.contains_key("B"));
    let shared = resolve(&metadata, None, shared, &BTreeMap::new());
    assert_eq!(shared.file.expect("a file").text, "A=1\nDebugMode=true\n");
    let none = resolve(&metadata, None, Given::default(), &BTreeMap::new());
    assert_eq!(none.file, None);
}

/// The file comes before the store, the store before the environment. Keys that the skill only mentions
/// or reads from the environment get there from the store, and others never do.
#[test]
fn the_store_is_between_the_file_and_the_environment() {
    let (metadata, _) = read_metadata(
        "name: x\ntype: direct\nconfig:\n  schema: {properties: {A: {type: integer}, B: {type: string}, C: {type: string}}}\n  undeclared: [U]\npermissions: {environment: [V, NODE_OPTIONS, PROJECT_BASE_PATH]}\n",
    );
    let metadata = metadata.expect("metadata");
    let pair = |(key, value): (&str, &str)| (key.to_owned(), value.to_owned());
    let stored = [
        ("A", "2"),
        ("B", "store"),
        ("U", "u"),
        ("V", "v"),
        ("OTHER", "o"),
        ("NODE_OPTIONS", "-r x"),
        ("PROJECT_BASE_PATH", "/"),
    ];
    let stored = stored.into_iter().map(pair).collect();
    let host: BTreeMap<_, _> = [("B", "host"), ("C", "host")].map(pair).into();
    let given = Given {
        file: Some("A=1\nOTHER=1\n"),
        stored: Some(&stored),
        ..Given::default()
    };
    let config = resolve(&metadata, None, given, &host);
    let values = json!({"A": 1, "B": "store", "C": "host", "DebugMode": false});
    assert_eq!(serde_json::Value::Object(config.values.clone()), values);
    let own = config.file.as_ref().expect("a file").text.as_str();
    assert_eq!(own, "A=1\nB=store\nU=u\nV=v\n");
    let names: Vec<&String> = config.stored.keys().collect();
    assert_eq!(names, ["U", "V"]);
    assert_eq!(config.text("V").as_deref(), Some("v"));
}
