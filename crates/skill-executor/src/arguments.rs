//! Turns the caller's arguments into those that the program reads.
//!
//! Source: `docs/design/legacy-host.md` §1.8. A skill that was a plugin gets its arguments
//! unchanged, but that declared numbers and booleans are text, as in the old host, whose protocol has
//! only text. An argument that does not fit the schema causes a warning, or an error if the caller asked
//! for that. For other skills, aliases become declared names, values are coerced and defaults are added.

mod check;
mod coerce;
mod schema;
mod values;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use serde_json::{Map, Value};
use skill_model::{Command, Metadata};

use values::{object, pointer};

use crate::call::Call;
use crate::envelope::{ErrorCode, Failure, Warning};

/// The hosts whose programs get text.
const TEXT_HOSTS: [&str; 3] = ["vcp-main", "vcp-distributed", "apexbridge"];

/// The arguments for the program, with warnings about them.
#[derive(Debug)]
pub struct PreparedArguments<'c> {
    /// The input of the program.
    pub input: Cow<'c, Value>,
    /// The command that is called, if it is known.
    pub command: Option<&'c str>,
    /// The arguments that do not fit.
    pub warnings: Vec<Warning>,
}

/// Prepares the arguments of a call.
///
/// # Errors
///
/// An argument does not fit, and the host is strict.
pub fn prepare<'c>(call: &Call<'c>) -> Result<PreparedArguments<'c>, Failure> {
    let metadata = &call.skill.metadata;
    let Some(command) = command(metadata, call.command, call.input) else {
        return Ok(PreparedArguments {
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
    match &metadata.legacy {
        None => coerce::fit(&command.input_schema, &mut input, &mut warnings),
        Some(legacy) if TEXT_HOSTS.contains(&&*legacy.host) => {
            coerce::as_text(&command.input_schema, &mut input);
        }
        Some(_) => {}
    }
    check::check(command, &input, &mut warnings);
    let is_strict = call.host.strict && !call.options.is_checked_by_service;
    if is_strict && !warnings.is_empty() {
        return Err(refused(&warnings));
    }
    Ok(PreparedArguments {
        input,
        command: Some(&command.id),
        warnings,
    })
}

/// Returns the command that was named, that the arguments select, or the only one.
pub(crate) fn command<'m>(
    metadata: &'m Metadata,
    named: Option<&str>,
    input: &Value,
) -> Option<&'m Command> {
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

/// Returns the commands that a call may reach: the one of [`command`], and those that an argument selects.
/// A program that gets the arguments follows them, whatever command was named; with numbers
/// (`command1`), it may follow several. Programs often ignore the case of the word, or take a list. Where
/// nothing selects a command, the program decides, so that every command may be reached.
pub(crate) fn reachable<'m>(
    metadata: &'m Metadata,
    named: Option<&str>,
    input: &Value,
) -> Vec<&'m Command> {
    let commands = &metadata.commands;
    let mut res = Vec::from_iter(command(metadata, named, input));
    res.extend(
        commands
            .iter()
            .filter(|command| is_selected(command, input)),
    );
    if res.is_empty() {
        res.extend(commands);
    }
    res
}

/// Returns true if a program may take an argument as the selection of a command.
fn is_selected(command: &Command, input: &Value) -> bool {
    let Some(dispatch) = &command.dispatch else {
        return false;
    };
    let is_key = |key: &str| {
        let number = key.strip_prefix(dispatch.key.as_str());
        number.is_some_and(|number| number.chars().all(|c| c.is_ascii_digit()))
    };
    let is_value = |given: &Value| {
        let word = given.as_str().unwrap_or_default().trim();
        word.eq_ignore_ascii_case(dispatch.value.trim())
    };
    let mut given = input.as_object().into_iter().flatten();
    given.any(|(key, value)| {
        is_key(key)
            && (is_value(value)
                || value
                    .as_array()
                    .is_some_and(|list| list.iter().any(is_value)))
    })
}

/// Adds preferences, which apply only to declared arguments that neither the caller nor the schema
/// sets.
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

fn refused(warnings: &[Warning]) -> Failure {
    let messages: Vec<&str> = warnings
        .iter()
        .map(|warning| warning.message.as_str())
        .collect();
    let message = format!("the arguments do not fit: {}", messages.join("; "));
    let findings: Vec<Value> = warnings.iter().map(Warning::to_value).collect();
    Failure::new(ErrorCode::InvalidInput, message).with("findings", findings)
}
