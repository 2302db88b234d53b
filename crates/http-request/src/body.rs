//! The body of a request.

use serde_json::{Map, Value};

use crate::encode::Keep;
use crate::media_types;
use crate::operation::{Body, BodyKind, Encoding, Style};
use crate::request::{Content, Part, RequestBody};
use crate::style::{Notation, text};

/// Returns the body with this value.
pub(crate) fn body(body: &Body, value: &Value) -> RequestBody {
    let members = || value.as_object().cloned().unwrap_or_default();
    let content = match body.kind {
        BodyKind::Json => Content::Text(value.to_string()),
        BodyKind::Form if value.is_object() => Content::Text(form(body, &members())),
        BodyKind::Multipart if value.is_object() => return parts(body, members()),
        BodyKind::Form | BodyKind::Multipart | BodyKind::Text | BodyKind::Binary => file(value),
    };
    RequestBody::Content(content)
}

/// Returns the content of a value that may name a file: `{"file": "path"}`.
fn file(value: &Value) -> Content {
    let members = value.as_object().filter(|members| members.len() == 1);
    match members.and_then(|members| members.get("file")?.as_str()) {
        Some(path) => Content::File(path.to_owned()),
        None => Content::Text(text(value)),
    }
}

/// Writes a form. Members without a declared style are written by their media type, which is JSON for
/// objects; lists are repeated, unless they are declared as JSON.
fn form(body: &Body, members: &Map<String, Value>) -> String {
    let usual = Encoding::default();
    let mut pairs = Vec::new();
    for (name, value) in members {
        let encoding = body.encoding.get(name).unwrap_or(&usual);
        let keep = if encoding.allow_reserved {
            Keep::Reserved
        } else {
            Keep::Unreserved
        };
        let notation = notation(encoding, keep);
        let is_document = value.is_object() || encoding.is_json() && !value.is_null();
        if is_document && !encoding.has_style() {
            pairs.extend(notation.pairs(name, &Value::String(value.to_string())));
        } else {
            pairs.extend(notation.pairs(name, value));
        }
    }
    let pairs = pairs.iter().map(|(name, value)| format!("{name}={value}"));
    pairs.collect::<Vec<_>>().join("&")
}

fn notation(encoding: &Encoding, keep: Keep) -> Notation {
    let style = encoding.style.unwrap_or(Style::Form);
    Notation {
        style,
        explode: encoding.explode.unwrap_or(style.usually_explodes()),
        keep,
    }
}

/// Returns the first member that is an object and whose part is a text in a notation that is not JSON, and
/// the media type of that.
pub(crate) fn not_text<'b>(body: &'b Body, value: &Value) -> Option<(&'b str, &'b str)> {
    let members = value
        .as_object()
        .filter(|_| body.kind == BodyKind::Multipart)?;
    let mut declared = body.encoding.iter().filter(|(_, it)| !it.has_style());
    declared.find_map(|(name, encoding)| {
        let value = members.get(name)?;
        let mut items = value.as_array().into_iter().flatten().chain([value]);
        let media_type = media_types::first(encoding.content.as_deref()?)?;
        let essence = media_type.split(';').next().unwrap_or_default().trim();
        let is_text = BodyKind::of_media_type(essence) == BodyKind::Text;
        let is_object = |it: &Value| it.is_object() && it.get("file").is_none();
        (is_text && items.any(is_object)).then_some((name.as_str(), media_type))
    })
}

/// Returns the parts of a multipart body. Each item of a list is a part of its own, unless the list is
/// declared as JSON. Names and values are any text (OpenAPI 3.1.1, appendix E).
fn parts(body: &Body, members: Map<String, Value>) -> RequestBody {
    let mut res = Vec::new();
    for (name, value) in members {
        if let Some(encoding) = body.encoding.get(&name).filter(|it| it.has_style()) {
            let pairs = notation(encoding, Keep::All).pairs(&name, &value);
            res.extend(pairs.into_iter().map(|(name, text)| Part {
                name,
                file_name: None,
                media_type: None,
                content: Content::Text(text),
            }));
            continue;
        }
        let is_file = body.files.contains(&name);
        let encoding = body.encoding.get(&name).filter(|_| !is_file);
        let is_json = encoding.is_some_and(Encoding::is_json);
        let items = match value {
            Value::Null => Vec::new(),
            Value::Array(items) if !is_json => items,
            value => vec![value],
        };
        let items = items.into_iter().map(|item| part(body, &name, &item));
        res.extend(items);
    }
    RequestBody::Parts(res)
}

fn part(body: &Body, name: &str, value: &Value) -> Part {
    let declared = body.encoding.get(name).and_then(|it| it.content.as_deref());
    if body.files.iter().any(|file| file == name) {
        let content = file(value);
        let path = match &content {
            Content::File(path) => path.as_str(),
            Content::Text(_) => name,
        };
        let file_name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        return Part {
            name: name.to_owned(),
            file_name: Some(file_name.to_owned()),
            media_type: Some(media_types::of_file(path, declared).to_owned()),
            content,
        };
    }
    let encoding = body.encoding.get(name);
    let is_json = encoding.is_some_and(Encoding::is_json);
    let is_document = value.is_object() || value.is_array();
    let content = if is_json {
        value.to_string()
    } else {
        text(value)
    };
    Part {
        name: name.to_owned(),
        file_name: None,
        media_type: declared
            .and_then(media_types::first)
            .or_else(|| is_document.then_some("application/json"))
            .map(str::to_owned),
        content: Content::Text(content),
    }
}
