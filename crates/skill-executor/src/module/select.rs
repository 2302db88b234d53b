//! Selects the function of a module that a call means.

use serde_json::Value;
use skill_model::ExecutorKind;

use super::function::ModuleFunction;
use crate::call::Call;
use crate::envelope::{ErrorCode, Failure};
use crate::package::SkillPackage;

/// Returns the function of a call: the one that was asked for, else the one that accepts such an
/// input. Preprocessors take messages. Other modules take an object as a tool. In an array, requests
/// have a `path` and messages have a `role`; without either, the skill's exports decide.
///
/// # Errors
///
/// The skill lacks that function, or the input does not fit it.
pub(super) fn select(call: &Call<'_>) -> Result<ModuleFunction, Failure> {
    let function = call.options.function.unwrap_or_else(|| natural(call));
    check(function, call.skill)?;
    let fits = match function {
        ModuleFunction::Tool => matches!(call.input, Value::Object(_) | Value::Null),
        ModuleFunction::Messages => call.input.is_array(),
        ModuleFunction::Requests => call
            .input
            .as_array()
            .is_some_and(|items| items.iter().all(is_request)),
        ModuleFunction::Routes => call.input.is_null(),
    };
    let expected = match function {
        ModuleFunction::Tool => "takes arguments as an object",
        ModuleFunction::Messages => "takes an array of messages",
        ModuleFunction::Requests => {
            "takes an array of requests, each with a `path` that begins with / and a `method`"
        }
        ModuleFunction::Routes => "lists its routes without input: expected null",
    };
    if fits {
        return Ok(function);
    }
    let message = format!("skill `{}` {expected}", call.skill.metadata.name);
    Err(Failure::new(ErrorCode::InvalidInput, message))
}

fn natural(call: &Call<'_>) -> ModuleFunction {
    let metadata = &call.skill.metadata;
    let exports = metadata.entry.iter().flat_map(|entry| &entry.exports);
    let has_messages = exports.into_iter().any(|name| name == "processMessages");
    match call.input {
        _ if metadata.executor == ExecutorKind::Preprocessor => ModuleFunction::Messages,
        Value::Array(items) if items.iter().any(|item| item.get("path").is_some()) => {
            ModuleFunction::Requests
        }
        Value::Array(items)
            if has_messages || items.iter().any(|item| item.get("role").is_some()) =>
        {
            ModuleFunction::Messages
        }
        Value::Array(_) => ModuleFunction::Requests,
        _ => ModuleFunction::Tool,
    }
}

/// Refuses to use a plugin of type `service` or a preprocessor as a tool, whatever it exports
/// (`docs/design/legacy-host.md` §1.6).
fn check(function: ModuleFunction, skill: &SkillPackage) -> Result<(), Failure> {
    let kind = skill.plugin_type();
    // `hybrid` is the word of ApexBridge for the same.
    let is_tool = matches!(kind, "" | "hybridservice" | "hybrid");
    if function != ModuleFunction::Tool || is_tool {
        return Ok(());
    }
    let name = skill.legacy_name();
    let message = format!(
        "[PluginManager] Local plugin \"{name}\" (type: {kind}) is not a supported stdio plugin for direct tool call."
    );
    Err(Failure::new(ErrorCode::NotRunnable, message))
}

fn is_request(item: &Value) -> bool {
    let has_path = item["path"]
        .as_str()
        .is_some_and(|path| path.starts_with('/'));
    let method = item.get("method");
    let is_word = |text: &str| {
        !text.is_empty()
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphabetic() || byte == b'-')
    };
    let has_method = method.is_none_or(|method| method.as_str().is_some_and(is_word));
    has_path && has_method && item.get("headers").is_none_or(Value::is_object)
}
