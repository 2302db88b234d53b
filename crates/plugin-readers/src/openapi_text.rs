//! The texts of documents: JSON or YAML, as a tree.

use plugin_model::{Kind, Member, Node, parse_json, parse_jsonc};
use skill_diagnostics::{Diagnostic, LineIndex};
use skill_model::yaml;

use crate::codes::UNREADABLE_PART;

/// Returns true for the names of JSON and YAML files.
pub(crate) fn is_document_name(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    [".json", ".yaml", ".yml"]
        .iter()
        .any(|suffix| lower.ends_with(suffix))
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

/// Parses a file by its name: JSON that may have comments, or YAML. `None` if it is neither.
///
/// ```
/// let root = plugin_readers::parse_document("a.yaml", "a: [1, b]").unwrap();
/// assert_eq!(root.to_value().to_string(), r#"{"a":[1,"b"]}"#);
/// ```
pub fn parse_document(path: &str, text: &str) -> Option<Node> {
    if !is_document_name(path) {
        return None;
    }
    if path.to_ascii_lowercase().ends_with(".json") {
        return parse_jsonc(text).0;
    }
    Some(convert(&yaml::parse_source(text).ok()??))
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
