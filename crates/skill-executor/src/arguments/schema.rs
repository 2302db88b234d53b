//! The comparison of a value with a schema, by the keywords that decide whether a service takes a
//! request.
//!
//! `pattern`, `format`, `not` and conditions are not checked; they never cause a finding.

use std::cell::Cell;

use serde_json::{Map, Value};

/// The deepest nesting that is checked.
const MAX_DEPTH: usize = 32;
/// The most schemas that are compared with values in one check.
const MAX_STEPS: usize = 20_000;
/// The number of alternatives whose reasons a message has.
const N_REASONS: usize = 3;

/// A part of a value that does not fit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Misfit {
    /// The part, relative to the value: `.kind`, `[0].size`; empty for the value itself.
    pub(super) part: String,
    /// The reason.
    pub(super) why: String,
}

impl Misfit {
    fn new(why: String) -> Self {
        let part = String::new();
        Self { part, why }
    }

    fn inside(self, part: &str) -> Self {
        let part = format!("{part}{}", self.part);
        Self { part, ..self }
    }
}

/// The comparison of values with a schema and its definitions.
pub(super) struct Fit<'s> {
    root: &'s Value,
    n_left: Cell<usize>,
}

impl<'s> Fit<'s> {
    /// `root` has the definitions (`$defs`).
    pub(super) fn new(root: &'s Value) -> Self {
        let n_left = Cell::new(MAX_STEPS);
        Self { root, n_left }
    }

    /// Returns the first part of a value that does not fit. If `takes_text`, text counts as the type
    /// that it can be read as.
    pub(super) fn misfit(&self, schema: &Value, value: &Value, takes_text: bool) -> Option<Misfit> {
        self.of(schema, value, takes_text, 0)
    }

    fn of(&self, schema: &Value, value: &Value, takes_text: bool, depth: usize) -> Option<Misfit> {
        let n_left = self.n_left.get().checked_sub(1)?;
        self.n_left.set(n_left);
        if depth > MAX_DEPTH {
            return None;
        }
        if schema == &Value::Bool(false) {
            return Some(Misfit::new("is not allowed".to_owned()));
        }
        let target = schema["$ref"].as_str().and_then(|it| it.strip_prefix('#'));
        let target = target.and_then(|pointer| self.root.pointer(pointer));
        target
            .and_then(|target| self.of(target, value, takes_text, depth + 1))
            .or_else(|| scalar(schema, value, takes_text).map(Misfit::new))
            .or_else(|| self.list(schema, value, depth))
            .or_else(|| self.object(schema, value, depth))
            .or_else(|| self.composed(schema, value, takes_text, depth))
    }

    fn list(&self, schema: &Value, value: &Value, depth: usize) -> Option<Misfit> {
        let items = value.as_array()?;
        let count = |key: &str| schema[key].as_u64().and_then(|n| usize::try_from(n).ok());
        if let Some(least) = count("minItems").filter(|least| items.len() < *least) {
            return Some(Misfit::new(format!("should have at least {least} items")));
        }
        if let Some(most) = count("maxItems").filter(|most| items.len() > *most) {
            return Some(Misfit::new(format!("should have at most {most} items")));
        }
        let mut items = items.iter().enumerate();
        items.find_map(|(at, item)| {
            let found = self.of(&schema["items"], item, false, depth + 1);
            found.map(|misfit| misfit.inside(&format!("[{at}]")))
        })
    }

    fn object(&self, schema: &Value, value: &Value, depth: usize) -> Option<Misfit> {
        let members = value.as_object()?;
        let required = schema["required"].as_array().into_iter().flatten();
        let mut required = required.filter_map(Value::as_str);
        if let Some(name) = required.find(|name| !members.contains_key(*name)) {
            return Some(Misfit::new("is missing".to_owned()).inside(&format!(".{name}")));
        }
        let others = &schema["additionalProperties"];
        let has_patterns = !schema["patternProperties"].is_null();
        members.iter().find_map(|(name, member)| {
            let declared = &schema["properties"][name];
            let found = match declared {
                Value::Null if has_patterns => None,
                Value::Null => self.of(others, member, false, depth + 1),
                declared => self.of(declared, member, false, depth + 1),
            };
            found.map(|misfit| misfit.inside(&format!(".{name}")))
        })
    }

    fn composed(
        &self,
        schema: &Value,
        value: &Value,
        takes_text: bool,
        depth: usize,
    ) -> Option<Misfit> {
        let of = |part: &Value| self.of(part, value, takes_text, depth + 1);
        let parts = |key: &str| schema[key].as_array().map_or(&[][..], Vec::as_slice);
        let all = parts("allOf").iter().find_map(of);
        all.or_else(|| none_of(parts("anyOf").iter().map(of)))
            .or_else(|| none_of(parts("oneOf").iter().map(of)))
    }
}

