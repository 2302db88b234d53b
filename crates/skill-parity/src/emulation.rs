//! The emulated internet around both programs: its ports, the settings that it needs, and the variables
//! by which clients trust it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::Value;
use skill_model::read_env_file;
use skill_settings::WantedKey;

use crate::sources::Source;

/// The ports of HTTP and HTTPS.
const WEB: [u16; 2] = [80, 443];
/// The greatest number of ports that are served for one plugin.
const MAX_PORTS: usize = 64;
/// The end of the names of settings for ports.
const DEFAULT: &str = "PORT";
/// The most characters between such a name and its default: quotes, brackets and operators.
const MAX_BETWEEN: usize = 8;
/// Words of programs that are servers.
const SERVERS: [&str; 4] = [".listen(", "createServer", "http.server", "socketserver"];
/// The host of made-up addresses: a name that nobody owns (RFC 6761).
const HOST: &str = "service.example";
/// The name of the file with the certificate of the internet's authority.
pub(crate) const CERTIFICATE: &str = "authority.pem";

/// Variables that name the file with trusted certificates: for Node.js; OpenSSL, and so Python's `ssl`, `httpx`
/// and `aiohttp`; `requests`; curl; Git; the AWS tools; Deno; pip; `httplib2`; gRPC.
const TRUST: [&str; 10] = [
    "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_FILE",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "GIT_SSL_CAINFO",
    "AWS_CA_BUNDLE",
    "DENO_CERT",
    "PIP_CERT",
    "HTTPLIB2_CA_CERTS",
    "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH",
];
/// Variables that name a proxy: connections to any host are answered without one.
const PROXIES: [&str; 8] = [
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
];

/// Returns the variables for programs that use the emulated internet. `certificate` is the path of the file.
pub(crate) fn variables(certificate: &str) -> BTreeMap<String, String> {
    let trust = TRUST.map(|name| (name.to_owned(), certificate.to_owned()));
    let proxies = PROXIES.map(|name| (name.to_owned(), String::new()));
    trust.into_iter().chain(proxies).collect()
}

/// Returns the ports at which hosts answer: those of the web, those that addresses in the code and in the
/// settings name, and the defaults of settings for ports (`EVERYTHING_PORT || 8025`). The defaults of a program
/// that is a server are likely to be its own ports, which it must be able to open.
pub(crate) fn ports<'t>(texts: impl IntoIterator<Item = &'t str>) -> BTreeSet<u16> {
    let mut res = BTreeSet::from(WEB);
    for text in texts {
        let named = text.match_indices("://").filter_map(|(at, _)| {
            let rest = &text[at + 3..];
            let is_of_host = |c: char| c.is_ascii_alphanumeric() || ".-_${}[]".contains(c);
            let host = rest.find(|c| !is_of_host(c)).unwrap_or(rest.len());
            leading_port(rest[host..].strip_prefix(':')?)
        });
        res.extend(named.take(MAX_PORTS - res.len()));
        let is_server = SERVERS.iter().any(|word| text.contains(word));
        let defaults = text.match_indices(DEFAULT).filter_map(|(at, word)| {
            let rest = &text[at + word.len()..];
            let between = rest.find(|c: char| c.is_ascii_alphanumeric())?;
            leading_port(&rest[between..]).filter(|_| between <= MAX_BETWEEN)
        });
        if !is_server {
            res.extend(defaults.take(MAX_PORTS - res.len()));
        }
    }
    res
}

/// Returns the port that a text begins with.
fn leading_port(text: &str) -> Option<u16> {
    let is_digit = |c: char| c.is_ascii_digit();
    let digits = text.find(|c| !is_digit(c)).unwrap_or(text.len());
    text[..digits].parse().ok().filter(|port| *port != 0)
}

/// Returns the texts of sources.
pub(crate) fn texts(sources: &[Source]) -> impl Iterator<Item = &str> {
    sources.iter().map(|source| source.text.as_str())
}

/// Adds values to the text of a `config.env`, for the keys that a program is likely to need and that have none:
/// keys of services, addresses, accounts. Restrictions, directories and numbers stay as they are.
pub(crate) fn with_settings(config: &str, wanted: &[WantedKey]) -> String {
    let known: BTreeMap<String, String> = read_env_file(config).into_iter().collect();
    let mut res = config.to_owned();
    for key in wanted {
        let has_value = known.get(&key.key).is_some_and(|value| !value.is_empty());
        let value = made_up(key).filter(|_| !has_value && !key.is_guard && key.is_settable());
        if let Some(value) = value {
            let _ = write!(res, "\n{}={value}", key.key);
        }
    }
    res
}

