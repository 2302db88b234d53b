//! The server of METADATA.yml, with the settings filled in.

use std::path::Path;

use serde_json::Value;
use skill_model::{GuardKind, McpServer};
use skill_sandbox::{ChannelPlace, Limits, Program, Spec};

use crate::approval::StartGuard;
use crate::call::Call;
use crate::envelope::{ErrorCode, Failure};
use crate::guards::listed;
use crate::http::{
    AUTHORIZATION, Address, Hosts, filled, lacking, setting, unsendable, unsendable_setting, usual,
    with_settings,
};
use crate::view::View;
use crate::{environment, policy};

/// The key of the address, for skills without `entry.mcp`.
const URL: &str = "MCP_SERVER_URL";
/// The key of the bearer token, for skills without `entry.mcp`.
const TOKEN: &str = "MCP_SERVER_TOKEN";
/// Bytes of diagnostics that are kept.
const DIAGNOSTICS: usize = 256 << 10;
/// The largest `package.json`, in bytes.
const MAX_PACKAGE: u64 = 1 << 20;

/// The address of a server.
#[derive(Debug)]
pub(super) struct Remote {
    pub(super) address: Address,
    pub(super) headers: Vec<(String, String)>,
    pub(super) hosts: Hosts,
    /// `streamable-http` or `sse`; the first that works if METADATA.yml names none.
    pub(super) protocol: Option<String>,
}

fn not_runnable(call: &Call<'_>, why: &str) -> Failure {
    let message = format!(
        "skill `{}` cannot be asked: {why}",
        call.skill.metadata.name
    );
    Failure::new(ErrorCode::NotRunnable, message)
}

/// Returns `entry.mcp`.
pub(super) fn server<'c>(call: &Call<'c>) -> Option<&'c McpServer> {
    call.skill.metadata.entry.as_ref()?.mcp.as_ref()
}

/// Returns the value of a key in a text of METADATA.yml: a setting, or its default.
fn value(call: &Call<'_>, key: &str) -> Option<String> {
    let found = setting(call, key).or_else(|| usual(call, key));
    found.filter(|text| !text.is_empty())
}

/// Returns the values of a key whose setting is a list.
fn list(call: &Call<'_>, key: &str) -> Option<Vec<String>> {
    let schema = call.skill.metadata.config.schema.as_ref()?;
    let is_list = schema.pointer(&format!("/properties/{key}/type"))? == "array";
    let text = value(call, key).filter(|_| is_list)?;
    let mut guards = call.skill.metadata.config.guards.iter();
    let has_directories =
        guards.any(|guard| guard.key == key && guard.kind == GuardKind::AllowDirectories);
    Some(items(&text, has_directories))
}

/// Returns the items of a list that a setting has as JSON. Another text is the only item, or a list of
/// directories as the sandbox reads it.
fn items(text: &str, has_directories: bool) -> Vec<String> {
    let Ok(items) = serde_json::from_str::<Vec<Value>>(text) else {
        return if has_directories {
            listed(text)
        } else {
            Vec::from([text.to_owned()])
        };
    };
    let text = |item: Value| match item {
        Value::String(text) => text,
        item => item.to_string(),
    };
    items.into_iter().map(text).collect()
}

/// Replaces `${KEY}`; the error is the keys without a value.
fn fill(text: &str, value: &dyn Fn(&str) -> Option<String>) -> Result<String, Vec<String>> {
    let (mut res, mut missing) = (String::new(), Vec::new());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let Some((key, tail)) = after.split_once('}') else {
            break;
        };
        res.push_str(before);
        match value(key) {
            Some(value) => res.push_str(&value),
            None => missing.push(key.to_owned()),
        }
        rest = tail;
    }
    res.push_str(rest);
    if missing.is_empty() {
        Ok(res)
    } else {
        Err(missing)
    }
}

/// Adds the keys that nothing works without.
fn add_required(call: &Call<'_>, keys: Vec<String>, missing: &mut Vec<String>) {
    for key in keys {
        if is_required(call, &key) && !missing.contains(&key) {
            missing.push(key);
        }
    }
}

/// Returns the key of a text that is only `${KEY}`.
fn only_key(text: &str) -> Option<&str> {
    let key = text.strip_prefix("${")?.strip_suffix('}')?;
    (!key.contains(['{', '}', '$'])).then_some(key)
}

/// Returns true if nothing works without a value of this key.
fn is_required(call: &Call<'_>, key: &str) -> bool {
    let schema = call.skill.metadata.config.schema.as_ref();
    let required = schema.and_then(|schema| schema.get("required")?.as_array());
    required.is_some_and(|required| required.iter().any(|known| known == key))
}

