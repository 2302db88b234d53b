//! Commands with a request of their own: `commands[].http` of METADATA.yml.

use std::path::Path;

use http_request::{
    Credential, Operation, ParameterPlace, Request, basic_of, build, percent_encoded, shown,
    without_login,
};
use serde_json::{Map, Value};
use skill_loader::fs::{Kind, ReadError, read_named};
use skill_model::Metadata;

use super::address::{Address, has_dots};
use super::clients::Clients;
use super::credentials::Chosen;
use super::error::HttpError;
use super::filling::{usual, with_settings};
use super::headers::{AUTHORIZATION, filled, unsendable};
use super::input::{given, setting};
use super::policy::Hosts;
use super::send::{Exchange, Payload};
use super::{long, reply};
use crate::arguments::{self, prepare};
use crate::call::{Call, DEFAULT_TIMEOUT};
use crate::envelope::{ErrorCode, Failure, Warning};
use crate::redact::Redactor;
use crate::selection;

/// Largest file that is sent, in bytes.
const MAX_FILE: u64 = 64 << 20;

/// The text in place of a secret.
const MASK: &str = "***";

/// Returns the operation of a command.
pub(super) fn operation<'c>(call: &Call<'c>, command: Option<&str>) -> Option<&'c Operation> {
    let mut commands = call.skill.metadata.commands.iter();
    let found = commands.find(|known| Some(known.id.as_str()) == command)?;
    found.http.as_ref()
}

/// Returns the request of a call as one JSON object, without sending it: `method`, `url`, `headers`,
/// `body`. Secrets are masked; settings without a value are in `missing`.
pub(crate) fn dry_run(call: &Call<'_>) -> Result<Value, Failure> {
    let prepared = prepare(call)?;
    let metadata = &call.skill.metadata;
    let name = &metadata.name;
    let Some(operation) = operation(call, prepared.command) else {
        selection::check(call)?;
        let message =
            format!("skill `{name}` has no `commands[].http`, so there is no request to show");
        return Err(Failure::new(ErrorCode::NotRunnable, message));
    };
    let mut draft = draft(call, operation, &prepared.input)?;
    let refused_host = if draft.missing.is_empty() {
        let (address, hosts) = draft.target(call)?;
        let denied = HttpError::Denied(address.origin()).to_string();
        (!hosts.permit(&address)).then_some(denied)
    } else {
        None
    };
    draft.hide();
    let mut request = draft.request;
    let mut missing = draft.missing;
    let chosen = Chosen::of(call, operation);
    let unsupported = chosen.unsupported();
    let mut displaced = Vec::new();
    for credential in chosen.credentials {
        let is_set = chosen.missing.is_empty();
        if is_set && let Ok(text) = credential.text(|_| Some(MASK.to_owned())) {
            let text = match (&credential.prefix, &credential.user) {
                (Some(prefix), Some(_)) => format!("{prefix} {MASK}"),
                _ => text,
            };
            if request.add_credential(credential, &text) {
                displaced.push(displaced_by(credential));
            }
            show_mask(&mut request, credential.place);
        }
    }
    missing.extend(chosen.missing);
    let own = metadata.entry.iter().flat_map(|it| it.headers.keys());
    for key in own {
        request
            .headers
            .push((key.to_ascii_lowercase(), MASK.to_owned()));
    }
    if draft.login.is_some() {
        add_header(&mut request, AUTHORIZATION, &format!("Basic {MASK}"));
    }
    let mut res = request.to_value();
    if !missing.is_empty() {
        res["missing"] = missing.into();
    }
    let warnings = prepared.warnings.into_iter().map(|warning| warning.message);
    let mut warnings: Vec<String> = warnings.collect();
    warnings.extend(unsupported);
    warnings.extend(displaced.into_iter().map(|warning| warning.message));
    warnings.extend(refused_host);
    let refused = request.files().filter_map(|path| file(call, path).err());
    warnings.extend(refused.map(|failure| failure.message));
    if !warnings.is_empty() {
        res["warnings"] = warnings.into();
    }
    // A setting can be in any part of the address.
    Ok(Redactor::new(call).redact_value(res))
}

