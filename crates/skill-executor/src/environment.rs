//! The environment of a child: nothing is inherited that is not named here.
//!
//! The old host passed its whole environment to every plugin. Here a plugin gets a base of harmless
//! names, what its METADATA.yml lists (`permissions.environment`), the keys it declares, and what
//! `docs/design/legacy-host.md` §1.3 and §1.4 list. Names that are not identifiers never reached a
//! plugin, because the shell drops them (§1.9).
//!
//! Naming a variable is not enough for secrets of the caller: the user must have allowed the name
//! ([`HostEnvironment`], [`guarded`]). Variables for loaders and interpreters are never passed, from
//! wherever they come.

pub mod guarded;
mod host;
mod process;
pub mod provided;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub use host::HostEnvironment;
pub(crate) use host::has_own_settings;
pub use process::from_process;
use serde_json::Value;
use skill_loader::fs::{Kind, Root, resolve};
use skill_model::Transport;

use crate::auth_code::AUTH_CODE;
use crate::call::Call;
use crate::config::declared;
use crate::envelope::{ErrorCode, Failure, Warning};
use crate::json;
use crate::placeholder::known;
use crate::results;
use crate::view::View;

/// Names of general settings and paths without secrets of the user. `HOME` is a directory of the
/// skill, unless its METADATA.yml names it.
const BASE: [&str; 11] = [
    "PATH",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "TZ",
    "TMPDIR",
    "TERM",
    "PYTHONUTF8",
    "PYTHONCOERCECLOCALE",
];

/// Names of files and directories with the authorities that programs trust: a proxy of a company needs one
/// of its own. OpenSSL and the programs that use it read the first two, Node.js the third, the Python
/// package requests the fourth, curl the fifth.
const AUTHORITIES: [&str; 5] = [
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
];

/// Names without which few programs start on Windows. The home directory of a skill is in
/// `USERPROFILE` there.
const WINDOWS: [&str; 7] = [
    "COMSPEC",
    "PATHEXT",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "WINDIR",
];

/// The categories of the locale (locale(7)).
const LOCALE: [&str; 13] = [
    "LC_ADDRESS",
    "LC_ALL",
    "LC_COLLATE",
    "LC_CTYPE",
    "LC_IDENTIFICATION",
    "LC_MEASUREMENT",
    "LC_MESSAGES",
    "LC_MONETARY",
    "LC_NAME",
    "LC_NUMERIC",
    "LC_PAPER",
    "LC_TELEPHONE",
    "LC_TIME",
];

/// Turns off what the npm package dotenv prints.
const DOTENV_QUIET: &str = "DOTENV_CONFIG_QUIET";

/// The environment variables of a program.
pub type Environment = BTreeMap<String, String>;

/// The variables that every kind of child gets: base, configuration, `PROJECT_BASE_PATH`.
fn basic(call: &Call<'_>, view: &View) -> Environment {
    let metadata = &call.skill.metadata;
    let keys = declared(metadata, call.skill.manifest.as_ref());
    let is_usual = |name: &str| {
        BASE.contains(&name)
            || AUTHORITIES.contains(&name)
            || cfg!(windows) && WINDOWS.contains(&name)
            || LOCALE.contains(&name)
    };
    let is_named = |name: &str| {
        is_usual(name)
            || metadata
                .permissions
                .environment
                .iter()
                .any(|known| known == name)
            || metadata.config.undeclared.iter().any(|known| known == name)
            || keys.iter().any(|(known, _)| known == name)
    };
    let host = call.host.environment.iter();
    let mut res: Environment = host
        .filter(|(name, _)| is_named(name))
        .filter(|(name, _)| {
            is_usual(name) || call.host.environment.setting_of(metadata, name).is_some()
        })
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let own = call.config.values.keys().chain(call.config.stored.keys());
    for key in own {
        if let Some(text) = call.config.text(key) {
            res.insert(key.clone(), text);
        }
    }
    let home = view.home.display().to_string();
    if cfg!(windows) {
        res.entry("USERPROFILE".to_owned()).or_insert(home.clone());
    }
    res.entry("HOME".to_owned()).or_insert(home);
    res.insert(
        "PROJECT_BASE_PATH".to_owned(),
        view.base.display().to_string(),
    );
    res.insert("PWD".to_owned(), view.cwd.display().to_string());
    res.retain(|name, value| is_allowed(name) && !value.contains('\0'));
    // These lead to packages that the user had installed, and to nothing else.
    view.packages.add_to(&mut res);
    res.extend(call.host.loaders.clone());
    res
}

