//! Documents of the `OpenAPI` specification: a service over HTTP, one skill for each or, if it is
//! large, for each group of its operations.
//!
//! Source: <https://spec.openapis.org/oas/v3.1.1>.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use plugin_manifest::decode;
use plugin_model::{
    Api, ConfigShape, Configuration, Document, Field, Format, Identity, Key, Node, Package, Place,
    Role, Sources, Unit, UnitKey, UnitKind, key,
};
use plugin_openapi::{file_references, version};
use skill_diagnostics::Diagnostic;
use skill_model::private_path;

use crate::{
    codes::UNREADABLE_PART,
    directory::{Claim, Directory},
    openapi_text::{is_document_name, parse},
    package::Reading,
    reader::{Part, Reader, UnitHead},
    secret_values,
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
    homes: &[],
    claims,
    heads,
    is_enabled: |_| true,
    is_manifest: |_| false,
    wants_text: is_document_name,
    read,
    remarks: crate::openapi_remarks::remarks,
    parts: &[Part {
        title: "A document of the specification",
        keys: KEYS,
        others: "kept in the copy of the document in `references/`",
    }],
};

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
        file: String::new(),
        name: with_group(&title),
        alternatives: alternatives.iter().map(|name| with_group(name)).collect(),
        call: String::new(),
        aliases: Vec::new(),
        type_word: API.to_owned(),
        likeness: String::new(),
        list: String::new(),
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
    let mut trees = closure(&mains, &read);
    findings.extend(secret_values::take_out(&mut trees));
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
