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
pub struct Redactor {
    secrets: Vec<String>,
}

impl Redactor {
    /// Takes the values of the keys that METADATA.yml lists as secrets, and the administrator's
    /// code.
    pub fn new(call: &Call<'_>) -> Self {
        let keys = call.skill.metadata.config.secret.iter();
        let values = keys.filter_map(|key| call.config.text(key));
        let values = values.chain(code(call));
        let mut secrets: Vec<_> = values.filter(|text| text.len() >= MIN_SECRET).collect();
        // The longest first: one secret may contain another.
        secrets.sort_by_key(|text| std::cmp::Reverse(text.len()));
        Self { secrets }
    }

    /// Removes the administrator's code from the answer of a call, at any position.
    pub(crate) fn redact_code(call: &Call<'_>, mut envelope: Envelope) -> Envelope {
        let secrets: Vec<_> = code(call).into_iter().collect();
        let redactor = Self { secrets };
        if redactor.secrets.is_empty() {
            return envelope;
        }
        match &mut envelope.outcome {
            Ok(success) => {
                redactor.redact_in_place(&mut success.value);
                let parts = [
                    &mut success.content,
                    &mut success.memory_writes,
                    &mut success.intermediate_steps,
                ];
                for part in parts.into_iter().flatten() {
                    redactor.redact_in_place(part);
                }
            }
            Err(failure) => *failure = redactor.redact_failure(failure.clone()),
        }
        for warning in &mut envelope.warnings {
            warning.message = redactor.redact(&warning.message);
        }
        let stderr = envelope.meta.stderr.as_mut();
        if let Some(text) = stderr {
            *text = redactor.redact(text);
        }
        envelope
            .meta
            .extra
            .values_mut()
            .for_each(|value| redactor.redact_in_place(value));
        envelope
    }

    /// Returns the text with every secret redacted.
    pub fn redact(&self, text: &str) -> String {
        let mut res = text.to_owned();
        for secret in &self.secrets {
            res = res.replace(secret, HIDDEN);
        }
        res
    }

    /// Returns the failure with every secret redacted, in its details too.
    pub fn redact_failure(&self, mut failure: Failure) -> Failure {
        failure.message = self.redact(&failure.message);
        for value in failure.details.values_mut() {
            self.redact_in_place(value);
        }
        failure
    }

    /// Returns the value with every secret redacted.
    pub fn redact_value(&self, mut value: Value) -> Value {
        self.redact_in_place(&mut value);
        value
    }

    fn redact_in_place(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.redact(text),
            // A code of digits alone is a number where a program prints it so.
            Value::Number(number) if self.secrets.contains(&number.to_string()) => {
                *value = HIDDEN.into();
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.redact_in_place(item)),
            Value::Object(map) => map.values_mut().for_each(|item| self.redact_in_place(item)),
            _ => {}
        }
    }
}
