//! Services, by their documents.

use plugin_model::{Document, parse_json};
use serde_json::{Value, json};

use crate::{Reading, read};

mod arguments;
mod servers;

fn documents(files: &[(&str, Value)]) -> Reading {
    let texts: Vec<String> = files.iter().map(|(_, it)| it.to_string()).collect();
    let documents: Vec<Document<'_>> = files
        .iter()
        .zip(&texts)
        .map(|((file, _), text)| Document {
            file: (*file).into(),
            text,
            root: parse_json(text).0.expect("valid JSON"),
            keys: &[],
        })
        .collect();
    read(files[0].0, &documents, None)
}

/// A document with these paths and components.
fn document(version: &str, paths: &Value, components: &Value) -> Value {
    json!({
        "openapi": version,
        "info": {"title": "Pets", "version": "1"},
        "servers": [{"url": "https://pets.example/v1/"}],
        "paths": paths,
        "components": components,
    })
}

/// Compares the schema of the argument `a` of one operation, and its definitions.
#[track_caller]
fn check_schema(schema: &Value, schemas: &Value, expected: &Value, definitions: &Value) {
    let parameter = json!({"name": "a", "in": "query", "schema": schema});
    let paths = json!({"/x": {"get": {"parameters": [parameter], "responses": {}}}});
    let components = json!({ "schemas": schemas });
    let reading = documents(&[("d", document("3.0.3", &paths, &components))]);
    let found = &reading.apis[0].operations[0].input_schema;
    assert_eq!(found["properties"]["a"], *expected, "{schema}");
    assert_eq!(found["$defs"], *definitions, "{schema}");
}

#[test]
fn schemas_become_those_of_2020_12() {
    let schemas = json!({
        "Name": {"type": "string", "description": "A name", "minLength": 1},
        "Tree": {"type": "object", "properties": {"sub": {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}}}},
        "Chain": {"$ref": "#/components/schemas/Name"},
        "A": {"properties": {"b": {"$ref": "#/components/schemas/B"}}},
        "B": {"properties": {"a": {"$ref": "#/components/schemas/A"}}},
    });
    let to = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
    let none = Value::Null;
    for (schema, expected) in [
        (
            json!({"type": "integer", "nullable": true, "enum": [1, 2], "x-y": 1, "xml": {}}),
            json!({"type": ["integer", "null"], "enum": [1, 2, null]}),
        ),
        (
            json!({"type": "number", "minimum": 0, "exclusiveMinimum": true, "maximum": 9, "exclusiveMaximum": false}),
            json!({"type": "number", "exclusiveMinimum": 0, "maximum": 9}),
        ),
        (
            json!({"exclusiveMinimum": 3}),
            json!({"exclusiveMinimum": 3}),
        ),
        (
            json!({"nullable": true, "allOf": [to("Name")]}),
            json!({"anyOf": [{"allOf": [{"type": "string", "description": "A name", "minLength": 1}]}, {"type": "null"}]}),
        ),
        (
            json!({"$ref": "#/components/schemas/Chain", "description": "Mine"}),
            json!({"type": "string", "description": "Mine", "minLength": 1}),
        ),
        (
            json!({"$ref": "#/components/schemas/Name", "maxLength": 5}),
            json!({"maxLength": 5, "allOf": [{"type": "string", "description": "A name", "minLength": 1}]}),
        ),
        (
            json!({"properties": {"id": {"readOnly": true}, "n": {"example": 4}}, "required": ["id", "n"]}),
            json!({"properties": {"n": {"examples": [4]}}, "required": ["n"]}),
        ),
        (
            json!({"type": "string", "required": true}),
            json!({"type": "string"}),
        ),
        (to("Missing"), json!({})),
        (json!({"$ref": "https://x.example/y.json"}), json!({})),
    ] {
        check_schema(&schema, &schemas, &expected, &none);
    }
    let tree = json!({"type": "object", "properties": {"sub": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}}});
    check_schema(
        &to("Tree"),
        &schemas,
        &json!({"$ref": "#/$defs/Tree"}),
        &json!({ "Tree": tree }),
    );
    let circle = json!({"A": {"properties": {"b": {"properties": {"a": {"$ref": "#/$defs/A"}}}}}});
    check_schema(&to("A"), &schemas, &json!({"$ref": "#/$defs/A"}), &circle);
}

