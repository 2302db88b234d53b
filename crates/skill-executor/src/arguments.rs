//! From what the caller sent to what the program reads.
//!
//! Source: `docs/design/legacy-host.md` §1.8. A program that was a plugin gets the arguments as
//! they were sent, because the old host changed nothing: what does not fit is a warning, or a
//! refusal where the caller asked for that. A skill of its own also gets declared names for
//! aliases, coerced values and defaults.

mod check;
mod coerce;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use serde_json::{Map, Value};
use skill_model::{Command, Metadata};

use crate::call::Call;
use crate::envelope::{ErrorCode, Failure, Warning};

/// The arguments as the program gets them, and what is odd about them.
#[derive(Debug)]
pub struct Prepared<'c> {
    /// What the program reads.
    pub input: Cow<'c, Value>,
    /// The command that is called, as far as it is known.
    pub command: Option<&'c str>,
    /// What does not fit.
    pub warnings: Vec<Warning>,
}

/// Prepares the arguments of a call; an error only for a strict host.
pub fn prepared<'c>(call: &Call<'c>) -> Result<Prepared<'c>, Failure> {
    let metadata = &call.skill.metadata;
    let Some(command) = command(metadata, call.command, call.input) else {
        return Ok(Prepared {
            input: Cow::Borrowed(call.input),
            command: call.command,
            warnings: Vec::new(),
        });
    };
    let mut input = Cow::Borrowed(call.input);
    if call.command.is_some()
        && let Some(dispatch) = &command.dispatch
        && call.input.get(&dispatch.key).is_none()
    {
        object(&mut input).insert(dispatch.key.clone(), dispatch.value.clone().into());
    }
    prefer(command, &call.options.preferences, &mut input);
    let mut warnings = Vec::new();
    if metadata.legacy.is_none() {
        coerce::fit(&command.input_schema, &mut input, &mut warnings);
    }
    check::check(command, &input, &mut warnings);
    if call.host.strict && !warnings.is_empty() {
        return Err(refused(&warnings));
    }
    Ok(Prepared {
        input,
        command: Some(&command.id),
        warnings,
    })
}

/// The command that was named, that the arguments select, or the only one.
fn command<'m>(metadata: &'m Metadata, named: Option<&str>, input: &Value) -> Option<&'m Command> {
    let commands = &metadata.commands;
    if let Some(named) = named {
        return commands.iter().find(|command| command.id == named);
    }
    let selected = commands.iter().find(|command| {
        let dispatch = command.dispatch.as_ref();
        dispatch.is_some_and(|dispatch| {
            let given = input.get(&dispatch.key).and_then(Value::as_str);
            given == Some(dispatch.value.as_str())
        })
    });
    match &commands[..] {
        [only] => Some(only),
        _ => selected,
    }
}

/// Call before default before preference: a preference counts where neither the caller nor the
/// schema says anything. Only declared arguments have preferences.
fn prefer(command: &Command, preferences: &Map<String, Value>, input: &mut Cow<'_, Value>) {
    for (name, preferred) in preferences {
        let declared = command
            .input_schema
            .pointer(&pointer(&["properties", name]));
        let Some(declared) = declared else { continue };
        if input.get(name).is_none() && declared.get("default").is_none() {
            object(input).insert(name.clone(), preferred.clone());
        }
    }
}

/// The arguments for changing.
fn object<'i>(input: &'i mut Cow<'_, Value>) -> &'i mut Map<String, Value> {
    let value = input.to_mut();
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    value.as_object_mut().expect("it was just made an object")
}

/// A JSON Pointer.
fn pointer(parts: &[&str]) -> String {
    let mut res = String::new();
    for part in parts {
        res.push('/');
        res.push_str(&part.replace('~', "~0").replace('/', "~1"));
    }
    res
}

fn refused(warnings: &[Warning]) -> Failure {
    let messages: Vec<&str> = warnings
        .iter()
        .map(|warning| warning.message.as_str())
        .collect();
    let message = format!("the arguments do not fit: {}", messages.join("; "));
    let findings: Vec<Value> = warnings.iter().map(Warning::to_value).collect();
    Failure::new(ErrorCode::InvalidInput, message).with("findings", findings)
}
