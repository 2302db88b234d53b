//! Documents of the `OpenAPI` specification: a service over HTTP, one skill for each or, if it is
//! large, for each group of its operations.
//!
//! Source: <https://spec.openapis.org/oas/v3.1.1>.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use plugin_manifest::decode;
use plugin_model::{
    Api, ConfigShape, Configuration, Document, Field, Format, Identity, Key, Kind, Member, Node,
    Package, Place, Role, Sources, Unit, UnitKey, UnitKind, key, parse_json,
};
use plugin_openapi::{file_references, version};
use skill_diagnostics::{Diagnostic, LineIndex};
use skill_model::{private_path, yaml};

use crate::{
    codes::UNREADABLE_PART,
    directory::{Claim, Directory},
    package::Reading,
    reader::{Part, Reader, UnitHead},
};

/// The word for services.
const API: &str = "api";
/// The most files that references lead to.
const MAX_FILES: usize = 2_000;

/// The keys at the top of a document.
pub(crate) const KEYS: &[Key] = &[
    key("openapi", Role::Layout),
    key(
        "info",
        Role::Becomes("name, description, version, license and author of the skill"),
    ),
    key(
        "servers",
        Role::Becomes("`entry.endpoint`, settings, `permissions.network_allowlist`"),
    ),
    key(
        "paths",
        Role::Becomes("`commands`, and `references/` for what they answer"),
    ),
    key(
        "components",
        Role::Becomes("the commands that refer to it; security schemes: `entry.credentials`"),
    ),
    key("security", Role::Becomes("`commands[].http.security`")),
    key("tags", Role::Referenced),
    key("externalDocs", Role::Referenced),
    key("webhooks", Role::Referenced),
];

/// The reader of the format.
pub(crate) const READER: Reader = Reader {
    name: "openapi",
    title: "documents of OpenAPI 3.0 and 3.1",
    marks: "a JSON or YAML file with `openapi: 3…`; also a single file as the input",
    claims,
    heads,
    is_enabled: |_| true,
    is_manifest: |_| false,
    wants_text: is_document_name,
    read,
    remarks: |_| Vec::new(),
    parts: &[Part {
        title: "A document of the specification",
        keys: KEYS,
        others: "kept in the copy of the document in `references/`",
    }],
};

/// Returns true for the names of JSON and YAML files.
pub(crate) fn is_document_name(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    [".json", ".yaml", ".yml"]
        .iter()
        .any(|suffix| lower.ends_with(suffix))
}

/// Claims a directory with documents at its top, or the document that is the input.
fn claims(directory: &dyn Directory) -> Option<Claim> {
    let names = match directory.only() {
        Some(file) => vec![file.to_owned()],
        None => directory.names(),
    };
    let names = names.into_iter().filter(|name| is_document_name(name));
    let documents: Vec<String> = names
        .filter(|name| {
            may_be_document(directory, name)
                && read_tree(directory, name).is_some_and(|root| version(&root).is_some())
        })
        .collect();
    let [first, others @ ..] = documents.as_slice() else {
        return None;
    };
    let manifest_file = if others.is_empty() { first } else { "" };
    let mut files = referenced(directory, &documents);
    if manifest_file.is_empty() {
        files.extend(documents.iter().cloned());
    }
    let licenses = directory.names().into_iter();
    files.extend(licenses.filter(|name| is_license(name)));
    Some(Claim {
        manifest_file: manifest_file.to_owned(),
        searches_inside: true,
        files: Some(files.into_iter().collect()),
        ..Claim::default()
    })
}

pub(crate) fn is_license(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    ["LICENSE", "LICENCE", "NOTICE", "COPYING"]
        .iter()
        .any(|word| upper.starts_with(word))
}

/// Returns whether a file is worth being read: by its name, or by its first bytes. If nothing better was
/// found, every file is.
fn may_be_document(directory: &dyn Directory, name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let is_named = lower.contains("openapi") || lower.contains("swagger");
    if is_named || directory.is_last_resort() || directory.only().is_some() {
        return true;
    }
    let start = directory.start(name).unwrap_or_default();
    let start = String::from_utf8_lossy(&start);
    start.contains("\"openapi\"") || start.lines().any(|line| line.starts_with("openapi:"))
}

fn read_tree(directory: &dyn Directory, path: &str) -> Option<Node> {
    let bytes = directory.read(path)?;
    parse(decode(&bytes).0?).ok()
}

/// Returns the files that references of documents lead to.
fn referenced(directory: &dyn Directory, documents: &[String]) -> BTreeSet<String> {
    let read = |path: &str| read_tree(directory, path);
    let found = closure(documents, &read);
    let found = found.into_keys();
    found.filter(|path| !documents.contains(path)).collect()
}

