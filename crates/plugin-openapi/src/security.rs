//! Credentials as settings.

use std::collections::BTreeMap;

use http_request::{Credential, ParameterPlace};
use plugin_model::{ApiSetting, Node};
use skill_diagnostics::Diagnostic;

use crate::address_secrets::in_query;
use crate::codes::{TOKEN_NEEDED, UNSUPPORTED};
use crate::documents::{At, Documents};
use crate::naming::key;

/// The fate of a request with a scheme that cannot be sent.
const REFUSED: &str = "a request that needs it is refused; expected apiKey in a header, the query or a cookie, http with a token or a password, oauth2 or openIdConnect";

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
        let credential = match credential(documents, id, at, prefix) {
            Ok(credential) => credential,
            Err(why) => {
                let finding = Diagnostic::warning(UNSUPPORTED, why);
                documents.report(finding.with_help(REFUSED), &at.place);
                return;
            }
        };
        if let "oauth2" | "openIdConnect" = at.text("type") {
            documents.report(token_needed(id, at), &at.place);
        }
        if let Some(key) = &credential.user {
            self.setting(key.clone(), "name of the user".to_owned(), at, false);
        }
        if credential.place == ParameterPlace::Query {
            documents.open(&credential.setting, &in_query(&credential.name));
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

    /// Returns the alternatives of credentials of an operation. Schemes that cannot be sent stay in them,
    /// so that a request that needs one is refused and not sent without it. One that the document does
    /// not declare is a finding.
    pub(crate) fn alternatives(
        documents: &Documents<'_>,
        root: &At<'_>,
        operation: &At<'_>,
    ) -> Vec<Vec<String>> {
        let components = root.get("components");
        let schemes = components.and_then(|it| it.get("securitySchemes"));
        let is_declared = |name: &str| schemes.as_ref().is_some_and(|it| it.get(name).is_some());
        let declared = operation.get("security").or_else(|| root.get("security"));
        let alternatives = declared.iter().flat_map(At::items).map(|alternative| {
            let names = alternative.members().map(|(name, place)| {
                if !is_declared(name) {
                    let message = format!(
                        "the security scheme `{name}` is not in `components.securitySchemes`"
                    );
                    let finding = Diagnostic::warning(UNSUPPORTED, message);
                    documents.report(finding.with_help(REFUSED), &place.place);
                }
                name.to_owned()
            });
            names.collect()
        });
        alternatives.collect()
    }
}

/// Returns the place of the secret of a scheme; the error says why there is none.
fn credential(
    documents: &Documents<'_>,
    id: &str,
    at: &At<'_>,
    prefix: &str,
) -> Result<Credential, String> {
    let scheme = at.text("scheme").trim();
    // Two schemes may differ in signs only.
    let claim = |key: String| documents.claim(&key, &format!("scheme {id}"));
    let token = |word: &str, ending: &str| Credential {
        place: ParameterPlace::Header,
        name: "Authorization".to_owned(),
        prefix: Some(word.to_owned()),
        setting: claim(key(prefix, id, ending)),
        user: None,
    };
    match (at.text("type"), scheme.to_ascii_lowercase().as_str()) {
        ("apiKey", _) => api_key(id, at, claim(key(prefix, id, ""))),
        ("http", "bearer") => Ok(token("Bearer", "TOKEN")),
        ("http", "basic") => Ok(Credential {
            user: Some(claim(key(prefix, id, "USER"))),
            ..token("Basic", "PASSWORD")
        }),
        ("http", word) if !word.is_empty() && !is_computed(word) => Ok(token(scheme, "TOKEN")),
        ("oauth2" | "openIdConnect", _) => Ok(token("Bearer", "ACCESS_TOKEN")),
        (kind, _) => {
            let kind = format!("{kind} {scheme}");
            let kind = kind.trim();
            Err(format!(
                "the security scheme `{id}` ({kind}) is not supported"
            ))
        }
    }
}

fn api_key(id: &str, at: &At<'_>, key: String) -> Result<Credential, String> {
    let (word, name) = (at.text("in"), at.text("name").trim());
    let places = ParameterPlace::ALL.into_iter();
    let mut places = places.filter(|it| *it != ParameterPlace::Path);
    match places.find(|it| it.word() == word) {
        Some(place) if !name.is_empty() => Ok(Credential {
            place,
            name: name.to_owned(),
            prefix: None,
            setting: key,
            user: None,
        }),
        _ => Err(format!(
            "the security scheme `{id}` sends a key as `{name}` in `{word}`, which is not supported"
        )),
    }
}

/// Returns whether the credentials of a scheme of HTTP answer a challenge or sign each request, so that
/// no setting has them. Source: <https://www.iana.org/assignments/http-authschemes>.
fn is_computed(scheme: &str) -> bool {
    const COMPUTED: [&str; 13] = [
        "concealed",
        "digest",
        "dpop",
        "gnap",
        "hoba",
        "mutual",
        "negotiate",
        "ntlm",
        "oauth",
        "privatetoken",
        "signature",
        "aws4-hmac-sha256",
        "hawk",
    ];
    COMPUTED.contains(&scheme) || scheme.starts_with("scram-")
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