/// Returns the files with authorities that the user's environment names, which programs may read: their
/// real paths, and those that the programs know.
pub(crate) fn authorities(call: &Call<'_>) -> Vec<(PathBuf, PathBuf)> {
    let host = &call.host.environment;
    let named = AUTHORITIES.iter().filter_map(|name| host.get(*name));
    let mut res: Vec<(PathBuf, PathBuf)> = named
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
        .filter_map(|path| Some((file(&path)?, path)))
        .collect();
    res.sort();
    res.dedup();
    res
}

/// Returns the real path of a file; `None` for anything else.
fn file(path: &Path) -> Option<PathBuf> {
    let real = resolve(path).ok()?;
    let root = Root::open_real(real.parent()?).ok()?;
    let name = real.file_name()?.to_str()?;
    let kind = root.kind(name).ok().flatten();
    matches!(kind, Some(Kind::File(_))).then_some(real)
}

/// Returns true for a name that programs get: an identifier that no loader reads.
pub(crate) fn is_allowed(name: &str) -> bool {
    guarded::is_identifier(name) && !guarded::is_loader(name)
}

/// Adds to those variables the values that the old host made and this skill names.
///
/// # Errors
///
/// A value that is made here cannot be stored.
pub fn with_provided(call: &Call<'_>, view: &View) -> Result<Environment, Failure> {
    let mut res = basic(call, view);
    provide(call, &mut res)?;
    feed(call, &mut res);
    Ok(res)
}

/// Adds the values of the static skills that this skill requires, each as a variable with the name of
/// the placeholder, if there is none of that name.
fn feed(call: &Call<'_>, env: &mut Environment) {
    for (name, value) in known::values(call.skill, call.host) {
        let text = match value {
            Value::String(text) => text,
            value => json::stringify(&value),
        };
        let is_fine = guarded::is_identifier(&name) && !guarded::is_loader(&name);
        if is_fine && name != AUTH_CODE && !text.contains('\0') {
            env.entry(name).or_insert(text);
        }
    }
}

/// Refuses a call whose skill declares secrets of the caller that the user has not allowed, unless
/// the configuration has values for them.
pub(crate) fn check(call: &Call<'_>) -> Result<(), Failure> {
    let metadata = &call.skill.metadata;
    let declared = declared(metadata, call.skill.manifest.as_ref());
    let declared = declared.iter().map(|(name, _)| name);
    // A header of a request may hold `${KEY}` for these.
    let of_headers = matches!(metadata.transport, Some(Transport::Http | Transport::Mcp));
    let of_headers = metadata.config.secret.iter().filter(|_| of_headers);
    // The migrator also permits what the code alone mentions, which the skill can do without.
    let is_mentioned = |name: &&String| metadata.config.undeclared.contains(name);
    let permitted = metadata.permissions.environment.iter();
    let permitted = permitted.filter(|name| !is_mentioned(name));
    let mut names: Vec<&str> = declared
        .chain(permitted)
        .chain(of_headers)
        .map(String::as_str)
        .filter(|name| is_refused(call, name) && !guarded::is_loader(name))
        .collect();
    if names.is_empty() {
        return Ok(());
    }
    names.sort_unstable();
    names.dedup();
    let message = format!(
        "skill `{}` declares {}, set in your environment, which may be secrets and no skill gets unasked: allow each by `--allow-env NAME`, or give values (empty for none) in the file of `--config` or with `skills-run configure`",
        metadata.name,
        quoted(&names)
    );
    Err(Failure::new(ErrorCode::Denied, message).with("environment", names))
}

/// Returns warnings about variables that are withheld: secrets that only the code of the skill
/// mentions, and variables for loaders.
pub(crate) fn warnings(call: &Call<'_>) -> Vec<Warning> {
    let metadata = &call.skill.metadata;
    let declared = declared(metadata, call.skill.manifest.as_ref());
    let declared = declared.iter().map(|(name, _)| name);
    let loaders = declared
        .chain(&metadata.permissions.environment)
        .filter(|name| guarded::is_loader(name));
    let mentioned = metadata.config.undeclared.iter();
    let is_missing =
        |name: &&str| is_refused(call, name) || (guarded::is_loader(name) && is_set(call, name));
    let mut names: Vec<&str> = loaders
        .chain(mentioned)
        .map(String::as_str)
        .filter(is_missing)
        .collect();
    if names.is_empty() {
        return Vec::new();
    }
    names.sort_unstable();
    names.dedup();
    let message = format!(
        "withheld from `{}`: {}; `--allow-env NAME` passes a secret of your environment, and what loaders read is never passed",
        metadata.name,
        quoted(&names)
    );
    vec![Warning {
        code: "environment-withheld",
        message,
        pointer: None,
    }]
}