/// Writes the mask of a secret that was just added as it is, not percent-encoded.
fn show_mask(request: &mut Request, place: ParameterPlace) {
    let encoded = percent_encoded(MASK);
    let cookie = request
        .headers
        .iter_mut()
        .find(|(name, _)| name == "cookie");
    let text = match place {
        ParameterPlace::Query => &mut request.url,
        ParameterPlace::Cookie => match cookie {
            Some((_, value)) => value,
            None => return,
        },
        ParameterPlace::Path | ParameterPlace::Header => return,
    };
    if let Some(start) = text.strip_suffix(&encoded) {
        *text = format!("{start}{MASK}");
    }
}

/// Adds a header, unless the request has it.
fn add_header(request: &mut Request, name: &str, value: &str) {
    let headers = &mut request.headers;
    if !headers.iter().any(|(it, _)| it.eq_ignore_ascii_case(name)) {
        headers.push((name.to_owned(), value.to_owned()));
    }
}

fn remove_header(request: &mut Request, name: &str) {
    let headers = &mut request.headers;
    headers.retain(|(it, _)| !it.eq_ignore_ascii_case(name));
}

/// Returns true for the header of a credential.
fn is_sent(of_credentials: &[&str], name: &str) -> bool {
    of_credentials
        .iter()
        .any(|it| it.eq_ignore_ascii_case(name))
}

/// Returns true for a header of `entry.headers`.
fn is_usual(metadata: &Metadata, name: &str) -> bool {
    let mut headers = metadata.entry.iter().flat_map(|it| it.headers.keys());
    headers.any(|it| it.eq_ignore_ascii_case(name))
}

/// Returns true for a header of `entry.headers` that has a setting in it.
fn has_setting(metadata: &Metadata, name: &str) -> bool {
    let mut headers = metadata.entry.iter().flat_map(|it| &it.headers);
    headers.any(|(it, value)| {
        it.eq_ignore_ascii_case(name) && value.as_str().is_some_and(|it| it.contains("${"))
    })
}

/// A request without credentials.
struct Draft {
    request: Request,
    /// The value of `Authorization` for the login of the address, which the request does not have.
    login: Option<String>,
    /// The address of the server, without its login.
    server: String,
    /// The address was chosen by the user.
    is_own_server: bool,
    /// Settings of the address that have no value.
    missing: Vec<String>,
}

impl Draft {
    /// Returns the address of the request, and the hosts that it may go to.
    fn target(&self, call: &Call<'_>) -> Result<(Address, Hosts), Failure> {
        let address = Address::read(&self.request.url).map_err(|why| not_runnable(call, &why))?;
        let hosts = Hosts::from_permissions(&call.skill.metadata.permissions)?;
        let hosts = if self.is_own_server {
            hosts.with(&address)
        } else {
            hosts
        };
        Ok((address, hosts))
    }

    /// Masks the secrets that the address of the server has. Those of arguments are shown.
    fn hide(&mut self) {
        let query = |text: &str| text.split_once('?').map(|(_, query)| query.to_owned());
        let hidden = shown(&self.server);
        if let (Some(query), Some(hidden)) = (query(&self.server), query(&hidden))
            && query != hidden
        {
            self.request.url = self.request.url.replacen(&query, &hidden, 1);
        }
    }
}

fn not_runnable(call: &Call<'_>, why: &str) -> Failure {
    let name = &call.skill.metadata.name;
    Failure::new(
        ErrorCode::NotRunnable,
        format!("skill `{name}` cannot be asked: {why}"),
    )
}

