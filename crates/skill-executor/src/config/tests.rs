//! The recorded readings of `config.env` and of declared keys.

use std::collections::BTreeMap;

use serde_json::json;
use skill_model::read_metadata;

use super::{declared, read_env_file, resolve};

#[track_caller]
fn check(text: &str, pairs: &[(&str, &str)]) {
    let res = read_env_file(text);
    let res: Vec<_> = res.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
    assert_eq!(res, pairs, "{text}");
}

#[test]
fn lines() {
    // §1.1.4: keys, both separators, quotes, comments, escapes.
    check(
        "A_STR=\"quoted v\" # c\nB=7.9\n",
        &[("A_STR", "quoted v"), ("B", "7.9")],
    );
    check(
        "# note\n\n  export K = v  \r\nL: w\n",
        &[("K", "v"), ("L", "w")],
    );
    check(
        "a.b=1\nat@key=2\nx%&^+-y=3",
        &[("a.b", "1"), ("at@key", "2"), ("x%&^+-y", "3")],
    );
    check(
        "D=\"a\\nb\"\nS='a\\nb'\nB=`a'b\"`",
        &[("D", "a\nb"), ("S", "a\\nb"), ("B", "a'b\"")],
    );
    check("M=\"one\ntwo\"\nN=1", &[("M", "one\ntwo"), ("N", "1")]);
    // §1.9: any unquoted `#` starts a comment.
    check(
        "C=#fff\nU=http://x/#top\nQ='#fff'",
        &[("C", ""), ("U", "http://x/"), ("Q", "#fff")],
    );
    check("E=\nF=x\nE=2", &[("E", "2"), ("F", "x")]);
    check(
        "V=a=b==\nJ={\"a\": 1}",
        &[("V", "a=b=="), ("J", "{\"a\": 1}")],
    );
    check("not a line\nK2:v\n", &[]);
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
    let config = resolve(&declared(&metadata, None), Some(file), &host);
    let values = json!({"I": 7, "B": false, "G": true, "F": "1.50", "P": "1", "DebugMode": true});
    assert_eq!(serde_json::Value::Object(config.values), values);
}

#[test]
fn the_manifest_says_what_the_source_said() {
    let (metadata, _) = read_metadata("name: x\ntype: direct\n");
    let (mut metadata, host) = (metadata.expect("metadata"), BTreeMap::new());
    let manifest = json!({"configSchema": {"I": "integer", "O": {"type": "integer"}, "N": null}});
    let values = |metadata: &_| {
        let file = Some("I=1x\nO=2x\nN=3x");
        resolve(&declared(metadata, Some(&manifest)), file, &host).values
    };
    let main = values(&metadata);
    assert_eq!(
        json!(main),
        json!({"I": 1, "O": 2, "N": "3x", "DebugMode": false})
    );
    // §1.2: the distributed node never coerces the object form.
    metadata.legacy = Some(skill_model::Legacy {
        host: "vcp-distributed".to_owned(),
        name: "X".to_owned(),
        directory: "X".to_owned(),
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
