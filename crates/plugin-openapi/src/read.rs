//! A document as one service, or several.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use http_request::Credential;
use plugin_model::{Api, ApiSetting, Document, Node, Place};
use skill_diagnostics::Diagnostic;

use crate::address_secrets::add_to;
use crate::codes::{NO_OPERATIONS, UNSUPPORTED};
use crate::documents::{At, Documents};
use crate::naming::prefix;
use crate::operation::{Shared, first_sentence, operations};
use crate::security::{Security, schemes};
use crate::server::{BASE, Server, base_key, literal_origin, other, server, unnamed};
use crate::split::{Part, split};
use crate::version::version;

/// The result of reading a document.
#[derive(Clone, PartialEq, Debug)]
pub struct Reading {
    /// The services; none if the document has no operation.
    pub apis: Vec<Api>,
    /// Findings with their places.
    pub findings: Vec<Diagnostic>,
}

/// Reads the document `file` of a package. `base` is the address that it came from, if that is known.
pub fn read(file: &str, documents: &[Document<'_>], base: Option<&str>) -> Reading {
    let documents = Documents::new(documents);
    let Some(root) = documents.root(file) else {
        return Reading {
            apis: Vec::new(),
            findings: Vec::new(),
        };
    };
    let mut apis = read_all(&documents, &root, base);
    let place = Place::new(&root.place.file, "");
    if apis.is_empty() {
        let others: Vec<&str> = ["webhooks", "components"]
            .into_iter()
            .filter(|key| root.node.get(key).is_some())
            .collect();
        let message = match others.as_slice() {
            [] => "the document has no operation".to_owned(),
            others => format!(
                "the document has only {}, no operation",
                others.join(" and ")
            ),
        };
        let finding = Diagnostic::error(NO_OPERATIONS, message);
        let help = "expected `paths` with at least one method; there is nothing to call";
        documents.report(finding.with_help(help), &place);
    } else if root.node.get("webhooks").is_some() {
        let message = "the service sends requests of its own (webhooks), which nothing receives";
        documents.report(
            Diagnostic::note(UNSUPPORTED, message),
            &place.child("webhooks"),
        );
    }
    let (findings, used) = documents.into_parts();
    let others: Vec<Arc<str>> = used.into_iter().filter(|it| *it != place.file).collect();
    for api in &mut apis {
        api.files = std::iter::once(Arc::clone(&place.file))
            .chain(others.iter().cloned())
            .collect();
    }
    Reading { apis, findings }
}

fn read_all<'a>(documents: &Documents<'a>, root: &At<'a>, base: Option<&str>) -> Vec<Api> {
    let Some(version) = version(root.node) else {
        return Vec::new();
    };
    if version.minor > 1 {
        let message = format!(
            "OpenAPI 3.{} is read as 3.1; what is new in it is left out: `query`, `additionalOperations`",
            version.minor
        );
        let finding = Diagnostic::warning(UNSUPPORTED, message);
        documents.report(finding, &root.place.child("openapi"));
    }
    let info = root.get("info");
    let text = |key: &str| {
        info.as_ref()
            .map_or("", |it| it.text(key))
            .trim()
            .to_owned()
    };
    let title = text("title");
    let prefix = prefix(&title);
    documents.claim(&base_key(&prefix), BASE);
    let security = schemes(documents, root, &prefix);
    let origin = literal_origin(root);
    let shared = Shared {
        documents,
        version,
        root: root.clone(),
        prefix: &prefix,
        base: base.or(origin.as_deref()),
    };
    let mut operations = operations(&shared);
    if operations.all.is_empty() {
        return Vec::new();
    }
    let has_own = operations.all.iter().all(|it| it.http.server.is_some());
    let common = server(documents, root, &prefix, base);
    let common =
        common.or_else(|| (!has_own).then(|| unnamed(documents, &root.place, &prefix, base)));
    if let Some(common) = &common {
        let own = operations.all.iter_mut().map(|it| &mut it.http);
        for http in own.filter(|it| it.server.is_none()) {
            add_to(&mut http.security, &common.credentials);
        }
    }
    let endpoint = common.as_ref().map(|it| it.template.clone());
    let place = root.place.child("servers");
    let other = common.as_ref().and_then(|it| other(it, &prefix, &place));
    let servers: Vec<_> = common.into_iter().chain(operations.servers).collect();
    let description = text("description");
    let summary = match text("summary") {
        summary if summary.is_empty() => first_sentence(&description),
        summary => first_sentence(&summary),
    };
    let part = |key: &str, inner: &str| {
        let node = info.as_ref()?.node.get(key)?.get(inner)?;
        node.as_str().map(str::to_owned)
    };
    let api = Api {
        version: info
            .as_ref()
            .and_then(|it| it.node.get("version"))
            .map_or_else(|| "0.0.0".to_owned(), scalar),
        summary,
        description,
        when: String::new(),
        license: part("license", "identifier").or_else(|| part("license", "name")),
        contact: part("contact", "name").or_else(|| part("contact", "email")),
        group: None,
        endpoint,
        endpoint_setting: other.as_ref().map(|it| it.key.clone()),
        hosts: hosts(servers.iter().flat_map(|it| &it.hosts)),
        settings: settings(
            servers.iter().flat_map(|it| &it.settings).chain(&other),
            &security.settings,
        ),
        credentials: credentials(&security, &servers),
        operations: Vec::new(),
        files: Vec::new(),
        title,
    };
    let parts = split(operations.all).into_iter();
    parts.map(|part| of_part(&api, part)).collect()
}

