//! The settings that a skill may have and does without: what each decides, and its default.

use std::collections::{BTreeMap, BTreeSet};

use skill_model::Config;

use crate::{
    code::{self, Analysis, Fallback, SettingUse},
    config::HOST_VARIABLES,
    env_comments::Comment,
    env_example::is_placeholder,
    needed::{self, Needed},
    plugin::Plugin,
};

/// The effect of a setting, as its name says.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Effect {
    /// It decides where the program works: an address, a directory, a database, a model, a program.
    Place,
    /// Anything else.
    Manner,
    /// An amount.
    Amount,
    /// A time limit, a cache, or messages for its author.
    Tuning,
}

/// A setting that the program does without.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SettingRow {
    /// Its name, or a family of names.
    pub(crate) key: String,
    /// A name of it: for a family, one that its texts have.
    pub(crate) shown: String,
    /// The value that the program takes in its place; empty if unknown.
    pub(crate) default: String,
    /// The comment on it in the example.
    pub(crate) comment: String,
    pub(crate) effect: Effect,
    /// True if it decides how far back the program looks.
    pub(crate) is_span: bool,
    /// True if the plugin declares it.
    pub(crate) is_declared: bool,
}

/// Words of names of settings that decide where a program works.
const PLACES: [&str; 37] = [
    "host",
    "hostname",
    "port",
    "url",
    "uri",
    "endpoint",
    "server",
    "address",
    "addr",
    "root",
    "roots",
    "dir",
    "dirs",
    "directory",
    "directories",
    "folder",
    "folders",
    "path",
    "paths",
    "file",
    "model",
    "models",
    "database",
    "db",
    "region",
    "bucket",
    "bin",
    "cli",
    "executable",
    "proxy",
    "base",
    "user",
    "username",
    "email",
    "engine",
    "prefix",
    "table",
];
/// Words of names of settings that are amounts.
const AMOUNTS: [&str; 20] = [
    "max",
    "min",
    "limit",
    "limits",
    "tokens",
    "token",
    "temperature",
    "days",
    "hours",
    "count",
    "size",
    "bytes",
    "rate",
    "threshold",
    "kb",
    "mb",
    "chars",
    "items",
    "rounds",
    "ratio",
];
/// Words of names of settings that decide how far back a program looks.
const SPANS: [&str; 3] = ["days", "hours", "range"];
/// Words of names of settings that tune a program.
const TUNING: [&str; 27] = [
    "timeout",
    "timeouts",
    "ttl",
    "cache",
    "debug",
    "verbose",
    "retry",
    "retries",
    "delay",
    "ms",
    "seconds",
    "minutes",
    "pool",
    "keepalive",
    "log",
    "logging",
    "concurrency",
    "concurrent",
    "batch",
    "attempts",
    "heartbeat",
    "reserved",
    "backoff",
    "warn",
    "polling",
    "reconnect",
    "evidence",
];
/// First words of names of switches.
const SWITCHES: [&str; 6] = ["use", "enable", "enabled", "is", "allow", "return"];
/// Variables of the system and its tools, which programs read beside their settings.
const OF_SYSTEM: [&str; 21] = [
    "ALL_PROXY",
    "APPDATA",
    "CI",
    "COLORTERM",
    "COMSPEC",
    "DEFAULT_TIMEZONE",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "LOCALAPPDATA",
    "NO_PROXY",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "PUPPETEER_EXECUTABLE_PATH",
    "REPORT_TIMEZONE",
    "SYSTEMROOT",
    "SystemRoot",
    "TERM",
    "USERNAME",
    "WINDIR",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
];

/// Returns the effect that a name says.
pub(crate) fn effect(key: &str) -> Effect {
    let name = skill_model::slug(&key.replace('*', "")).map(String::from);
    let name = name.unwrap_or_default();
    let has = |words: &[&str]| name.split('-').any(|word| words.contains(&word));
    let (first, rest) = name.split_once('-').unwrap_or(("", &name));
    // The first word is the name of the service: `DB_CHARSET`.
    let is_place = rest.split('-').any(|word| PLACES.contains(&word));
    if has(&TUNING) || name.ends_with("-sec") {
        Effect::Tuning
    } else if has(&SPANS) {
        Effect::Manner
    } else if has(&AMOUNTS) {
        Effect::Amount
    } else if is_place && !SWITCHES.contains(&first) {
        Effect::Place
    } else {
        Effect::Manner
    }
}

/// Returns true for a name that decides how far back a program looks.
fn is_span(key: &str) -> bool {
    let name = skill_model::slug(key).map(String::from).unwrap_or_default();
    name.split('-').any(|word| SPANS.contains(&word))
}

