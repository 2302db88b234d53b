//! The body of an operation.

use std::collections::BTreeMap;

use http_request::{Body, BodyKind, Encoding};
use serde_json::{Map, Value, json};
use skill_diagnostics::Diagnostic;

use crate::arguments::Arguments;
use crate::codes::UNSUPPORTED;
use crate::discriminator::{DISCRIMINATOR, discriminator};
use crate::documents::{At, Documents};
use crate::parameters::{Declared, style};
use crate::parts::{Members, any_of, is_type};
use crate::schema::{Schemas, is_read_only};
use crate::version::Version;

/// The most alternatives of a body that are kept.
const MAX_ALTERNATIVES: usize = 12;
/// The deepest composition whose alternatives are kept.
const MAX_PARTS: usize = 6;
/// The argument that is a whole body.
const WHOLE: &str = "body";

/// A body with its declaration.
#[derive(Debug)]
pub(crate) struct DeclaredBody<'a> {
    pub(crate) body: Body,
    /// The declaration of the media type.
    media: At<'a>,
    /// The members, if they are arguments of their own.
    members: Option<Members<'a>>,
    description: String,
}

/// Returns the body of an operation. If it has several media types, the first of JSON, forms, multipart
/// and texts is taken.
pub(crate) fn body<'a>(
    documents: &Documents<'a>,
    version: Version,
    operation: &At<'a>,
    parameters: &[Declared<'a>],
) -> Option<DeclaredBody<'a>> {
    let at = documents.resolve(&operation.get("requestBody")?)?;
    let content = at.get("content")?;
    let (media_type, media) = chosen(documents, &content)?;
    let kind = BodyKind::of_media_type(media_type);
    let schema = media.get("schema");
    let members = schema.as_ref().and_then(|it| Members::of(documents, it));
    let takes_members = matches!(kind, BodyKind::Json | BodyKind::Form | BodyKind::Multipart);
    let members = members.filter(|_| takes_members);
    let is_taken = |name: &str| {
        let mut parameters = parameters.iter().map(|it| &it.parameter);
        parameters.any(|it| it.argument() == name || it.name == name)
    };
    // A member that only answers have is not sent, so that it takes no name.
    let is_sent =
        |definitions: &Vec<At<'_>>| !definitions.iter().all(|it| is_read_only(documents, it));
    let is_free = |members: &Members<'_>| {
        let mut all = members.all.iter();
        !all.any(|(name, definitions)| is_taken(name) && is_sent(definitions))
    };
    let files = members.as_ref().map(|it| files(documents, it));
    let is_merged = members.as_ref().is_some_and(is_free);
    let has_styles = kind != BodyKind::Multipart || version.has_styles_of_parts();
    let encoding = encoding(documents, version, &media, has_styles);
    let media_type = match media_type {
        "*/*" | "application/*" => "application/json",
        media_type => media_type,
    };
    let is_multipart = kind == BodyKind::Multipart;
    let body = Body {
        kind,
        media_type: media_type.to_owned(),
        argument: (!is_merged).then(|| WHOLE.to_owned()),
        required: at.is("required"),
        encoding,
        files: files.filter(|_| is_multipart).unwrap_or_default(),
    };
    Some(DeclaredBody {
        body,
        media,
        members: members.filter(|_| is_merged),
        description: at.text("description").trim().to_owned(),
    })
}

/// Returns the media type to send. The others are a finding.
fn chosen<'a>(documents: &Documents<'a>, content: &At<'a>) -> Option<(&'a str, At<'a>)> {
    let rank = |media_type: &str| match BodyKind::of_media_type(media_type) {
        BodyKind::Json if media_type == "application/json" => 0,
        BodyKind::Json => 1,
        BodyKind::Form => 2,
        BodyKind::Multipart => 3,
        BodyKind::Text => 4,
        BodyKind::Binary => 5,
    };
    let all: Vec<(&str, At<'a>)> = content.members().collect();
    let (media_type, media) = all.iter().min_by_key(|(name, _)| rank(name))?.clone();
    if all.len() > 1 {
        let others = all.iter().map(|(name, _)| *name);
        let others: Vec<&str> = others.filter(|name| *name != media_type).collect();
        let others = others.join("`, `");
        let message = format!("the body is sent as `{media_type}`, not as `{others}`");
        documents.report(Diagnostic::note(UNSUPPORTED, message), &content.place);
    }
    Some((media_type, media))
}

/// Returns how members are written, where it is not the usual way; by their media types only if
/// `has_styles` is false.
fn encoding(
    documents: &Documents<'_>,
    version: Version,
    media: &At<'_>,
    has_styles: bool,
) -> BTreeMap<String, Encoding> {
    let declared = media.get("encoding");
    let declared = declared.iter().flat_map(At::members);
    let rows = declared.map(|(name, at)| {
        let content = at.text("contentType");
        if at
            .get("headers")
            .is_some_and(|it| !it.node.members().is_empty())
        {
            let message = format!("the part `{name}` of the body is sent without its `headers`");
            let finding = Diagnostic::note(UNSUPPORTED, message);
            let help = "a part of multipart/form-data has no headers but its type and its name (RFC 7578, section 4.8)";
            documents.report(finding.with_help(help), &at.place);
        }
        let encoding = Encoding {
            style: style(documents, version, &at).filter(|_| has_styles),
            explode: at.flag("explode").filter(|_| has_styles),
            allow_reserved: has_styles && at.is("allowReserved"),
            content: (!content.is_empty()).then(|| content.to_owned()),
        };
        (name.to_owned(), encoding)
    });
    rows.filter(|(_, encoding)| *encoding != Encoding::default())
        .collect()
}

