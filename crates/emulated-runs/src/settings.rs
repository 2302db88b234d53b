//! The settings of a program: made-up values, those that are recorded, and those of a recording.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use emulated_internet::{Cassette, Mask};
use skill_model::{
    is_secret_name, is_secret_placeholder, read_env_file, scan_secrets, write_env_file,
};
use skill_settings::WantedKey;

/// The host of made-up addresses: a name that nobody owns (RFC 6761).
const HOST: &str = "service.example";
/// Shortest example of a key, in bytes: `xxx`.
const MIN_EXAMPLE: usize = 3;

/// Adds values to the text of a `config.env`, for the keys that a program is likely to need and that have none:
/// keys of services, addresses, accounts. A key whose value is only an example (`YOUR_API_KEY_HERE`) has none.
/// Restrictions, directories and numbers stay as they are.
pub fn with_settings(config: &str, wanted: &[WantedKey]) -> String {
    let known: BTreeMap<String, String> = read_env_file(config).into_iter().collect();
    let mut res = config.to_owned();
    for key in wanted {
        let Some(value) = made_up(key).filter(|_| !key.is_guard && key.is_settable()) else {
            continue;
        };
        let is_secret = value == made_up_secret(&key.key);
        let is_set = |known: &String| {
            let is_word = known.len() >= MIN_EXAMPLE;
            let is_example = !known.is_ascii() || is_word && is_secret_placeholder(known);
            !(known.is_empty() || is_secret && is_example)
        };
        if !known.get(&key.key).is_some_and(is_set) {
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
            made_up_secret(&name)
        }
        () if ends(&["EMAIL", "MAIL"]) => format!("user@{HOST}"),
        () if ends(&["USER", "USERNAME", "ACCOUNT"]) => "user".to_owned(),
        () if ends(&["MODEL"]) => "model".to_owned(),
        () if ends(&["PROMPT"]) => "Describe it.".to_owned(),
        () if key.is_required && !key.has_default => "emulated".to_owned(),
        () => return None,
    })
}

fn made_up_secret(name: &str) -> String {
    format!("emulated-{}", name.to_ascii_lowercase().replace('_', "-"))
}

/// The settings of a program that is recorded.
#[derive(Clone, Default, Debug)]
pub struct Recorded {
    /// The values that a recording keeps.
    pub kept: BTreeMap<String, String>,
    /// The values that never reach a recording.
    pub secret: BTreeMap<String, String>,
}

impl Recorded {
    /// Divides the settings of a program, given as pairs of which later ones count. A recording keeps those that
    /// the program wants. Secret is what the skill or the name of the key calls so, and values that look like
    /// secrets.
    pub fn new(pairs: impl IntoIterator<Item = (String, String)>, wanted: &[WantedKey]) -> Self {
        let mut res = Self::default();
        let pairs: BTreeMap<String, String> = pairs.into_iter().collect();
        for (key, value) in pairs {
            let wanted = wanted.iter().find(|wanted| wanted.key == key);
            let is_secret = is_secret_name(&key)
                || wanted.is_some_and(|wanted| wanted.is_secret)
                || !scan_secrets(&value).is_empty()
                || has_login(&value);
            if value.is_empty() {
                continue;
            }
            if is_secret {
                res.secret.insert(key, value);
            } else if wanted.is_some_and(is_recorded) {
                res.kept.insert(key, value);
            }
        }
        res
    }

    /// Returns the mask of a recording.
    pub fn mask(&self) -> Mask {
        Mask::new(&self.secret).with_settings(&self.kept)
    }

    /// Returns a cassette without cases. It names the secret settings that the program wants.
    pub fn cassette(&self, wanted: &[WantedKey]) -> Cassette {
        let mask = self.mask();
        let kept = self.kept.iter();
        let kept = kept.map(|(key, value)| (key.clone(), mask.text(value)));
        let names: BTreeSet<&str> = wanted.iter().map(|wanted| wanted.key.as_str()).collect();
        let secrets = self.secret.keys();
        let secrets = secrets.filter(|key| names.contains(key.as_str())).cloned();
        Cassette::new(kept.collect(), secrets.collect())
    }
}

