//! Addresses of servers, with their variables as settings.

use std::collections::BTreeMap;

use http_request::{Credential, shown, without_login};
use plugin_model::{ApiSetting, Node, Place};
use skill_diagnostics::Diagnostic;

use crate::address_secrets::{is_secret_variable, taken_out};
use crate::codes::{NO_SERVER, OTHER_SERVERS, SECRET_FOUND, UNSUPPORTED};
use crate::documents::{At, Documents};
use crate::naming::key;

/// An address with `${KEY}` for each variable.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Server {
    pub(crate) template: String,
    pub(crate) settings: Vec<ApiSetting>,
    /// The hosts that it may have.
    pub(crate) hosts: Vec<String>,
    /// The credentials in place of the secrets that it had.
    pub(crate) credentials: BTreeMap<String, Credential>,
}

/// Returns the first server that an object of the document names.
pub(crate) fn server(
    documents: &Documents<'_>,
    owner: &At<'_>,
    prefix: &str,
    base: Option<&str>,
) -> Option<Server> {
    let list = owner.get("servers")?;
    let first = list.items().next()?;
    let others = list.items().skip(1).map(|it| it.text("url").trim());
    let others: Vec<String> = others.filter(|url| !url.is_empty()).map(shown).collect();
    if !others.is_empty() {
        let (used, others) = (shown(first.text("url").trim()), others.join("`, `"));
        let message = format!("requests go to the first server, `{used}`, not to `{others}`");
        let finding = Diagnostic::note(OTHER_SERVERS, message);
        let key = base_key(prefix);
        let help = format!(
            "`skills-run configure` with `{key}=ADDRESS` uses another one, of the whole service; that of one operation is `server` in METADATA.yml"
        );
        documents.report(finding.with_help(help), &list.place);
    }
    let is_common = owner.place.pointer.is_empty();
    Some(read(documents, (&first, is_common), prefix, base))
}

/// Returns the server of a document that names none: the address is a setting.
pub(crate) fn unnamed(
    documents: &Documents<'_>,
    place: &Place,
    prefix: &str,
    base: Option<&str>,
) -> Server {
    relative(documents, place, "", prefix, base)
}

/// The purpose of the setting that is another address of a service.
pub(crate) const BASE: &str = "base_url";

/// Returns the key of the setting that is another address of a service.
pub(crate) fn base_key(prefix: &str) -> String {
    key(prefix, BASE, "")
}

/// Returns the setting by which a user chooses another address in place of the one of the document.
pub(crate) fn other(server: &Server, prefix: &str, place: &Place) -> Option<ApiSetting> {
    let key = base_key(prefix);
    let is_setting = server.settings.iter().any(|it| it.key == key);
    (!is_setting).then(|| ApiSetting {
        key,
        description: "another address of the server, in place of the one of its document"
            .to_owned(),
        default: None,
        choices: Vec::new(),
        is_secret: false,
        is_required: false,
        place: place.clone(),
    })
}

/// Returns scheme, host and port of the first server of a document, if it names them without variables.
pub(crate) fn literal_origin(root: &At<'_>) -> Option<String> {
    let url = root.get("servers")?.items().next()?.text("url").trim();
    let url = without_login(&absolute(url, None)?);
    let origin = origin(&url)?;
    (!origin.contains('{')).then(|| origin.to_owned())
}

/// Returns an address with its scheme; `None` for a relative one. `//host/path` has the scheme of the
/// document, or https.
fn absolute(url: &str, base: Option<&str>) -> Option<String> {
    if let Some(rest) = url.strip_prefix("//") {
        let scheme = base.and_then(|base| base.split_once("://"));
        let scheme = scheme.map_or("https", |(scheme, _)| scheme);
        return Some(format!("{scheme}://{rest}"));
    }
    (url.contains("://") || url.starts_with('{')).then(|| url.to_owned())
}