/// Returns the address of a server that runs already; `None` for a program.
pub(super) fn remote(call: &Call<'_>) -> Result<Option<Remote>, Failure> {
    let Some(server) = server(call) else {
        return by_settings(call).map(Some);
    };
    let Some(template) = &server.url else {
        return Ok(None);
    };
    let filler = |key: &str| value(call, key);
    let filled_url = with_settings(call, template, filler)?;
    let mut missing = filled_url.missing;
    let mut headers = Vec::new();
    for (header, text) in &server.headers {
        match fill(text, &filler) {
            Ok(text) => headers.push((header.clone(), text)),
            Err(keys) => add_required(call, keys, &mut missing),
        }
    }
    if !missing.is_empty() {
        return Err(lacking(call, &missing));
    }
    let url = filled_url.url;
    let (address, login) = Address::with_login(&url).map_err(|why| not_runnable(call, &why))?;
    let headers = headers
        .into_iter()
        .map(|(name, text)| (name, Value::from(text)))
        .collect();
    let mut headers = filled(&headers, |_| None).map_err(|why| not_runnable(call, &why))?;
    let is_authorization = |(name, _): &(String, String)| name.eq_ignore_ascii_case(AUTHORIZATION);
    let login = login.filter(|_| !headers.iter().any(is_authorization));
    headers.extend(login.map(|login| (AUTHORIZATION.to_owned(), login)));
    let hosts = Hosts::from_permissions(&call.skill.metadata.permissions)?;
    // An address that the user chose needs no permission of METADATA.yml.
    let mut of_host = filled_url.of_host.iter();
    let is_own = of_host.any(|key| call.config.text(key).is_some());
    let hosts = if is_own || template.starts_with("${") {
        hosts.with(&address)
    } else {
        hosts
    };
    Ok(Some(Remote {
        address,
        headers,
        hosts,
        protocol: server.protocol.clone(),
    }))
}

/// Returns the address of a skill without `entry.mcp`: the user's settings alone name it.
fn by_settings(call: &Call<'_>) -> Result<Remote, Failure> {
    let setting = |key: &str| {
        let own = call.config.text(key).filter(|text| !text.is_empty());
        own.or_else(|| call.host.environment.get(key).cloned())
    };
    let url = setting(URL).ok_or_else(|| {
        let message = format!("{URL} is not set; set it in the configuration or the environment");
        Failure::new(ErrorCode::NotRunnable, message)
    })?;
    let (address, login) = Address::with_login(&url).map_err(|why| not_runnable(call, &why))?;
    let token = setting(TOKEN);
    if let Some(what) = token.as_deref().and_then(unsendable) {
        return Err(unsendable_setting(call, TOKEN, what));
    }
    let token = token.map(|token| format!("Bearer {token}")).or(login);
    let token = token.map(|token| (AUTHORIZATION.to_owned(), token));
    Ok(Remote {
        hosts: Hosts::None.with(&address),
        address,
        headers: token.into_iter().collect(),
        protocol: None,
    })
}

/// Returns what to start, confined by the policy of the skill, and what is to be kept until then.
pub(super) fn program(call: &Call<'_>) -> Result<(Spec, Option<StartGuard>), Failure> {
    let Some(server) = server(call) else {
        return Err(not_runnable(call, "it has no `entry.mcp`"));
    };
    let view = View::prepare(call)?;
    let filler = |key: &str| match key {
        "SKILL_DIR" => Some(view.cwd.display().to_string()),
        "HOME" => Some(view.home.display().to_string()),
        key => value(call, key),
    };
    let mut words = start(call, server, &view)?;
    let mut missing = Vec::new();
    for text in &server.args {
        let items = only_key(text).and_then(|key| list(call, key));
        match (items, fill(text, &filler)) {
            (Some(items), _) => words.extend(items),
            (None, Ok(text)) => words.push(text),
            (None, Err(keys)) if only_key(text).is_none() => {
                missing.extend(keys);
            }
            (None, Err(keys)) => add_required(call, keys, &mut missing),
        }
    }
    let mut env = environment::with_provided(call, &view)?;
    for (variable, text) in &server.env {
        match fill(text, &filler) {
            Ok(value) if environment::is_allowed(variable) || is_own_path(variable, text) => {
                env.insert(variable.clone(), value);
            }
            Ok(_) => {
                let why = format!(
                    "the variable `{variable}` of `entry.mcp.env` is read by loaders and interpreters, and is never passed"
                );
                return Err(not_runnable(call, &why));
            }
            Err(keys) => add_required(call, keys, &mut missing),
        }
    }
    if !missing.is_empty() {
        missing.dedup();
        return Err(lacking(call, &missing));
    }
    let mut spec = Spec::new(
        Program::Argv(words.into_iter().map(Into::into).collect()),
        &view.cwd,
    );
    spec.env = env
        .into_iter()
        .map(|(name, value)| (name.into(), value.into()))
        .collect();
    spec.channel = Some(ChannelPlace::StandardStreams);
    spec.ends_with_caller = true;
    spec.limits = Limits {
        timeout: None,
        stdout: 0,
        stderr: DIAGNOSTICS,
    };
    let guard = policy::confine(call, &view, &mut spec)?;
    Ok((spec, guard))
}

