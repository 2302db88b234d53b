//! The arguments of a program for given input, and the warnings about them.

use std::borrow::Cow;

use http_request::{Body, BodyKind, Operation, Parameter, ParameterPlace};
use serde_json::{Value, json};
use skill_model::{Command, Dispatch};

use super::{check, coerce, prefer};
use crate::envelope::Warning;

fn command(schema: Value) -> Command {
    Command {
        dispatch: Some(Dispatch {
            key: "command".to_owned(),
            value: "Run".to_owned(),
            source: "example".to_owned(),
        }),
        input_schema: schema,
        ..Command::new("Run")
    }
}

fn words(warnings: &[Warning]) -> Vec<String> {
    let word = |warning: &Warning| format!("{} {}", warning.code, warning.message);
    warnings.iter().map(word).collect()
}

/// Compares the codes and places of the findings.
#[track_caller]
fn check_places(command: &Command, input: &Value, expected: &[&str]) {
    let mut warnings = Vec::new();
    check::check(command, input, &mut warnings);
    let place = |it: &Warning| format!("{} {}", it.code, it.pointer.as_deref().unwrap_or("-"));
    let found: Vec<String> = warnings.iter().map(place).collect();
    assert_eq!(found, expected, "{input}: {warnings:?}");
}

#[track_caller]
fn check_findings(input: &Value, expected: &[&str]) {
    check_command(&command(schema()), input, expected);
}

/// Compares the findings about the arguments of a command.
#[track_caller]
fn check_command(command: &Command, input: &Value, expected: &[&str]) {
    let mut warnings = Vec::new();
    check::check(command, input, &mut warnings);
    assert_eq!(words(&warnings), expected, "{input}");
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "n": {"type": "integer", "minimum": 1, "maximum": 9},
            "flag": {"type": "boolean"},
            "word": {"enum": ["a", "b"]},
            "text": {"type": "string", "x-aliases": ["content"]},
            "list": {"type": "array"},
        },
        "required": ["text"],
        "additionalProperties": false,
    })
}

#[test]
fn findings() {
    for (input, expected) in [
        (
            json!({"text": "t", "n": "5", "flag": "True", "list": "[1]", "command": "Run", "maid": "M"}),
            &[][..],
        ),
        (json!({"content": "by an alias"}), &[]),
        (json!({}), &["missing-argument `text` is missing"]),
        (
            json!({"text": 5, "n": 0}),
            &["wrong-argument `n` should be at least 1"],
        ),
        (
            json!({"text": "", "n": "12"}),
            &["wrong-argument `n` should be at most 9"],
        ),
        (
            json!({"text": "", "n": 1.5}),
            &["wrong-argument `n` should be of type integer"],
        ),
        (
            json!({"text": {}, "flag": "yes"}),
            &[
                "wrong-argument `text` should be of type string",
                "wrong-argument `flag` should be of type boolean",
            ],
        ),
        (
            json!({"text": "", "word": "c"}),
            &["wrong-argument `word` should be one of a, b"],
        ),
        (
            json!({"text": "", "other": 1}),
            &["unknown-argument nothing is called `other`"],
        ),
    ] {
        check_findings(&input, expected);
    }
}

/// Returns a request with `id` in its path and a document of JSON as its body.
fn with_document(required: bool) -> Operation {
    Operation {
        parameters: vec![Parameter::new("id", ParameterPlace::Path)],
        body: Some(Body {
            kind: BodyKind::Json,
            media_type: "application/json".to_owned(),
            argument: None,
            required,
            encoding: [].into(),
            files: Vec::new(),
        }),
        ..Operation::default()
    }
}

#[test]
fn bodies_are_checked_as_documents() {
    let mut command = Command::new("e");
    command.input_schema = json!({
        "properties": {"id": {"type": "integer"}, "n": {"type": "integer"}, "kind": {}, "r": {}},
        "x-alternatives": [{"required": ["kind", "r"], "properties": {"kind": {"const": "c"}}},
            {"required": ["n"]}],
    });
    command.http = Some(with_document(true));
    let check = |input: &Value, expected: &[&str]| check_command(&command, input, expected);
    check(&json!({"id": "5", "n": 5}), &[]);
    check(&json!({"kind": "c", "r": 1}), &[]);
    check(
        &json!({"id": 5, "n": "5"}),
        &["wrong-argument `n` should be of type integer"],
    );
    check(
        &json!({}),
        &[
            "wrong-argument the object of the arguments fits none of the alternatives: `kind` is missing, or `n` is missing",
        ],
    );
}

