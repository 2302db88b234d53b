//! Names of arguments.

use http_request::build;
use serde_json::json;

use super::{document, documents};

#[test]
fn a_parameter_called_body_stands_beside_the_body() {
    let paths = json!({"/x": {"post": {
        "parameters": [{"name": "body", "in": "query", "required": true, "schema": {"type": "string"}}],
        "requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "array", "items": {"type": "integer"}}}}},
        "responses": {},
    }}});
    let reading = documents(&[("d", document("3.0.3", &paths, &json!({})))]);
    let operation = &reading.apis[0].operations[0];
    assert_eq!(
        operation.input_schema["required"],
        json!(["body_query", "body"])
    );
    let arguments = json!({"body_query": "q1", "body": [1, 2]});
    let arguments = arguments.as_object().unwrap();
    let request = build(&operation.http, "https://a.example", arguments, &|_| true);
    let request = request.unwrap().to_value();
    assert_eq!(request["url"], "https://a.example/x?body=q1");
    assert_eq!(request["body"], "[1,2]", "{request}");
    // The body is never taken for the parameter.
    let arguments = json!({"body": [1, 2]});
    let request = build(
        &operation.http,
        "https://a.example",
        arguments.as_object().unwrap(),
        &|_| true,
    );
    assert_eq!(request.unwrap().to_value()["url"], "https://a.example/x");
}

/// RFC 7578 knows no other headers of a part than its type, so each is a note, and none is sent.
#[test]
fn headers_of_parts_are_notes() {
    let headers = json!({"X-Rate": {"schema": {"type": "integer"}}});
    let encoding = json!({"f": {"headers": headers}, "g": {"headers": {}}});
    let content =
        json!({"multipart/form-data": {"schema": {"type": "object"}, "encoding": encoding}});
    let paths = json!({"/a": {"post": {"requestBody": {"content": content}}}});
    let reading = documents(&[("d", document("3.1.0", &paths, &json!({})))]);
    let pointers = reading
        .findings
        .iter()
        .filter(|it| it.message.contains("`headers`"));
    let pointers: Vec<_> = pointers
        .filter_map(|it| it.place.pointer.as_deref())
        .collect();
    assert_eq!(
        pointers,
        ["/paths/~1a/post/requestBody/content/multipart~1form-data/encoding/f"]
    );
}

/// OpenAPI 3.0 ignores styles of parts ("SHALL be ignored"), and not those of members of a form.
#[test]
fn parts_have_styles_since_3_1() {
    let input = json!({"o": {"foo": "x", "bar": "y"}});
    let joined = json!([{"name": "o", "value": "foo,x,bar,y"}]);
    let document_of =
        |text| json!([{"name": "o", "value": text, "media_type": "application/json"}]);
    for (version, media_type, expected) in [
        (
            "3.0.3",
            "multipart/form-data",
            document_of(r#"{"foo":"x","bar":"y"}"#),
        ),
        (
            "3.0.4",
            "multipart/form-data",
            document_of(r#"{"foo":"x","bar":"y"}"#),
        ),
        ("3.1.0", "multipart/form-data", joined),
        (
            "3.0.3",
            "application/x-www-form-urlencoded",
            json!("o=foo,x,bar,y"),
        ),
    ] {
        let schema = json!({"type": "object", "properties": {"o": {"type": "object"}}});
        let encoding = json!({"o": {"style": "form", "explode": false, "allowReserved": true}});
        let content = json!({ media_type: {"schema": schema, "encoding": encoding} });
        let paths = json!({"/a": {"post": {"requestBody": {"content": content}}}});
        let reading = documents(&[("d", document(version, &paths, &json!({})))]);
        let operation = &reading.apis[0].operations[0].http;
        let request = build(
            operation,
            "https://a.example",
            input.as_object().unwrap(),
            &|_| true,
        );
        let body = request.unwrap().to_value()["body"].take();
        assert_eq!(body, expected, "{version} {media_type}");
    }
}

#[test]
fn a_body_of_members_may_be_null() {
    let members = json!({"n": {"type": "integer"}});
    for (version, schema, expected) in [
        ("3.0.3", json!({"type": "object", "nullable": true}), true),
        ("3.1.0", json!({"type": ["object", "null"]}), true),
        (
            "3.1.0",
            json!({"oneOf": [{"type": "object"}, {"type": "null"}]}),
            true,
        ),
        ("3.0.3", json!({"type": "object"}), false),
        ("3.0.3", json!({"$ref": "#/components/schemas/N"}), true),
    ] {
        let mut schema = schema;
        if schema.get("$ref").is_none() {
            schema["properties"] = members.clone();
        }
        let content = json!({"application/json": {"schema": schema}});
        let paths = json!({"/a": {"post": {"requestBody": {"content": content}}}});
        let of_components = json!({"type": "object", "nullable": true, "properties": members});
        let components = json!({"schemas": {"N": of_components}});
        let reading = documents(&[("d", document(version, &paths, &components))]);
        let found = &reading.apis[0].operations[0].input_schema["x-body-nullable"];
        assert_eq!(found == true, expected, "{schema}");
    }
}
