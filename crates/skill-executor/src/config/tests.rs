//! The recorded readings of `config.env` and of declared keys.

use std::collections::BTreeMap;

use serde_json::json;
use skill_model::read_metadata;

use super::{declared, read_env_file, resolve, resolve_own, write_env_file};

#[track_caller]
fn check(text: &str, pairs: &[(&str, &str)]) {
    let res = read_env_file(text);
    let res: Vec<_> = res.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
    assert_eq!(res, pairs, "{text}");
}

#[test]
fn lines() {
    // `docs/design/legacy-host.md` §1.1.4: keys, both separators, quotes, comments, escapes.
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

/// A file for one skill may also hold what its code uses without declaring it.
#[test]
fn undeclared_keys_of_a_file_of_ones_own() {
    let (metadata, _) = read_metadata(
        "name: x\ntype: direct\nconfig:\n  schema: {properties: {A: {type: string}}}\n  undeclared: [B]\n",
    );
    let metadata = metadata.expect("metadata");
    let file = Some("A=1\nB=2\nC=3\nDebugMode=true\n");
    let own = resolve_own(&metadata, None, file, &BTreeMap::new());
    assert_eq!(own.file.expect("a file").text, "A=1\nB=2\nDebugMode=true\n");
    assert!(!own.values.contains_key("B"));
    let shared = resolve(&declared(&metadata, None), file, &BTreeMap::new());
    assert_eq!(shared.file.expect("a file").text, "A=1\nDebugMode=true\n");
    let none = resolve(&declared(&metadata, None), None, &BTreeMap::new());
    assert_eq!(none.file, None);
}

/// Pairs that were read and written read the same again, alone and among others.
#[test]
fn written_files_read_the_same() {
    let values = [
        "",
        "plain",
        "with space",
        " edge ",
        "#fff",
        "a#b",
        "it's",
        "say \"x\"",
        "`tick`",
        "it's \"x\"",
        "it's `x`",
        "\"x\" `y`",
        "it's \"x\" `y`",
        "'x'",
        "\"x\"",
        "a\nb",
        "a\n#b",
        "a\\nb",
        "a\\n#b",
        "C:\\dir\\",
        "C:\\dir \\#",
        "=",
        "a=b",
        "${HOME}",
        "$(id)",
        "ends'",
        "'starts",
        "\u{3000}wide\u{3000}",
        "多行\n第二行",
        "export X=1",
        "a\nSECRET=1\n",
    ];
    let keys: Vec<String> = (0..values.len()).map(|n| format!("K_{n}")).collect();
    let pairs: Vec<_> = keys.iter().map(String::as_str).zip(values).collect();
    let written = write_env_file(pairs.iter().copied());
    assert_eq!(written.left_out, Vec::<String>::new());
    check(&written.text, &pairs);
    for pair in pairs {
        check(&write_env_file([pair]).text, &[pair]);
    }
    // No line can hold this one, and it is named.
    let impossible = write_env_file([("K", "'\n\"\n`#"), ("L", "1")]);
    assert_eq!(
        (impossible.text.as_str(), impossible.left_out),
        ("L=1\n", vec!["K".to_owned()])
    );
}
