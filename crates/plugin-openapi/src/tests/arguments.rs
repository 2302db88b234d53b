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
