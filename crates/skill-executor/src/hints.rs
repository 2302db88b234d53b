//! Settings without a value: the warning of a failure that a program reports in its own words.

use skill_model::GuardKind;
use skill_settings::names::is_provided;
use skill_settings::{WantedKey, wanted};

use crate::call::Call;
use crate::envelope::{ErrorCode, Failure, Warning};

/// Words of a program that asks for a setting without its name, in lower case and without spaces.
const ASKING: [&str; 10] = [
    "apikey",
    "accesskey",
    "credential",
    "config.env",
    "environmentvariable",
    "notconfigured",
    "unauthorized",
    "密钥",
    "环境变量",
    "未配置",
];

/// Returns a warning that names the settings without a value that the failure of a call asks for: those
/// that it mentions, otherwise those of the kind that its words are about, otherwise those that are
/// required.
pub(crate) fn settings(call: &Call<'_>, failure: &Failure) -> Option<Warning> {
    let is_own = matches!(
        failure.code,
        ErrorCode::PluginError | ErrorCode::ExitCode | ErrorCode::Protocol
    );
    let skill = call.skill;
    let is_set = |key: &WantedKey| {
        let given = call.host.environment.get(&key.key);
        let value = call.config.text(&key.key).or_else(|| given.cloned());
        value.is_some_and(|value| !value.trim().is_empty())
    };
    let wanted = wanted(&skill.metadata, skill.manifest.as_ref());
    let unset = wanted
        .iter()
        .filter(|key| key.is_settable() && !key.is_guard && !is_provided(&key.key) && !is_set(key));
    let unset: Vec<&WantedKey> = unset.collect();
    let names = |is_asked: &dyn Fn(&WantedKey) -> bool| -> Vec<&str> {
        let keys = unset.iter().filter(|key| is_asked(key));
        keys.map(|key| key.key.as_str()).collect()
    };
    let mut keys = names(&|key| mentions(&failure.message, &key.key));
    let text = failure.message.to_lowercase();
    let text = text.replace([' ', '_', '-'], "");
    if keys.is_empty() && text.contains("invalidurl") {
        keys = names(&|key| key.key.to_ascii_lowercase().contains("url"));
    }
    if keys.is_empty() && ASKING.iter().any(|word| text.contains(word)) {
        keys = names(&|key| key.is_required || key.is_secret);
    }
    if keys.is_empty() {
        keys = names(&|key| key.is_required);
    }
    let first = keys.first().filter(|_| is_own)?;
    let (keys, name) = (keys.join(", "), &skill.metadata.name);
    let message = format!(
        "no value for {keys}; if the program needs it, store one with: skills-run configure {name} {first}=VALUE"
    );
    Some(Warning::new(SETTINGS_MISSING, message))
}

/// Words of programs that a host was not reached, in lower case and without spaces.
const UNREACHED: [&str; 10] = [
    "enotfound",
    "eai_again",
    "getaddrinfo",
    "nameresolution",
    "servicenotknown",
    "fetchfailed",
    "enetunreach",
    "networkisunreachable",
    "connectionerror",
    "connecterror",
];

/// Words of programs that a place cannot be written, in lower case and without spaces.
const UNWRITABLE: [&str; 3] = ["erofs", "read-onlyfilesystem", "eacces"];

/// The code of the warning about settings.
pub const SETTINGS_MISSING: &str = "settings-missing";
/// The code of the warning about hosts.
pub const HOST_NOT_ALLOWED: &str = "host-not-allowed";
/// The code of the warning about directories.
pub const DIRECTORY_NOT_ALLOWED: &str = "directory-not-allowed";

/// Returns warnings for the failure of an MCP server's program that its sandbox explains, with what the
/// user can do.
pub(crate) fn server(call: &Call<'_>, failure: &Failure) -> Vec<Warning> {
    let metadata = &call.skill.metadata;
    let mcp = metadata.entry.as_ref().and_then(|entry| entry.mcp.as_ref());
    if mcp.is_none_or(|mcp| mcp.url.is_some()) {
        return Vec::new();
    }
    let text = failure.message.to_lowercase().replace(' ', "");
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let key = |kind| {
        let mut guards = metadata.config.guards.iter();
        guards
            .find(|guard| guard.kind == kind)
            .map(|guard| &guard.key)
    };
    let name = &metadata.name;
    let mut res = Vec::new();
    if has(&UNREACHED)
        && metadata.permissions.network != "any"
        && let Some(key) = key(GuardKind::AllowHosts)
    {
        let message = format!(
            "the server may ask only the hosts that are allowed; if it should ask more, name them with: skills-run configure {name} {key}=HOST,…"
        );
        res.push(Warning::new(HOST_NOT_ALLOWED, message));
    }
    if has(&UNWRITABLE)
        && let Some(key) = key(GuardKind::AllowDirectories)
    {
        let message = format!(
            "the server may write only its home and the directories that are allowed: skills-run configure {name} {key}=DIRECTORY,…; if a variable names its place, set that in `entry.mcp.env` of METADATA.yml, for example to `${{HOME}}/data`"
        );
        res.push(Warning::new(DIRECTORY_NOT_ALLOWED, message));
    }
    res
}

/// Returns true if a text has a key as a word of its own.
fn mentions(text: &str, key: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut places = text.match_indices(key);
    places.any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + key.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::mentions;

    #[test]
    fn a_key_is_a_word() {
        let check = |text: &str, expected: bool| assert_eq!(mentions(text, "API_KEY"), expected);
        check("API_KEY is missing", true);
        check("缺少API_KEY，请设置", true);
        check("MY_API_KEY is missing", false);
        check("API_KEYS", false);
        check("", false);
    }
}
