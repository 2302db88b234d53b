//! Values and schemas.

use serde_json::{Value, json};

use super::{Fit, Texts};

#[track_caller]
fn check(schema: &Value, value: &Value, expected: Option<&str>) {
    let root = json!({"$defs": {"Node": {"type": "object", "required": ["id"], "properties": {
        "id": {"type": "integer"}, "next": {"$ref": "#/$defs/Node"}}}}});
    let found = Fit::new(&root).misfits(schema, value, Texts::NONE);
    let found = found
        .iter()
        .map(|misfit| format!("{} {}", misfit.part(), misfit.why));
    let found: Vec<String> = found.collect();
    let expected: Vec<&str> = expected
        .into_iter()
        .flat_map(|it| it.split(" | "))
        .collect();
    assert_eq!(found, expected, "{schema} {value}");
}

#[test]
fn values_are_checked_to_the_bottom() {
    check(&json!({"const": "c"}), &json!("d"), Some(" should be c"));
    check(&json!({"const": 1}), &json!(1.0), None);
    check(
        &json!({"exclusiveMinimum": 0}),
        &json!(0),
        Some(" should be more than 0"),
    );
    check(
        &json!({"exclusiveMaximum": 9}),
        &json!(9.5),
        Some(" should be less than 9"),
    );
    check(
        &json!({"maxLength": 2}),
        &json!("äöü"),
        Some(" should have at most 2 characters"),
    );
    check(
        &json!({"type": "integer"}),
        &json!("5"),
        Some(" should be of type integer"),
    );
    let list = json!({"type": "array", "minItems": 1, "items": {"type": "string"}});
    check(&list, &json!([]), Some(" should have at least 1 items"));
    check(
        &list,
        &json!(["a", 5, true]),
        Some("[1] should be of type string | [2] should be of type string"),
    );
    let pair = json!({"prefixItems": [{"type": "string"}], "items": {"type": "integer"}});
    check(&pair, &json!(["a", 5]), None);
    check(
        &pair,
        &json!(["a", "b"]),
        Some("[1] should be of type integer"),
    );
    let node = json!({"$ref": "#/$defs/Node"});
    check(
        &node,
        &json!({"id": 1, "next": {"id": 2}, "more": true}),
        None,
    );
    check(
        &node,
        &json!({"id": 1, "next": {}}),
        Some(".next.id is missing"),
    );
    check(
        &node,
        &json!({"id": "1", "next": {"next": {}}}),
        Some(".id should be of type integer | .next.id is missing | .next.next.id is missing"),
    );
    check(
        &json!({"additionalProperties": false}),
        &json!({"x": 1}),
        Some(".x is not allowed"),
    );
    let shapes = json!({"oneOf": [
        {"required": ["kind", "r"], "properties": {"kind": {"const": "c"}}},
        {"required": ["kind", "s"], "properties": {"kind": {"const": "s"}}}]});
    check(&shapes, &json!({"kind": "s", "s": 1}), None);
    check(
        &shapes,
        &json!({"kind": "c", "s": 1}),
        Some(".r is missing"),
    );
    check(
        &json!({"allOf": [{}, {"minimum": 3}]}),
        &json!(1),
        Some(" should be at least 3"),
    );
}

#[track_caller]
fn check_places(schema: &Value, value: &Value, expected: &[&str]) {
    let root = json!({"$defs": {
        "Cat": {"allOf": [{"$ref": "#/$defs/Pet"}, {"required": ["claws"]}]},
        "Dog": {"allOf": [{"$ref": "#/$defs/Pet"}, {"required": ["bark"]}]},
        "Pet": {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}}},
    }});
    let found = Fit::new(&root).misfits(schema, value, Texts::NONE);
    let found = found.iter().map(|it| {
        let (code, pointer) = (it.kind.code(), it.pointer());
        format!("{code} {pointer} {}", it.why)
    });
    let found: Vec<String> = found.collect();
    assert_eq!(found, expected, "{schema} {value}");
}