/// Returns a reason if there are alternatives and each has one.
pub(super) fn none_of(alternatives: impl Iterator<Item = Option<Misfit>>) -> Option<Misfit> {
    let mut reasons: Vec<String> = Vec::new();
    for alternative in alternatives {
        let Misfit { part, why } = alternative?;
        let part = part.trim_start_matches('.');
        let reason = if part.is_empty() {
            why
        } else {
            format!("`{part}` {why}")
        };
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    reasons.truncate(N_REASONS);
    let reasons = reasons.join(", or ");
    (!reasons.is_empty()).then(|| Misfit::new(format!("fits none of the alternatives: {reasons}")))
}

/// Checks the value itself.
fn scalar(schema: &Value, value: &Value, takes_text: bool) -> Option<String> {
    let schema: &Map<String, Value> = schema.as_object()?;
    let is_same = |one: &Value| {
        let is_equal =
            one == value || one.is_number() && number(one, false) == number(value, false);
        is_equal || takes_text && text_of(one) == text_of(value)
    };
    if let Some(wanted) = schema.get("const").filter(|wanted| !is_same(wanted)) {
        return Some(format!("should be {}", text_of(wanted)));
    }
    if let Some(allowed) = schema.get("enum").and_then(Value::as_array)
        && !allowed.iter().any(is_same)
    {
        let shown: Vec<String> = allowed.iter().map(text_of).collect();
        return Some(format!("should be one of {}", shown.join(", ")));
    }
    let types: Vec<&str> = match schema.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(many)) => many.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if !types.is_empty() && !types.iter().any(|name| is_of(name, value, takes_text)) {
        return Some(format!("should be of type {}", types.join(" or ")));
    }
    let is_text = types.is_empty() || types.contains(&"string");
    if let Some(text) = value.as_str().filter(|_| is_text) {
        return length(schema, text);
    }
    bounds(schema, number(value, takes_text)?)
}

fn length(schema: &Map<String, Value>, text: &str) -> Option<String> {
    let bound = |key: &str| schema.get(key).and_then(Value::as_u64);
    let n_chars = text.chars().count() as u64;
    if let Some(least) = bound("minLength").filter(|least| n_chars < *least) {
        return Some(format!("should have at least {least} characters"));
    }
    let most = bound("maxLength").filter(|most| n_chars > *most)?;
    Some(format!("should have at most {most} characters"))
}

fn bounds(schema: &Map<String, Value>, number: f64) -> Option<String> {
    let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
    if let Some(least) = bound("minimum").filter(|least| number < *least) {
        return Some(format!("should be at least {least}"));
    }
    if let Some(most) = bound("maximum").filter(|most| number > *most) {
        return Some(format!("should be at most {most}"));
    }
    if let Some(least) = bound("exclusiveMinimum").filter(|least| number <= *least) {
        return Some(format!("should be more than {least}"));
    }
    let most = bound("exclusiveMaximum").filter(|most| number >= *most)?;
    Some(format!("should be less than {most}"))
}

/// Returns true if a value has a type. If `takes_text`, text counts as the type that it can be read as,
/// because the old protocol had only text.
fn is_of(name: &str, value: &Value, takes_text: bool) -> bool {
    match (name, value) {
        ("string", _) if takes_text => !value.is_object() && !value.is_array() && !value.is_null(),
        ("string", _) => value.is_string(),
        ("integer", _) => number(value, takes_text).is_some_and(|number| number.fract() == 0.0),
        ("number", _) => number(value, takes_text).is_some(),
        ("boolean", Value::String(text)) if takes_text => {
            matches!(text.to_lowercase().as_str(), "true" | "false")
        }
        ("boolean", _) => value.is_boolean(),
        ("array" | "object", Value::String(text)) if takes_text => crate::json::parse(text)
            .is_ok_and(|value| !value.is_string() && is_of(name, &value, takes_text)),
        ("array", _) => value.is_array(),
        ("object", _) => value.is_object(),
        ("null", _) => value.is_null(),
        _ => true,
    }
}

fn number(value: &Value, takes_text: bool) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) if takes_text => crate::json::trim(text)
            .parse()
            .ok()
            .filter(|number: &f64| number.is_finite()),
        _ => None,
    }
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => crate::json::stringify(other),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(schema: &Value, value: &Value, expected: Option<&str>) {
        let root = json!({"$defs": {"Node": {"type": "object", "required": ["id"], "properties": {
            "id": {"type": "integer"}, "next": {"$ref": "#/$defs/Node"}}}}});
        let found = Fit::new(&root).misfit(schema, value, false);
        let found = found.map(|misfit| format!("{} {}", misfit.part, misfit.why));
        assert_eq!(found.as_deref(), expected, "{schema} {value}");
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
            &json!(["a", 5]),
            Some("[1] should be of type string"),
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
            Some(" fits none of the alternatives: `r` is missing, or `kind` should be s"),
        );
        check(
            &json!({"allOf": [{}, {"minimum": 3}]}),
            &json!(1),
            Some(" should be at least 3"),
        );
    }
}
