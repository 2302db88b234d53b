//! Checks arguments against the schema of a command: findings, never errors.

use http_request::BodyKind;
use serde_json::Value;
use skill_model::Command;

use super::schema::{Fit, none_of};
use super::values::pointer;
use crate::envelope::Warning;

/// Adds a warning for each argument that does not fit.
pub(super) fn check(command: &Command, input: &Value, warnings: &mut Vec<Warning>) {
    let schema = &command.input_schema;
    let fit = Fit::new(schema);
    let given = |name: &str| input.get(name).is_some();
    let mut warn = |code, name: &str, message: String| {
        warnings.push(Warning {
            code,
            message,
            pointer: Some(pointer(&[name])),
        });
    };
    let sends_body = sends_body(command, input);
    let always = names(schema, "required");
    let in_body = names(schema, "x-body-required").filter(|_| sends_body);
    for name in always.chain(in_body) {
        let aliases = &schema["properties"][name]["x-aliases"];
        let mut aliases = aliases
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str);
        let in_batch = command.batch.is_some() && given(&format!("{name}1"));
        if !given(name) && !in_batch && !aliases.any(given) {
            warn("missing-argument", name, format!("`{name}` is missing"));
        }
    }
    for (name, value) in input.as_object().into_iter().flatten() {
        let declared = &schema["properties"][property(command, name)];
        if declared.is_null() {
            if schema["additionalProperties"] == false && !is_own(command, name) {
                warn(
                    "unknown-argument",
                    name,
                    format!("nothing is called `{name}`"),
                );
            }
        } else if let Some(found) = fit.misfit(declared, value, takes_text(command, name)) {
            let message = format!("`{name}{}` {}", found.part, found.why);
            warn("wrong-argument", name, message);
        }
    }
    let alternatives = schema["x-alternatives"].as_array();
    let alternatives = alternatives.into_iter().flatten().filter(|_| sends_body);
    let together = none_of(alternatives.map(|one| fit.misfit(one, input, true)));
    if let Some(found) = together.or_else(|| fit.misfit(&composed(schema), input, true)) {
        let message = match found.part.trim_start_matches('.') {
            "" => format!("the object of the arguments {}", found.why),
            part => format!("`{part}` {}", found.why),
        };
        warnings.push(Warning {
            code: "wrong-argument",
            message,
            pointer: None,
        });
    }
}

/// Returns the names in a list of a schema.
fn names<'s>(schema: &'s Value, key: &str) -> impl Iterator<Item = &'s str> {
    let names = schema[key].as_array().into_iter().flatten();
    names.filter_map(Value::as_str)
}

/// Returns the compositions at the top of a schema, without the keywords that are checked one by one.
fn composed(schema: &Value) -> Value {
    let keys = ["$ref", "allOf", "anyOf", "oneOf"].into_iter();
    let parts = keys.filter_map(|key| Some((key.to_owned(), schema.get(key)?.clone())));
    Value::Object(parts.collect())
}

/// Returns true if a request has a body: it needs one, or an argument is not a parameter.
fn sends_body(command: &Command, input: &Value) -> bool {
    let Some(http) = &command.http else {
        return true;
    };
    let is_needed = http.body.as_ref().is_some_and(|body| body.required);
    let mut given = input.as_object().into_iter().flatten();
    is_needed || given.any(|(name, _)| !http.parameters.iter().any(|it| it.argument() == name))
}

/// Returns true if text counts as the type that it can be read as: everywhere except in a document that
/// is sent as JSON.
fn takes_text(command: &Command, name: &str) -> bool {
    let Some(http) = &command.http else {
        return true;
    };
    let is_json = http
        .body
        .as_ref()
        .is_some_and(|body| body.kind == BodyKind::Json);
    !is_json || http.parameters.iter().any(|it| it.argument() == name)
}

/// Returns true for the dispatch argument and for arguments of the old host itself.
fn is_own(command: &Command, name: &str) -> bool {
    let key = command
        .dispatch
        .as_ref()
        .map(|dispatch| dispatch.key.as_str());
    key == Some(unnumbered(command, name)) || matches!(name, "maid" | "valet")
}

/// Removes the number of a batch argument: `filePath2` is `filePath`.
fn unnumbered<'n>(command: &Command, name: &'n str) -> &'n str {
    match command.batch {
        Some(_) => name.trim_end_matches(|char: char| char.is_ascii_digit()),
        None => name,
    }
}

/// Returns the declared name of an argument that may be numbered or an alias.
fn property<'n>(command: &'n Command, name: &'n str) -> &'n str {
    let declared = |name: &str| !command.input_schema["properties"][name].is_null();
    let bare = unnumbered(command, name);
    if declared(name) {
        return name;
    }
    if declared(bare) {
        return bare;
    }
    let mut properties = command.input_schema["properties"]
        .as_object()
        .into_iter()
        .flatten();
    let of_alias = properties.find(|(_, declared)| {
        let aliases = declared["x-aliases"].as_array().into_iter().flatten();
        aliases
            .filter_map(Value::as_str)
            .any(|alias| alias == name || alias == bare)
    });
    of_alias.map_or(name, |(declared, _)| declared)
}
