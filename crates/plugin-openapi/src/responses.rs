//! The answers of an operation, for a reader.

use http_request::BodyKind;
use plugin_model::Node;

use crate::documents::{At, Documents};
use crate::parts::Members;

/// The most members of an answer that are named.
const MAX_NAMES: usize = 24;

/// Returns the status and the meaning of each answer.
pub(crate) fn responses(documents: &Documents<'_>, operation: &At<'_>) -> Vec<(String, String)> {
    let all = operation.get("responses");
    let all = all.iter().flat_map(At::members);
    let all = all.filter(|(status, _)| !status.starts_with("x-"));
    all.filter_map(|(status, at)| {
        let at = documents.resolve(&at)?;
        let mut text = at.text("description").trim().to_owned();
        if let Some(content) = content(documents, &at) {
            text = match text.trim_end_matches('.') {
                "" => content,
                text => format!("{text}: {content}"),
            };
        }
        Some((status.to_owned(), text))
    })
    .collect()
}

/// The most media types of answers that are kept.
const MAX_TYPES: usize = 8;

/// Returns the media types of the answers of an operation that are not errors; none if all are JSON, or if
/// there are too many to say anything.
pub(crate) fn media_types(documents: &Documents<'_>, operation: &At<'_>) -> Vec<String> {
    let all = operation.get("responses");
    let all = all.iter().flat_map(At::members);
    let all = all.filter(|(status, _)| status.starts_with(['2', 'd']));
    let mut res: Vec<String> = Vec::new();
    for (_, at) in all {
        let content = documents.resolve(&at).and_then(|it| it.get("content"));
        for (media_type, _) in content.iter().flat_map(At::members) {
            if !res.iter().any(|it| it == media_type) {
                res.push(media_type.to_owned());
            }
        }
    }
    let is_json = |it: &String| BodyKind::of_media_type(it) == BodyKind::Json && !it.contains('*');
    if res.iter().all(is_json) || res.len() > MAX_TYPES {
        res.clear();
    }
    res
}

/// Returns what is in an answer: the members of an object, or the media type.
fn content(documents: &Documents<'_>, response: &At<'_>) -> Option<String> {
    let content = response.get("content")?;
    let (media_type, media) = content.members().next()?;
    let schema = media.get("schema").and_then(|it| documents.resolve(&it));
    let Some(schema) = schema else {
        return Some(media_type.to_owned());
    };
    let items = schema.get("items").and_then(|it| documents.resolve(&it));
    let (prefix, object) = match items {
        Some(items) => ("a list of objects with ", items),
        None => ("", schema.clone()),
    };
    let members = Members::of(documents, &object).unwrap_or_default();
    let names: Vec<&str> = members.all.iter().map(|(name, _)| name.as_str()).collect();
    if names.is_empty() {
        let kind = schema.node.get("type").and_then(Node::as_str);
        return Some(kind.map_or(media_type, |kind| kind).to_owned());
    }
    let shown = names.iter().take(MAX_NAMES).map(|name| format!("`{name}`"));
    let shown = shown.collect::<Vec<_>>().join(", ");
    let more = names.len().saturating_sub(MAX_NAMES);
    Some(match more {
        0 => format!("{prefix}{shown}"),
        more => format!("{prefix}{shown} and {more} more"),
    })
}
