//! Schemas as JSON Schema 2020-12: inlined, with `$defs` for those that contain themselves and, in
//! large schemas, for those that occur more than once.

use std::collections::{BTreeMap, BTreeSet};

use plugin_model::{Kind, Node, Place};
use serde_json::{Map, Value, json};
use skill_diagnostics::Diagnostic;

use crate::codes::SCHEMA_CUT;
use crate::discriminator::{DISCRIMINATOR, discriminator};
use crate::documents::{At, Documents};

/// The most values of a schema whose references are all inlined.
const MAX_INLINED: usize = 600;
/// The most values of any schema.
const MAX_VALUES: usize = 120_000;
/// The deepest nesting of objects and lists in a schema.
const MAX_DEPTH: usize = 22;

/// Converts the schemas of one operation, which share their definitions.
pub(crate) struct Schemas<'d, 'a> {
    documents: &'d Documents<'a>,
    /// The schemas that are definitions.
    heads: BTreeSet<Place>,
    /// Every schema that a reference names is a definition.
    shares_all: bool,
    /// Schemas that contain themselves and were inlined.
    circles: BTreeSet<Place>,
    names: BTreeMap<Place, String>,
    pending: Vec<(Place, At<'a>)>,
    n_values: usize,
    is_cut: bool,
}

/// Builds a value with schemas in it, until all circles are definitions and the size is in bounds.
/// Returns the value and its definitions.
pub(crate) fn with_schemas<'d, 'a, T>(
    documents: &'d Documents<'a>,
    place: &Place,
    build: impl Fn(&mut Schemas<'d, 'a>) -> T,
) -> (T, Map<String, Value>) {
    let (mut heads, mut shares_all) = (BTreeSet::new(), false);
    loop {
        let mut schemas = Schemas {
            documents,
            heads: heads.clone(),
            shares_all,
            circles: BTreeSet::new(),
            names: BTreeMap::new(),
            pending: Vec::new(),
            n_values: 0,
            is_cut: false,
        };
        let value = build(&mut schemas);
        let definitions = schemas.definitions();
        let is_large = schemas.n_values > MAX_INLINED || schemas.is_cut;
        if is_large && !shares_all {
            shares_all = true;
        } else if !schemas.circles.is_subset(&heads) {
            heads.append(&mut schemas.circles);
        } else {
            if schemas.is_cut {
                let message = "a schema is too deep or too large; parts of it accept any value";
                let finding = Diagnostic::note(SCHEMA_CUT, message);
                documents.report(
                    finding.with_help("the document in references/ has all of it"),
                    place,
                );
            }
            return (value, definitions);
        }
    }
}

impl<'a> Schemas<'_, 'a> {
    /// Converts a schema.
    pub(crate) fn schema(&mut self, at: &At<'a>) -> Value {
        self.convert(at, &mut Vec::new(), 0)
    }

    /// Converts the definitions that are used.
    fn definitions(&mut self) -> Map<String, Value> {
        let mut res = BTreeMap::new();
        while let Some((place, at)) = self.pending.pop() {
            let name = self.names[&place].clone();
            let value = self.object(&at, &mut vec![place], 0);
            res.insert(name, value);
        }
        res.into_iter().collect()
    }

    fn convert(&mut self, at: &At<'a>, stack: &mut Vec<Place>, depth: usize) -> Value {
        self.n_values += 1;
        let is_beyond = !self.shares_all && self.n_values > MAX_INLINED;
        if depth > MAX_DEPTH || self.n_values > MAX_VALUES || is_beyond {
            self.is_cut = true;
            return json!({});
        }
        match &at.node.kind {
            Kind::Bool(flag) => Value::Bool(*flag),
            Kind::Object(_) => match at.node.get("$ref").and_then(Node::as_str) {
                Some(_) => self.reference(at, stack, depth),
                None => self.object(at, stack, depth),
            },
            _ => json!({}),
        }
    }

    /// Converts a schema; the one that a mere reference means is written in its place, also if that is a
    /// definition for others.
    pub(crate) fn inlined(&mut self, at: &At<'a>) -> Value {
        let is_mere = at.node.members().len() == 1 && at.node.get("$ref").is_some();
        match self.documents.resolve(at).filter(|_| is_mere) {
            Some(target) => {
                let mut stack = vec![target.place.clone()];
                self.convert(&target, &mut stack, 0)
            }
            None => self.schema(at),
        }
    }

