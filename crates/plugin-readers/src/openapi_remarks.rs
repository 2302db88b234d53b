//! Remarks about documents of APIs that become no skill: those that cannot be read, of another version, or
//! without an operation.

use plugin_manifest::decode;
use plugin_model::Node;
use plugin_openapi::{version, written_version};
use skill_diagnostics::{Diagnostic, Severity};

use crate::codes::{NOTHING_TO_MIGRATE, UNREADABLE_PART};
use crate::directory::Directory;
use crate::openapi_text::{is_document_name, parse};

/// The keys by which the first bytes of a document show what it is.
const MARKS: [&str; 2] = ["openapi", "swagger"];
/// The methods of an operation.
const METHODS: [&str; 8] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
];

/// Returns what is wrong with the documents at the top of a directory.
pub(crate) fn remarks(directory: &dyn Directory) -> Vec<Diagnostic> {
    let names = match directory.only() {
        Some(file) => vec![file.to_owned()],
        None => directory.names(),
    };
    let names = names.into_iter().filter(|name| is_document_name(name));
    let marked: Vec<String> = names.filter(|name| is_marked(directory, name)).collect();
    let is_alone = marked.len() == 1;
    let found = marked.iter().filter_map(|name| {
        let bytes = directory.read(name)?;
        let flaw = match decode(&bytes) {
            (Some(text), _) => flaw(text, is_alone)?,
            (None, findings) => cannot_be_read(findings.into_iter().next()?),
        };
        let severity = match directory.only() {
            Some(_) => Severity::Error,
            None => flaw.severity,
        };
        let flaw = Diagnostic { severity, ..flaw };
        Some(flaw.in_file(name.as_str()))
    });
    found.collect()
}

/// Returns true for a document that says what it is, as JSON or as YAML.
fn is_marked(directory: &dyn Directory, name: &str) -> bool {
    let mut start = directory.start(name).unwrap_or_default();
    // UTF-16 has a zero beside each letter.
    start.retain(|byte| *byte != 0);
    let start = String::from_utf8_lossy(&start);
    let start = start.trim_start_matches(['\u{feff}', '\u{fffd}']);
    let is_key = |after: &str| after.trim_start().starts_with(':');
    MARKS.iter().any(|mark| {
        let quoted = format!("\"{mark}\"");
        let mut quoted = start.split(&quoted).skip(1);
        let is_yaml = |line: &str| {
            let line = line.trim_start_matches(['"', '\'']);
            let rest = line.strip_prefix(mark);
            let rest = rest.map(|it| it.trim_start_matches(['"', '\'']));
            rest.is_some_and(is_key)
        };
        quoted.any(is_key) || start.lines().any(is_yaml)
    })
}

/// Returns the finding about a document that is neither JSON nor YAML in UTF-8.
fn cannot_be_read(flaw: Diagnostic) -> Diagnostic {
    let message = format!("a document of an API cannot be read: {}", flaw.message);
    let finding = Diagnostic {
        code: UNREADABLE_PART,
        severity: Severity::Error,
        message,
        ..flaw
    };
    match finding.help {
        Some(_) => finding,
        None => finding.with_help("expected JSON or YAML in UTF-8; correct it and migrate again"),
    }
}

/// Returns why a document becomes no skill. One that is alone in its directory says by itself that it has
/// no operation.
fn flaw(text: &str, is_alone: bool) -> Option<Diagnostic> {
    let root = match parse(text) {
        Ok(root) => root,
        Err(flaw) => return Some(cannot_be_read(*flaw)),
    };
    let says = |key: &str| written_version(&root, key).unwrap_or("of an unknown version");
    if root.get("swagger").is_some() && root.get("openapi").is_none() {
        let message = format!(
            "a document of Swagger {} is not read, expected OpenAPI 3",
            says("swagger")
        );
        let help = "convert it with a converter from Swagger 2.0 to OpenAPI 3";
        let finding = Diagnostic::error(UNREADABLE_PART, message).with_help(help);
        return Some(finding.at_pointer("/swagger"));
    }
    let has_parts = ["info", "paths"].iter().any(|key| root.get(key).is_some());
    if version(&root).is_none() && root.get("openapi").is_some() && has_parts {
        let text = says("openapi");
        let message = format!("a document of OpenAPI {text} is not read, expected OpenAPI 3");
        let help = "correct `openapi`, such as `3.1.0`, or convert the document to OpenAPI 3";
        let finding = Diagnostic::error(UNREADABLE_PART, message).with_help(help);
        return Some(finding.at_pointer("/openapi"));
    }
    let paths = root.get("paths").map_or(&[][..], Node::members);
    let has_operation = paths.iter().any(|path| {
        path.value.get("$ref").is_some()
            || METHODS
                .iter()
                .any(|method| path.value.get(method).is_some())
    });
    if version(&root).is_some() && !has_operation && !is_alone {
        let message = "a document of an API has no operation, so that there is nothing to call";
        return Some(Diagnostic::warning(NOTHING_TO_MIGRATE, message));
    }
    None
}