#[test]
fn large_schemas_share_definitions() {
    let many: Value = (0..200)
        .map(|n| (format!("p{n}"), json!({"type": "object", "properties": {"a": {}, "b": {}, "c": {"type": "array", "items": {}}}})))
        .collect::<serde_json::Map<_, _>>()
        .into();
    let schemas = json!({"Many": {"type": "object", "properties": many}});
    let to = json!({"$ref": "#/components/schemas/Many"});
    let schema = json!({"properties": {"x": to, "y": to}});
    let paths = json!({"/x": {"get": {"parameters": [{"name": "a", "in": "query", "schema": schema}], "responses": {}}}});
    let reading = documents(&[(
        "d",
        document("3.1.0", &paths, &json!({ "schemas": schemas })),
    )]);
    let found = &reading.apis[0].operations[0].input_schema;
    let shared = json!({"$ref": "#/$defs/Many"});
    assert_eq!(
        found["properties"]["a"]["properties"],
        json!({"x": shared, "y": shared})
    );
    assert_eq!(
        found["$defs"]["Many"]["properties"]
            .as_object()
            .map(serde_json::Map::len),
        Some(200)
    );
}

/// Compares an operation: its identifier, group, request, arguments and needed arguments.
#[track_caller]
fn check(paths: &Value, components: &Value, expected: &[Value]) -> Reading {
    let reading = documents(&[("d", document("3.0.3", paths, components))]);
    let operations = reading.apis.iter().flat_map(|api| &api.operations);
    let found: Vec<Value> = operations
        .map(|it| {
            let schema = &it.input_schema;
            let names = schema["properties"].as_object().expect("an object");
            let names: Vec<&String> = names.keys().collect();
            let http = serde_json::to_value(&it.http).expect("a value");
            json!({
                "id": it.id, "group": it.group, "http": http, "arguments": names,
                "required": schema["required"],
            })
        })
        .collect();
    assert_eq!(found, expected, "{:?}", reading.findings);
    reading
}

#[test]
fn names_are_unique_within_an_operation() {
    let schema =
        json!({"type": "object", "required": ["id", "n"], "properties": {"id": {}, "n": {}}});
    let paths = json!({"/v1/pets/{id}": {
        "parameters": [{"name": "id", "in": "path", "required": true, "style": "label", "explode": true, "schema": {}}],
        "put": {
            "parameters": [{"name": "id", "in": "query", "style": "form", "explode": true, "schema": {}}, {"name": "Accept", "in": "header"}],
            "requestBody": {"required": true, "content": {
                "text/plain": {}, "application/json; charset=utf-8": {"schema": schema}}},
        },
        "patch": {"operationId": "same", "requestBody": {"content": {"application/json": {"schema": {"allOf": [
            {"type": "object", "properties": {"n": {}}, "required": ["n"]}, {"oneOf": [{"properties": {"m": {}}, "required": ["m"]}, {"properties": {"o": {}}}]}]}}}}},
        "delete": {"operationId": "same", "tags": ["Own"], "security": []},
    }});
    let id = |argument: &str| json!({"name": "id", "in": "path", "argument": argument, "style": "dotted-label", "explode": true, "required": true});
    let plain = json!({"name": "id", "in": "path", "style": "dotted-label", "explode": true, "required": true});
    check(
        &paths,
        &json!({}),
        &[
            json!({"id": "put-v1-pets-id", "group": "pets", "http": {"method": "PUT", "path": "/v1/pets/{id}", "parameters": [
            id("id_path"), {"name": "id", "in": "query", "argument": "id_query"}],
            "body": {"kind": "json", "media_type": "application/json; charset=utf-8", "argument": "body", "required": true}},
            "arguments": ["id_path", "id_query", "body"], "required": ["id_path", "body"]}),
            json!({"id": "same", "group": "pets", "http": {"method": "PATCH", "path": "/v1/pets/{id}", "parameters": [plain],
            "body": {"kind": "json", "media_type": "application/json"}},
            "arguments": ["id", "n", "m", "o"], "required": ["id"]}),
            json!({"id": "same-2", "group": "Own", "http": {"method": "DELETE", "path": "/v1/pets/{id}", "parameters": [plain]},
            "arguments": ["id"], "required": ["id"]}),
        ],
    );
}