/// Builds the request of an operation.
fn draft(call: &Call<'_>, operation: &Operation, input: &Value) -> Result<Draft, Failure> {
    let entry = call.skill.metadata.entry.as_ref();
    let endpoint = entry.and_then(|entry| entry.endpoint.as_deref());
    let other = entry.and_then(|entry| setting(call, entry.endpoint_setting.as_deref()?));
    let other = other.filter(|text| operation.server.is_none() && !text.trim().is_empty());
    let template = other
        .as_deref()
        .or(operation.server.as_deref())
        .or(endpoint);
    let template = template.unwrap_or_default();
    let template = template.trim().split('#').next().unwrap_or_default();
    let value = |key: &str| setting(call, key).or_else(|| usual(call, key));
    let filled = with_settings(call, template, value)?;
    let server = without_login(&filled.url);
    if (other.is_some() || template.contains("${")) && has_dots(&server) {
        let why = format!(
            "the path of its address, `{}`, has `.` or `..`; store the address that it leads to",
            shown(&filled.url)
        );
        return Err(not_runnable(call, &why));
    }
    let schema = command_schema(call, operation);
    let is_declared =
        |name: &str| schema.is_some_and(|schema| schema["properties"].get(name).is_some());
    let arguments = given(call, input)?;
    let request = build(operation, &server, &arguments, &is_declared).map_err(|error| {
        let name = &call.skill.metadata.name;
        Failure::new(ErrorCode::InvalidInput, format!("skill `{name}`: {error}"))
    })?;
    let first = template
        .strip_prefix("${")
        .and_then(|it| it.split_once('}'));
    let is_first = first.is_some_and(|(key, _)| setting(call, key).is_some());
    let mut of_host = filled.of_host.iter();
    let is_host = of_host.any(|key| call.config.text(key).is_some());
    Ok(Draft {
        request,
        login: basic_of(&filled.url),
        server,
        is_own_server: other.is_some() || is_first || is_host,
        missing: filled.missing,
    })
}

/// Returns the schema of the arguments of an operation.
fn command_schema<'c>(call: &Call<'c>, operation: &Operation) -> Option<&'c Value> {
    let mut commands = call.skill.metadata.commands.iter();
    let found = commands.find(|known| known.http.as_ref() == Some(operation))?;
    Some(&found.input_schema)
}

/// Returns the exchange of an operation.
pub(super) fn exchange(
    call: &Call<'_>,
    operation: &Operation,
    input: &Value,
    clients: &Clients,
    warnings: &mut Vec<Warning>,
) -> Result<Exchange, Failure> {
    let metadata = &call.skill.metadata;
    let not_runnable = |why: String| not_runnable(call, &why);
    let draft = draft(call, operation, input)?;
    let chosen = Chosen::of(call, operation);
    if let Some(why) = chosen.unsupported() {
        return Err(not_runnable(why).with("schemes", chosen.unknown));
    }
    let missing: Vec<String> = draft
        .missing
        .iter()
        .chain(&chosen.missing)
        .cloned()
        .collect();
    if !missing.is_empty() {
        let mut failure = lacking(call, &missing);
        if !chosen.instead.is_empty() {
            let keys = chosen.instead.join("` or `");
            failure.message = format!("{}; or set `{keys}` instead", failure.message);
        }
        return Err(failure);
    }
    let (_, hosts) = draft.target(call)?;
    let mut request = draft.request;
    let headers = chosen.credentials.iter();
    let headers = headers.filter(|it| it.place == ParameterPlace::Header);
    let chosen_headers: Vec<&str> = headers.map(|it| it.name.as_str()).collect();
    for credential in &chosen.credentials {
        let text = credential.text(|key| setting(call, key));
        let text = text.map_err(|key| lacking(call, &[key]))?;
        let is_header = credential.place == ParameterPlace::Header;
        if let Some(what) = unsendable(&text).filter(|_| is_header) {
            return Err(unsendable_setting(call, &credential.setting, what));
        }
        if request.add_credential(credential, &text) {
            warnings.push(displaced_by(credential));
        }
    }
    let usual = metadata.entry.as_ref().map(|entry| &entry.headers);
    let usual = filled(usual.unwrap_or(&Map::new()), |key| setting(call, key));
    let usual = usual.map_err(not_runnable)?;
    let body = request.take_bytes(|path| file(call, path))?;
    for (name, value) in usual {
        // A header with a setting in it is a credential too; an argument does not replace it.
        if has_setting(metadata, &name) && !is_sent(&chosen_headers, &name) {
            remove_header(&mut request, &name);
        }
        add_header(&mut request, &name, &value);
    }
    if let Some(login) = draft.login {
        if !is_sent(&chosen_headers, AUTHORIZATION) && !is_usual(metadata, AUTHORIZATION) {
            remove_header(&mut request, AUTHORIZATION);
        }
        add_header(&mut request, AUTHORIZATION, &login);
    }
    // A credential may have been added to the query.
    let address = Address::read(&request.url).map_err(not_runnable)?;
    let command = arguments::command(metadata, call.command, input);
    Ok(Exchange {
        address,
        method: request.method,
        headers: request.headers,
        payload: Payload::Bytes(body),
        idempotent: metadata.is_idempotent(command.map(|it| it.id.as_str())),
        hosts,
        timeout: call.timeout(DEFAULT_TIMEOUT),
        max_answer: long::MAX_FILE,
        long_answers: Some(reply::long_answers(call)),
        clients: clients.clone(),
    })
}

