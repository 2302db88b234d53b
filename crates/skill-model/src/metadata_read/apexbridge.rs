//! Differences of ApexBridge's `METADATA.yml`: `abp.tools[]`, a schema for the whole skill,
//! `security`, and `cacheable` and `ttl` at the top level.

use serde_json::{Map, Value, json};

use super::fields::Fields;
use super::permissions::{granted, limited};
use crate::{Command, Metadata};

/// Moves ApexBridge's keys to the fields of this format; existing values stay.
pub(super) fn top_level(f: &mut Fields<'_>, security: Option<Fields<'_>>, ours: &mut Metadata) {
    if let Some(mut security) = security {
        granted(&mut security, &mut ours.permissions);
        limited(&mut security, &mut ours.limits);
        security.finish();
    }
    ours.cache.cacheable |= f.flag("cacheable").unwrap_or_default();
    ours.cache.ttl_s = f.whole("ttl").unwrap_or(ours.cache.ttl_s);
    if let Some(mut abp) = f.inner("abp") {
        ours.commands
            .extend(abp.inners("tools").into_iter().map(tool));
        abp.finish();
    }
    let schema = f.map("input_schema");
    if let (Some(schema), true) = (schema, ours.commands.is_empty()) {
        let command = command(&ours.name, ours.description.clone(), Value::Object(schema));
        ours.commands.push(command);
    }
}

fn command(id: &str, description: String, input_schema: Value) -> Command {
    Command {
        description,
        input_schema,
        ..Command::new(id)
    }
}

fn tool(mut f: Fields<'_>) -> Command {
    let id = f.text("name").unwrap_or_default();
    let description = f.text("description").unwrap_or_default();
    let parameters = f.map("parameters").unwrap_or_default();
    f.finish();
    command(&id, description, schema_of(&parameters))
}

/// Converts a map of parameters to JSON Schema. In ApexBridge a parameter is required by default;
/// here one with a default value is not.
fn schema_of(parameters: &Map<String, Value>) -> Value {
    let properties: Map<String, Value> = parameters
        .iter()
        .map(|(name, parameter)| (name.clone(), property(parameter)))
        .collect();
    let required: Vec<&String> = parameters
        .iter()
        .filter(|(_, parameter)| is_required(parameter))
        .map(|(name, _)| name)
        .collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": true,
    })
}

fn is_required(parameter: &Value) -> bool {
    parameter.get("default").is_none()
        && parameter
            .get("required")
            .and_then(Value::as_bool)
            .unwrap_or(true)
}

fn property(parameter: &Value) -> Value {
    let mut res = Map::new();
    let mut copy = |from: Option<&Value>, to: &str| {
        if let Some(value) = from {
            res.insert(to.to_owned(), value.clone());
        }
    };
    for key in ["type", "description", "default"] {
        copy(parameter.get(key), key);
    }
    let validation = |key| parameter.pointer(&format!("/validation/{key}"));
    copy(validation("min"), "minimum");
    copy(validation("max"), "maximum");
    copy(validation("pattern"), "pattern");
    copy(validation("enum"), "enum");
    Value::Object(res)
}
