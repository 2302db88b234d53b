//! The place of a secret in a request.

use data_encoding::BASE64;
use serde::Serialize;

use crate::encode::{percent_decoded, percent_encoded};
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
    /// Adds a credential. Whatever has its place already, an argument or a part of the address, is not sent;
    /// returns true if there was such.
    pub fn add_credential(&mut self, credential: &Credential, text: &str) -> bool {
        let name = credential.name.as_str();
        match credential.place {
            ParameterPlace::Header => {
                let before = self.headers.len();
                let is_other = |(it, _): &(String, String)| !it.eq_ignore_ascii_case(name);
                self.headers.retain(is_other);
                let had_one = self.headers.len() < before;
                self.header(name, text.to_owned());
                had_one
            }
            ParameterPlace::Cookie => {
                let had_one = self.remove_cookie(name);
                self.cookie(&format!("{name}={}", percent_encoded(text)));
                had_one
            }
            ParameterPlace::Query | ParameterPlace::Path => {
                let had_one = self.remove_query(name);
                self.query(&percent_encoded(name), &percent_encoded(text));
                had_one
            }
        }
    }

    fn remove_query(&mut self, name: &str) -> bool {
        let Some((address, query)) = self.url.split_once('?') else {
            return false;
        };
        let (own, others) = apart(query, '&', name);
        let mark = if others.is_empty() { "" } else { "?" };
        self.url = format!("{address}{mark}{}", others.join("&"));
        own
    }

    fn remove_cookie(&mut self, name: &str) -> bool {
        let mut had_one = false;
        for (_, value) in self.headers.iter_mut().filter(|(it, _)| it == "cookie") {
            let (own, others) = apart(value, ';', name);
            if own {
                *value = others.join("; ");
                had_one = true;
            }
        }
        let is_empty = |(it, value): &(String, String)| it == "cookie" && value.is_empty();
        self.headers.retain(|header| !is_empty(header));
        had_one
    }
}

/// Returns whether a list of `name=value` has this name, in any encoding, and the others of the list.
fn apart<'l>(list: &'l str, sign: char, name: &str) -> (bool, Vec<&'l str>) {
    let is_own = |pair: &&str| {
        let written = pair.split('=').next().unwrap_or_default();
        percent_decoded(&written.replace('+', " ")) == name.as_bytes()
            || percent_decoded(written) == name.as_bytes()
    };
    let pairs = list.split(sign).map(str::trim);
    let (own, others): (Vec<&str>, Vec<&str>) = pairs.partition(is_own);
    (!own.is_empty(), others)
}