/// Returns the warning about an argument, or a part of the address, in the place of a credential.
fn displaced_by(credential: &Credential) -> Warning {
    let (place, name) = (credential.place.word(), &credential.name);
    let message = format!(
        "the {place} `{name}` of the request comes from the setting `{}`; the value that the arguments gave for it was not sent",
        credential.setting
    );
    Warning::new("credential-kept", message)
}

/// Reads a file for a body: one of the skill, or any file if METADATA.yml says so.
fn file(call: &Call<'_>, path: &str) -> Result<Vec<u8>, Failure> {
    let metadata = &call.skill.metadata;
    let name = &metadata.name;
    let takes_any = metadata.permissions.filesystem == "any";
    let kind = call.skill.root.kind(path);
    if !takes_any && matches!(kind, Ok(Some(Kind::File(info))) if info.n_links > 1) {
        let message = format!(
            "skill `{name}` cannot send the file `{path}`: it has a second hard link, which may be outside the skill; expected a copy of it"
        );
        return Err(Failure::new(ErrorCode::Denied, message));
    }
    let own = call.skill.root.read(path, MAX_FILE);
    let found = match own {
        Err(_) if takes_any => read_named(Path::new(path), MAX_FILE),
        own => own,
    };
    found.map_err(|error| {
        let (code, why) = match &error {
            ReadError::Missing { .. } => (ErrorCode::NotFound, "no such file".to_owned()),
            ReadError::Outside { .. } => (ErrorCode::Denied, "it is not in the skill".to_owned()),
            ReadError::TooLarge { .. } => (ErrorCode::TooLarge, error.to_string()),
            _ => (ErrorCode::Denied, error.to_string()),
        };
        let message = format!(
            "skill `{name}` cannot send the file `{path}`: {why}; expected a file of the skill, or any file if METADATA.yml has `permissions.filesystem: any`"
        );
        Failure::new(code, message)
    })
}

/// Returns the failure of a call with a setting whose value no header can carry.
pub(crate) fn unsendable_setting(call: &Call<'_>, key: &str, what: &str) -> Failure {
    let name = &call.skill.metadata.name;
    let message = format!(
        "skill `{name}` cannot send the setting `{key}`: its value has {what}; `skills-run configure {name} {key}=-` stores another one"
    );
    Failure::new(ErrorCode::NotRunnable, message).with("setting", key)
}

/// Returns the failure of a call that lacks settings.
pub(crate) fn lacking(call: &Call<'_>, missing: &[String]) -> Failure {
    let name = &call.skill.metadata.name;
    let keys = missing.join("`, `");
    let environment = &call.host.environment;
    let is_set = |key: &&String| environment.setting(key).is_some();
    let message = match missing.iter().find(is_set) {
        Some(key) => format!(
            "skill `{name}` needs the setting `{keys}`, which has no value; `skills-run configure {name} {}=-` stores one, or `--allow-env {key}` uses the variable of that name in your environment",
            missing[0]
        ),
        None => format!(
            "skill `{name}` needs the setting `{keys}`, which has no value; `skills-run configure {name} {}=-` stores one",
            missing[0]
        ),
    };
    let failure = Failure::new(ErrorCode::NotRunnable, message);
    failure.with("missing_settings", missing.to_vec())
}
