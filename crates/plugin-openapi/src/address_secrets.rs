//! Secrets in the address of a server: its login and secret values of its query become credentials, whose
//! values are settings. No value is carried.

use std::collections::BTreeMap;

use http_request::{
    Credential, ParameterPlace, is_secret_name, login, secret_values, without_login,
};
use plugin_model::{ApiSetting, Place};
use skill_diagnostics::Diagnostic;

use crate::codes::SECRET_FOUND;
use crate::documents::Documents;
use crate::naming::key;

/// An address without its secrets.
pub(crate) struct Address {
    pub(crate) url: String,
    /// The credentials in place of the secrets, by names that no security scheme has.
    pub(crate) credentials: BTreeMap<String, Credential>,
    pub(crate) settings: Vec<ApiSetting>,
}

/// Takes the secrets out of an address. Those that are variables of the address stay, because they have no
/// value. `owner` is a part of the keys of settings: empty for the server of all operations.
pub(crate) fn taken_out(
    documents: &Documents<'_>,
    url: &str,
    (place, prefix, owner): (&Place, &str, &str),
) -> Address {
    let server = format!("server {owner}");
    let mut res = Address {
        url: url.to_owned(),
        credentials: BTreeMap::new(),
        settings: Vec::new(),
    };
    let written = login(url).map(|login| &url[login]);
    if let Some(written) = written.filter(|it| !it.contains('{')) {
        let (name, word) = written.split_once(':').unwrap_or((written, ""));
        let has_password = !word.is_empty();
        let user = documents.claim(&key(prefix, &server, "USER"), &secret(place, name));
        let password = documents.claim(&key(prefix, &server, "PASSWORD"), &secret(place, word));
        let message = format!(
            "the login in the address of a server is not carried: the settings `{user}` and `{password}` take its place"
        );
        report(documents, message, &password, place);
        let name = if has_password {
            "name of the user in the address of the server"
        } else {
            "name of the user in the address of the server, which has no password: its setting is empty"
        };
        res.setting(&user, name, !has_password, place);
        let about = "password in the address of the server";
        res.setting(&password, about, true, place);
        let credential = Credential {
            place: ParameterPlace::Header,
            name: "Authorization".to_owned(),
            prefix: Some("Basic".to_owned()),
            setting: password,
            user: Some(user),
        };
        let id = documents.claim(&id(owner, "login"), &secret(place, written));
        res.credentials.insert(id, credential);
        res.url = without_login(url);
    }
    res.queries(documents, (place, prefix, owner));
    res
}

fn report(documents: &Documents<'_>, message: String, key: &str, place: &Place) {
    let finding = Diagnostic::warning(SECRET_FOUND, message);
    let help = format!("store it by `skills-run configure`, key `{key}`");
    documents.report(finding.with_help(help), place);
}

/// Returns the purpose of the setting of a secret: equal secrets of one document have one setting. Other
/// documents number what is redacted in them on their own.
fn secret(place: &Place, value: &str) -> String {
    format!("secret {} {value}", place.file)
}

/// Returns the purpose of a setting whose value is sent in the query.
pub(crate) fn in_query(name: &str) -> String {
    format!("query {name}")
}

/// Returns the name of a credential; a security scheme cannot have the blanks of it.
fn id(owner: &str, name: &str) -> String {
    format!("server {owner} {name}").replace("  ", " ")
}

impl Address {
    /// Takes secret values out of the query.
    fn queries(&mut self, documents: &Documents<'_>, (place, prefix, owner): (&Place, &str, &str)) {
        let url = self.url.clone();
        let Some((address, query)) = url.split_once('?') else {
            return;
        };
        let values: Vec<&str> = secret_values(&url).map(|range| &url[range]).collect();
        let mut kept = Vec::new();
        for pair in query.split('&') {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            // A value is known by its place: an equal one of another name is not a secret.
            let is_secret = values
                .iter()
                .any(|it| std::ptr::eq(it.as_ptr(), value.as_ptr()));
            if !is_secret || value.contains('{') {
                kept.push(pair);
                continue;
            }
            let own = if owner.is_empty() {
                name.to_owned()
            } else {
                format!("server {owner} {name}")
            };
            let purpose = secret(place, value);
            let wanted = key(prefix, &own, "");
            let key = documents.claim_open(&wanted, &purpose, &in_query(name));
            let message = format!(
                "the value of `{name}` in the address of a server is not carried: the setting `{key}` takes its place"
            );
            report(documents, message, &key, place);
            let description = format!("value of `{name}` in the address of the server");
            self.setting(&key, &description, true, place);
            let credential = Credential {
                place: ParameterPlace::Query,
                name: name.to_owned(),
                prefix: None,
                setting: key,
                user: None,
            };
            let id = documents.claim(&id(owner, name), &purpose);
            self.credentials.insert(id, credential);
        }
        let query = kept.join("&");
        let mark = if query.is_empty() { "" } else { "?" };
        self.url = format!("{address}{mark}{query}");
    }

    fn setting(&mut self, key: &str, description: &str, is_secret: bool, place: &Place) {
        self.settings.push(ApiSetting {
            key: key.to_owned(),
            description: description.to_owned(),
            default: None,
            choices: Vec::new(),
            is_secret,
            is_required: false,
            place: place.clone(),
        });
    }
}

/// Adds credentials that each alternative of an operation needs besides its own.
pub(crate) fn add_to(security: &mut Vec<Vec<String>>, credentials: &BTreeMap<String, Credential>) {
    if credentials.is_empty() {
        return;
    }
    if security.is_empty() {
        security.push(Vec::new());
    }
    for alternative in security {
        alternative.extend(credentials.keys().cloned());
    }
}

/// Returns true if a variable of an address is a secret: by its name, or because it is written in the place
/// of the password or in the value of a secret name of the query.
pub fn is_secret_variable(url: &str, name: &str) -> bool {
    if is_secret_name(name) {
        return true;
    }
    let Some(at) = url.find(&format!("{{{name}}}")) else {
        return false;
    };
    let in_login = login(url).is_some_and(|login| {
        let colon = url[login.clone()].find(':');
        let start = colon.map_or(login.start, |colon| login.start + colon);
        (start..login.end).contains(&at)
    });
    in_login || secret_values(url).any(|range| range.contains(&at))
}