/// Returns the documents and the files that their references lead to, as trees. References to private
/// files are not followed, so no skill gets their content.
pub(crate) fn closure(
    documents: &[String],
    read: &dyn Fn(&str) -> Option<Node>,
) -> BTreeMap<String, Node> {
    let mut res: BTreeMap<String, Node> = BTreeMap::new();
    let mut wanted: Vec<String> = documents.to_vec();
    while let Some(path) = wanted.pop() {
        if res.contains_key(&path) || res.len() >= MAX_FILES {
            continue;
        }
        if let Some(root) = read(&path) {
            let references = file_references(&path, &root).into_iter();
            wanted.extend(references.filter(|path| private_path(path).is_none()));
            res.insert(path, root);
        }
    }
    res
}

/// Parses a document of JSON or YAML.
pub(crate) fn parse(text: &str) -> Result<Node, Box<Diagnostic>> {
    if text.trim_start().starts_with(['{', '[']) {
        let (root, findings) = parse_json(text);
        let not_json = || Diagnostic::error(UNREADABLE_PART, "the document is not JSON");
        return root.ok_or_else(|| {
            let mut findings = findings.into_iter();
            Box::new(findings.next().unwrap_or_else(not_json))
        });
    }
    let unreadable = |message: String, at: usize| {
        let mut at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let finding = Diagnostic::error(UNREADABLE_PART, message);
        Box::new(finding.at(LineIndex::new(text).span(at..at)))
    };
    match yaml::parse_source(text) {
        Ok(Some(node)) => Ok(convert(&node)),
        Ok(None) => Err(unreadable("the document is empty".to_owned(), 0)),
        Err(error) => {
            let message = format!("the document is not YAML: {}", error.message);
            Err(unreadable(message, error.offset))
        }
    }
}

/// Converts a tree of YAML. Keys are texts (`200` too), and merge keys are merged.
fn convert(node: &yaml::Node) -> Node {
    let kind = match &node.content {
        yaml::Content::Mapping { entries, .. } => Kind::Object(members(entries)),
        yaml::Content::Sequence { items, .. } => Kind::Array(items.iter().map(convert).collect()),
        yaml::Content::Scalar { text, .. } => match node.to_value() {
            serde_json::Value::Null => Kind::Null,
            serde_json::Value::Bool(flag) => Kind::Bool(flag),
            serde_json::Value::Number(number) => Kind::Number(number.to_string()),
            _ => Kind::String(text.clone()),
        },
    };
    Node {
        span: node.range.clone(),
        kind,
    }
}

fn members(entries: &[(yaml::Node, yaml::Node)]) -> Vec<Member> {
    let mut res: Vec<Member> = Vec::with_capacity(entries.len());
    let mut merged: Vec<Member> = Vec::new();
    for (key, value) in entries {
        let value = convert(value);
        let text = key.text();
        if text == Some("<<") {
            match value.kind {
                Kind::Object(members) => merged.extend(members),
                Kind::Array(items) => {
                    let maps = items.into_iter().map(|item| item.kind);
                    merged.extend(maps.flat_map(|kind| match kind {
                        Kind::Object(members) => members,
                        _ => Vec::new(),
                    }));
                }
                _ => {}
            }
            continue;
        }
        let key = text.map_or_else(|| key.to_value().to_string(), str::to_owned);
        res.push(Member { key, value });
    }
    for member in merged {
        if !res.iter().any(|own| own.key == member.key) {
            res.push(member);
        }
    }
    res
}

/// Reads the documents with references between them.
fn heads(directory: &dyn Directory, claim: &Claim) -> Vec<UnitHead> {
    let mains = if claim.manifest_file.is_empty() {
        let files = claim.files.iter().flatten();
        files
            .filter(|file| is_main(file))
            .cloned()
            .collect::<Vec<_>>()
    } else {
        vec![claim.manifest_file.clone()]
    };
    let trees = closure(&mains, &|path| read_tree(directory, path));
    let documents = documents(trees, |_| "");
    let mut res = Vec::new();
    for main in mains {
        let apis = plugin_openapi::read(&main, &documents, None).apis;
        let alternatives = alternatives(directory.name(), &main);
        res.extend(apis.iter().map(|api| head(api, &main, &alternatives)));
    }
    res
}

/// Returns whether a file may be a document of its own: those that references lead to are deeper.
fn is_main(path: &str) -> bool {
    !path.contains('/') && is_document_name(path)
}

/// Returns the names to try if the title is taken: the file and its directory.
pub(crate) fn alternatives(directory: &str, file: &str) -> Vec<String> {
    let stem = file.rsplit('/').next().unwrap_or(file);
    let stem = stem.split('.').next().unwrap_or(stem);
    vec![directory.to_owned(), format!("{directory}-{stem}")]
}

