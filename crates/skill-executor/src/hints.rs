//! Hints for a failure that a program reports in its own words: settings without a value, the network, or
//! what a server's sandbox does not allow, a browser.

use std::path::Path;

use skill_model::GuardKind;
use skill_settings::names::is_provided;
use skill_settings::{WantedKey, wanted};

use crate::auth_code::AUTH_CODE;
use crate::call::Call;
use crate::envelope::{ErrorCode, Failure, Warning};
use crate::guards::{in_file, listed};
use crate::network_hints::{self, has_word, is_of_server};

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
fn settings(call: &Call<'_>, failure: &Failure) -> Option<Warning> {
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

/// Words of programs that a place cannot be written or read, in lower case and without spaces: those of
/// Node.js, Python and the system.
const UNWRITABLE: [&str; 10] = [
    "erofs",
    "read-onlyfilesystem",
    "eacces",
    "eperm:operationnotpermitted",
    "permissiondenied",
    "permissionerror",
    "[errno1]",
    "[errno13]",
    "[errno30]",
    "operationnotpermitted:",
];

/// The code of the warning about settings.
pub const SETTINGS_MISSING: &str = "settings-missing";
pub use crate::network_hints::{HOST_NOT_ALLOWED, NETWORK_UNREACHABLE};
/// The code of the warning about a browser.
pub const BROWSER_MISSING: &str = "browser-missing";
/// The variable with the path of the browser that the npm package puppeteer starts.
const BROWSER_PATH: &str = "PUPPETEER_EXECUTABLE_PATH";
/// The code of the warning about directories.
pub const DIRECTORY_NOT_ALLOWED: &str = "directory-not-allowed";

/// Returns the warnings for the failure of a call, with what the user can do.
pub(crate) fn all(call: &Call<'_>, failure: &Failure) -> Vec<Warning> {
    let mut res: Vec<Warning> = settings(call, failure).into_iter().collect();
    let of_network = network_hints::hint(call, failure);
    let is_refused = of_network
        .as_ref()
        .is_some_and(|it| it.code == HOST_NOT_ALLOWED);
    res.extend(of_network);
    // A sandbox that refuses a connection is about no file.
    res.extend(server(call, failure).into_iter().filter(|_| !is_refused));
    res.extend(admin(call, failure));
    res.extend(browser(call, failure));
    res
}

/// Words of programs that found no browser to control, in lower case and without spaces.
const NO_BROWSER: [&str; 5] = [
    "couldnotfindchrome",
    "couldnotfindchromium",
    "couldnotfindexpectedbrowser",
    "browserwasnotfound",
    "executabledoesn'texist",
];

/// Returns a warning that a program needs a browser, which no package brings unless its install script
/// may download one.
fn browser(call: &Call<'_>, failure: &Failure) -> Option<Warning> {
    if !has_word(&failure.message, &NO_BROWSER) {
        return None;
    }
    let metadata = &call.skill.metadata;
    let wanted = wanted(metadata, call.skill.manifest.as_ref());
    let is_wanted = wanted.iter().any(|key| key.key == BROWSER_PATH);
    let name = &metadata.name;
    let message = if is_wanted {
        format!(
            "the program needs a browser: install Chrome or Chromium, and name it with: skills-run configure {name} {BROWSER_PATH}=/usr/bin/chromium"
        )
    } else {
        "the program needs a browser: install Chrome or Chromium where the program looks for it"
            .to_owned()
    };
    Some(Warning::new(BROWSER_MISSING, message))
}

/// Returns a warning that says how the administrator's code is given, if a call was denied without it, or
/// if the program itself asks for it.
fn admin(call: &Call<'_>, failure: &Failure) -> Option<Warning> {
    let may_ask = matches!(failure.code, ErrorCode::Denied | ErrorCode::PluginError);
    let is_asked = call.skill.metadata.permissions.admin && may_ask;
    let is_missing = is_asked && call.host.environment.code().is_none();
    let message = format!(
        "no command makes the administrator's code: set {AUTH_CODE} to that of the old host, or to one that you choose, or name the file of the old host with --auth-code-file FILE"
    );
    is_missing.then(|| Warning::new("auth-code-missing", message))
}

/// Returns warnings for the failure of an MCP server's program that its sandbox explains, with what the
/// user can do.
fn server(call: &Call<'_>, failure: &Failure) -> Vec<Warning> {
    let metadata = &call.skill.metadata;
    let mcp = metadata.entry.as_ref().and_then(|entry| entry.mcp.as_ref());
    if !is_of_server(failure) || mcp.is_none_or(|mcp| mcp.url.is_some()) {
        return Vec::new();
    }
    let has = |words: &[&str]| has_word(&failure.message, words);
    let key = |kind| {
        let mut guards = metadata.config.guards.iter();
        guards
            .find(|guard| guard.kind == kind)
            .map(|guard| &guard.key)
    };
    let name = &metadata.name;
    let mut res = Vec::new();
    let closed = closed_directories(call);
    let is_asked = failure.code == ErrorCode::Unavailable
        || closed.iter().any(|it| failure.message.contains(it));
    if !closed.is_empty()
        && is_asked
        && let Some(key) = key(GuardKind::AllowDirectories)
    {
        let all = closed.join(",");
        let message = format!(
            "the entry of the server names {all}, which its sandbox does not open; if the server should read and write there: skills-run configure {name} {key}={all}"
        );
        res.push(Warning::new(DIRECTORY_NOT_ALLOWED, message));
    } else if let Some(place) = hidden_place(call, &failure.message)
        && let Some(key) = key(GuardKind::AllowDirectories)
    {
        let message = format!(
            "if {place} exists, the sandbox of the server hides it; to let the server read and write there: skills-run configure {name} {key}=DIRECTORY,…"
        );
        res.push(Warning::new(DIRECTORY_NOT_ALLOWED, message));
    } else if has(&UNWRITABLE)
        && let Some(key) = key(GuardKind::AllowDirectories)
    {
        let message = format!(
            "the server may write only its home and the directories that are allowed: skills-run configure {name} {key}=DIRECTORY,…; if a variable names its place, set that in `entry.mcp.env` of METADATA.yml, for example to `${{HOME}}/data`"
        );
        res.push(Warning::new(DIRECTORY_NOT_ALLOWED, message));
    }
    res
}

/// Returns the directories of this machine that the entry of a server names, and that no setting opens: the
/// directory of a program in place of the program.
fn closed_directories(call: &Call<'_>) -> Vec<String> {
    let metadata = &call.skill.metadata;
    let mcp = metadata.entry.as_ref().and_then(|entry| entry.mcp.as_ref());
    let words = mcp.into_iter().flat_map(|mcp| &mcp.args);
    let values = words.map(|word| word.rsplit('=').next().unwrap_or(word));
    let is_open = open_places(call);
    let mut res: Vec<String> = values
        .filter(|word| word.starts_with('/') && word.len() > 1)
        .map(
            |word| match (Path::new(word).extension(), word.rsplit_once('/')) {
                (Some(_), Some((directory, _))) if !directory.is_empty() => directory.to_owned(),
                _ => word.to_owned(),
            },
        )
        .filter(|place| !is_open(place))
        .collect();
    res.sort();
    res.dedup();
    res
}

/// Returns a test for the places that the sandbox of a server opens: directories of the system, and those of
/// the user's settings.
fn open_places(call: &Call<'_>) -> impl Fn(&str) -> bool {
    let guards = call.skill.metadata.config.guards.iter();
    let guards = guards.filter(|guard| guard.kind == GuardKind::AllowDirectories);
    let values = guards.filter_map(|guard| in_file(call, &guard.key));
    let own: Vec<String> = values.flat_map(|value| listed(&value)).collect();
    move |place: &str| {
        let system = ["/usr", "/bin", "/lib", "/lib64"].into_iter();
        let mut open = own.iter().map(String::as_str).chain(system);
        open.any(|directory| Path::new(place).starts_with(directory))
    }
}

/// Returns the place outside of the sandbox that a program says does not exist, with an absolute path in
/// quotes: `ENOENT: no such file or directory, open '/home/me/a'`.
fn hidden_place(call: &Call<'_>, text: &str) -> Option<String> {
    if !has_word(text, &["nosuchfileordirectory"]) {
        return None;
    }
    let place = text
        .split(['\'', '"', '`'])
        .find(|it| it.starts_with('/') && it.len() > 1)?;
    let own = [call.host.state.path("."), call.skill.dir.clone()];
    let is_own = own.iter().any(|own| Path::new(place).starts_with(own));
    let temporary = ["/tmp", "/proc", "/dev", "/etc", "/var/tmp"];
    let is_temporary = temporary
        .iter()
        .any(|own| Path::new(place).starts_with(own));
    let is_inside = is_own || is_temporary || open_places(call)(place);
    (!is_inside).then(|| place.to_owned())
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
    use super::{UNWRITABLE, mentions};
    use crate::network_hints::{UNREACHED, has_word};

    #[test]
    fn words_of_each_runtime_are_known() {
        let check = |text: &str, is_unreached: bool, is_unwritable: bool| {
            assert_eq!(has_word(text, &UNREACHED), is_unreached, "{text}");
            assert_eq!(has_word(text, &UNWRITABLE), is_unwritable, "{text}");
        };
        check("getaddrinfo ENOTFOUND api.example", true, false);
        check("ModuleNotFoundError: No module named 'x'", false, false);
        check("EACCES: permission denied, open '/x'", false, true);
        check("EPERM: operation not permitted, open '/x'", false, true);
        check(
            "PermissionError: [Errno 13] Permission denied: '/x'",
            false,
            true,
        );
        check("[Errno 1] Operation not permitted: '/x'", false, true);
        check(
            "OSError: [Errno 30] Read-only file system: '/x'",
            false,
            true,
        );
        check("[Errno 111] Connection refused", false, false);
    }

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
