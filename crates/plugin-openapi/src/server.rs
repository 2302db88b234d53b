//! Addresses of servers, with their variables as settings.

use plugin_model::{ApiSetting, Node, Place};
use skill_diagnostics::Diagnostic;

use crate::codes::{NO_SERVER, OTHER_SERVERS};
use crate::documents::{At, Documents};
use crate::naming::key;

/// An address with `${KEY}` for each variable.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Server {
    pub(crate) template: String,
    pub(crate) settings: Vec<ApiSetting>,
    /// The hosts that it may have.
    pub(crate) hosts: Vec<String>,
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
    let others: Vec<&str> = others.filter(|url| !url.is_empty()).collect();
    if !others.is_empty() {
        let (used, others) = (first.text("url").trim(), others.join("`, `"));
        let message = format!("requests go to the first server, `{used}`, not to `{others}`");
        let finding = Diagnostic::note(OTHER_SERVERS, message);
        let help = "to use another one, change `entry.endpoint` and `permissions.network_allowlist` in METADATA.yml";
        documents.report(finding.with_help(help), &list.place);
    }
    Some(read(documents, &first, prefix, base))
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

fn read(documents: &Documents<'_>, at: &At<'_>, prefix: &str, base: Option<&str>) -> Server {
    let url = at.text("url").trim();
    let mut settings = Vec::new();
    let mut template = url.to_owned();
    let variables = at.get("variables");
    for (name, variable) in variables.iter().flat_map(At::members) {
        let written = format!("{{{name}}}");
        if !url.contains(&written) {
            continue;
        }
        let key = key(prefix, name, "");
        template = template.replace(&written, &format!("${{{key}}}"));
        let values = variable
            .node
            .get("enum")
            .map(Node::items)
            .unwrap_or_default();
        let default = variable.node.get("default").map(plain);
        settings.push(ApiSetting {
            key,
            description: variable.text("description").trim().to_owned(),
            is_required: default.is_none(),
            default,
            choices: values.iter().map(plain).collect(),
            is_secret: false,
            place: variable.place,
        });
    }
    if !template.contains("://") && !template.starts_with("${") {
        let mut res = relative(documents, &at.place, &template, prefix, base);
        res.settings.extend(settings);
        return res;
    }
    let hosts = hosts(url, &settings, prefix);
    Server {
        template,
        settings,
        hosts,
    }
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
    if let Some(origin) = base.and_then(origin) {
        return Server {
            template: format!("{origin}{path}"),
            settings: Vec::new(),
            hosts: host_of(origin).into_iter().collect(),
        };
    }
    let key = key(prefix, "base_url", "");
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
    }
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
fn hosts(url: &str, settings: &[ApiSetting], prefix: &str) -> Vec<String> {
    let mut urls = vec![url.to_owned()];
    for setting in settings {
        let name = |text: &str| {
            let start = text.find('{')?;
            let end = text[start..].find('}')? + start;
            Some(text[start + 1..end].to_owned())
        };
        let Some(name) = urls.first().and_then(|url| name(url)) else {
            break;
        };
        let mut own = settings.iter();
        let setting = own
            .find(|it| it.key == key(prefix, &name, ""))
            .unwrap_or(setting);
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
