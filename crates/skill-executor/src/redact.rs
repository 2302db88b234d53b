//! Redacts secrets in diagnostics.
//!
//! The value of a program belongs to the skill and is passed on unchanged, as in the old host, except for
//! the administrator's code, which is not a secret of the skill. Answers of other machines' services
//! (`commands[].http`) and of MCP servers, which may echo what they were sent, standard error, messages
//! of failures, answers that stay in files and everything that is logged are redacted.

use std::mem;

use data_encoding::BASE64;
use http_request::{basic_of, secrets_of};
use serde_json::Value;
use skill_model::{base64, secret_forms};

use crate::auth_code::AUTH_CODE;
use crate::call::Call;
use crate::envelope::{Envelope, Failure};
use crate::http::setting;
use crate::masks::Masks;

/// Shorter values do not count as secrets: redacting them would hide half of every text.
const MIN_SECRET: usize = 4;
/// The replacement of a secret.
const HIDDEN: &str = "***";

/// Returns the administrator's code, for skills that get it.
fn code(call: &Call<'_>) -> Option<String> {
    let code = call.host.environment.code();
    code.filter(|code| call.skill.metadata.permissions.admin && !code.is_empty())
        .map(str::to_owned)
}

/// Returns the passwords and keys in the addresses that are values of settings, with the keys of those.
fn in_addresses<'c>(call: &Call<'c>) -> impl Iterator<Item = (&'c str, String)> {
    let texts = call.config.values.iter();
    let texts = texts.filter_map(|(key, value)| Some((key.as_str(), value.as_str()?)));
    let addresses = texts.filter(|(_, text)| text.contains("://"));
    addresses.flat_map(|(key, text)| secrets_of(text).into_iter().map(move |it| (key, it)))
}

/// Returns user name and password together, as they are sent in base64, with the key of the password: what
/// is left of it beside the password alone shows the user and the end of the password.
fn logins<'c>(call: &Call<'c>) -> impl Iterator<Item = (&'c str, String)> {
    let entry = call.skill.metadata.entry.as_ref();
    let credentials = entry
        .into_iter()
        .flat_map(|entry| entry.credentials.values());
    let of_credentials = credentials.filter_map(|it| {
        let user = setting(call, it.user.as_deref()?)?;
        let login = format!("{user}:{}", setting(call, &it.setting)?);
        let sent = BASE64.encode(login.as_bytes());
        Some([(it.setting.as_str(), login), (it.setting.as_str(), sent)])
    });
    let texts = call.config.values.iter();
    let of_addresses = texts.filter_map(|(key, value)| {
        let sent = basic_of(value.as_str().filter(|text| text.contains("://"))?)?;
        Some((key.as_str(), sent.strip_prefix("Basic ")?.to_owned()))
    });
    of_credentials.flatten().chain(of_addresses)
}

/// Returns the login that a value is in base64, whole and its password: a service that decodes
/// `Authorization: Basic …` may answer with them.
fn login_in_base64(value: &str) -> Option<[String; 2]> {
    let encoded = value.trim();
    let encoded = encoded.strip_prefix("Basic ").unwrap_or(encoded).trim();
    let decoded = String::from_utf8(base64::decode(encoded.as_bytes())?).ok()?;
    let (user, password) = decoded.split_once(':')?;
    let is_login = !user.is_empty() && !decoded.contains(char::is_control);
    is_login.then(|| [password.to_owned(), decoded.clone()])
}

/// A form of a secret, and the name of its setting.
#[derive(Clone, Debug)]
struct Secret {
    form: String,
    name: String,
}

impl Secret {
    /// Returns the forms of a value, in which programs and services repeat it.
    fn forms(name: &str, value: &str) -> Vec<Self> {
        let forms = secret_forms(value).into_iter();
        let secrets = forms.map(|form| Self {
            form,
            name: name.to_owned(),
        });
        secrets.collect()
    }
}

/// The secrets of one call.
#[derive(Debug, Default)]
pub struct Redactor {
    secrets: Vec<Secret>,
    masks: Masks,
}

impl Redactor {
    /// Takes the values of the keys that METADATA.yml lists as secrets, the secrets in addresses, and the
    /// administrator's code.
    pub fn new(call: &Call<'_>) -> Self {
        let keys = call.skill.metadata.config.secret.iter();
        let value = |key: &String| {
            let own = call.config.text(key);
            own.or_else(|| call.host.environment.get(key).cloned())
        };
        let values = keys.filter_map(|key| Some((key.as_str(), value(key)?)));
        let values = values.chain(code(call).map(|code| (AUTH_CODE, code)));
        let values = values.chain(in_addresses(call));
        let values = values.chain(logins(call));
        let values = values.flat_map(|(name, text)| {
            let decoded = login_in_base64(&text).into_iter().flatten();
            let decoded = decoded.map(move |it| (name, it));
            std::iter::once((name, text)).chain(decoded)
        });
        let long = values.filter(|(_, text)| text.len() >= MIN_SECRET);
        let secrets = long.flat_map(|(name, text)| Secret::forms(name, &text));
        Self::of(secrets.collect())
    }

    fn of(mut secrets: Vec<Secret>) -> Self {
        // Of equal values, the first name counts.
        secrets.sort_by(|a, b| (&a.form, &a.name).cmp(&(&b.form, &b.name)));
        secrets.dedup_by(|a, b| a.form == b.form);
        let masks = Masks::new(secrets.iter().map(|it| it.form.as_str()));
        Self { secrets, masks }
    }

    /// Returns the same with the name of the setting in each replacement: two texts with different secrets
    /// remain different.
    #[must_use]
    pub fn with_names(mut self) -> Self {
        let marked = self.secrets.iter();
        let marked = marked.map(|it| (it.form.as_str(), format!("{HIDDEN}{}", it.name)));
        self.masks = Masks::marked(marked);
        self
    }

    /// Removes the administrator's code from the answer of a call, at any position.
    pub(crate) fn redact_code(call: &Call<'_>, mut envelope: Envelope) -> Envelope {
        let code = code(call);
        let secrets = code.iter().map(|code| Secret {
            form: code.clone(),
            name: AUTH_CODE.to_owned(),
        });
        let redactor = Self::of(secrets.collect());
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

    /// Returns the secrets, for content that is not all in memory.
    pub(crate) fn masks(&self) -> Masks {
        self.masks.clone()
    }

    /// Returns the text with every secret redacted.
    pub fn redact(&self, text: &str) -> String {
        self.masks.masked_text(text)
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
            Value::Number(number) => {
                let digits = number.to_string();
                if let Some(mark) = self.masks.mark_of(&digits) {
                    *value = mark.into();
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.redact_in_place(item)),
            Value::Object(map) => {
                map.values_mut().for_each(|item| self.redact_in_place(item));
                if map.keys().any(|key| self.redact(key) != *key) {
                    let members = mem::take(map).into_iter();
                    *map = members.map(|(key, it)| (self.redact(&key), it)).collect();
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::login_in_base64;

    #[test]
    fn a_login_in_base64_is_known_by_its_parts() {
        let check = |value: &str, expected: Option<[&str; 2]>| {
            let expected = expected.map(|it| it.map(str::to_owned));
            assert_eq!(login_in_base64(value), expected, "{value}");
        };
        check("am9lOnB3MTIz", Some(["pw123", "joe:pw123"]));
        check("Basic am9lOnB3MTIz", Some(["pw123", "joe:pw123"]));
        check("plain-key", None);
        check("am9l", None);
    }
}