pub(crate) fn head(api: &Api, file: &str, alternatives: &[String]) -> UnitHead {
    let stem = alternatives.last().cloned().unwrap_or_default();
    let title = if api.title.is_empty() {
        stem
    } else {
        api.title.clone()
    };
    let group = api.group.as_deref();
    let with_group = |name: &str| match group {
        Some(group) => format!("{name} {group}"),
        None => name.to_owned(),
    };
    UnitHead {
        unit: unit_key(file, group),
        name: with_group(&title),
        alternatives: alternatives.iter().map(|name| with_group(name)).collect(),
        call: String::new(),
        aliases: Vec::new(),
        type_word: API.to_owned(),
    }
}

pub(crate) fn unit_key(file: &str, group: Option<&str>) -> UnitKey {
    match group {
        Some(group) => UnitKey::new(API, &format!("{file}/{group}")),
        None => UnitKey::new(API, file),
    }
}

/// Returns trees as documents.
pub(crate) fn documents<'a>(
    trees: BTreeMap<String, Node>,
    text: impl Fn(&str) -> &'a str,
) -> Vec<Document<'a>> {
    let trees = trees.into_iter();
    trees
        .map(|(file, root)| Document {
            text: text(&file),
            file: Arc::from(file),
            root,
            keys: &[],
        })
        .collect()
}

/// Returns the text of a file of a package, if a skill may have a copy of it. The texts of settings are
/// known too, for the names of their keys.
pub(crate) fn text_of<'a>(sources: &Sources<'a>, path: &str) -> Option<&'a str> {
    if path == sources.manifest_file {
        return decode(sources.manifest).0;
    }
    let is_copied = sources.files.iter().any(|file| file.path == path);
    let text = sources.texts.get(path).filter(|_| is_copied)?;
    Some(text.strip_prefix('\u{feff}').unwrap_or(text))
}

fn read(sources: Sources<'_>) -> Reading<'_> {
    let mut findings = Vec::new();
    let mut mains = Vec::new();
    let candidates = if sources.manifest_file.is_empty() {
        let files = sources.files.iter().map(|file| file.path.as_str());
        files.filter(|path| is_main(path)).collect()
    } else {
        vec![sources.manifest_file]
    };
    for path in candidates {
        let Some(text) = text_of(&sources, path) else {
            let message = "the document is not read, expected a text in UTF-8 of at most 4 MiB, or of 16 MiB if it is the only one of its directory";
            findings.push(Diagnostic::error(UNREADABLE_PART, message).in_file(path));
            continue;
        };
        match parse(text) {
            Ok(root) if version(&root).is_some() => mains.push(path.to_owned()),
            Ok(_) => {}
            Err(finding) => findings.push(finding.in_file(path)),
        }
    }
    let read = |path: &str| parse(text_of(&sources, path)?).ok();
    let trees = closure(&mains, &read);
    let documents = documents(trees, |path| text_of(&sources, path).unwrap_or_default());
    let mut units = Vec::new();
    for main in &mains {
        let reading = plugin_openapi::read(main, &documents, None);
        findings.extend(reading.findings);
        units.extend(reading.apis.into_iter().map(|api| unit(main, api)));
    }
    if units.is_empty() {
        return (None, findings);
    }
    let identity = identity(&units[0]);
    (
        Some(package(
            Format::OpenApi,
            sources,
            identity,
            units,
            documents,
        )),
        findings,
    )
}

/// Creates the unit of a service.
pub(crate) fn unit(file: &str, api: Api) -> Unit {
    Unit {
        key: unit_key(file, api.group.as_deref()),
        file: Arc::from(file),
        kind: UnitKind::Api(Box::new(api)),
    }
}

/// Returns the identity of a package by its first service.
fn identity(unit: &Unit) -> Identity {
    let (title, version) = match &unit.kind {
        UnitKind::Api(api) => (api.title.clone(), api.version.clone()),
        _ => (String::new(), String::new()),
    };
    let field = |value: String, pointer: &str| Field {
        value,
        place: Place::new(&unit.file, pointer),
        exact: true,
    };
    Identity {
        name: field(title, "/info/title"),
        display_name: None,
        description: None,
        version: Some(field(version, "/info/version")),
        author: None,
        license: None,
        domain: None,
        tags: Vec::new(),
    }
}

/// Creates a package of services.
pub(crate) fn package<'a>(
    format: Format,
    sources: Sources<'a>,
    identity: Identity,
    units: Vec<Unit>,
    documents: Vec<Document<'a>>,
) -> Package<'a> {
    Package {
        format,
        is_enabled: true,
        identity,
        config: Configuration {
            keys: Vec::new(),
            shape: ConfigShape::Absent,
        },
        units,
        documents,
        attached: Vec::new(),
        sources,
    }
}