#[test]
fn members_of_a_body_are_needed_if_it_is_sent() {
    let mut command = Command::new("e");
    command.input_schema = json!({
        "properties": {"id": {"type": "integer"}, "name": {}, "kind": {}, "r": {}}, "required": ["id"],
        "x-body-required": ["name"],
        "x-alternatives": [{"required": ["kind"]}, {"required": ["r"]}],
    });
    command.http = Some(with_document(false));
    let check = |input: &Value, expected: &[&str]| check_command(&command, input, expected);
    check(&json!({"id": 5}), &[]);
    check(&json!({"id": 5, "name": "a", "r": 1}), &[]);
    check(
        &json!({"id": 5, "name": "a"}),
        &[
            "wrong-argument the object of the arguments fits none of the alternatives: `kind` is missing, or `r` is missing",
        ],
    );
    check(
        &json!({"id": 5, "r": 1}),
        &["missing-argument `name` is missing"],
    );
}

#[test]
fn a_whole_body_is_checked_as_its_members_are() {
    let mut command = Command::new("e");
    command.input_schema = json!({
        "properties": {"id": {"type": "integer"}, "n": {"type": "integer"}, "kind": {}, "r": {}},
        "required": ["id"], "additionalProperties": false,
        "x-alternatives": [
            {"required": ["kind", "r"], "properties": {"kind": {"const": "c"}}},
            {"required": ["kind", "n"], "properties": {"kind": {"const": "d"}}}],
    });
    command.http = Some(with_document(true));
    let check = |input: &Value, expected: &[&str]| check_command(&command, input, expected);
    check(&json!({"id": "5", "body": {"kind": "c", "r": 1}}), &[]);
    check(
        &json!({"id": 5, "body": {"kind": "d", "n": "5"}}),
        &["wrong-argument `body.n` should be of type integer"],
    );
    check(
        &json!({"id": 5, "body": {"kind": "d", "x": 1}}),
        &[
            "unknown-argument nothing is called `body.x`",
            "missing-argument `body.n` is missing",
        ],
    );
    check(
        &json!({"body": 5}),
        &[
            "missing-argument `id` is missing",
            "wrong-argument `body` should be of type object",
        ],
    );
    check_places(
        &command,
        &json!({"id": 5, "body": {"kind": "c"}}),
        &["missing-argument /body/r"],
    );
    check_places(
        &command,
        &json!({"id": 5, "kind": "x"}),
        &["wrong-argument /kind"],
    );
    let null = json!({"id": 5, "body": null});
    let wrong = ["wrong-argument `body` should be of type object"];
    check_command(&command, &null, &wrong);
    command.input_schema["x-body-nullable"] = true.into();
    check_command(&command, &null, &[]);
    check_command(&command, &json!({"id": 5, "body": 5}), &wrong);
}

#[test]
fn a_name_in_two_places_may_be_used_as_it_is() {
    let mut command = Command::new("e");
    command.input_schema = json!({
        "properties": {"id_path": {"type": "integer"}, "id_query": {"type": "integer"}},
        "required": ["id_path"], "additionalProperties": false,
    });
    let parameter = |place, argument: &str, required| Parameter {
        argument: Some(argument.to_owned()),
        required,
        ..Parameter::new("id", place)
    };
    command.http = Some(Operation {
        parameters: vec![
            parameter(ParameterPlace::Path, "id_path", true),
            parameter(ParameterPlace::Query, "id_query", false),
        ],
        ..Operation::default()
    });
    let check = |input: &Value, expected: &[&str]| check_command(&command, input, expected);
    check(&json!({"id": 5}), &[]);
    check(&json!({"id_path": 5, "id_query": "6"}), &[]);
    check(&json!({"id": 5, "id_query": 6}), &[]);
    check(
        &json!({"id_path": 5, "id": 6}),
        &["unknown-argument nothing is called `id`"],
    );
    check(
        &json!({"id_query": 6}),
        &["missing-argument `id_path` is missing"],
    );
    check(
        &json!({"id": "x"}),
        &["wrong-argument `id` should be of type integer"],
    );
}