/// Returns the members that are files, or lists of them.
fn files(documents: &Documents<'_>, members: &Members<'_>) -> Vec<String> {
    let is_file = |definitions: &Vec<At<'_>>| {
        let mut definitions = definitions.iter().filter_map(|it| documents.resolve(it));
        definitions.any(|it| {
            let items = it.get("items").and_then(|items| documents.resolve(&items));
            is_binary(&it) || items.is_some_and(|items| is_binary(&items))
        })
    };
    let files = members.all.iter().filter(|(_, it)| is_file(it));
    files.map(|(name, _)| name.clone()).collect()
}

fn is_binary(at: &At<'_>) -> bool {
    let media_type = at.text("contentMediaType");
    let is_text =
        media_type.is_empty() || media_type.contains("json") || media_type.contains("text");
    at.text("format") == "binary" || at.text("type") == "file" || !is_text && !is_type(at, "object")
}

/// A list of alternatives, and the schema that has it.
type Listed<'a> = (At<'a>, &'static str, At<'a>);

/// Adds the lists of alternatives of a schema and of the parts that it is composed of.
fn add_lists<'a>(documents: &Documents<'a>, at: &At<'a>, depth: usize, res: &mut Vec<Listed<'a>>) {
    let Some(at) = documents.resolve(at).filter(|_| depth < MAX_PARTS) else {
        return;
    };
    let keys = ["oneOf", "anyOf"].into_iter();
    res.extend(keys.filter_map(|key| Some((at.clone(), key, at.get(key)?))));
    for part in at.get("allOf").iter().flat_map(At::items) {
        add_lists(documents, &part, depth + 1, res);
    }
}

/// Returns an alternative of the members of a body. One that names all its members itself still does: it
/// also takes `others`, the arguments that no alternative names.
fn alternative(mut schema: Value, others: &[String]) -> Value {
    let names_all = names_all_members(&schema);
    if let Some(map) = schema.as_object_mut() {
        map.shift_remove("description");
        if names_all {
            let members = map.entry("properties").or_insert_with(|| json!({}));
            for other in others {
                members[other] = json!({});
            }
        } else {
            map.shift_remove("additionalProperties");
        }
        for key in COMPOSED {
            let Some(Value::Array(parts)) = map.get_mut(key) else {
                continue;
            };
            for part in parts {
                *part = open(part.take());
            }
        }
    }
    schema
}

/// The keywords of compositions.
const COMPOSED: [&str; 3] = ["allOf", "anyOf", "oneOf"];

/// Returns a part of an alternative, which the members of other parts may be beside.
fn open(mut schema: Value) -> Value {
    if let Some(map) = schema.as_object_mut() {
        map.shift_remove("additionalProperties");
        map.shift_remove("description");
        for key in COMPOSED {
            let Some(Value::Array(parts)) = map.get_mut(key) else {
                continue;
            };
            for part in parts {
                *part = open(part.take());
            }
        }
    }
    schema
}

/// Returns true for a schema that is not composed and allows the members that it names, and no others.
fn names_all_members(schema: &Value) -> bool {
    let is_composed = COMPOSED.iter().any(|key| schema.get(*key).is_some());
    schema["additionalProperties"] == false && !is_composed
}

/// Returns true if a schema or a part of it restricts members that it does not name, which [`alternative`]
/// leaves out.
fn is_opened(schema: &Value) -> bool {
    let lists = COMPOSED.iter();
    let mut parts = lists.flat_map(|key| schema[*key].as_array().into_iter().flatten());
    let is_own = schema.get("additionalProperties").is_some() && !names_all_members(schema);
    let is_closed = |part: &Value| part.get("additionalProperties").is_some() || is_opened(part);
    is_own || parts.any(is_closed)
}

/// Returns the names of arguments that no alternative names: parameters, and the members that all
/// alternatives have in common.
fn others(res: &Arguments, alternatives: &[Value]) -> Vec<String> {
    let is_named = |name: &String| {
        let mut all = alternatives.iter();
        all.any(|it| it["properties"].get(name).is_some())
    };
    let names = res.properties.keys();
    names.filter(|name| !is_named(name)).cloned().collect()
}

/// Returns the schema of the argument that is a file.
fn file_schema(mut schema: Value) -> Value {
    let is_list = schema["type"] == "array";
    let file = json!({
        "type": "object",
        "properties": { "file": { "type": "string", "description": "path of the file" } },
        "required": ["file"],
    });
    let wrap = |schema: Value| json!({ "anyOf": [schema, file] });
    if is_list {
        schema["items"] = wrap(schema["items"].take());
        return schema;
    }
    wrap(schema)
}

