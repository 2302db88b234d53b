//! The arguments and settings of a call over HTTP.

use serde_json::{Map, Value};

use crate::call::Call;
use crate::envelope::{ErrorCode, Failure};

/// Most bytes of an answer.
pub(super) const MAX_ANSWER: usize = 8 << 20;

/// Returns the arguments of a call. A number that cannot be sent as it is written is an error.
pub(super) fn given(call: &Call<'_>, input: &Value) -> Result<Map<String, Value>, Failure> {
    if let Some(number) = call.options.changed_numbers.first() {
        let name = &call.skill.metadata.name;
        let message = format!(
            "skill `{name}` cannot send the number `{number}` as it is written; expected an integer of at most 64 bits, or a decimal that a double keeps all digits of; a service that takes text gets it as text"
        );
        return Err(Failure::new(ErrorCode::InvalidInput, message));
    }
    match input {
        Value::Null => Ok(Map::new()),
        Value::Object(map) => Ok(map.clone()),
        _ => {
            let name = &call.skill.metadata.name;
            let message = format!("skill `{name}` takes arguments as an object");
            Err(Failure::new(ErrorCode::InvalidInput, message))
        }
    }
}

/// Returns the value of a setting: of the configuration, or of our environment.
pub(crate) fn setting(call: &Call<'_>, key: &str) -> Option<String> {
    let configured = call.config.text(key);
    configured.or_else(|| {
        let metadata = &call.skill.metadata;
        let variable = call.host.environment.setting_of(metadata, key).cloned();
        variable.filter(|_| is_named(call, key))
    })
}

/// Variables of our own environment are for a skill only when its METADATA.yml names them.
fn is_named(call: &Call<'_>, key: &str) -> bool {
    let metadata = &call.skill.metadata;
    let mut named = metadata
        .permissions
        .environment
        .iter()
        .chain(&metadata.config.secret);
    named.any(|known| known == key)
}