#[test]
fn all_findings_are_listed_within_bounds() {
    let command = command(
        json!({"properties": {"a": {"type": "object", "required": ["x", "y"], "properties": {
        "l": {"type": "array", "items": {"type": "integer"}}}}}}),
    );
    check_places(
        &command,
        &json!({"a": {"l": [1, "b", true]}}),
        &[
            "missing-argument /a/x",
            "missing-argument /a/y",
            "wrong-argument /a/l/1",
            "wrong-argument /a/l/2",
        ],
    );
    let mut warnings = Vec::new();
    let input = json!({"a": {"x": 1, "y": 1, "l": vec!["b"; 50]}});
    check::check(&command, &input, &mut warnings);
    assert_eq!(warnings.len(), 21);
    assert_eq!(
        warnings[20].message,
        "30 more parts of the arguments do not fit"
    );
}

#[test]
fn compositions_at_the_top_are_checked() {
    let command = command(
        json!({"properties": {"a": {}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
        "allOf": [{"$ref": "#/$defs/C"}], "$defs": {"C": {"properties": {"c": {"type": "integer"}}}}}),
    );
    let check = |input: &Value, expected: &[&str]| check_command(&command, input, expected);
    check(&json!({"b": 1, "c": 2}), &[]);
    check(
        &json!({"c": 2}),
        &[
            "wrong-argument the object of the arguments fits none of the alternatives: `a` is missing, or `b` is missing",
        ],
    );
    check(
        &json!({"a": 1, "c": [1]}),
        &["wrong-argument `c` should be of type integer"],
    );
}

#[test]
fn batches_pass() {
    let mut command = command(schema());
    command.batch = Some("numbered-suffix".to_owned());
    let mut warnings = Vec::new();
    let input = json!({"command1": "Run", "text1": "a", "n1": 3, "text2": "b", "n2": 30});
    check::check(&command, &input, &mut warnings);
    assert_eq!(
        words(&warnings),
        ["wrong-argument `n2` should be at most 9"]
    );
}

#[test]
fn skills_of_their_own_are_fitted() {
    let schema = json!({"properties": {
        "n": {"type": "integer"}, "s": {"type": "string", "x-aliases": ["text"]},
        "f": {"type": "boolean", "default": true}, "l": {"type": "array"}, "x": {"type": "number"},
    }});
    let given =
        json!({"n": "9007199254740993", "text": 7.0, "l": "[1]", "x": "many", "other": "5"});
    let mut input = Cow::Borrowed(&given);
    let mut warnings = Vec::new();
    coerce::fit(&schema, &mut input, &mut warnings);
    let fitted = json!({"n": 9_007_199_254_740_993_i64, "l": [1], "x": "many", "other": "5", "s": "7.0", "f": true});
    assert_eq!(*input, fitted);
    assert_eq!(words(&warnings), ["alias `text` is taken for `s`"]);
}

#[test]
fn preferences_come_last() {
    let command =
        command(json!({"properties": {"city": {}, "unit": {"default": "C"}, "lang": {}}}));
    let preferences = json!({"city": "Oslo", "unit": "F", "lang": "no", "unknown": 1});
    let given = json!({"city": "Bergen"});
    let mut input = Cow::Borrowed(&given);
    prefer(
        &command,
        preferences.as_object().expect("an object"),
        &mut input,
    );
    assert_eq!(*input, json!({"city": "Bergen", "lang": "no"}));
}

#[test]
fn programs_of_the_old_host_get_text() {
    let schema = json!({ "properties": {
        "flag": {"type": "boolean", "x-aliases": ["on"]},
        "n": {"type": ["integer", "string"]},
        "strict": {"type": "boolean", "x-strict": "boolean"},
        "list": {"type": "array"},
        "parsed": {"type": "array", "x-json-text": true},
        "any": {},
    }, "x-also": { "loud": {"type": "boolean"} } });
    let check = |input: &Value, expected: &Value| {
        let mut found = Cow::Borrowed(input);
        coerce::as_text(&schema, &mut found);
        assert_eq!(&*found, expected);
    };
    check(
        &json!({"flag": true, "n": 1.50, "strict": true, "list": [1], "any": 1, "other": 1}),
        &json!({"flag": "true", "n": "1.5", "strict": true, "list": [1], "any": 1, "other": 1}),
    );
    check(
        &json!({"parsed": ["a", {"b": 1}]}),
        &json!({"parsed": "[\"a\",{\"b\":1}]"}),
    );
    check(&json!({"parsed": "[]"}), &json!({"parsed": "[]"}));
    check(
        &json!({"on": false, "n": "1"}),
        &json!({"on": "false", "n": "1"}),
    );
    check(&json!({"loud": false}), &json!({"loud": "false"}));
    check(&json!({}), &json!({}));
    check(&json!(null), &json!(null));
}