#[test]
fn a_constant_selects_an_alternative() {
    let shapes = json!({"oneOf": [
        {"required": ["kind", "r"], "properties": {"kind": {"const": "c"}, "r": {"type": "integer"}}},
        {"required": ["kind", "s"], "properties": {"kind": {"enum": ["s", "q"]}}}]});
    check_places(&shapes, &json!({"kind": "q", "s": 1}), &[]);
    check_places(
        &shapes,
        &json!({"kind": "c"}),
        &["missing-argument /r is missing"],
    );
    check_places(
        &shapes,
        &json!({"kind": "c", "r": "x"}),
        &["wrong-argument /r should be of type integer"],
    );
    check_places(
        &shapes,
        &json!({"kind": "x", "r": 1}),
        &["wrong-argument /kind should be one of c, s, q"],
    );
    check_places(
        &shapes,
        &json!({"r": 1}),
        &["missing-argument /kind is missing, expected one of c, s, q"],
    );
}

#[test]
fn a_discriminator_selects_an_alternative() {
    let pets = json!({
        "oneOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}],
        "x-discriminator": {"propertyName": "kind", "mapping": {"cat": 0, "Dog": 1}},
    });
    check_places(&pets, &json!({"kind": "cat", "claws": 1}), &[]);
    check_places(&pets, &json!({"kind": "cat", "claws": 1, "bark": 1}), &[]);
    check_places(
        &pets,
        &json!({"kind": "Dog"}),
        &["missing-argument /bark is missing"],
    );
    let closed = json!({
        "oneOf": [{"properties": {"kind": {}}, "additionalProperties": false}, {"required": ["bark"]}],
        "x-discriminator": {"propertyName": "kind", "mapping": {"cat": 0, "dog": 1}},
    });
    check_places(
        &closed,
        &json!({"kind": "cat", "bark": 1}),
        &["unknown-argument /bark is not allowed"],
    );
    check_places(
        &pets,
        &json!({"kind": "cow"}),
        &["wrong-argument /kind should be one of cat, Dog"],
    );
    check_places(
        &pets,
        &json!({}),
        &["missing-argument /kind is missing, expected one of cat, Dog"],
    );
}

#[test]
fn a_type_selects_an_alternative() {
    let either = json!({"anyOf": [{"type": "string"}, {"type": "object", "required": ["a", "b"]}]});
    check_places(
        &either,
        &json!({}),
        &[
            "missing-argument /a is missing",
            "missing-argument /b is missing",
        ],
    );
    check_places(
        &either,
        &json!(1),
        &[
            "wrong-argument  fits none of the alternatives: should be of type string, or should be of type object",
        ],
    );
}

#[test]
fn only_one_of_some_alternatives_may_fit() {
    let loose = json!({"oneOf": [{"required": ["a"]}, {"required": ["b"], "title": "B"}, {"type": "string"}]});
    check_places(&loose, &json!({"a": 1}), &[]);
    check_places(
        &loose,
        &json!({"a": 1, "b": 2}),
        &["wrong-argument  fits several of the alternatives (1, `B`), expected exactly one"],
    );
    // What is not checked may tell them apart.
    let formats = json!({"oneOf": [{"type": "string", "format": "ipv4"}, {"type": "string", "format": "ipv6"}]});
    check_places(&formats, &json!("::1"), &[]);
    check_places(
        &json!({"oneOf": [{}, {"type": "string"}]}),
        &json!("a"),
        &[],
    );
    check_places(
        &json!({"anyOf": [{"type": "string"}, {"minLength": 1}]}),
        &json!("a"),
        &[],
    );
}

#[test]
fn schemas_that_lead_to_many_others_are_looked_through_within_bounds() {
    let levels = (0..7).map(|at| {
        let next = json!({"$ref": format!("#/$defs/L{}", at + 1)});
        let parts = vec![next; 100];
        let level = json!({"type": "object", "required": ["a"], "properties": {"k": {"const": at}}, "allOf": parts});
        (format!("L{at}"), level)
    });
    let root = json!({"$defs": levels.collect::<serde_json::Map<_, _>>()});
    let either =
        json!({"anyOf": [{"$ref": "#/$defs/L0"}, {"$ref": "#/$defs/L0"}, {"type": "string"}]});
    let one = json!({"oneOf": [{"$ref": "#/$defs/L0"}, {"allOf": [{"$ref": "#/$defs/L0"}]}]});
    for (schema, value) in [
        (&either, json!({})),
        (&either, json!(1)),
        (&one, json!({"a": 1})),
        (&one, json!({"k": 9})),
    ] {
        let found = Fit::new(&root).misfits(schema, &value, Texts::NONE);
        assert!(found.len() < 9, "{schema} {value}");
    }
}
