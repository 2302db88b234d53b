//! The members of a schema that describes an object, whatever it is composed of.

use std::collections::BTreeSet;

use plugin_model::{Node, Place};
use serde_json::{Value, json};

use crate::documents::{At, Documents};
use crate::schema::Schemas;

/// The deepest composition that is followed.
const MAX_DEPTH: usize = 16;
/// The most definitions of one member that are kept apart.
const MAX_VARIANTS: usize = 12;

/// The members of an object.
#[derive(Debug, Default)]
pub(crate) struct Members<'a> {
    /// Names with their definitions, in order.
    pub(crate) all: Vec<(String, Vec<At<'a>>)>,
    /// The names that are always needed.
    pub(crate) required: BTreeSet<String>,
    /// True if other members are refused.
    pub(crate) is_closed: bool,
    /// True if null may be in place of the object.
    pub(crate) is_nullable: bool,
}

impl<'a> Members<'a> {
    /// Returns the members of a schema, or `None` if it may be something else than an object.
    pub(crate) fn of(documents: &Documents<'a>, at: &At<'a>) -> Option<Self> {
        let mut res = Self::default();
        let is_object = res.add(documents, at, true, &mut Vec::new());
        let schema = documents.resolve(at)?;
        res.is_closed = schema.flag("additionalProperties") == Some(false);
        res.is_nullable = is_nullable(&schema);
        is_object.then_some(res)
    }

    /// Returns the definitions of a member.
    pub(crate) fn get(&self, name: &str) -> &[At<'a>] {
        let mut all = self.all.iter();
        let found = all.find(|(other, _)| other == name);
        found.map_or(&[], |(_, definitions)| definitions)
    }

    /// Adds the members of a schema; returns false if it may be something else than an object.
    /// `is_certain` is false for one of several alternatives, whose members are all optional.
    fn add(
        &mut self,
        documents: &Documents<'a>,
        at: &At<'a>,
        is_certain: bool,
        stack: &mut Vec<Place>,
    ) -> bool {
        let Some(at) = documents.resolve(at) else {
            return false;
        };
        if stack.contains(&at.place) || stack.len() > MAX_DEPTH {
            return true;
        }
        stack.push(at.place.clone());
        let mut is_object = self.add_own(&at, is_certain);
        for part in at.get("allOf").iter().flat_map(At::items) {
            is_object |= self.add(documents, &part, is_certain, stack);
        }
        for key in ["oneOf", "anyOf"] {
            let Some(variants) = at.get(key) else {
                continue;
            };
            let variants: Vec<At<'a>> = variants.items().filter(|it| !is_null(it)).collect();
            let is_only = variants.len() == 1;
            let mut are_objects = !variants.is_empty();
            for variant in &variants {
                are_objects &= self.add(documents, variant, is_certain && is_only, stack);
            }
            if is_certain && !is_only && are_objects {
                self.required.extend(common(documents, &variants, stack));
            }
            // Alternatives beside properties only say which of these belong together.
            is_object |= are_objects;
            if !are_objects && at.get("properties").is_none() {
                is_object = false;
            }
        }
        stack.pop();
        is_object
    }

    /// Adds what a schema says itself; returns whether that is an object.
    fn add_own(&mut self, at: &At<'a>, is_certain: bool) -> bool {
        let properties = at.get("properties");
        for (name, definition) in properties.iter().flat_map(At::members) {
            let found = self.all.iter_mut().find(|(other, _)| other == name);
            match found {
                Some((_, definitions)) => definitions.push(definition),
                None => self.all.push((name.to_owned(), vec![definition])),
            }
        }
        if is_certain {
            let required = at.node.get("required").map(Node::items).unwrap_or_default();
            let names = required.iter().filter_map(Node::as_str);
            self.required.extend(names.map(str::to_owned));
        }
        properties.is_some() || is_type(at, "object")
    }
}

/// Returns the names that all alternatives need.
fn common<'a>(documents: &Documents<'a>, variants: &[At<'a>], stack: &[Place]) -> BTreeSet<String> {
    let mut all = variants.iter().map(|variant| {
        let mut members = Members::default();
        members.add(documents, variant, true, &mut stack.to_vec());
        members.required
    });
    let first = all.next().unwrap_or_default();
    all.fold(first, |common, required| &common & &required)
}

/// Returns whether a schema has a type, also as one of several beside null.
pub(crate) fn is_type(at: &At<'_>, name: &str) -> bool {
    let Some(node) = at.node.get("type") else {
        return false;
    };
    let mut types = node.items().iter().filter_map(Node::as_str);
    node.as_str() == Some(name)
        || types.clone().any(|it| it == name) && types.all(|it| it == name || it == "null")
}

/// Returns whether a schema of an object also allows null.
fn is_nullable(schema: &At<'_>) -> bool {
    let types = schema.node.get("type").map(Node::items).unwrap_or_default();
    let mut variants = ["oneOf", "anyOf"].into_iter();
    schema.is("nullable")
        || types.iter().any(|it| it.as_str() == Some("null"))
        || variants.any(|key| {
            schema
                .get(key)
                .iter()
                .flat_map(At::items)
                .any(|it| is_null(&it))
        })
}

fn is_null(at: &At<'_>) -> bool {
    at.text("type") == "null"
}

/// Returns the schema of a member that has several definitions: any of them.
pub(crate) fn any_of<'a>(schemas: &mut Schemas<'_, 'a>, definitions: &[At<'a>]) -> Value {
    let mut values: Vec<Value> = Vec::new();
    for definition in definitions.iter().take(MAX_VARIANTS) {
        let value = schemas.schema(definition);
        if !values.contains(&value) {
            values.push(value);
        }
    }
    if definitions.len() > MAX_VARIANTS {
        return json!({});
    }
    match values.len() {
        1 => values.swap_remove(0),
        _ => json!({ "anyOf": values }),
    }
}