fn scalar(node: &Node) -> String {
    match node.as_str() {
        Some(text) => text.trim().to_owned(),
        None => node.to_value().to_string(),
    }
}

/// Returns the credentials of the security schemes, and those in place of secrets of addresses.
fn credentials(security: &Security, servers: &[Server]) -> BTreeMap<String, Credential> {
    let of_servers = servers.iter().flat_map(|it| &it.credentials);
    let all = of_servers.chain(&security.credentials);
    all.map(|(id, it)| (id.clone(), it.clone())).collect()
}

fn hosts<'a>(all: impl Iterator<Item = &'a String>) -> Vec<String> {
    let all: BTreeSet<&String> = all.collect();
    all.into_iter().cloned().collect()
}

/// Returns the settings of servers and credentials; the first of two with one key counts, and is a secret
/// if one of them is.
fn settings<'a>(
    of_servers: impl Iterator<Item = &'a ApiSetting>,
    of_security: &'a [ApiSetting],
) -> Vec<ApiSetting> {
    let mut res: Vec<ApiSetting> = Vec::new();
    for setting in of_servers.chain(of_security) {
        match res.iter_mut().find(|other| other.key == setting.key) {
            Some(other) => other.is_secret |= setting.is_secret,
            None => res.push(setting.clone()),
        }
    }
    res
}

/// Returns a part of a service, with the credentials that its operations use.
fn of_part(api: &Api, part: Part) -> Api {
    let names = part.operations.iter().flat_map(|it| &it.http.security);
    let used: BTreeSet<&String> = names.flatten().collect();
    let credentials = api.credentials.iter();
    let credentials = credentials.filter(|(id, _)| used.contains(id));
    let credentials: BTreeMap<String, Credential> = credentials
        .map(|(id, credential)| (id.clone(), credential.clone()))
        .collect();
    let unused = |key: &str| {
        let is_of = |it: &Credential| it.settings().any(|own| own == key);
        api.credentials.values().any(is_of) && !credentials.values().any(is_of)
    };
    let settings = api.settings.iter().filter(|it| !unused(&it.key));
    Api {
        group: part.group,
        settings: settings.cloned().collect(),
        credentials,
        operations: part.operations,
        ..api.clone()
    }
}