impl<'a> DeclaredBody<'a> {
    /// Adds the arguments of the body.
    pub(crate) fn add(
        &self,
        documents: &Documents<'a>,
        schemas: &mut Schemas<'_, 'a>,
        res: &mut Arguments,
    ) {
        let Some(members) = &self.members else {
            let whole = self.whole(documents, schemas);
            res.properties.insert(WHOLE.to_owned(), whole);
            if self.body.required {
                res.required.push(WHOLE.to_owned());
            }
            return;
        };
        for (name, definitions) in &members.all {
            let mut definitions = definitions.iter();
            if definitions.all(|it| schemas.is_read_only(it)) {
                continue;
            }
            let schema = any_of(schemas, members.get(name));
            let schema = if self.body.files.contains(name) {
                file_schema(schema)
            } else {
                schema
            };
            res.properties.insert(name.clone(), schema);
            if !members.required.contains(name) {
                continue;
            }
            if self.body.required {
                res.required.push(name.clone());
            } else {
                res.required_in_body.push(name.clone());
            }
        }
        res.is_open = !members.is_closed;
        res.is_nullable = members.is_nullable && self.body.kind == BodyKind::Json;
        self.add_alternatives(documents, schemas, res);
    }

    /// Adds the alternatives of a body whose members are arguments: what belongs together of the
    /// members. Arguments outside the body are never refused. Several lists of alternatives are one that
    /// has them all.
    fn add_alternatives(
        &self,
        documents: &Documents<'a>,
        schemas: &mut Schemas<'_, 'a>,
        res: &mut Arguments,
    ) {
        let mut lists = Vec::new();
        if let Some(schema) = self.media.get("schema") {
            add_lists(documents, &schema, 0, &mut lists);
        }
        let mut all: Vec<(Vec<Value>, Option<Value>, bool)> = Vec::new();
        for (at, key, list) in lists {
            let list: Vec<Value> = list.items().map(|it| schemas.inlined(&it)).collect();
            let is_exclusive = key == "oneOf" && !list.iter().any(is_opened);
            let others = others(res, &list);
            let list = list.into_iter().map(|it| alternative(it, &others));
            let list: Vec<Value> = list.collect();
            if (1..=MAX_ALTERNATIVES).contains(&list.len()) {
                all.push((list, discriminator(documents, &at), is_exclusive));
            }
        }
        if all.len() < 2 {
            let only = all.pop().unwrap_or_default();
            (res.alternatives, res.discriminator, res.is_exclusive) = only;
            return;
        }
        let all = all.into_iter().map(|(list, discriminator, _)| {
            let mut one = json!({ "anyOf": list });
            if let Some(discriminator) = discriminator {
                one[DISCRIMINATOR] = discriminator;
            }
            one
        });
        res.alternatives = vec![json!({ "allOf": all.collect::<Vec<_>>() })];
    }

    /// Returns the schema of the whole body.
    fn whole(&self, documents: &Documents<'a>, schemas: &mut Schemas<'_, 'a>) -> Value {
        let schema = self.media.get("schema");
        let schema = schema.map(|schema| schemas.schema(&schema));
        let mut schema = schema.filter(Value::is_object).unwrap_or_else(|| json!({}));
        if self.body.kind == BodyKind::Binary {
            schema = file_schema(json!({ "type": "string" }));
        }
        let is_structure = ["object", "array"]
            .iter()
            .any(|kind| schema["type"] == *kind);
        let is_structure = is_structure || schema.get("properties").is_some();
        if self.body.kind == BodyKind::Text && is_structure {
            let message = format!(
                "the body is an object, and nothing here writes it as `{0}`; the argument `{WHOLE}` is the text of the body",
                self.body.media_type
            );
            documents.report(Diagnostic::note(UNSUPPORTED, message), &self.media.place);
            let text = format!("text of the media type `{}`", self.body.media_type);
            schema = json!({ "type": "string", "description": text });
        }
        let map = schema.as_object_mut().expect("it was made an object above");
        if !self.description.is_empty() && !map.contains_key("description") {
            map.insert("description".to_owned(), self.description.as_str().into());
        }
        schema
    }

    /// Returns the example of the document, as arguments.
    pub(crate) fn example(&self, documents: &Documents<'a>) -> Option<Map<String, Value>> {
        let own = self.media.get("example");
        let named = self.media.get("examples");
        let named = named.and_then(|it| it.members().next().map(|(_, example)| example));
        let named = named.and_then(|it| documents.resolve(&it)?.get("value"));
        let schema = || documents.resolve(&self.media.get("schema")?);
        let of_schema = || schema()?.get("example");
        let value = own.or(named).or_else(of_schema)?.node.to_value();
        match (value, &self.members) {
            (Value::Object(map), Some(_)) => Some(map),
            (_, Some(_)) => None,
            (value, None) => Some(Map::from_iter([(WHOLE.to_owned(), value)])),
        }
    }
}
