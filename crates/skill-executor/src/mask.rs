//! Secrets do not appear in diagnostics.
//!
//! The value of a call is the skill's own word and is passed on as it is, but for the
//! administrator's code, which is no secret of the skill; what is masked besides are standard error,
//! messages of failures and everything that is logged.

use serde_json::Value;

use crate::auth_code::AUTH_CODE;
use crate::call::Call;
use crate::envelope::{Envelope, Failure};

/// Shorter values are no secrets, and hiding them would hide half of every text.
const MIN_SECRET: usize = 4;
/// What stands for a secret.
const HIDDEN: &str = "***";

/// The administrator's code, for skills that get it.
fn code(call: &Call<'_>) -> Option<String> {
    let code = call.host.environment.get(AUTH_CODE);
    code.filter(|code| call.skill.metadata.permissions.admin && !code.is_empty())
        .cloned()
}

/// The secrets of one call.
#[derive(Debug, Default)]
pub struct Mask {
    secrets: Vec<String>,
}

impl Mask {
    /// The values of the keys that METADATA.yml lists as secrets, and the administrator's code.
    pub fn of(call: &Call<'_>) -> Self {
        let keys = call.skill.metadata.config.secret.iter();
        let values = keys.filter_map(|key| call.config.text(key));
        let values = values.chain(code(call));
        let mut secrets: Vec<_> = values.filter(|text| text.len() >= MIN_SECRET).collect();
        // The longest first: one secret may contain another.
        secrets.sort_by_key(|text| std::cmp::Reverse(text.len()));
        Self { secrets }
    }

    /// The answer of a call without the administrator's code, wherever it stands.
    pub(crate) fn without_code(call: &Call<'_>, mut envelope: Envelope) -> Envelope {
        let secrets: Vec<_> = code(call).into_iter().collect();
        let mask = Self { secrets };
        if mask.secrets.is_empty() {
            return envelope;
        }
        match &mut envelope.outcome {
            Ok(success) => {
                mask.hide_value(&mut success.value);
                let parts = [
                    &mut success.content,
                    &mut success.memory_writes,
                    &mut success.intermediate_steps,
                ];
                for part in parts.into_iter().flatten() {
                    mask.hide_value(part);
                }
            }
            Err(failure) => *failure = mask.hide_in(failure.clone()),
        }
        for warning in &mut envelope.warnings {
            warning.message = mask.hide(&warning.message);
        }
        let stderr = envelope.meta.stderr.as_mut();
        if let Some(text) = stderr {
            *text = mask.hide(text);
        }
        envelope
            .meta
            .extra
            .values_mut()
            .for_each(|value| mask.hide_value(value));
        envelope
    }

    /// The text with every secret hidden.
    pub fn hide(&self, text: &str) -> String {
        let mut res = text.to_owned();
        for secret in &self.secrets {
            res = res.replace(secret, HIDDEN);
        }
        res
    }

    /// A failure with every secret hidden, in its details too.
    pub fn hide_in(&self, mut failure: Failure) -> Failure {
        failure.message = self.hide(&failure.message);
        for value in failure.details.values_mut() {
            self.hide_value(value);
        }
        failure
    }

    /// A value with every secret hidden.
    pub fn hidden(&self, mut value: Value) -> Value {
        self.hide_value(&mut value);
        value
    }

    fn hide_value(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.hide(text),
            // A code of digits alone is a number where a program prints it so.
            Value::Number(number) if self.secrets.contains(&number.to_string()) => {
                *value = HIDDEN.into();
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.hide_value(item)),
            Value::Object(map) => map.values_mut().for_each(|item| self.hide_value(item)),
            _ => {}
        }
    }
}