/// Returns true if a variable is set for the caller, is not passed, and has no value in the
/// configuration.
fn is_refused(call: &Call<'_>, name: &str) -> bool {
    let metadata = &call.skill.metadata;
    let is_asked = !has_own_settings(metadata)
        || metadata
            .permissions
            .environment
            .iter()
            .any(|known| known == name);
    is_asked && call.host.environment.withholds(name) && !call.config.has(name)
}

fn is_set(call: &Call<'_>, name: &str) -> bool {
    call.config.has(name) || call.host.environment.setting(name).is_some()
}

/// Quotes names for a message. They come from an untrusted manifest.
fn quoted(names: &[&str]) -> String {
    let names = names.iter();
    let names: Vec<_> = names
        .map(|name| format!("`{}`", name.escape_debug()))
        .collect();
    names.join(", ")
}

/// Adds the variables of stdio tools (`docs/design/legacy-host.md` §1.3).
///
/// # Errors
///
/// A value that is made here cannot be stored.
pub fn for_tool(call: &Call<'_>, view: &View) -> Result<Environment, Failure> {
    let mut res = with_provided(call, view)?;
    let mut set = |name: &str, value: &str| res.insert(name.to_owned(), value.to_owned());
    set("PYTHONIOENCODING", "utf-8");
    // Since version 17, dotenv prints a line to standard output, where the answer is expected.
    if !call.config.has(DOTENV_QUIET) && call.host.environment.get(DOTENV_QUIET).is_none() {
        set(DOTENV_QUIET, "true");
    }
    if let Some(port) = provided::own_port(call)
        && !call.config.has("SERVER_PORT")
    {
        set("SERVER_PORT", &port);
    }
    let code = call.host.environment.code();
    if let Some(code) = code.filter(|_| call.skill.metadata.permissions.admin) {
        set(AUTH_CODE, code);
    }
    if let Some(ip) = call
        .options
        .request_ip
        .as_deref()
        .filter(|ip| !ip.is_empty())
    {
        set("VCP_REQUEST_IP", ip);
    }
    Ok(res)
}

/// Adds the values that the old host made and this skill names, unless the user has some.
fn provide(call: &Call<'_>, env: &mut Environment) -> Result<(), Failure> {
    let metadata = &call.skill.metadata;
    let named = metadata.permissions.environment.iter();
    for name in named.chain(&metadata.config.undeclared) {
        let is_missing = !env.contains_key(name) && !call.host.environment.withholds(name);
        if is_missing {
            let value = provided::value(name, call)?;
            env.extend(value.map(|value| (name.clone(), value)));
        }
    }
    Ok(())
}

/// Adds the variables of asynchronous tools (`docs/design/legacy-host.md` §1.4). `callback` is an
/// endpoint of this call. It takes precedence over the configuration, then the URL of a server,
/// then the caller's own variable.
pub fn for_asynchronous(
    call: &Call<'_>,
    view: &View,
    callback: Option<&str>,
) -> Result<Environment, Failure> {
    const URL: &str = "CALLBACK_BASE_URL";
    let mut res = for_tool(call, view)?;
    let configured = call.config.text(URL).filter(|url| !url.is_empty());
    let global = call.host.environment.get(URL).filter(|url| !url.is_empty());
    let url = match (
        callback.map(str::to_owned).or(configured),
        &call.options.callbacks,
    ) {
        (Some(url), _) => Some(url),
        (None, Some(base)) => {
            let secret = results::expect(&call.host.state, call.skill.legacy_name())?;
            Some(format!("{base}/{}", secret.text()))
        }
        (None, None) => global.cloned(),
    };
    if let Some(url) = url {
        res.insert(URL.to_owned(), url);
    }
    let name = call.skill.legacy_name().to_owned();
    res.insert("PLUGIN_NAME_FOR_CALLBACK".to_owned(), name);
    Ok(res)
}