    /// Converts a reference: the schema it means, with what is written beside it.
    fn reference(&mut self, at: &At<'a>, stack: &mut Vec<Place>, depth: usize) -> Value {
        let Some(target) = self.documents.resolve(at) else {
            return self.beside(at, json!({}), stack, depth);
        };
        let key = target.place.clone();
        if stack.contains(&key) {
            self.circles.insert(key.clone());
        }
        let is_definition = self.heads.contains(&key)
            || stack.contains(&key)
            || self.shares_all && !is_small(target.node);
        let value = if is_definition {
            let name = self.name(&key);
            if !self.pending.iter().any(|(place, _)| *place == key) && self.is_new(&key) {
                self.pending.push((key.clone(), target));
                self.names.insert(key, name.clone());
            }
            json!({ "$ref": format!("#/$defs/{}", plugin_model::escape_pointer(&name)) })
        } else {
            stack.push(key);
            let value = self.convert(&target, stack, depth);
            stack.pop();
            value
        };
        self.beside(at, value, stack, depth)
    }

    fn is_new(&self, place: &Place) -> bool {
        !self.names.contains_key(place)
    }

    /// Returns the name of a definition: the last part of its place, which is unique.
    fn name(&self, place: &Place) -> String {
        if let Some(name) = self.names.get(place) {
            return name.clone();
        }
        let last = place.pointer.rsplit('/').next().unwrap_or_default();
        let last = last.replace("~1", "/").replace("~0", "~");
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        let mut name: String = last
            .chars()
            .map(|c| if is_plain(c) { c } else { '_' })
            .collect();
        if name.is_empty() {
            "schema".clone_into(&mut name);
        }
        let taken = |name: &str| self.names.values().any(|other| other == name);
        let numbered = (2..).map(|n| format!("{name}_{n}"));
        let mut names = std::iter::once(name.clone()).chain(numbered);
        names.find(|name| !taken(name)).unwrap_or(name)
    }

    /// Adds what is written beside a reference: descriptions replace those of the schema, and
    /// restrictions hold in addition.
    fn beside(&mut self, at: &At<'a>, value: Value, stack: &mut Vec<Place>, depth: usize) -> Value {
        if at.node.members().len() < 2 {
            return value;
        }
        let Value::Object(own) = self.object(at, stack, depth) else {
            return value;
        };
        if own.is_empty() {
            return value;
        }
        let is_said = |key: &String| {
            ["title", "description", "default", "deprecated", "examples"].contains(&key.as_str())
        };
        match value {
            Value::Object(mut map) if own.keys().all(is_said) => {
                map.extend(own);
                Value::Object(map)
            }
            value => {
                let mut own = own;
                let all = own.entry("allOf").or_insert_with(|| json!([]));
                if let Value::Array(items) = all {
                    items.push(value);
                }
                Value::Object(own)
            }
        }
    }

    /// Converts the keywords of a schema that is an object.
    fn object(&mut self, at: &At<'a>, stack: &mut Vec<Place>, depth: usize) -> Value {
        let mut res = Map::new();
        for (key, value) in at.members() {
            self.keyword(at, key, &value, (stack, depth), &mut res);
        }
        if let Some(discriminator) = discriminator(self.documents, at) {
            res.insert(DISCRIMINATOR.to_owned(), discriminator);
        }
        if at.is("nullable") {
            nullable(&mut res);
        }
        Value::Object(res)
    }