/// Returns the settings of a replay: those of the recording, with made-up values for the secret ones. A
/// recording may be that of somebody else: only what the program wants counts, and never a restriction, which
/// could permit more than the user does.
pub fn replayed(cassette: &Cassette, wanted: &[WantedKey]) -> Recorded {
    let is_wanted = |key: &String| wanted.iter().any(|it| it.key == *key && is_recorded(it));
    let kept = cassette.settings.iter().filter(|(key, _)| is_wanted(key));
    let secret = cassette.secrets.iter().filter(|key| is_wanted(key));
    Recorded {
        kept: kept
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect(),
        secret: secret
            .map(|key| (key.clone(), made_up_secret(key)))
            .collect(),
    }
}

/// Returns true for a setting that a recording may have.
fn is_recorded(wanted: &WantedKey) -> bool {
    !wanted.is_guard && wanted.is_settable()
}

/// Returns the text of a `config.env` with these settings, which count first.
pub fn with_recorded(config: &str, recorded: &Recorded) -> String {
    let pairs = recorded.kept.iter().chain(&recorded.secret);
    let lines = write_env_file(pairs.map(|(key, value)| (key.as_str(), value.as_str())));
    format!("{config}\n{}", lines.text)
}

/// Returns true for an address with a name and a password, or with a query that may hold a key.
fn has_login(value: &str) -> bool {
    let Some((_, rest)) = value.split_once("://") else {
        return false;
    };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    host.contains('@') || rest.contains('?')
}

#[cfg(test)]
mod tests {
    use skill_settings::KeyKind;

    use super::*;

    /// Keys that a program wants; those that begin with `ALLOWED` are restrictions.
    fn wanted(keys: &[&str]) -> Vec<WantedKey> {
        let keys = keys.iter();
        keys.map(|key| WantedKey {
            key: (*key).to_owned(),
            kind: KeyKind::Declared,
            is_required: false,
            is_guard: key.starts_with("ALLOWED"),
            is_secret: false,
            has_default: false,
            description: None,
        })
        .collect()
    }

    /// Checks the lines that are added for these keys.
    #[track_caller]
    fn check(config: &str, keys: &[&str], expected: &str) {
        let wanted = wanted(keys);
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

    #[test]
    fn examples_of_keys_are_replaced() {
        check(
            "A_KEY=YOUR_API_KEY_HERE\nB_TOKEN=在此填写\nC_KEY=k3y-of-mine\nD_URL=https://your.example",
            &["A_KEY", "B_TOKEN", "C_KEY", "D_URL"],
            "\nA_KEY=emulated-a-key\nB_TOKEN=emulated-b-token",
        );
    }

    #[test]
    fn secrets_are_not_recorded() {
        let wanted = wanted(&["UNIT", "API_KEY", "PROXY", "EMPTY", "SHORT"]);
        let pairs = [
            ("UNIT", "C"),
            ("API_KEY", "q7w8e9r0"),
            ("PROXY", "http://user:pass@proxy.example"),
            ("EMPTY", ""),
            ("OTHER", "of another program"),
            ("OTHER_TOKEN", "of-another-program"),
        ];
        let pairs = pairs.map(|(key, value)| (key.to_owned(), value.to_owned()));
        let recorded = Recorded::new(pairs, &wanted);
        assert_eq!(recorded.kept.keys().collect::<Vec<_>>(), ["UNIT"]);
        let secret: Vec<_> = recorded.secret.keys().collect();
        assert_eq!(secret, ["API_KEY", "OTHER_TOKEN", "PROXY"]);
        let cassette = recorded.cassette(&wanted);
        assert!(!cassette.text().contains("q7w8e9r0"), "{}", cassette.text());
        let config = with_recorded("UNIT=F", &replayed(&cassette, &wanted));
        assert_eq!(
            read_env_file(&config)
                .into_iter()
                .collect::<BTreeMap<_, _>>(),
            BTreeMap::from([
                ("API_KEY".to_owned(), "emulated-api-key".to_owned()),
                ("PROXY".to_owned(), "emulated-proxy".to_owned()),
                ("UNIT".to_owned(), "C".to_owned()),
            ])
        );
    }

    #[test]
    fn a_recording_permits_nothing() {
        let given = [("ALLOWED_DIRS", "/"), ("LD_PRELOAD", "x"), ("UNIT", "C")];
        let given = given.map(|(key, value)| (key.to_owned(), value.to_owned()));
        let cassette = Cassette::new(given.into(), ["ALLOWED_KEY".to_owned()].into());
        let replayed = replayed(&cassette, &wanted(&["ALLOWED_DIRS", "ALLOWED_KEY", "UNIT"]));
        assert_eq!(replayed.kept.keys().collect::<Vec<_>>(), ["UNIT"]);
        assert!(replayed.secret.is_empty());
    }
}