/// Returns true for the place of modules inside the skill, which a bundle names.
fn is_own_path(variable: &str, text: &str) -> bool {
    let is_place = matches!(variable, "PYTHONPATH" | "NODE_PATH");
    is_place
        && text.starts_with("${SKILL_DIR}/")
        && !text.contains([':', ';'])
        && !text.contains("..")
}

/// Returns the first words: the program, or that of an installed package.
fn start(call: &Call<'_>, server: &McpServer, view: &View) -> Result<Vec<String>, Failure> {
    let command = server.command.as_deref();
    let package = server
        .package
        .as_deref()
        .and_then(|text| text.split_once(':'));
    match (package, command) {
        (Some(("npm", package)), program) => {
            let file = npm_program(call, view, package, program)?;
            Ok(vec!["node".to_owned(), file])
        }
        (Some(("pypi", package)), program) => {
            let program = program.unwrap_or(package);
            let found = view.packages.python_program(program);
            let found = found.ok_or_else(|| missing(call, "pip", package, program))?;
            Ok(vec![found])
        }
        (Some(_), _) => Err(not_runnable(
            call,
            "`entry.mcp.package` names no registry, expected `npm:NAME` or `pypi:NAME`",
        )),
        (None, Some(command)) => Ok(vec![command.to_owned()]),
        (None, None) => Err(not_runnable(
            call,
            "`entry.mcp` names neither `package` nor `command` nor `url`",
        )),
    }
}

/// Returns the file of a program of an installed npm package: `bin` of its `package.json`.
fn npm_program(
    call: &Call<'_>,
    view: &View,
    package: &str,
    program: Option<&str>,
) -> Result<String, Failure> {
    let usual = package.rsplit('/').next().unwrap_or(package);
    let wanted = program.unwrap_or(usual);
    let lacks = || missing(call, "npm", package, wanted);
    let (dir, at) = view.packages.npm_package(package).ok_or_else(lacks)?;
    let text = skill_loader::fs::read_named(&dir.join("package.json"), MAX_PACKAGE)
        .map_err(|_| lacks())?;
    let manifest: Value = serde_json::from_slice(&text).map_err(|_| lacks())?;
    let file = match &manifest["bin"] {
        Value::String(file) => Some(file.as_str()),
        Value::Object(bins) => {
            let only = bins
                .values()
                .next()
                .filter(|_| bins.len() == 1 && program.is_none());
            bins.get(wanted).or(only).and_then(Value::as_str)
        }
        _ => None,
    };
    let file = file.ok_or_else(|| {
        let why = format!("the package `{package}` has no program `{wanted}`; name one of its programs in `entry.mcp.command`");
        not_runnable(call, &why)
    })?;
    let is_inside = !Path::new(file).is_absolute() && !file.split('/').any(|part| part == "..");
    if !is_inside {
        return Err(not_runnable(
            call,
            &format!("the program `{wanted}` of the package `{package}` is outside of the package"),
        ));
    }
    Ok(at.join(file.trim_start_matches("./")).display().to_string())
}

fn missing(call: &Call<'_>, list: &str, package: &str, program: &str) -> Failure {
    let command = format!("skills-run prepare {}", call.skill.metadata.name);
    let message = format!(
        "the package `{package}`, whose program `{program}` is the MCP server, is not installed: `{command}` installs it"
    );
    Failure::new(ErrorCode::MissingPackage, message)
        .with("package", package)
        .with("ecosystem", list)
        .with("command", command)
}

#[cfg(test)]
mod tests {
    use super::items;

    #[test]
    fn a_setting_that_is_a_list_becomes_several_arguments() {
        for (text, expected) in [
            (r#"["/a b", "/c"]"#, &["/a b", "/c"][..]),
            (r#"[1, true, "${X}"]"#, &["1", "true", "${X}"]),
            (r#"[""]"#, &[""]),
            ("[]", &[]),
            ("/a,/b", &["/a,/b"]),
            ("[/a", &["[/a"]),
        ] {
            assert_eq!(items(text, false), expected, "{text}");
        }
        assert_eq!(items("/a b, /c;/d", true), ["/a b", "/c", "/d"]);
        assert_eq!(items(r#"["/a,b"]"#, true), ["/a,b"]);
    }
}
