//! Plugins of ChatGPT: `ai-plugin.json`, with the `OpenAPI` document that it names beside it.
//!
//! Source: <https://platform.openai.com/docs/plugins> as archived in 2024, and
//! <https://github.com/openai/plugins-quickstart>.

use http_request::{Credential, ParameterPlace};
use plugin_manifest::decode;
use plugin_model::{
    Api, ApiSetting, Field, Format, Identity, Key, Node, Place, Role, Sources, UnitKind, key,
    parse_json,
};
use plugin_openapi::version;
use skill_diagnostics::Diagnostic;

use crate::{
    codes::MISSING_PART,
    directory::{Claim, Directory},
    openapi::{alternatives, closure, documents, head, is_license, package, text_of, unit},
    openapi_text::{is_document_name, parse},
    package::Reading,
    reader::{Part, Reader, UnitHead},
    secret_values,
    unread::{self, Content},
};

/// The places of the manifest.
const MANIFESTS: [&str; 2] = [".well-known/ai-plugin.json", "ai-plugin.json"];
/// The name of the credential of a plugin whose document declares none.
const PLUGIN: &str = "plugin";

const KEYS: &[Key] = &[
    key("schema_version", Role::Layout),
    key("name_for_model", Role::Name),
    key("name_for_human", Role::DisplayName),
    key("description_for_model", Role::WhenToUse),
    key("description_for_human", Role::Description),
    key("auth", Role::Becomes("`entry.credentials` and a setting")),
    key("api", Role::Layout),
    key("logo_url", Role::Kept),
    key("contact_email", Role::Kept),
    key("legal_info_url", Role::Kept),
];

/// The reader of the format.
pub(crate) const READER: Reader = Reader {
    name: "ai-plugin",
    title: "plugins of ChatGPT with their OpenAPI document",
    marks: "`ai-plugin.json` or `.well-known/ai-plugin.json`",
    homes: &[],
    claims,
    heads,
    is_enabled: |_| true,
    is_manifest: |path| MANIFESTS.contains(&path),
    wants_text: is_document_name,
    read,
    remarks,
    parts: &[Part {
        title: "The manifest `ai-plugin.json`",
        keys: KEYS,
        others: "kept",
    }],
};

fn claims(directory: &dyn Directory) -> Option<Claim> {
    let manifest = MANIFESTS.into_iter().find(|file| directory.has(file))?;
    let bytes = directory.read(manifest)?;
    let root = parse_json(decode(&bytes).0?).0?;
    root.get("name_for_model")?;
    let read = |path: &str| parse(decode(&directory.read(path)?).0?).ok();
    let mut names = directory.names();
    names.retain(|name| is_document_name(name));
    let document = document(&root, names, &read);
    let document: Vec<String> = document.into_iter().collect();
    let mut files: Vec<String> = closure(&document, &read).into_keys().collect();
    let names = directory.names().into_iter();
    files.extend(names.filter(|name| is_license(name)));
    files.sort();
    files.dedup();
    Some(Claim {
        manifest_file: manifest.to_owned(),
        files: Some(files),
        ..Claim::default()
    })
}

/// Returns the finding about a manifest that is not JSON.
fn remarks(directory: &dyn Directory) -> Vec<Diagnostic> {
    let manifest = MANIFESTS.into_iter().find(|file| directory.has(file));
    let finding = manifest.and_then(|file| unread::finding(directory, file, Content::Plugin));
    finding.into_iter().collect()
}

/// Returns the document of a plugin: the one that its address names, or else the only one.
fn document(
    root: &Node,
    names: Vec<String>,
    read: &dyn Fn(&str) -> Option<Node>,
) -> Option<String> {
    let is_document = |name: &String| read(name).is_some_and(|root| version(&root).is_some());
    let url = api_url(root);
    let last = url.rsplit('/').next().unwrap_or_default();
    let last = last.split('?').next().unwrap_or_default();
    let mut all: Vec<String> = names.into_iter().filter(is_document).collect();
    match all.iter().position(|name| name == last) {
        Some(at) => Some(all.swap_remove(at)),
        None if all.len() == 1 => all.pop(),
        None => None,
    }
}

fn api_url(root: &Node) -> &str {
    let url = root.get("api").and_then(|api| api.get("url"));
    url.and_then(Node::as_str).unwrap_or_default()
}

fn text<'n>(root: &'n Node, key: &str) -> &'n str {
    let text = root.get(key).and_then(Node::as_str);
    text.unwrap_or_default().trim()
}