#[test]
fn bodies_have_their_encoding_and_files() {
    let schema = json!({"type": "object", "properties": {
        "f": {"type": "string", "format": "binary"}, "g": {"type": "array", "items": {"format": "binary"}}, "t": {}}});
    let paths = json!({
        "/a": {"post": {"operationId": "a", "requestBody": {"content": {"multipart/form-data": {"schema": schema,
            "encoding": {"t": {"contentType": "application/json"}, "f": {"headers": {}}}}}}}},
        "/b": {"post": {"operationId": "b", "requestBody": {"required": true, "content": {"application/octet-stream": {}}}}},
        "/c": {"post": {"operationId": "c", "requestBody": {"content": {"application/json": {"schema": {"type": "array", "items": {}}}}}}},
    });
    check(
        &paths,
        &json!({}),
        &[
            json!({"id": "a", "group": "operations", "http": {"method": "POST", "path": "/a", "body": {"kind": "multipart",
            "media_type": "multipart/form-data", "encoding": {"t": {"content": "application/json"}}, "files": ["f", "g"]}},
            "arguments": ["f", "g", "t"], "required": []}),
            json!({"id": "b", "group": "operations", "http": {"method": "POST", "path": "/b", "body": {"kind": "binary",
            "media_type": "application/octet-stream", "argument": "body", "required": true}},
            "arguments": ["body"], "required": ["body"]}),
            json!({"id": "c", "group": "operations", "http": {"method": "POST", "path": "/c", "body": {"kind": "json",
            "media_type": "application/json", "argument": "body"}}, "arguments": ["body"], "required": []}),
        ],
    );
}

#[test]
fn members_that_only_answers_have_take_no_name() {
    let schema = json!({"properties": {"id": {"type": "string", "readOnly": true}, "body": {"type": "string"}, "n": {}}, "required": ["id", "n"]});
    let content = json!({"application/json": {"schema": schema}});
    let paths = json!({"/x/{id}": {"patch": {"parameters": [{"name": "id", "in": "path", "required": true, "schema": {}}],
        "requestBody": {"content": content}}}});
    let reading = documents(&[("d", document("3.0.3", &paths, &json!({})))]);
    let operation = &reading.apis[0].operations[0];
    let body = operation.http.body.as_ref().expect("a body");
    assert_eq!(body.argument, None);
    let schema = &operation.input_schema;
    assert_eq!(schema["required"], json!(["id"]));
    assert_eq!(schema["x-body-required"], json!(["n"]));
    assert!(schema["properties"]["body"].is_object(), "{schema}");
}

#[test]
fn alternatives_inside_of_a_composition_are_kept() {
    let one = |name: &str| json!({ "required": [name] });
    let schema = json!({"allOf": [
        {"type": "object", "properties": {"a": {}, "b": {}}, "oneOf": [one("a"), one("b")]},
        {"properties": {"c": {}, "d": {}}, "anyOf": [one("c"), one("d")]}]});
    let paths = json!({"/x": {"post": {"requestBody": {"content": {"application/json": {"schema": schema}}}}}});
    let reading = documents(&[("d", document("3.0.3", &paths, &json!({})))]);
    let found = &reading.apis[0].operations[0].input_schema["x-alternatives"];
    let both =
        json!([{"allOf": [{"anyOf": [one("a"), one("b")]}, {"anyOf": [one("c"), one("d")]}]}]);
    assert_eq!(*found, both);
}

#[test]
fn references_lead_to_other_files() {
    let paths = json!({"/pets": {"$ref": "paths/pets.json#/pets"}});
    let file = json!({"pets": {"get": {"parameters": [{"$ref": "#/limit"}, {"$ref": "../../out.json"}]}},
        "limit": {"name": "limit", "in": "query", "schema": {"$ref": "../schemas.json#/limit"}}});
    let reading = documents(&[
        ("d", document("3.0.0", &paths, &json!({}))),
        ("paths/pets.json", file),
        ("schemas.json", json!({"limit": {"type": "integer"}})),
    ]);
    let api = &reading.apis[0];
    assert_eq!(
        api.operations[0].input_schema["properties"],
        json!({"limit": {"type": "integer"}})
    );
    let files: Vec<&str> = api.files.iter().map(|file| &**file).collect();
    assert_eq!(files, ["d", "paths/pets.json", "schemas.json"]);
    assert_eq!(reading.findings.len(), 1, "{:?}", reading.findings);
    assert_eq!(
        reading.findings[0].place.file.as_deref(),
        Some("paths/pets.json")
    );
}

