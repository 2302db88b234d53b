//! The place of a secret in a request.

use data_encoding::BASE64;
use serde::Serialize;

use crate::encode::percent_encoded;
use crate::operation::ParameterPlace;
use crate::request::Request;

/// The place of a secret in a request, and the settings that it comes from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Credential {
    /// The place: `header`, `query` or `cookie`.
    #[serde(rename = "in")]
    pub place: ParameterPlace,
    /// The name there.
    pub name: String,
    /// The word before the value: `Bearer`. `Basic` encodes user and password.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefix: Option<String>,
    /// The setting with the secret.
    pub setting: String,
    /// The setting with the name of the user, for `Basic`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
}

impl Credential {
    /// Returns the settings that it needs.
    pub fn settings(&self) -> impl Iterator<Item = &str> {
        let user = self.user.as_deref().into_iter();
        user.chain([self.setting.as_str()])
    }

    /// Returns the text for the request; `value` returns the value of a setting. The error is the
    /// key of a setting without a value.
    ///
    /// # Errors
    ///
    /// The key of a setting that has no value.
    pub fn text(&self, value: impl Fn(&str) -> Option<String>) -> Result<String, String> {
        let get = |key: &str| value(key).ok_or_else(|| key.to_owned());
        let secret = get(&self.setting)?;
        let secret = match &self.user {
            Some(user) => BASE64.encode(format!("{}:{secret}", get(user)?).as_bytes()),
            None => secret,
        };
        Ok(match &self.prefix {
            Some(prefix) if !secret.starts_with(&format!("{prefix} ")) => {
                format!("{prefix} {secret}")
            }
            _ => secret,
        })
    }
}

impl Request {
    /// Adds a credential, unless an argument has its place already.
    pub fn add_credential(&mut self, credential: &Credential, text: &str) {
        let name = credential.name.as_str();
        match credential.place {
            ParameterPlace::Header => {
                if !self
                    .headers
                    .iter()
                    .any(|(it, _)| it.eq_ignore_ascii_case(name))
                {
                    self.header(name, text.to_owned());
                }
            }
            ParameterPlace::Cookie => self.cookie(&format!("{name}={}", percent_encoded(text))),
            ParameterPlace::Query | ParameterPlace::Path => {
                let name = percent_encoded(name);
                let query = self.url.split_once('?').map_or("", |(_, query)| query);
                let mut pairs = query.split('&');
                let is_there = pairs.any(|pair| pair.split('=').next() == Some(&name));
                if !is_there {
                    self.query(&name, &percent_encoded(text));
                }
            }
        }
    }
}