fn heads(directory: &dyn Directory, claim: &Claim) -> Vec<UnitHead> {
    let read = |path: &str| parse(decode(&directory.read(path)?).0?).ok();
    let Some(root) = read(&claim.manifest_file) else {
        return Vec::new();
    };
    let files = claim.files.clone().unwrap_or_default();
    let names = files.into_iter().filter(|name| is_document_name(name));
    let Some(document) = document(&root, names.collect(), &read) else {
        return Vec::new();
    };
    let trees = closure(std::slice::from_ref(&document), &read);
    let documents = documents(trees, |_| "");
    let reading = plugin_openapi::read(&document, &documents, Some(api_url(&root)));
    let alternatives = alternatives(directory.name(), &document);
    let named = |api: &Api| Api {
        title: text(&root, "name_for_model").to_owned(),
        ..api.clone()
    };
    let apis = reading.apis.iter().map(named);
    apis.map(|api| head(&api, &document, &alternatives))
        .collect()
}

fn read(sources: Sources<'_>) -> Reading<'_> {
    let manifest = decode(sources.manifest).0.unwrap_or_default();
    let (root, mut findings) = parse_json(manifest);
    let Some(root) = root else {
        return (None, findings);
    };
    let read = |path: &str| parse(text_of(&sources, path)?).ok();
    let names = sources.files.iter().map(|file| file.path.clone());
    let names = names.filter(|name| is_document_name(name));
    let Some(main) = document(&root, names.collect(), &read) else {
        let message = format!(
            "the document of the plugin is not beside it: `{}`",
            http_request::shown(api_url(&root))
        );
        let finding = Diagnostic::error(MISSING_PART, message).at_pointer("/api/url");
        findings
            .push(finding.with_help("save it in the directory of the plugin; nothing is fetched"));
        return (None, findings);
    };
    let mut trees = closure(std::slice::from_ref(&main), &read);
    findings.extend(secret_values::take_out(&mut trees));
    let mut documents = documents(trees, |path| text_of(&sources, path).unwrap_or_default());
    let reading = plugin_openapi::read(&main, &documents, Some(api_url(&root)));
    findings.extend(reading.findings);
    let place = Place::new(&sources.manifest_file.into(), "");
    let units = reading.apis.into_iter().map(|mut api| {
        complete(&mut api, &root, &place);
        unit(&main, api)
    });
    let units: Vec<_> = units.collect();
    if units.is_empty() {
        return (None, findings);
    }
    let identity = identity(&root, &place);
    documents.push(plugin_model::Document {
        file: place.file,
        text: manifest,
        root,
        keys: KEYS,
    });
    let mut package = package(Format::AiPlugin, sources, identity, units, documents);
    for unit in &mut package.units {
        if let UnitKind::Api(api) = &mut unit.kind {
            api.files.push(sources.manifest_file.into());
        }
    }
    (Some(package), findings)
}

/// Adds what the manifest says about a service.
fn complete(api: &mut Api, root: &Node, place: &Place) {
    let described = [
        text(root, "description_for_human"),
        text(root, "description_for_model"),
    ];
    let human = text(root, "name_for_human");
    if !human.is_empty() {
        human.clone_into(&mut api.title);
    }
    if let Some(summary) = described.iter().find(|text| !text.is_empty()) {
        (*summary).clone_into(&mut api.summary);
    }
    described[1].clone_into(&mut api.when);
    let kind = root.get("auth").map_or("", |auth| text(auth, "type"));
    if matches!(kind, "" | "none") || !api.credentials.is_empty() {
        return;
    }
    let name = text(root, "name_for_model").to_ascii_uppercase();
    let is_plain = |c: char| c.is_ascii_alphanumeric();
    let name: String = name
        .chars()
        .map(|c| if is_plain(c) { c } else { '_' })
        .collect();
    let key = format!("{name}_TOKEN");
    let credential = Credential {
        place: ParameterPlace::Header,
        name: "Authorization".to_owned(),
        prefix: Some("Bearer".to_owned()),
        setting: key.clone(),
        user: None,
    };
    api.credentials.insert(PLUGIN.to_owned(), credential);
    api.settings.push(ApiSetting {
        key,
        description: format!("token of the plugin (`auth.type: {kind}`), sent after `Bearer`"),
        default: None,
        choices: Vec::new(),
        is_secret: true,
        is_required: false,
        place: place.child("auth"),
    });
    for operation in &mut api.operations {
        operation.http.security = vec![vec![PLUGIN.to_owned()]];
    }
}

fn identity(root: &Node, place: &Place) -> Identity {
    let field = |key: &str| Field {
        value: text(root, key).to_owned(),
        place: place.child(key),
        exact: true,
    };
    Identity {
        name: field("name_for_model"),
        display_name: Some(field("name_for_human")),
        description: Some(field("description_for_human")),
        version: None,
        author: None,
        license: None,
        domain: None,
        tags: Vec::new(),
    }
}
