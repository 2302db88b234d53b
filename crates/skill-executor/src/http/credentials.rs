//! The credentials of a request: the alternative of its `security` that is used.

use http_request::{Credential, Operation, login, without_login};

use super::address::Address;
use super::filling::{usual, with_settings};
use super::input::setting;
use crate::call::Call;

/// The begin of the names of credentials that the address of a server had; security schemes have no blanks.
const OF_SERVER: &str = "server ";

/// The credentials of a request.
#[derive(Default)]
pub(super) struct Chosen<'c> {
    pub(super) credentials: Vec<&'c Credential>,
    /// Settings without a value.
    pub(super) missing: Vec<String>,
    /// The settings of other alternatives that lack nothing else, if some are missing.
    pub(super) instead: Vec<String>,
    /// Schemes that `entry.credentials` does not have: nothing here can send them.
    pub(super) unknown: Vec<String>,
}

impl<'c> Chosen<'c> {
    /// Chooses the first alternative whose settings all have values, or else one that needs none, or
    /// else the first that can be sent, or else the first.
    pub(super) fn of(call: &Call<'c>, operation: &Operation) -> Self {
        let replaced = Replaced::of(call, operation);
        let alternatives = operation.security.iter();
        let sent = |names: &Vec<String>| {
            let names = names.iter().filter(|name| !replaced.has(name));
            Self::read(call, &names.cloned().collect::<Vec<_>>())
        };
        let mut all: Vec<Self> = alternatives.map(sent).collect();
        let is_known = |it: &Self| it.unknown.is_empty();
        let is_ready =
            |it: &Self| is_known(it) && it.missing.is_empty() && !it.credentials.is_empty();
        let needs_none = |it: &Self| is_known(it) && it.credentials.is_empty();
        let found = all.iter().position(is_ready);
        let found = found.or_else(|| all.iter().position(needs_none));
        let found = found.or_else(|| all.iter().position(is_known));
        if all.is_empty() {
            return Self::default();
        }
        let mut res = all.swap_remove(found.unwrap_or_default());
        if !res.missing.is_empty() {
            let single = all.iter().filter(|it| is_known(it));
            let single = single.filter_map(|it| match &it.missing[..] {
                [only] => Some(only.clone()),
                _ => None,
            });
            for key in single.filter(|key| !res.missing.contains(key)) {
                if !res.instead.contains(&key) {
                    res.instead.push(key);
                }
            }
        }
        res
    }

    /// Reads an alternative: the schemes that are needed together.
    fn read(call: &Call<'c>, names: &[String]) -> Self {
        let known = call.skill.metadata.entry.as_ref().map(|it| &it.credentials);
        let of = |name: &String| known?.get(name);
        let credentials: Vec<&Credential> = names.iter().filter_map(of).collect();
        let unknown = names.iter().filter(|name| of(name).is_none());
        let keys = credentials.iter().flat_map(|it| it.settings());
        let lacks = |key: &&str| setting(call, key).is_none();
        Self {
            missing: keys.filter(lacks).map(str::to_owned).collect(),
            instead: Vec::new(),
            unknown: unknown.cloned().collect(),
            credentials,
        }
    }

    /// Returns why a request cannot be sent, if nothing here has its credentials.
    pub(super) fn unsupported(&self) -> Option<String> {
        if self.unknown.is_empty() {
            return None;
        }
        let names = self.unknown.join("`, `");
        Some(format!(
            "the request needs the security scheme `{names}`, which is not in `entry.credentials` of METADATA.yml; `findings` there says why, and nothing is sent without it"
        ))
    }
}

/// The credentials of the address in METADATA.yml that are not for the one that the user chose.
struct Replaced {
    /// It is another origin, which gets none of them.
    is_elsewhere: bool,
    /// It has a login of its own.
    has_login: bool,
}

impl Replaced {
    fn of(call: &Call<'_>, operation: &Operation) -> Self {
        let entry = call.skill.metadata.entry.as_ref();
        let chosen = entry.and_then(|entry| setting(call, entry.endpoint_setting.as_deref()?));
        let chosen = chosen.filter(|text| operation.server.is_none() && !text.trim().is_empty());
        let endpoint = entry.and_then(|entry| entry.endpoint.as_deref());
        let (Some(chosen), Some(endpoint)) = (chosen, endpoint) else {
            return Self {
                is_elsewhere: false,
                has_login: false,
            };
        };
        let value = |key: &str| setting(call, key).or_else(|| usual(call, key));
        let written = with_settings(call, endpoint.trim(), value);
        let written = written.map_or_else(|_| String::new(), |it| it.url);
        let origin = |text: &str| Some(Address::read(&without_login(text)).ok()?.origin());
        Self {
            is_elsewhere: origin(chosen.trim()) != origin(&written),
            has_login: login(&chosen).is_some(),
        }
    }

    fn has(&self, name: &str) -> bool {
        let is_of_server = name.starts_with(OF_SERVER);
        is_of_server && (self.is_elsewhere || self.has_login && name.ends_with(" login"))
    }
}