#[test]
fn large_services_are_divided() {
    let paths: serde_json::Map<String, Value> = (0..1201)
        .map(|n| {
            let tag = if n % 3 == 0 { "Cats" } else { "Dogs" };
            (format!("/p{n}"), json!({"get": {"tags": [tag]}}))
        })
        .collect();
    let reading = documents(&[("d", document("3.0.0", &paths.into(), &json!({})))]);
    let parts: Vec<(&str, usize)> = reading
        .apis
        .iter()
        .map(|api| {
            (
                api.group.as_deref().unwrap_or_default(),
                api.operations.len(),
            )
        })
        .collect();
    assert_eq!(parts, [("Cats", 401), ("Dogs", 500), ("Dogs 2", 300)]);
}

#[test]
fn documents_without_operations_say_what_they_have() {
    for (key, message) in [
        ("webhooks", "the document has only webhooks, no operation"),
        ("paths", "the document has no operation"),
    ] {
        let reading = documents(&[("d", json!({"openapi": "3.1.0", key: {}}))]);
        assert_eq!(reading.apis.len(), 0);
        assert_eq!(reading.findings[0].message, message);
    }
    // What holds operations and is not an object has none.
    for (paths, pointer, word) in [
        (
            json!({"/x": {"put": "nope", "get": {}}}),
            "/paths/~1x/put",
            "a string",
        ),
        (json!({"/x": null, "/y": {"get": {}}}), "/paths/~1x", "null"),
        (json!([{"get": {}}]), "/paths", "a list"),
    ] {
        let reading = documents(&[("d", document("3.1.0", &paths, &json!({})))]);
        let mut found = reading.findings.iter();
        let found = found.find(|it| it.code.0 == "broken-operation").unwrap();
        assert_eq!(found.place.pointer.as_deref(), Some(pointer));
        assert!(
            found
                .message
                .contains(&format!("found {word}, expected an object")),
            "{found:?}"
        );
        let n_operations = reading.apis.iter().map(|it| it.operations.len());
        assert_eq!(n_operations.sum::<usize>(), usize::from(paths.is_object()));
    }
    let unnamed =
        json!({"openapi": "3.1.0", "paths": {"/x": {"get": {}}}, "servers": [{"url": "/v2"}]});
    let reading = documents(&[("d", unnamed)]);
    assert_eq!(
        reading.apis[0].endpoint.as_deref(),
        Some("${API_BASE_URL}/v2")
    );
    assert_eq!(reading.findings[0].code.0, "no-server");
}

/// An alternative that contains itself keeps its members to itself.
#[test]
fn recursive_alternatives_have_only_their_own_members() {
    let kind = |other: &str, schema: Value| {
        json!({"type": "object", "additionalProperties": false, "required": [other],
            "properties": {other: schema}})
    };
    let node = json!({"$ref": "#/components/schemas/Node"});
    let leaf = json!({"$ref": "#/components/schemas/Leaf"});
    let schemas = json!({"schemas": {
        "Node": kind("children", json!({"type": "array", "items": node})),
        "Leaf": kind("text", json!({"type": "string"})),
    }});
    let content = json!({"application/json": {"schema": {"oneOf": [node, leaf]}}});
    let paths = json!({"/e": {"post": {"operationId": "e", "requestBody": {"content": content}}}});
    let reading = documents(&[("d", document("3.1.0", &paths, &schemas))]);
    let schema = &reading.apis[0].operations[0].input_schema;
    let names = |at: usize| {
        let properties = schema["x-alternatives"][at]["properties"].as_object();
        let names = properties
            .into_iter()
            .flat_map(|it| it.keys().map(String::as_str));
        names.collect::<Vec<_>>()
    };
    assert_eq!((names(0), names(1)), (vec!["children"], vec!["text"]));
    assert_eq!(schema["x-alternatives"][0]["additionalProperties"], false);
}

#[test]
fn alternatives_of_a_body_are_kept_and_headers_of_the_transport_are_not() {
    let kind = |kind: &str, other: &str| {
        json!({"type": "object", "additionalProperties": false, "required": ["kind", other],
            "properties": {"kind": {"enum": [kind]}, other: {"type": "number"}}})
    };
    let schema = json!({"oneOf": [kind("c", "r"), kind("s", "s")]});
    let header = json!({"name": "Content-Length", "in": "header", "schema": {"type": "integer"}});
    let query = json!({"name": "q", "in": "query", "schema": {"type": "integer"}});
    let paths = json!({"/e": {"post": {"operationId": "e", "parameters": [header, query],
        "requestBody": {"required": true, "content": {"application/json": {"schema": schema}}}}}});
    let mut document = document("3.0.3", &paths, &json!({}));
    document["servers"] = json!([{"url": "https://a.example"}, {"url": "https://b.example"}]);
    let reading = documents(&[("d", document)]);
    let operation = &reading.apis[0].operations[0];
    assert_eq!(operation.http.parameters.len(), 1);
    // Arguments outside of the body are allowed beside it.
    let one = |kind: &str, other: &str| {
        json!({"type": "object", "additionalProperties": false, "required": ["kind", other],
            "properties": {"kind": {"enum": [kind]}, other: {"type": "number"}, "q": {}}})
    };
    assert_eq!(operation.input_schema["x-exclusive"], true);
    assert_eq!(
        operation.input_schema["x-alternatives"],
        json!([one("c", "r"), one("s", "s")])
    );
    let findings = reading.findings.iter().map(|it| it.message.as_str());
    assert_eq!(
        findings.collect::<Vec<_>>(),
        [
            "requests go to the first server, `https://a.example`, not to `https://b.example`",
            "the header `Content-Length` is not an argument: each connection sets its own",
        ]
    );
}