/// Returns an address without its fragment, which is never sent. A fragment and a query are findings: the
/// specification allows neither.
fn without_fragment<'u>(documents: &Documents<'_>, url: &'u str, place: &Place) -> &'u str {
    let end = url.find('#').unwrap_or(url.len());
    let (sent, fragment) = url.split_at(end);
    let url = shown(url);
    let note = |message: String| {
        documents.report(Diagnostic::note(UNSUPPORTED, message), place);
    };
    if !fragment.is_empty() {
        note(format!(
            "the fragment of the address `{url}` is not a part of requests"
        ));
    }
    if sent.contains('?') {
        note(format!(
            "the query of the address `{url}` is sent with each request"
        ));
    }
    sent
}

fn read(
    documents: &Documents<'_>,
    (at, is_common): (&At<'_>, bool),
    prefix: &str,
    base: Option<&str>,
) -> Server {
    let written = without_fragment(documents, at.text("url").trim(), &at.place);
    let absolute = absolute(written, base);
    let url = absolute.as_deref().unwrap_or(written);
    let plain = without_login(url);
    let host = origin(&plain).and_then(|it| it.split_once("://"));
    let host = host.map_or("", |(_, host)| host);
    let owner = if is_common { "" } else { host };
    let address = taken_out(documents, url, (&at.place, prefix, owner));
    let url = address.url.as_str();
    let mut settings = Vec::new();
    let mut template = url.to_owned();
    let variables = at.get("variables");
    for name in names(url) {
        let variable = variables.as_ref().and_then(|it| it.get(name));
        let mut setting = variable_setting(variable.as_ref(), &at.place);
        setting.is_secret = is_secret_variable(url, name);
        setting.key = variable_key(documents, name, &setting, prefix);
        if setting.is_secret {
            forget_value(documents, &mut setting);
        }
        template = template.replace(&format!("{{{name}}}"), &format!("${{{}}}", setting.key));
        settings.push((name, setting));
    }
    let mut res = if absolute.is_none() {
        relative(documents, &at.place, &template, prefix, base)
    } else {
        Server {
            template,
            hosts: hosts(&without_login(url), &settings),
            settings: Vec::new(),
            credentials: BTreeMap::new(),
        }
    };
    res.settings.extend(settings.into_iter().map(|(_, it)| it));
    res.settings.extend(address.settings);
    res.credentials = address.credentials;
    res
}

/// Returns the names of the variables of an address, each once.
fn names(url: &str) -> Vec<&str> {
    let parts = url.split('{').skip(1);
    let mut res: Vec<&str> = Vec::new();
    for name in parts.filter_map(|part| Some(part.split_once('}')?.0)) {
        if !name.is_empty() && !res.contains(&name) {
            res.push(name);
        }
    }
    res
}

/// Returns the key of the setting of a variable. Those with one name share it, but not two secrets.
fn variable_key(
    documents: &Documents<'_>,
    name: &str,
    setting: &ApiSetting,
    prefix: &str,
) -> String {
    let wanted = key(prefix, name, "");
    if wanted == base_key(prefix) {
        return wanted;
    }
    // What is redacted in another document is another value.
    let value = setting.default.as_deref().unwrap_or_default();
    let purpose = match &setting.place.file {
        file if setting.is_secret => format!("variable {name} {file} {value}"),
        _ => format!("variable {name}"),
    };
    documents.claim(&wanted, &purpose)
}

/// Returns the setting of a variable, without a key. One that is not declared has no default.
fn variable_setting(variable: Option<&At<'_>>, server: &Place) -> ApiSetting {
    let values = variable.and_then(|it| it.node.get("enum"));
    let values = values.map(Node::items).unwrap_or_default();
    let default = variable.and_then(|it| it.node.get("default")).map(plain);
    let description = variable.map_or("", |it| it.text("description").trim());
    ApiSetting {
        key: String::new(),
        description: description.to_owned(),
        is_required: default.is_none(),
        default,
        choices: values.iter().map(plain).collect(),
        is_secret: false,
        place: variable.map_or(server, |it| &it.place).clone(),
    }
}

/// Takes the values of the document out of the setting of a secret: a default is the author's own.
fn forget_value(documents: &Documents<'_>, setting: &mut ApiSetting) {
    let default = setting.default.take().filter(|it| !it.is_empty());
    if default.is_some() || !setting.choices.is_empty() {
        let key = &setting.key;
        let message = format!(
            "the default of the setting `{key}` is not carried, because it is a secret in the address of a server"
        );
        let finding = Diagnostic::warning(SECRET_FOUND, message);
        let help = format!("store it by `skills-run configure`, key `{key}`");
        documents.report(finding.with_help(help), &setting.place);
    }
    setting.choices.clear();
    setting.is_required = true;
}

/// Returns a scalar as text.
fn plain(node: &Node) -> String {
    match node.as_str() {
        Some(text) => text.to_owned(),
        None => node.to_value().to_string(),
    }
}

/// Returns the server at a relative address: beside the document, if it is known where that came from,
/// else at an address that is a setting.
fn relative(
    documents: &Documents<'_>,
    place: &Place,
    path: &str,
    prefix: &str,
    base: Option<&str>,
) -> Server {
    let path = path.trim_end_matches('/');
    let base = base.map(without_login);
    let base = base.as_deref();
    if let Some((base, origin)) = base.and_then(|base| Some((base, origin(base)?))) {
        return Server {
            template: format!("{origin}{}", joined(&base[origin.len()..], path)),
            settings: Vec::new(),
            hosts: host_of(origin).into_iter().collect(),
            credentials: BTreeMap::new(),
        };
    }
    let path = joined("", path);
    let key = base_key(prefix);
    let message = format!("the document names no server; its address is the setting `{key}`");
    let finding = Diagnostic::warning(NO_SERVER, message);
    let help = "`skills-run configure` stores a value such as https://api.example.com";
    documents.report(finding.with_help(help), place);
    Server {
        template: format!("${{{key}}}{path}"),
        settings: vec![ApiSetting {
            key,
            description: "address of the server, such as https://api.example.com".to_owned(),
            default: None,
            choices: Vec::new(),
            is_secret: false,
            is_required: true,
            place: place.clone(),
        }],
        hosts: Vec::new(),
        credentials: BTreeMap::new(),
    }
}

/// Returns the path of a relative address: below the root, or beside the document at `document`.
fn joined(document: &str, path: &str) -> String {
    if path.is_empty() || path.starts_with('/') {
        return path.to_owned();
    }
    let document = document.split(['?', '#']).next().unwrap_or_default();
    let directory = document
        .rsplit_once('/')
        .map_or("", |(directory, _)| directory);
    let mut parts: Vec<&str> = directory.split('/').filter(|it| !it.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let path = parts.join("/");
    format!("/{path}")
}

/// Returns scheme, host and port of an address.
fn origin(url: &str) -> Option<&str> {
    let start = url.find("://")? + 3;
    let end = url[start..].find(['/', '?', '#']);
    Some(&url[..end.map_or(url.len(), |end| start + end)])
}

/// Returns the host of an address as a list of allowed hosts names it: with its port, if one is written.
fn host_of(url: &str) -> Option<String> {
    let origin = origin(url)?;
    let host = origin.split_once("://")?.1.to_ascii_lowercase();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._:[]*".contains(c);
    (!host.is_empty() && host.chars().all(is_plain)).then_some(host)
}

/// Returns the hosts that an address may have. A variable with a closed list gives each of its values,
/// another one every name below the rest of the host, if that is at least a domain with two parts.
fn hosts(url: &str, settings: &[(&str, ApiSetting)]) -> Vec<String> {
    let mut urls = vec![url.to_owned()];
    for (name, setting) in settings {
        let mut values = setting.choices.clone();
        if values.is_empty() {
            values.push("*".to_owned());
            values.extend(setting.default.clone());
        }
        let written = format!("{{{name}}}");
        let all = urls.iter().flat_map(|url| {
            let values = values.iter();
            values.map(|value| url.replace(&written, value))
        });
        urls = all.take(64).collect();
    }
    let mut res: Vec<String> = urls.iter().filter_map(|url| host_of(url)).collect();
    res.retain(|host| match host.rfind('*') {
        None => true,
        Some(0) => host.starts_with("*.") && host[2..].contains('.'),
        Some(_) => false,
    });
    res.sort();
    res.dedup();
    res
}