/// Returns the settings that the program reads and does without, those that decide where it works first.
pub(crate) fn rows(
    plugin: &Plugin<'_>,
    analysis: &Analysis<'_, '_>,
    config: &Config,
    told: &Needed,
    comments: &BTreeMap<String, Comment>,
) -> Vec<SettingRow> {
    let schema = config.schema.as_ref();
    let declared = schema.and_then(|schema| schema["properties"].as_object());
    let declared: Vec<&str> = declared
        .into_iter()
        .flatten()
        .map(|(key, _)| key.as_str())
        .collect();
    let all = declared.iter().copied();
    let all = all.chain(config.undeclared.iter().map(String::as_str));
    let all: Vec<&str> = all.collect();
    let keys: BTreeSet<&str> = all.iter().copied().collect();
    let uses = &told.uses;
    let others = code::alternatives(analysis, &keys);
    let is_left = |key: &str| {
        told.is_told(key)
            || needed::is_of_host(key)
            || HOST_VARIABLES.contains(&key)
            || others.contains_key(key) && !declared.contains(&key)
    };
    let is_read = |key: &str| uses.contains_key(key) || analysis.facts.families.contains(key);
    let row = |key: &&str| {
        let is_declared = declared.contains(key);
        let of_system = OF_SYSTEM.iter().any(|it| it.eq_ignore_ascii_case(key));
        let is_taken = is_declared || is_read(key) && !of_system;
        if is_left(key) || !is_taken {
            return None;
        }
        let used = uses.get(*key);
        let default = used.and_then(default).unwrap_or_default();
        let comment = comments.get(*key).cloned().unwrap_or_default();
        let is_own_file = |value: &str| {
            let value = value
                .trim_start_matches("./")
                .trim_start_matches("scripts/");
            plugin.has_file(value)
        };
        let suggested = schema
            .and_then(|schema| schema["properties"][*key]["x-legacy-default"].as_str())
            .unwrap_or_default();
        let effect = match effect(key) {
            // The file is there.
            Effect::Place if is_own_file(&default) || is_own_file(suggested) => Effect::Tuning,
            effect => effect,
        };
        Some(SettingRow {
            shown: member(plugin, key, &comment.form),
            key: (*key).to_owned(),
            default,
            comment: comment.text,
            is_span: is_span(key),
            effect,
            is_declared,
        })
    };
    let mut res: Vec<SettingRow> = all.iter().filter_map(row).collect();
    res.sort_by_key(|row| row.effect);
    res
}

/// Returns a setting; of a family, the first one with a number that a text of the plugin has, `POT_0` of `POT_*`.
fn member(plugin: &Plugin<'_>, key: &str, form: &str) -> String {
    // `TABLE_<茶名>`
    let named = || {
        let Some((first, last)) = key.split_once('*') else {
            return key.to_owned();
        };
        let part = form
            .strip_prefix(first)
            .and_then(|rest| rest.strip_suffix(last));
        let part = part.filter(|part| !part.is_empty()).unwrap_or("NAME");
        format!("{first}<{part}>{last}")
    };
    let Some(prefix) = key.strip_suffix('*') else {
        return named();
    };
    let numbers = plugin.texts.values().flat_map(|text| {
        text.match_indices(prefix).filter_map(move |(at, _)| {
            let rest = &text[at + prefix.len()..];
            let end = rest
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(rest.len());
            rest[..end].parse::<u32>().ok()
        })
    });
    match numbers.min() {
        Some(number) => format!("{prefix}{number}"),
        None => named(),
    }
}

/// Returns the value that the program takes in place of a missing one, if that is a short text.
fn default(used: &SettingUse) -> Option<String> {
    const MAX: usize = 60;
    let of_switch = match used.fallback {
        _ if used.default.as_deref().is_some_and(|it| !it.is_empty()) => None,
        Some(Fallback::On) if used.is_switch => Some("true"),
        Some(Fallback::Nothing) if used.is_switch => Some("false"),
        _ => None,
    };
    if let Some(value) = of_switch {
        return Some(value.to_owned());
    }
    let value = used.default.as_deref()?;
    let is_constant = value.contains('_')
        && value
            .chars()
            .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    let says = (1..=MAX).contains(&value.chars().count())
        && !is_constant
        && !is_placeholder(value)
        && !value.contains(['\n', '\\', '`']);
    (says && needed::elsewhere(value).is_none()).then(|| value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_names_say() {
        for (key, expected) in [
            ("REDIS_HOST", Effect::Place),
            ("TeaBaseUrl", Effect::Place),
            ("OPENCODE_BIN", Effect::Place),
            ("TABLE_*", Effect::Place),
            ("TEA_MODEL_ID", Effect::Place),
            ("MODEL_MAX_TOKENS", Effect::Amount),
            ("DB_CHARSET", Effect::Manner),
            ("TEA_LIMIT_DAYS", Effect::Manner),
            ("USE_PUBLIC_URL", Effect::Manner),
            ("TEA_CACHE_DIR", Effect::Tuning),
            ("REQUEST_TIMEOUT", Effect::Tuning),
            ("ENABLE_POT", Effect::Manner),
        ] {
            assert_eq!(effect(key), expected, "{key}");
        }
    }
}
