//! Redacts secrets in diagnostics.
//!
//! The value of a call belongs to the skill and is passed on unchanged, except for the
//! administrator's code, which is not a secret of the skill. Standard error, messages of failures
//! and everything that is logged are redacted.

use serde_json::Value;

use crate::auth_code::AUTH_CODE;
use crate::call::Call;
use crate::envelope::{Envelope, Failure};

/// Shorter values do not count as secrets: redacting them would hide half of every text.
const MIN_SECRET: usize = 4;
/// The replacement of a secret.
const HIDDEN: &str = "***";

/// Returns the administrator's code, for skills that get it.
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
    /// Takes the values of the keys that METADATA.yml lists as secrets, and the administrator's
    /// code.
    pub fn of(call: &Call<'_>) -> Self {
        let keys = call.skill.metadata.config.secret.iter();
        let values = keys.filter_map(|key| call.config.text(key));
        let values = values.chain(code(call));
        let mut secrets: Vec<_> = values.filter(|text| text.len() >= MIN_SECRET).collect();
        // The longest first: one secret may contain another.
        secrets.sort_by_key(|text| std::cmp::Reverse(text.len()));
        Self { secrets }
    }

    /// Removes the administrator's code from the answer of a call, at any position.
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

    /// Returns the text with every secret redacted.
    pub fn hide(&self, text: &str) -> String {
        let mut res = text.to_owned();
        for secret in &self.secrets {
            res = res.replace(secret, HIDDEN);
        }
        res
    }

    /// Returns the failure with every secret redacted, in its details too.
    pub fn hide_in(&self, mut failure: Failure) -> Failure {
        failure.message = self.hide(&failure.message);
        for value in failure.details.values_mut() {
            self.hide_value(value);
        }
        failure
    }

    /// Returns the value with every secret redacted.
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