fn made_up(key: &WantedKey) -> Option<String> {
    let name = key.key.to_ascii_uppercase();
    let words: Vec<&str> = name.split(['_', '-', '.']).collect();
    let has = |word: &[&str]| {
        words
            .iter()
            .any(|own| word.iter().any(|it| own.ends_with(it)))
    };
    let ends = |word: &[&str]| {
        words
            .last()
            .is_some_and(|own| word.iter().any(|it| own.ends_with(it)))
    };
    if has(&[
        "PROXY",
        "DIR",
        "DIRECTORY",
        "PATH",
        "FOLDER",
        "FILE",
        "PORT",
    ]) {
        return None;
    }
    Some(match () {
        () if ends(&["URL", "URI", "ENDPOINT", "BASE", "API", "ORIGIN", "WEBHOOK"]) => {
            format!("https://{HOST}")
        }
        () if ends(&["HOST", "SERVER", "DOMAIN", "HOSTNAME"]) => HOST.to_owned(),
        () if key.is_secret
            || ends(&[
                "KEY", "KEYS", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "COOKIE", "COOKIES", "AUTH",
            ]) =>
        {
            format!("emulated-{}", name.to_ascii_lowercase().replace('_', "-"))
        }
        () if ends(&["EMAIL", "MAIL"]) => format!("user@{HOST}"),
        () if ends(&["USER", "USERNAME", "ACCOUNT"]) => "user".to_owned(),
        () if ends(&["MODEL"]) => "model".to_owned(),
        () if key.is_required && !key.has_default => "emulated".to_owned(),
        () => return None,
    })
}

/// Sorts the requests of an observation, where their order is not to be compared.
pub(crate) fn sort(observed: &mut Value) {
    if let Some(requests) = observed["requests"].as_array_mut() {
        requests.sort_by_cached_key(Value::to_string);
    }
}

/// Returns the method and the address of each request of an observation, in order.
pub(crate) fn sequence(observed: &Value) -> Vec<String> {
    let requests = observed["requests"].as_array().into_iter().flatten();
    requests
        .map(|request| format!("{} {}", request["method"], request["url"]))
        .collect()
}

#[cfg(test)]
mod tests {
    use skill_settings::KeyKind;

    use super::*;

    #[test]
    fn ports_of_addresses() {
        let text = "fetch('http://localhost:3106/x'); `http://${host}:8188`; 'https://a.example' 'ws://[::1]:70000'";
        let found: Vec<u16> = ports([text, "URL=http://a:6005"]).into_iter().collect();
        assert_eq!(found, [80, 443, 3106, 6005, 8188]);
        let found = ports(["const p = env.EVERYTHING_PORT || '8025'; // SERVER_PORT = x 7"]);
        assert_eq!(found, BTreeSet::from([80, 443, 8025]));
        assert_eq!(ports(["app.listen(env.PORT || 3000)"]), WEB.into());
    }

    /// Checks the lines that are added for these keys.
    #[track_caller]
    fn check(config: &str, keys: &[&str], expected: &str) {
        let wanted: Vec<WantedKey> = keys
            .iter()
            .map(|key| WantedKey {
                key: (*key).to_owned(),
                kind: KeyKind::Declared,
                is_required: false,
                is_guard: key.starts_with("ALLOWED"),
                is_secret: false,
                has_default: false,
                description: None,
            })
            .collect();
        assert_eq!(
            with_settings(config, &wanted),
            format!("{config}{expected}")
        );
    }

    #[test]
    fn values_are_made_up_for_what_services_need() {
        check(
            "A_KEY=1\nB_KEY=",
            &[
                "A_KEY",
                "B_KEY",
                "API_URL",
                "SEARCH_HOST",
                "TIMEOUT",
                "OUT_DIR",
                "ALLOWED_URL",
            ],
            "\nB_KEY=emulated-b-key\nAPI_URL=https://service.example\nSEARCH_HOST=service.example",
        );
    }
}
