//! Bodies, by their notation, the encoding of members and arguments.

use serde_json::{Value, json};

use super::{body, operation};
use crate::{Body, BodyKind, Encoding, Style, build};

/// Compares the body for a dry run.
#[track_caller]
fn check_body(declared: &Body, arguments: &Value, expected: &Value) {
    let operation = operation("/", &["p query"], Some(declared.clone()));
    let map = arguments.as_object().expect("an object");
    let request = build(&operation, "https://a", map, &|name| name != "body");
    let found = request.expect("nothing is missing").to_value();
    assert_eq!(found["body"], *expected, "{arguments}");
    let has_type = found["headers"].get("content-type").is_some();
    assert_eq!(has_type, !expected.is_null());
}

#[test]
fn bodies() {
    use BodyKind::{Binary, Form, Json, Multipart, Text};
    let merged = json!({"p": 1, "b": "ü", "a": {"x": [1]}});
    check_body(
        &body(Json, None),
        &merged,
        &json!(r#"{"b":"ü","a":{"x":[1]}}"#),
    );
    check_body(&body(Json, None), &json!({"body": [1]}), &json!("[1]"));
    check_body(
        &body(Json, Some("body")),
        &json!({"body": null}),
        &json!("null"),
    );
    check_body(
        &body(Json, Some("body")),
        &merged,
        &json!(r#"{"b":"ü","a":{"x":[1]}}"#),
    );
    check_body(&body(Json, None), &json!({"p": 1}), &Value::Null);
    let required = Body {
        required: true,
        ..body(Json, None)
    };
    check_body(&required, &json!({"p": 1}), &json!("{}"));
    check_body(
        &body(Form, None),
        &json!({"n": "A b&c=+ü", "t": ["one", 2], "o": {"k": 1}, "deep": {"k": 1}, "z": null}),
        &json!("n=A%20b%26c%3D%2B%C3%BC&t=one&t=2&o=%7B%22k%22%3A1%7D&deep%5Bk%5D=1"),
    );
    check_body(
        &body(Multipart, None),
        &json!({"title": "a b", "count": 2, "o": {"k": 1}, "l": [1, 2], "file": {"file": "d/x.png"}}),
        &json!([
            {"name": "title", "value": "a b"},
            {"name": "count", "value": "2"},
            {"name": "o", "value": "{\"k\":1}", "media_type": "application/json"},
            {"name": "l", "value": "1"},
            {"name": "l", "value": "2"},
            {"name": "file", "file": "d/x.png", "media_type": "application/octet-stream"},
        ]),
    );
    check_body(
        &body(Text, Some("body")),
        &json!({"body": "a\nb"}),
        &json!("a\nb"),
    );
    check_body(
        &body(Binary, Some("body")),
        &json!({"body": {"file": "x"}}),
        &json!({"file": "x"}),
    );
}

#[test]
fn parts_have_the_notation_that_is_declared() {
    let encoding = |content: Option<&str>, explode: Option<bool>| Encoding {
        content: content.map(str::to_owned),
        explode,
        ..Encoding::default()
    };
    let declared = Body {
        encoding: [
            ("x".to_owned(), encoding(Some("application/xml"), None)),
            ("l".to_owned(), encoding(None, Some(false))),
        ]
        .into(),
        ..body(BodyKind::Multipart, None)
    };
    check_body(
        &declared,
        &json!({"x": "<a/>", "l": ["a b", 2]}),
        &json!([
            {"name": "x", "value": "<a/>", "media_type": "application/xml"},
            {"name": "l", "value": "a b,2"},
        ]),
    );
    let operation = operation("/", &[], Some(declared));
    let arguments = json!({"x": {"a": 1}}).as_object().cloned().unwrap();
    let error = build(&operation, "https://a", &arguments, &|_| true).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`x` is an object, and its part of the body is a text of the media type `application/xml`; give the text"
    );
}

/// An encoding with a media type, or with `style explode`.
fn encoded_as(text: &str) -> Encoding {
    let mut res = Encoding::default();
    for word in text.split(' ') {
        match word {
            "explode" => res.explode = Some(true),
            "joined" => res.explode = Some(false),
            "reserved" => res.allow_reserved = true,
            word => match Style::ALL.into_iter().find(|it| it.word() == word) {
                Some(style) => res.style = Some(style),
                None => res.content = Some(word.to_owned()),
            },
        }
    }
    res
}

/// Compares the body whose member `m` has an encoding.
#[track_caller]
fn check_member(kind: BodyKind, encoding: &str, value: &Value, expected: &Value) {
    let mut declared = body(kind, None);
    declared.encoding = [("m".to_owned(), encoded_as(encoding))].into();
    check_body(&declared, &json!({ "m": value }), expected);
}

#[test]
fn parts_are_any_text() {
    let check = |encoding: &str, value: &Value, expected: &[(&str, &str)]| {
        let parts = expected.iter();
        let parts = parts.map(|(name, value)| json!({"name": name, "value": value}));
        check_member(BodyKind::Multipart, encoding, value, &parts.collect());
    };
    check(
        "pipe-delimited joined",
        &json!(["😀", "100%"]),
        &[("m", "😀|100%")],
    );
    check(
        "space-delimited joined",
        &json!({"a b": "c&d"}),
        &[("m", "a b c&d")],
    );
    check("form joined", &json!(["a,b", "ü"]), &[("m", "a,b,ü")]);
    check(
        "form reserved",
        &json!(["a=b", "+"]),
        &[("m", "a=b"), ("m", "+")],
    );
    check(
        "deep-object explode",
        &json!({"k": "v w", "l": [{"=": 1}]}),
        &[("m[k]", "v w"), ("m[l][0][=]", "1")],
    );
}

#[test]
fn members_declared_as_json_are_json() {
    let json = "application/json";
    for (encoding, value, text) in [
        (json, json!("x"), r#""x""#),
        (json, json!(["p", 1]), r#"["p",1]"#),
        (json, json!({"k": "v"}), r#"{"k":"v"}"#),
        (json, json!(true), "true"),
        ("a/b+json;v=1", json!("x"), r#""x""#),
    ] {
        let part = json!([{"name": "m", "value": text, "media_type": encoding}]);
        check_member(BodyKind::Multipart, encoding, &value, &part);
        let form = format!("m={}", crate::percent_encoded(text));
        check_member(BodyKind::Form, encoding, &value, &form.into());
    }
    // A style says how the member is written, and its media type does not matter.
    check_member(
        BodyKind::Form,
        "application/json form",
        &json!(["x", "y"]),
        &json!("m=x&m=y"),
    );
    check_member(
        BodyKind::Form,
        "form reserved",
        &json!("a&b=c+[d]"),
        &json!("m=a%26b=c%2B%5Bd%5D"),
    );
    // A text other than JSON is written as it is.
    check_member(BodyKind::Form, "text/plain", &json!("x"), &json!("m=x"));
}
