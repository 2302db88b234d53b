//! Form S: `parameters` and `args` as a list or a map, and JSON Schema.
//!
//! Source: `docs/design/calls-in-prose.md`, "Forms", and the sidecar of ApexBridge, whose tools hold
//! a map of `{type, description, required, default, validation: {min, max, pattern, enum}}`.

use serde_json::{Map, Value};

use crate::fact::{self, types};
use crate::form::entry;
use crate::form::list_line::{self, ListLine, Trust};
use crate::lex::names;
use crate::param::{Default, Form, Need, Param, Type};

/// Keys for the name of a parameter in a specification; those for its text and its other names
/// follow.
const NAME_KEYS: [&str; 5] = ["name", "key", "param", "parameter", "field"];
const TEXT_KEYS: [&str; 5] = ["description", "desc", "text", "help", "title"];
const ALIAS_KEYS: [&str; 3] = ["aliases", "alias", "x-aliases"];

/// Returns the parameters of a structured form, and true if it could be read.
pub(crate) fn read(value: &Value) -> (Vec<Param>, bool) {
    match value {
        Value::Null => (Vec::new(), true),
        Value::Array(items) => {
            let found: Vec<_> = items.iter().filter_map(item).collect();
            let complete = found.len() == items.len();
            (found, complete)
        }
        Value::Object(map) if is_schema(map) => (schema(map), true),
        Value::Object(map) => {
            let found: Vec<_> = map
                .iter()
                .filter_map(|(name, spec)| named(name, spec))
                .collect();
            let complete = found.len() == map.len();
            (found, complete)
        }
        _ => (Vec::new(), false),
    }
}

fn is_schema(map: &Map<String, Value>) -> bool {
    map.get("properties").is_some_and(Value::is_object)
}