    fn keyword(
        &mut self,
        at: &At<'a>,
        key: &str,
        value: &At<'a>,
        (stack, depth): (&mut Vec<Place>, usize),
        res: &mut Map<String, Value>,
    ) {
        let converted = match key {
            "$ref" | "xml" | "discriminator" | "externalDocs" | "readOnly" | "writeOnly"
            | "nullable" | "$schema" | "$id" | "$anchor" | "id" => return,
            key if key.starts_with("x-") => return,
            "items" if value.node.items().is_empty() => self.convert(value, stack, depth + 1),
            "additionalProperties"
            | "not"
            | "if"
            | "then"
            | "else"
            | "contains"
            | "propertyNames"
            | "unevaluatedItems"
            | "unevaluatedProperties" => self.convert(value, stack, depth + 1),
            "items" => {
                let items = value
                    .items()
                    .map(|item| self.convert(&item, stack, depth + 2));
                let items: Vec<Value> = items.collect();
                res.insert("prefixItems".to_owned(), items.into());
                return;
            }
            "allOf" | "anyOf" | "oneOf" | "prefixItems" => {
                let items = value
                    .items()
                    .map(|item| self.convert(&item, stack, depth + 2));
                Value::Array(items.collect())
            }
            "properties" => {
                let members = value.members().filter(|(_, it)| !self.is_read_only(it));
                let members: Vec<(&str, At<'a>)> = members.collect();
                let members = members
                    .into_iter()
                    .map(|(name, it)| (name.to_owned(), self.convert(&it, stack, depth + 2)));
                Value::Object(members.collect())
            }
            "patternProperties" | "dependentSchemas" | "$defs" => {
                let members = value.members();
                let members = members
                    .map(|(name, it)| (name.to_owned(), self.convert(&it, stack, depth + 2)));
                Value::Object(members.collect())
            }
            "required" => return self.required(at, value, res),
            "exclusiveMinimum" | "exclusiveMaximum" => {
                if let Some(bound) = exclusive(at, key, value.node) {
                    res.shift_remove(key_of_bound(key));
                    res.insert(key.to_owned(), bound);
                }
                return;
            }
            "minimum" if at.is("exclusiveMinimum") => return,
            "maximum" if at.is("exclusiveMaximum") => return,
            "example" => {
                let example = json!([value.node.to_value()]);
                res.entry("examples").or_insert(example);
                return;
            }
            "examples" if value.node.items().is_empty() => return,
            "type" if value.node.as_str() == Some("file") => json!("string"),
            _ => value.node.to_value(),
        };
        res.insert(key.to_owned(), converted);
    }

    /// Adds the names that are needed; those that only an answer has are not. `required: true` of a
    /// property, which older documents have, says nothing about a schema.
    fn required(&self, at: &At<'a>, value: &At<'a>, res: &mut Map<String, Value>) {
        let properties = at.get("properties");
        let is_needed = |name: &&str| {
            let property = properties.as_ref().and_then(|it| it.get(name));
            !property.is_some_and(|it| self.is_read_only(&it))
        };
        let names = value.node.items().iter().filter_map(Node::as_str);
        let names: Vec<&str> = names.filter(is_needed).collect();
        if !names.is_empty() {
            res.insert("required".to_owned(), names.into());
        }
    }

    /// Returns true for a property that only answers have.
    pub(crate) fn is_read_only(&self, at: &At<'a>) -> bool {
        is_read_only(self.documents, at)
    }
}

/// Returns true for a property that only answers have.
pub(crate) fn is_read_only(documents: &Documents<'_>, at: &At<'_>) -> bool {
    at.is("readOnly") || documents.resolve(at).is_some_and(|it| it.is("readOnly"))
}

/// Returns whether a schema is shorter than a reference to it would be useful for: a plain type or a
/// short list of values.
fn is_small(node: &Node) -> bool {
    let is_plain = |node: &Node| node.members().is_empty() && node.items().len() <= 12;
    let mut members = node.members().iter();
    node.members().len() <= 8 && members.all(|member| is_plain(&member.value))
}

/// Returns the bound of `exclusiveMinimum: true`, which OpenAPI 3.0 writes beside `minimum`.
fn exclusive(at: &At<'_>, key: &str, value: &Node) -> Option<Value> {
    match value.kind {
        Kind::Bool(true) => at.node.get(key_of_bound(key)).map(Node::to_value),
        Kind::Bool(false) => None,
        _ => Some(value.to_value()),
    }
}

fn key_of_bound(key: &str) -> &'static str {
    if key == "exclusiveMinimum" {
        "minimum"
    } else {
        "maximum"
    }
}

/// Allows null, as `nullable: true` of OpenAPI 3.0 does.
fn nullable(schema: &mut Map<String, Value>) {
    if let Some(Value::Array(values)) = schema.get_mut("enum")
        && !values.contains(&Value::Null)
    {
        values.push(Value::Null);
    }
    let is_composed = ["allOf", "oneOf", "anyOf"]
        .iter()
        .any(|key| schema.contains_key(*key));
    match schema.get_mut("type") {
        Some(Value::String(name)) => {
            let types = json!([name, "null"]);
            schema.insert("type".to_owned(), types);
        }
        Some(Value::Array(types)) if !types.contains(&json!("null")) => types.push(json!("null")),
        Some(_) => {}
        None if is_composed => {
            let whole = Value::Object(std::mem::take(schema));
            schema.insert("anyOf".to_owned(), json!([whole, { "type": "null" }]));
        }
        None => {}
    }
}
