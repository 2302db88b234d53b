//! Names of variables that no skill gets on its own request.
//!
//! A manifest or METADATA.yml is written by a stranger. What it names of the caller's environment
//! is passed on, unless the name or the value says that it is a secret: then the user must allow
//! the name. Variables that tell a loader or an interpreter what else to run are never passed.

use skill_model::{is_secret_name, scan_secrets};
pub(super) use skill_settings::names::is_identifier;
pub use skill_settings::names::is_loader;

/// The reason against passing a variable on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guard {
    /// Nothing.
    Open,
    /// It may hold a secret: only the user can allow it, by its name.
    Secret,
    /// It decides what code a program loads: never.
    Loader,
}

/// Beginnings of names that belong to one issuer or agent.
const ISSUERS: [&str; 24] = [
    "ANTHROPIC_",
    "AWS_",
    "AZURE_",
    "CARGO_REGISTR",
    "CLOUDFLARE_",
    "DIGITALOCEAN_",
    "DOCKER_",
    "GCLOUD_",
    "GCP_",
    "GH_",
    "GITHUB_",
    "GITLAB_",
    "GNUPG",
    "GOOGLE_",
    "GPG_",
    "HEROKU_",
    "HF_",
    "KRB5",
    "KUBE",
    "NPM_",
    "OPENAI_",
    "SSH_",
    "TWINE_",
    "VAULT_",
];
/// Parts of names that indicate a secret, at any position.
const WORDS: [&str; 12] = [
    "APIKEY",
    "COOKIE",
    "CREDENTIAL",
    "PASSPHRASE",
    "PASSWD",
    "PASSWORD",
    "PRIVATE_KEY",
    "PRIVATEKEY",
    "SECRET",
    "ACCESS_KEY",
    "ACCESSKEY",
    "AUTHORIZATION",
];
/// Ends of names that speak of a secret.
const ENDS: [&str; 12] = [
    "TOKEN",
    "_KEY",
    "_PAT",
    "_PASS",
    "_PWD",
    "_AUTH",
    "_DSN",
    "_AUTH_SOCK",
    "_CREDS",
    "DATABASE_URL",
    "_CONNECTION_STRING",
    "_WEBHOOK_URL",
];
/// Ends of names that only look like it: how many tokens a model may use.
const COUNTS: [&str; 3] = ["MAXTOKEN", "MAX_TOKEN", "MIN_TOKEN"];
/// Whole names.
const NAMES: [&str; 10] = [
    "API_KEY",
    "DBUS_SESSION_BUS_ADDRESS",
    "MYSQL_PWD",
    "NETRC",
    "PGPASSFILE",
    "PGPASSWORD",
    "PWD_FILE",
    "TOKEN",
    "XAUTHORITY",
    "ICEAUTHORITY",
];
/// Returns the reason against passing on a variable of the caller.
pub fn guard(name: &str, value: &str) -> Guard {
    if is_loader(name) {
        Guard::Loader
    } else if !value.is_empty() && (is_secret(name) || !scan_secrets(value).is_empty()) {
        Guard::Secret
    } else {
        Guard::Open
    }
}

/// Returns true if a name is that of a secret, in any case.
pub fn is_secret(given: &str) -> bool {
    let name = given.to_ascii_uppercase();
    let is_count = COUNTS.iter().any(|end| name.ends_with(end));
    NAMES.contains(&&*name)
        || (!is_count && is_secret_name(given))
        || ISSUERS.iter().any(|begin| name.starts_with(begin))
        || WORDS.iter().any(|word| name.contains(word))
        || (!is_count && ENDS.iter().any(|end| name.ends_with(end)))
}

/// Checks the value of `--allow-env`.
///
/// # Errors
///
/// The name may not be allowed; the message says why.
pub fn allowable(name: &str) -> Result<String, String> {
    if is_loader(name) {
        return Err("it decides what code programs load, which no skill gets".to_owned());
    }
    if is_identifier(name) {
        return Ok(name.to_owned());
    }
    Err("expected the name of one variable: letters, digits and `_`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Guard, allowable, guard};

    #[track_caller]
    fn check(names: &[&str], expected: Guard) {
        for name in names {
            assert_eq!(guard(name, "7"), expected, "{name}");
        }
    }

    #[test]
    fn names_tell_secrets() {
        let secret = [
            "SENDKEY",
            "smtpPass",
            "WeatherKey",
            "AWS_SECRET_ACCESS_KEY",
            "AWS_PROFILE",
            "GITHUB_TOKEN",
            "NPM_TOKEN",
            "SSH_AUTH_SOCK",
            "OPENAI_API_KEY",
            "ANTHROPIC_API_KEY",
            "TavilyKey_API_KEY",
            "GPG_AGENT_INFO",
            "KUBECONFIG",
            "DOCKER_HOST",
            "MAIL_PASSWORD",
            "db_password",
            "CLIENT_SECRET_ID",
            "DATABASE_URL",
            "Image_Key",
            "API_KEY",
            "HF_TOKEN",
            "PGPASSWORD",
        ];
        check(&secret, Guard::Secret);
        let loader = [
            "LD_PRELOAD",
            "LD_LIBRARY_PATH",
            "NODE_OPTIONS",
            "PYTHONPATH",
            "PYTHONSTARTUP",
            "BASH_ENV",
            "PERL5LIB",
            "RUBYOPT",
            "ENV",
            "GLIBC_TUNABLES",
        ];
        check(&loader, Guard::Loader);
        let open = [
            "PATH",
            "LANG",
            "CITY",
            "PORT",
            "DebugMode",
            "API_BASE",
            "RETRIES",
            "VERBOSE",
            "MAX_TOKENS",
            "WhitelistEmbeddingModelMaxToken",
            "PYTHONUTF8",
            "A_DEFAULTED",
            "HOME",
        ];
        check(&open, Guard::Open);
    }

    #[test]
    fn values_tell_secrets_too() {
        let proxy = ["http://me:", "9vK2mQ7x@proxy.example:3128"].concat();
        assert_eq!(guard("HTTPS_PROXY", &proxy), Guard::Secret);
        assert_eq!(
            guard("HTTPS_PROXY", "http://proxy.example:3128"),
            Guard::Open
        );
    }

    #[test]
    fn only_names_that_may_ever_be_passed_are_allowed() {
        assert_eq!(allowable("GITHUB_TOKEN").as_deref(), Ok("GITHUB_TOKEN"));
        for bad in ["LD_PRELOAD", "NODE_OPTIONS", "A=b", "*", "", "A B"] {
            assert!(allowable(bad).is_err(), "{bad}");
        }
    }
}