#[test]
fn a_body_of_xml_is_a_text() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    let paths = json!({"/x": {"post": {"operationId": "x", "requestBody": {"content": {"application/xml": {"schema": schema}}}}}});
    let reading = documents(&[("d", document("3.0.3", &paths, &json!({})))]);
    let found = &reading.apis[0].operations[0].input_schema;
    assert_eq!(
        found["properties"]["body"],
        json!({"type": "string", "description": "text of the media type `application/xml`"})
    );
    let said = &reading.findings[0].message;
    assert!(
        said.contains("nothing here writes it as `application/xml`"),
        "{said}"
    );
}

/// A schema that refers to itself in every way, one of 10,000 members, and one of 100 levels: a document may have 128.
#[test]
fn hostile_schemas_are_bounded() {
    let members: serde_json::Map<_, _> = (0..10_000)
        .map(|n| (format!("p{n}"), json!({"type": "string"})))
        .collect();
    let mut deep = json!({"type": "string"});
    for _ in 0..50 {
        deep = json!({"type": "object", "properties": {"a": deep}});
    }
    let to = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
    let schemas = json!({
        "Self": to("Self"),
        "All": {"allOf": [to("All"), to("Self"), to("Wide")]},
        "Wide": {"type": "object", "properties": members},
        "Deep": deep,
    });
    let paths: serde_json::Map<_, _> = ["Self", "All", "Wide", "Deep"]
        .map(|name| {
            let content = json!({"application/json": {"schema": to(name)}});
            (
                format!("/{name}"),
                json!({"post": {"requestBody": {"content": content}}}),
            )
        })
        .into_iter()
        .collect();
    let document = document("3.0.3", &json!(paths), &json!({ "schemas": schemas }));
    let reading = documents(&[("d", document)]);
    let operations: Vec<_> = reading.apis.iter().flat_map(|it| &it.operations).collect();
    assert_eq!(operations.len(), 4);
    for operation in operations {
        let size = operation.input_schema.to_string().len();
        assert!(size < 2_000_000, "{}: {size} bytes", operation.id);
    }
}

#[test]
fn a_discriminator_has_the_positions_of_its_alternatives() {
    let schemas = json!({
        "Cat": {"allOf": [{"$ref": "#/components/schemas/Pet"}, {"required": ["claws"]}]},
        "Dog": {"type": "object", "required": ["kind"]},
        "Pet": {"type": "object", "properties": {"kind": {"type": "string"}}},
        "Any": {"oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}],
            "discriminator": {"propertyName": "kind", "mapping": {"cat": "#/components/schemas/Cat"}}},
    });
    let any = json!({"$ref": "#/components/schemas/Any"});
    let body = |schema: &Value| json!({"content": {"application/json": {"schema": schema}}});
    let paths = json!({
        "/one": {"post": {"requestBody": body(&any)}},
        "/all": {"post": {"requestBody": body(&json!({"type": "array", "items": any}))}},
    });
    let reading = documents(&[("d", document("3.0.3", &paths, &json!({"schemas": schemas})))]);
    let expected = json!({"propertyName": "kind", "mapping": {"cat": 0, "Dog": 1}});
    let operations = &reading.apis[0].operations;
    let of = |path: &str| {
        let found = operations.iter().find(|it| it.http.path == path);
        &found.expect("an operation").input_schema
    };
    assert_eq!(of("/one")["x-discriminator"], expected, "{}", of("/one"));
    assert_eq!(of("/one")["x-exclusive"], true);
    let items = &of("/all")["properties"]["body"]["items"];
    assert_eq!(items["x-discriminator"], expected, "{items}");
}
