//! The settings in the address of a server.

use http_request::{FilledAddress, fill_address};
use serde_json::Value;

use crate::call::Call;
use crate::envelope::{ErrorCode, Failure};
use crate::error_text::listed;

/// Returns an address with the values of its settings.
///
/// # Errors
///
/// A value would change another part of the address than its own, or is none of those that its setting may
/// have.
pub(crate) fn with_settings(
    call: &Call<'_>,
    template: &str,
    value: impl Fn(&str) -> Option<String>,
) -> Result<FilledAddress, Failure> {
    let refused = |key: &str, why: String| {
        let name = &call.skill.metadata.name;
        let message = format!(
            "skill `{name}` cannot be asked: {why}; `skills-run configure {name} {key}=VALUE` stores another one"
        );
        Failure::new(ErrorCode::NotRunnable, message).with("setting", key)
    };
    for key in keys(template) {
        let Some(value) = value(key) else { continue };
        let choices = choices(call, key);
        if !choices.is_empty() && !choices.contains(&value) {
            let why = format!(
                "the value of the setting `{key}` is none of those that it may have, {}",
                listed(&choices)
            );
            return Err(refused(key, why));
        }
    }
    fill_address(template, value).map_err(|error| refused(&error.key, error.to_string()))
}

/// Returns the keys of `${KEY}` in a text.
fn keys(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split("${").skip(1);
    parts.filter_map(|part| Some(part.split_once('}')?.0))
}

/// Returns the only values that a setting may have; none if it may have any.
fn choices(call: &Call<'_>, key: &str) -> Vec<String> {
    let schema = call.skill.metadata.config.schema.as_ref();
    let of_key = schema.and_then(|schema| schema.get("properties")?.get(key)?.get("enum"));
    let items = of_key.and_then(Value::as_array).into_iter().flatten();
    items.map(text).collect()
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

/// Returns the default of a setting.
pub(crate) fn usual(call: &Call<'_>, key: &str) -> Option<String> {
    let schema = call.skill.metadata.config.schema.as_ref()?;
    let usual = schema.get("properties")?.get(key)?.get("default")?;
    Some(text(usual))
}
