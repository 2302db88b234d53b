//! The operations of a document.

use std::collections::BTreeSet;

use http_request::Operation;
use plugin_model::{ApiOperation, Kind, Node};
use skill_diagnostics::Diagnostic;

use crate::address_secrets::add_to;
use crate::arguments::Arguments;
use crate::body::body;
use crate::codes::{BROKEN_OPERATION, DUPLICATE_OPERATION, UNSUPPORTED};
use crate::documents::{At, Documents};
use crate::examples::example;
use crate::naming::id_of;
use crate::parameters::{self, name_apart, name_arguments};
use crate::responses::{media_types, responses};
use crate::schema::with_schemas;
use crate::security::Security;
use crate::server::{Server, server};
use crate::version::Version;

/// The methods, in the order of the specification.
const METHODS: [&str; 8] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
];
/// The longest summary, in characters.
const MAX_SUMMARY: usize = 160;

/// The parts of a document that all operations share.
pub(crate) struct Shared<'d, 'a> {
    pub(crate) documents: &'d Documents<'a>,
    pub(crate) version: Version,
    pub(crate) root: At<'a>,
    pub(crate) prefix: &'d str,
    /// The address of the document, or that of its first server: where relative addresses begin.
    pub(crate) base: Option<&'d str>,
}

/// The operations of a document and the servers that only some of them have.
#[derive(Default)]
pub(crate) struct Operations {
    pub(crate) all: Vec<ApiOperation>,
    pub(crate) servers: Vec<Server>,
    ids: BTreeSet<String>,
}

/// Reads the operations of a document, in its order.
pub(crate) fn operations(shared: &Shared<'_, '_>) -> Operations {
    let mut res = Operations::default();
    let paths = shared.root.get("paths");
    if let Some(paths) = &paths {
        is_object(shared.documents, paths, "`paths`");
    }
    for (path, item) in paths.iter().flat_map(At::members) {
        if path.starts_with("x-") {
            continue;
        }
        let Some(item) = shared.documents.resolve(&item) else {
            continue;
        };
        if !is_object(shared.documents, &item, "the path item") {
            continue;
        }
        for (method, at) in item.members() {
            let method = method.to_ascii_lowercase();
            if METHODS.contains(&method.as_str())
                && is_object(shared.documents, &at, "the operation")
            {
                res.add(shared, (path, &method), &item, &at);
            }
        }
    }
    res.join_groups();
    res
}

/// Returns true for an object. Anything else has no operation, and is a finding.
fn is_object(documents: &Documents<'_>, at: &At<'_>, what: &str) -> bool {
    if matches!(at.node.kind, Kind::Object(_)) {
        return true;
    }
    let found = at.node.type_word();
    let message = format!("{what} is not carried: found {found}, expected an object");
    let finding = Diagnostic::warning(BROKEN_OPERATION, message);
    let help = "correct the document, and migrate it again; the other operations are carried";
    documents.report(finding.with_help(help), &at.place);
    false
}

/// The group of all operations of a service whose paths have nothing in common.
const ALL: &str = "operations";

impl Operations {
    /// Puts all operations into one group, if nearly each would be alone in its own.
    fn join_groups(&mut self) {
        let groups: BTreeSet<&String> = self.all.iter().map(|it| &it.group).collect();
        if groups.len() > 2 && groups.len() * 3 > self.all.len() * 2 {
            self.all
                .iter_mut()
                .for_each(|it| ALL.clone_into(&mut it.group));
        }
    }