/// Reads a JSON Schema of an object.
fn schema(map: &Map<String, Value>) -> Vec<Param> {
    let required: Vec<&str> = map
        .get("required")
        .and_then(Value::as_array)
        .map(|list| list.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let properties = map.get("properties").and_then(Value::as_object);
    let entries = properties.into_iter().flatten();
    let param = |(name, spec): (&String, &Value)| {
        let mut param = named(name, spec)?;
        if required.contains(&name.as_str()) {
            param.need = Some(Need::Required);
        } else if param.need.is_none() {
            param.need = Some(Need::Optional);
        }
        Some(param)
    };
    entries.filter_map(param).collect()
}

/// Reads one item of a list: an object with a name, a line of text, or a bare name.
fn item(value: &Value) -> Option<Param> {
    match value {
        Value::Object(map) => {
            let name = NAME_KEYS.iter().find_map(|key| map.get(*key)?.as_str());
            match name {
                Some(name) => object(name, map),
                None if map.len() == 1 => {
                    map.iter().next().and_then(|(name, spec)| named(name, spec))
                }
                None => None,
            }
        }
        Value::String(text) => line(text),
        _ => None,
    }
}

/// Reads a text such as `city`, `city (string, required): …` or `city: …`.
fn line(text: &str) -> Option<Param> {
    let text = text.trim();
    if let Some(ListLine::Param(entry)) = list_line::read(text, true, Trust::Listed) {
        let first = entry.into_params(&|_, _| false).into_iter().next();
        return first.map(|param| Param {
            form: Form::S,
            ..param
        });
    }
    let (name, rest) = names::take_ident(text)?;
    let need = rest.starts_with('?').then_some(Need::Optional);
    Some(Param {
        need,
        ..Param::named(name, Form::S)
    })
}

/// Reads one entry of a map.
fn named(name: &str, spec: &Value) -> Option<Param> {
    if name.is_empty() {
        return None;
    }
    match spec {
        Value::Object(map) => object(name, map),
        Value::String(text) => Some(described(name, text)),
        _ => Some(Param::named(name, Form::S)),
    }
}

/// Reads a map entry whose value is a type or a sentence.
fn described(name: &str, text: &str) -> Param {
    let mut param = Param::named(name, Form::S);
    if let Some(found) = types::read(text) {
        param.types = found;
        return param;
    }
    let facts = fact::read_text(text);
    param.choices = entry::values(&facts.choices, &facts.types);
    param.types = facts.types;
    param.need = facts.need;
    param.default = facts.default;
    param.description = facts.description;
    param
}

fn object(name: &str, map: &Map<String, Value>) -> Option<Param> {
    if name.is_empty() {
        return None;
    }
    let text = TEXT_KEYS
        .iter()
        .find_map(|key| map.get(*key)?.as_str())
        .unwrap_or_default();
    let facts = fact::read_text(text);
    let mut param = Param::named(name, Form::S);
    text.trim().clone_into(&mut param.description);
    param.types = declared_types(map).unwrap_or(facts.types);
    param.need = declared_need(map).or(facts.need);
    param.default = map
        .get("default")
        .or_else(|| map.get("defaultValue"))
        .filter(|value| !value.is_null())
        .cloned()
        .map(Default::Json)
        .or(facts.default);
    param.choices =
        declared_choices(map).unwrap_or_else(|| entry::values(&facts.choices, &param.types));
    param.bounds = bounds(map);
    for key in ALIAS_KEYS {
        match map.get(key) {
            Some(Value::String(alias)) => param.aliases.push(alias.clone()),
            Some(Value::Array(list)) => param
                .aliases
                .extend(list.iter().filter_map(Value::as_str).map(str::to_owned)),
            _ => {}
        }
    }
    Some(param)
}

fn declared_types(map: &Map<String, Value>) -> Option<Vec<Type>> {
    match map.get("type")? {
        Value::String(word) => types::read(word)
            .or_else(|| Some(fact::read_attrs(word).types).filter(|found| !found.is_empty())),
        Value::Array(words) => Some(
            words
                .iter()
                .filter_map(Value::as_str)
                .filter_map(types::read)
                .flatten()
                .collect(),
        ),
        _ => None,
    }
}

fn declared_need(map: &Map<String, Value>) -> Option<Need> {
    let found = |value: &Value| match value {
        Value::Bool(true) => Some(Need::Required),
        Value::Bool(false) => Some(Need::Optional),
        Value::String(text) => match text.to_lowercase().as_str() {
            "true" | "yes" | "是" => Some(Need::Required),
            "false" | "no" | "否" => Some(Need::Optional),
            _ => fact::need::read(text),
        },
        _ => None,
    };
    let stated = map.get("required").and_then(found);
    let when = map
        .get("requiredWhen")
        .or_else(|| map.get("x-required-when"))
        .and_then(Value::as_str);
    when.map(|text| Need::When(text.to_owned()))
        .or(stated)
        .or_else(|| match map.get("optional")? {
            Value::Bool(true) => Some(Need::Optional),
            Value::Bool(false) => Some(Need::Required),
            _ => None,
        })
}

fn declared_choices(map: &Map<String, Value>) -> Option<Vec<Value>> {
    let validation = map.get("validation").and_then(Value::as_object);
    let list = map
        .get("enum")
        .or_else(|| map.get("options"))
        .or_else(|| map.get("choices"))
        .or_else(|| validation?.get("enum"))?
        .as_array()?;
    let plain = |value: &&Value| value.is_string() || value.is_number() || value.is_boolean();
    Some(list.iter().filter(plain).cloned().collect())
}

/// Returns bounds under the names of JSON Schema.
fn bounds(map: &Map<String, Value>) -> Vec<(&'static str, Value)> {
    let validation = map.get("validation").and_then(Value::as_object);
    let get = |keys: [&str; 2]| {
        keys.iter()
            .find_map(|key| map.get(*key).or_else(|| validation?.get(*key)))
    };
    let mut res = Vec::new();
    for (word, keys) in [
        ("minimum", ["min", "minimum"]),
        ("maximum", ["max", "maximum"]),
    ] {
        if let Some(value) = get(keys).filter(|value| value.is_number()) {
            res.push((word, value.clone()));
        }
    }
    if let Some(value) = get(["pattern", "regex"]).filter(|value| value.is_string()) {
        res.push(("pattern", value.clone()));
    }
    res.extend(nested(map));
    res
}

/// Returns the keywords of a JSON Schema about the inside of a value, unchanged.
fn nested(map: &Map<String, Value>) -> impl Iterator<Item = (&'static str, Value)> {
    const KEYS: [&str; 14] = [
        "format",
        "minLength",
        "maxLength",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "items",
        "minItems",
        "maxItems",
        "uniqueItems",
        "properties",
        "required",
        "additionalProperties",
        "const",
    ];
    KEYS.into_iter().filter_map(|key| {
        let value = map.get(key)?;
        let fits = match key {
            "properties" => value.is_object(),
            // The need of the argument itself is a boolean.
            "required" => value.is_array(),
            "items" | "additionalProperties" => value.is_object() || value.is_boolean(),
            "uniqueItems" => value.is_boolean(),
            "format" => value.is_string(),
            "const" => !value.is_null(),
            _ => value.is_number(),
        };
        fits.then(|| (key, value.clone()))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Checks `name:type!` for each parameter.
    #[track_caller]
    fn check(value: &Value, expected: &[&str]) {
        let found: Vec<_> = read(value).0.iter().map(show).collect();
        assert_eq!(found, expected);
    }

    fn show(param: &Param) -> String {
        let types: Vec<_> = param.types.iter().map(|found| found.word()).collect();
        let mark = match param.need {
            Some(Need::Required) => "!",
            Some(Need::Optional) => "?",
            Some(Need::When(_)) => "~",
            None => "",
        };
        format!("{}:{}{mark}", param.name, types.join("|"))
    }

    #[test]
    fn lists() {
        check(
            &json!([{"name": "a", "type": "string", "required": true}, {"name": "b", "type": "整数"}]),
            &["a:string!", "b:integer"],
        );
        check(
            &json!(["a", "b (string, required): text", "c?"]),
            &["a:", "b:string!", "c:?"],
        );
    }

    #[test]
    fn maps_and_schemas() {
        check(
            &json!({"a": {"type": "number", "required": false}, "b": "string", "c": "必填，城市"}),
            &["a:number?", "b:string", "c:!"],
        );
        check(
            &json!({"type": "object", "properties": {"a": {"type": ["string", "null"]}}, "required": ["a"]}),
            &["a:string!"],
        );
    }

    #[test]
    fn validation_of_the_sidecar() {
        let (found, _) = read(
            &json!({"n": {"type": "integer", "validation": {"min": 1, "max": 9, "enum": [1, 2]}, "default": 2}}),
        );
        assert_eq!(
            found[0].bounds,
            [("minimum", json!(1)), ("maximum", json!(9))]
        );
        assert_eq!(found[0].choices, [json!(1), json!(2)]);
    }

    #[test]
    fn what_cannot_be_read() {
        assert!(!read(&json!(3)).1);
        assert!(!read(&json!([3])).1);
        assert!(read(&json!([])).1);
    }
}
