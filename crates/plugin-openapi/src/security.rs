//! Credentials as settings.

use std::collections::BTreeMap;

use http_request::{Credential, ParameterPlace};
use plugin_model::{ApiSetting, Node};
use skill_diagnostics::Diagnostic;

use crate::codes::{TOKEN_NEEDED, UNSUPPORTED};
use crate::documents::{At, Documents};
use crate::naming::key;

/// The credentials of a service, by the name of the scheme, and their settings.
#[derive(Debug, Default)]
pub(crate) struct Security {
    pub(crate) credentials: BTreeMap<String, Credential>,
    pub(crate) settings: Vec<ApiSetting>,
}

/// Reads the security schemes of a document.
pub(crate) fn schemes(documents: &Documents<'_>, root: &At<'_>, prefix: &str) -> Security {
    let mut res = Security::default();
    let schemes = root
        .get("components")
        .and_then(|it| it.get("securitySchemes"));
    for (id, at) in schemes.iter().flat_map(At::members) {
        if let Some(at) = documents.resolve(&at) {
            res.scheme(documents, id, &at, prefix);
        }
    }
    res
}

impl Security {
    fn scheme(&mut self, documents: &Documents<'_>, id: &str, at: &At<'_>, prefix: &str) {
        let bearer = |ending: &str| Credential {
            place: ParameterPlace::Header,
            name: "Authorization".to_owned(),
            prefix: Some("Bearer".to_owned()),
            setting: key(prefix, id, ending),
            user: None,
        };
        let http = at.text("scheme").to_ascii_lowercase();
        let mut user = None;
        let credential = match (at.text("type"), http.as_str()) {
            ("apiKey", _) => {
                let word = at.text("in");
                let place = ParameterPlace::ALL.into_iter().find(|it| it.word() == word);
                Credential {
                    place: place.unwrap_or(ParameterPlace::Header),
                    name: at.text("name").to_owned(),
                    prefix: None,
                    setting: key(prefix, id, ""),
                    user: None,
                }
            }
            ("http", "bearer") => bearer("TOKEN"),
            ("http", "basic") => {
                user = Some(key(prefix, id, "USER"));
                Credential {
                    prefix: Some("Basic".to_owned()),
                    user: user.clone(),
                    ..bearer("PASSWORD")
                }
            }
            ("oauth2" | "openIdConnect", _) => {
                documents.report(token_needed(id, at), &at.place);
                bearer("ACCESS_TOKEN")
            }
            (kind, _) => {
                let message =
                    format!("the security scheme `{id}` ({kind} {http}) is not supported");
                let help = "operations that need it fail; expected apiKey, http basic or bearer, oauth2 or openIdConnect";
                let finding = Diagnostic::warning(UNSUPPORTED, message.replace(" )", ")"));
                documents.report(finding.with_help(help), &at.place);
                return;
            }
        };
        if let Some(key) = user {
            self.setting(key, "name of the user".to_owned(), at, false);
        }
        let description = described(&credential, at.text("description").trim());
        self.setting(credential.setting.clone(), description, at, true);
        self.credentials.insert(id.to_owned(), credential);
    }

    fn setting(&mut self, key: String, description: String, at: &At<'_>, is_secret: bool) {
        self.settings.push(ApiSetting {
            key,
            description,
            default: None,
            choices: Vec::new(),
            is_secret,
            is_required: false,
            place: at.place.clone(),
        });
    }

    /// Returns the alternatives of credentials of an operation. A scheme that is not known is left out
    /// with its alternative.
    pub(crate) fn alternatives(&self, root: &At<'_>, operation: &At<'_>) -> Vec<Vec<String>> {
        let declared = operation.get("security").or_else(|| root.get("security"));
        let declared = declared.iter().flat_map(At::items);
        let alternatives = declared.map(|at| {
            let names = at.members().map(|(name, _)| name.to_owned());
            names.collect::<Vec<String>>()
        });
        let is_known =
            |names: &Vec<String>| names.iter().all(|name| self.credentials.contains_key(name));
        alternatives.filter(is_known).collect()
    }
}

/// Describes a secret: the words of the author, and where its value is written.
fn described(credential: &Credential, text: &str) -> String {
    let place = match (&credential.prefix, &credential.user) {
        (Some(_), Some(_)) => "password".to_owned(),
        (Some(prefix), None) => format!("token, sent after `{prefix}`"),
        (None, _) => {
            let name = &credential.name;
            format!("whole value of the {} `{name}`", credential.place.word())
        }
    };
    let text = text
        .lines()
        .next()
        .unwrap_or_default()
        .trim_end_matches('.');
    if text.is_empty() {
        place
    } else {
        format!("{text}; {place}")
    }
}

/// Returns the finding about a token that an authorization server gives.
fn token_needed(id: &str, at: &At<'_>) -> Diagnostic {
    let mut urls = Vec::new();
    for (_, flow) in at.get("flows").iter().flat_map(At::members) {
        for key in ["authorizationUrl", "tokenUrl"] {
            urls.push(flow.text(key));
        }
    }
    urls.push(at.text("openIdConnectUrl"));
    urls.retain(|url| !url.is_empty());
    urls.dedup();
    let flows = at.node.get("flows").map(Node::members).unwrap_or_default();
    let scopes = flows.iter().filter_map(|flow| flow.value.get("scopes"));
    let n_scopes = scopes
        .map(|it| it.members().len())
        .max()
        .unwrap_or_default();
    let message = format!("the scheme `{id}` needs a token, which the skill does not obtain");
    let help = format!(
        "obtain one at {}, with those of its {n_scopes} scopes that you need",
        urls.join(", ")
    );
    Diagnostic::note(TOKEN_NEEDED, message).with_help(help)
}
