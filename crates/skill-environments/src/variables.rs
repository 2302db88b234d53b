//! The variables that package managers get, and what of them code of packages may see.
//!
//! A program that runs code of packages (an install script, the build of a Python package) gets no
//! variable that may hold a secret. It does get the settings that say from where packages come:
//! without them, the same name would come from another index. Such a setting with a password is
//! neither passed on nor left out: the code is not run.

use std::collections::BTreeMap;

/// Variables that programs need to run and to reach the network.
const HARMLESS: [&str; 18] = [
    "HOME",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "LANG",
    "LC_ALL",
    "NODE_EXTRA_CA_CERTS",
    "NO_PROXY",
    "PATH",
    "REQUESTS_CA_BUNDLE",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "TMPDIR",
    "USER",
    "XDG_CONFIG_DIRS",
    "XDG_CONFIG_HOME",
    "http_proxy",
    "https_proxy",
    "no_proxy",
];
/// The begin of names of settings: those of pip, uv and npm.
const SETTINGS: [&str; 4] = ["PIP_", "UV_", "npm_config_", "NPM_CONFIG_"];
/// Words in the names of settings that hold a secret by themselves.
const SECRET: [&str; 5] = ["auth", "key", "password", "token", "username"];

/// Returns the variables for a program that runs code of packages.
pub(crate) fn harmless(environment: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let variables = environment.iter();
    let passed = variables.filter(|(name, value)| {
        let is_plain = is_setting(name) && !has_secret_name(name) && !has_password(value);
        HARMLESS.contains(&name.as_str()) || is_plain
    });
    passed
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

/// Returns the first setting that says with a password from where packages come.
pub(crate) fn secret_setting<'e>(
    environment: &'e BTreeMap<String, String>,
    prefixes: &[&str],
) -> Option<&'e str> {
    let mut variables = environment.iter();
    let found = variables.find(|(name, value)| {
        prefixes.iter().any(|prefix| name.starts_with(prefix)) && has_password(value)
    });
    found.map(|(name, _)| name.as_str())
}

/// Returns the variables with which package managers try each address once only. Of npm alone, the
/// defaults wait for minutes without a network.
pub(crate) fn without_retries(environment: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    const RETRIES: [&str; 3] = ["npm_config_fetch_retries", "PIP_RETRIES", "UV_HTTP_RETRIES"];
    let is_one = |name: &str| RETRIES.iter().any(|one| one.eq_ignore_ascii_case(name));
    let others = environment.iter().filter(|(name, _)| !is_one(name));
    let none = RETRIES.map(|name| (name.to_owned(), "0".to_owned()));
    let others = others.map(|(name, value)| (name.clone(), value.clone()));
    others.chain(none).collect()
}

fn is_setting(name: &str) -> bool {
    SETTINGS.iter().any(|prefix| name.starts_with(prefix))
}

fn has_secret_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    SECRET.iter().any(|word| name.contains(word))
}

fn has_password(text: &str) -> bool {
    text != redact(text)
}

/// Replaces the names and passwords in addresses (`https://user:password@host`) by `***`.
pub(crate) fn redact(text: &str) -> String {
    let mut res = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        let (before, after) = rest.split_at(at + "://".len());
        res.push_str(before);
        let is_end = |c: char| c.is_whitespace() || "/?#\"'`<>".contains(c);
        let authority = &after[..after.find(is_end).unwrap_or(after.len())];
        rest = after;
        if let Some(host) = authority.rfind('@') {
            // `git@host` of SSH is the same for everybody.
            let user = &authority[..host];
            res.push_str(if user == "git" { user } else { "***" });
            rest = &after[host..];
        }
    }
    res.push_str(rest);
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_in_addresses_are_replaced() {
        for (text, expected) in [
            (
                "pip: https://me:pw@host/simple failed",
                "pip: https://***@host/simple failed",
            ),
            ("git+ssh://git@host/x", "git+ssh://git@host/x"),
            (
                "https://token@a/x 'http://u:p@b'",
                "https://***@a/x 'http://***@b'",
            ),
            ("https://u:p@ss@host/x@1", "https://***@host/x@1"),
            ("https://host/@scope/x", "https://host/@scope/x"),
            ("no address: a@b", "no address: a@b"),
        ] {
            assert_eq!(redact(text), expected, "{text}");
        }
    }

    #[test]
    fn retries_are_off_however_they_are_set() {
        let set = [("NPM_CONFIG_FETCH_RETRIES", "5"), ("PATH", "/bin")];
        let set = set.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let found = without_retries(&set.into());
        assert_eq!(found["npm_config_fetch_retries"], "0");
        assert!(!found.contains_key("NPM_CONFIG_FETCH_RETRIES"));
        assert_eq!(found["PATH"], "/bin");
    }

    #[test]
    fn settings_of_the_index_stay_and_secrets_do_not() {
        let variables = [
            ("AWS_SECRET_ACCESS_KEY", "x", false),
            ("HOME", "/home/me", true),
            ("PIP_INDEX_URL", "https://index.example/simple", true),
            ("PIP_EXTRA_INDEX_URL", "https://me:pw@index.example", false),
            ("PIP_FIND_LINKS", "/wheels", true),
            ("PIP_NO_INDEX", "1", true),
            ("UV_INDEX_OWN_PASSWORD", "pw", false),
            ("npm_config_registry", "https://registry.example", true),
            ("npm_config__auth", "x", false),
        ];
        let all = variables.map(|(name, value, _)| (name.to_owned(), value.to_owned()));
        let all = BTreeMap::from(all);
        let passed = harmless(&all);
        for (name, _, is_passed) in variables {
            assert_eq!(passed.contains_key(name), is_passed, "{name}");
        }
        assert_eq!(secret_setting(&all, &["PIP_"]), Some("PIP_EXTRA_INDEX_URL"));
        assert_eq!(secret_setting(&all, &["npm_config_"]), None);
    }
}