    fn add<'a>(
        &mut self,
        shared: &Shared<'_, 'a>,
        (path, method): (&str, &str),
        item: &At<'a>,
        at: &At<'a>,
    ) {
        let documents = shared.documents;
        if at.node.get("callbacks").is_some() {
            let message =
                "the service sends requests of its own (callbacks), which nothing receives";
            documents.report(Diagnostic::note(UNSUPPORTED, message), &at.place);
        }
        let mut declared = parameters::parameters(documents, shared.version, item, at);
        name_arguments(&mut declared);
        complete_path(path, &mut declared, at);
        let body = body(documents, shared.version, at, &declared);
        if let Some(whole) = body.as_ref().and_then(|it| it.body.argument.as_deref()) {
            name_apart(&mut declared, whole);
        }
        let (arguments, definitions) = with_schemas(documents, &at.place, |schemas| {
            let mut res = Arguments::default();
            for it in &declared {
                let name = it.parameter.argument().to_owned();
                res.properties
                    .insert(name.clone(), parameters::schema(schemas, it));
                if it.parameter.required {
                    res.required.push(name);
                }
            }
            if let Some(body) = &body {
                body.add(documents, schemas, &mut res);
            }
            res
        });
        let example = example(documents, &declared, body.as_ref(), &arguments.required);
        let input_schema = arguments.schema(definitions);
        let own_server = [at, item]
            .into_iter()
            .find_map(|owner| server(documents, owner, shared.prefix, shared.base));
        let mut security = Security::alternatives(documents, &shared.root, at);
        if let Some(server) = &own_server {
            add_to(&mut security, &server.credentials);
        }
        let http = Operation {
            method: method.to_ascii_uppercase(),
            path: path.to_owned(),
            server: own_server.as_ref().map(|it| it.template.clone()),
            parameters: declared.into_iter().map(|it| it.parameter).collect(),
            body: body.map(|it| it.body),
            security,
            answers: media_types(documents, at),
        };
        self.servers.extend(own_server);
        let id = self.id(shared, at, (path, method));
        let description = at.text("description").trim();
        let is_said = at.flag("x-openai-isConsequential");
        self.all.push(ApiOperation {
            id,
            place: at.place.clone(),
            group: group(at, path),
            summary: summary(at, item, (path, method)),
            description: description.to_owned(),
            is_deprecated: at.is("deprecated"),
            needs_approval: is_said.unwrap_or(method == "delete"),
            http,
            input_schema,
            examples: example.into_iter().collect(),
            responses: responses(documents, at),
        });
    }

    /// Returns the identifier of an operation, with a number if another one has it.
    fn id(&mut self, shared: &Shared<'_, '_>, at: &At<'_>, (path, method): (&str, &str)) -> String {
        let own = at.text("operationId").trim();
        let wanted = if own.is_empty() {
            id_of(method, path)
        } else {
            own.to_owned()
        };
        let numbered = (2..).map(|n| format!("{wanted}-{n}"));
        let mut names = std::iter::once(wanted.clone()).chain(numbered);
        let id = names.find(|name| !self.ids.contains(name));
        let id = id.unwrap_or_else(|| wanted.clone());
        if id != wanted && !own.is_empty() {
            let message = format!("another operation is called `{wanted}`; this one became `{id}`");
            let finding = Diagnostic::warning(DUPLICATE_OPERATION, message);
            shared.documents.report(finding, &at.place);
        }
        self.ids.insert(id.clone());
        id
    }
}

/// Adds the parameters that a path names and nobody declares: texts.
fn complete_path<'a>(path: &str, declared: &mut Vec<parameters::Declared<'a>>, at: &At<'a>) {
    use http_request::{Parameter, ParameterPlace};
    let names = path.split('{').skip(1);
    let names = names.filter_map(|part| Some(part.split_once('}')?.0));
    for name in names {
        let is_known = declared
            .iter()
            .any(|it| it.parameter.name == name && it.parameter.place == ParameterPlace::Path);
        if !is_known {
            let parameter = Parameter {
                required: true,
                ..Parameter::new(name, ParameterPlace::Path)
            };
            let at = At {
                node: &EMPTY,
                place: at.place.clone(),
            };
            declared.push(parameters::Declared { parameter, at });
        }
    }
    declared.retain(|it| {
        let written = format!("{{{}}}", it.parameter.name);
        it.parameter.place != ParameterPlace::Path || path.contains(&written)
    });
}

/// A declaration that says nothing.
static EMPTY: Node = Node {
    span: 0..0,
    kind: Kind::Null,
};

/// Returns the group of an operation: its first tag, or the first part of its path that is a name.
fn group(at: &At<'_>, path: &str) -> String {
    let tags = at.node.get("tags").map(Node::items).unwrap_or_default();
    let tag = tags.first().and_then(Node::as_str).map(str::trim);
    if let Some(tag) = tag.filter(|tag| !tag.is_empty()) {
        return tag.to_owned();
    }
    let is_version = |part: &str| {
        let digits = part.strip_prefix('v').unwrap_or(part);
        !digits.is_empty()
            && digits
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'.')
    };
    let mut parts = path.split(['/', '?']);
    let found = parts.find(|part| {
        !part.is_empty() && !part.starts_with('{') && !is_version(part) && *part != "api"
    });
    found.unwrap_or("general").to_owned()
}

/// Returns what an operation does, in one line: its summary, the first sentence of its description, or
/// its request.
fn summary(at: &At<'_>, item: &At<'_>, (path, method): (&str, &str)) -> String {
    let texts = [
        at.text("summary"),
        at.text("description"),
        item.text("summary"),
        item.text("description"),
    ];
    let mut texts = texts.into_iter().map(first_sentence);
    let found = texts.find(|text| !text.is_empty());
    found.unwrap_or_else(|| format!("{} {path}", method.to_ascii_uppercase()))
}

/// Returns the first sentence of a text, in one line.
pub(crate) fn first_sentence(text: &str) -> String {
    let paragraph = text.trim().split("\n\n").next().unwrap_or_default();
    let line = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    let end = line.find(". ").map_or(line.len(), |at| at + 1);
    let sentence = &line[..end];
    match sentence.char_indices().nth(MAX_SUMMARY) {
        Some((at, _)) => {
            let cut = sentence[..at].rfind(' ').unwrap_or(at);
            format!("{}…", &sentence[..cut])
        }
        None => sentence.to_owned(),
    }
}
