//! The request of an operation.

use serde_json::{Map, Value};

use crate::body;
use crate::encode::{Keep, encoded};
use crate::operation::{Body, Operation, Parameter, ParameterPlace, Style};
use crate::request::{Content, Request, RequestBody};
use crate::style::{Notation, text};

/// The reason why a request cannot be built.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BuildError {
    /// A parameter of the path has no value.
    #[error("`{0}` is missing, which is a part of the path")]
    MissingInPath(String),
    /// A list or an object in the path has no items.
    #[error("`{0}` is empty and is a part of the path; give at least one item")]
    EmptyInPath(String),
    /// A parameter of the path would change which resource is meant.
    #[error("`{0}` is {1:?}, which leads to another resource; give a value that is a name")]
    Traversal(String, String),
    /// An object is given where the body is a text in a notation that is not JSON.
    #[error("`{0}` is an object, and the body is a text of the media type `{1}`; give the text")]
    NotText(String, String),
    /// An object is given where a part is a text in a notation that is not JSON.
    #[error(
        "`{0}` is an object, and its part of the body is a text of the media type `{1}`; give the text"
    )]
    PartNotText(String, String),
    /// An argument has the name of a header that each request writes by itself.
    #[error(
        "`{0}` is a header that each request writes by itself; leave it out, or give the whole body as `body` if a member of it has this name"
    )]
    OwnHeader(String),
    /// A header would have a control character.
    #[error("`{0}` has a control character, which a header cannot have")]
    HeaderValue(String),
}

/// Builds the request of an operation. `endpoint` is the address of the server, `is_declared` returns
/// true for the names of declared arguments.
///
/// Arguments that are not parameters are the members of the body, unless the body is one argument;
/// a caller may use `body` for the whole body if no argument has this name.
///
/// # Errors
///
/// A value for the path is missing or leads elsewhere, or a header cannot have its value.
pub fn build(
    operation: &Operation,
    endpoint: &str,
    arguments: &Map<String, Value>,
    is_declared: &dyn Fn(&str) -> bool,
) -> Result<Request, BuildError> {
    let mut rest = arguments.clone();
    let mut path = operation.path.clone();
    let mut request = Request {
        method: operation.method.clone(),
        url: String::new(),
        headers: Vec::new(),
        body: RequestBody::None,
    };
    let mut found = Vec::new();
    for parameter in &operation.parameters {
        let mut value = take(parameter, operation.body.as_ref(), &mut rest);
        if value.is_none() && parameter.place == ParameterPlace::Header {
            value = in_other_case(parameter, &mut rest, is_declared);
        }
        if parameter.place == ParameterPlace::Path {
            let value = value.filter(|value| !value.is_null());
            let value =
                value.ok_or_else(|| BuildError::MissingInPath(parameter.argument().to_owned()))?;
            let written = in_path(parameter, &value)?;
            path = path.replace(&format!("{{{}}}", parameter.name), &written);
        } else if let Some(value) = value.filter(|value| !value.is_null()) {
            found.push((parameter, value));
        }
    }
    request.url = address(endpoint, &path);
    for (parameter, value) in found {
        add(&mut request, parameter, &value)?;
    }
    if let Some(body) = &operation.body {
        let mut others = rest.keys().filter(|name| !is_declared(name));
        if let Some(name) = others.find(|name| is_written(name)) {
            return Err(BuildError::OwnHeader(name.clone()));
        }
        add_body(&mut request, body, rest, is_declared)?;
    }
    Ok(request)
}

/// Takes the argument of a parameter. One that is needed and whose name is in two places may also come
/// under its own name, unless that is the body's.
fn take(
    parameter: &Parameter,
    body: Option<&Body>,
    rest: &mut Map<String, Value>,
) -> Option<Value> {
    let own = rest.shift_remove(parameter.argument());
    let of_body = body.and_then(|body| body.argument.as_ref());
    let is_of_body = of_body == Some(&parameter.name);
    let may_be_plain = parameter.required && parameter.argument.is_some() && !is_of_body;
    own.or_else(|| rest.shift_remove(&parameter.name).filter(|_| may_be_plain))
}

/// Takes the argument of a header under its name in other letters, which HTTP does not tell apart.
fn in_other_case(
    parameter: &Parameter,
    rest: &mut Map<String, Value>,
    is_declared: &dyn Fn(&str) -> bool,
) -> Option<Value> {
    let is_same = |name: &&String| name.eq_ignore_ascii_case(&parameter.name) && !is_declared(name);
    let name = rest.keys().find(is_same)?.clone();
    rest.shift_remove(&name)
}

/// Returns true for a header that no parameter can be.
///
/// Source: <https://spec.openapis.org/oas/v3.1.1#parameter-object>, `name`.
fn is_written(name: &str) -> bool {
    ["accept", "authorization", "content-type"]
        .iter()
        .any(|it| name.eq_ignore_ascii_case(it))
}

fn notation(parameter: &Parameter, keep: Keep) -> Notation {
    Notation {
        style: parameter.style(),
        explode: parameter.explodes(),
        keep,
    }
}

/// Returns the value of a parameter that is written as a document.
fn document<'v>(parameter: &Parameter, value: &'v Value) -> std::borrow::Cow<'v, Value> {
    match &parameter.content {
        Some(media_type) if media_type.contains("json") || !value.is_string() => {
            std::borrow::Cow::Owned(Value::String(value.to_string()))
        }
        _ => std::borrow::Cow::Borrowed(value),
    }
}

fn in_path(parameter: &Parameter, value: &Value) -> Result<String, BuildError> {
    let value = document(parameter, value);
    let notation = notation(parameter, Keep::Unreserved);
    let res = match notation.style {
        Style::Matrix => notation.matrix(&parameter.name, &value),
        _ => notation.plain(&value),
    };
    let argument = parameter.argument().to_owned();
    let is_empty = match &*value {
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    };
    if is_empty {
        return Err(BuildError::EmptyInPath(argument));
    }
    if matches!(res.as_str(), "" | "." | "..") {
        return Err(BuildError::Traversal(argument, text(&value)));
    }
    Ok(res)
}

/// Returns the address of a server with a path. The query of both is kept, before that of the parameters;
/// a fragment is never sent.
fn address(endpoint: &str, path: &str) -> String {
    let sent = |text: &str| text.split('#').next().unwrap_or_default().to_owned();
    let (endpoint, path) = (sent(endpoint), sent(path));
    let (base, more) = endpoint.split_once('?').unwrap_or((&endpoint, ""));
    let base = base.trim_end_matches('/');
    let slash = if path.starts_with('/') || path.is_empty() {
        ""
    } else {
        "/"
    };
    let mut res = format!("{}{slash}{}", without_usual_port(base), legal_path(&path));
    if !more.is_empty() {
        res.push(if res.contains('?') { '&' } else { '?' });
        res.push_str(more);
    }
    res
}

/// Returns the address of a server without the port that its scheme has anyway.
fn without_usual_port(base: &str) -> String {
    for (scheme, port) in [("https://", ":443"), ("http://", ":80")] {
        let Some(rest) = base.strip_prefix(scheme) else {
            continue;
        };
        let end = rest.find('/').unwrap_or(rest.len());
        let (authority, rest) = rest.split_at(end);
        if let Some(host) = authority.strip_suffix(port) {
            return format!("{scheme}{host}{rest}");
        }
    }
    base.to_owned()
}

/// Percent-encodes what a path of a document may not have: spaces, letters outside ASCII.
fn legal_path(path: &str) -> String {
    let is_legal =
        |c: char| c.is_ascii_graphic() && !matches!(c, '"' | '<' | '>' | '`' | '\\' | '^');
    let mut res = String::with_capacity(path.len());
    for c in path.chars() {
        if is_legal(c) {
            res.push(c);
        } else {
            res.push_str(&encoded(c.encode_utf8(&mut [0; 4]), Keep::Unreserved));
        }
    }
    res
}

fn add(request: &mut Request, parameter: &Parameter, value: &Value) -> Result<(), BuildError> {
    let value = document(parameter, value);
    match parameter.place {
        ParameterPlace::Path => {}
        ParameterPlace::Query => {
            let keep = if parameter.allow_reserved {
                Keep::Reserved
            } else {
                Keep::Unreserved
            };
            for (name, value) in notation(parameter, keep).pairs(&parameter.name, &value) {
                request.query(&name, &value);
            }
        }
        ParameterPlace::Header => {
            let text = notation(parameter, Keep::All).plain(&value);
            if text.chars().any(|c| c.is_control() && c != '\t') {
                return Err(BuildError::HeaderValue(parameter.argument().to_owned()));
            }
            request.header(&parameter.name, text);
        }
        ParameterPlace::Cookie => {
            let notation = notation(parameter, Keep::Unreserved);
            for (name, value) in notation.pairs(&parameter.name, &value) {
                request.cookie(&format!("{name}={value}"));
            }
        }
    }
    Ok(())
}

/// Adds the body, unless nothing of it is given and nothing is required.
fn add_body(
    request: &mut Request,
    declared: &Body,
    mut rest: Map<String, Value>,
    is_declared: &dyn Fn(&str) -> bool,
) -> Result<(), BuildError> {
    const WHOLE: &str = "body";
    let value = match &declared.argument {
        Some(argument) if rest.contains_key(argument) => rest.shift_remove(argument),
        None if rest.len() == 1 && rest.contains_key(WHOLE) && !is_declared(WHOLE) => {
            rest.shift_remove(WHOLE)
        }
        None if declared.required => Some(Value::Object(rest)),
        _ => (!rest.is_empty()).then_some(Value::Object(rest)),
    };
    let Some(value) = value else { return Ok(()) };
    if let Some((name, media_type)) = body::not_text(declared, &value) {
        return Err(BuildError::PartNotText(
            name.to_owned(),
            media_type.to_owned(),
        ));
    }
    request.header("content-type", declared.media_type.clone());
    request.body = body::body(declared, &value);
    // JSON would be sent under another name.
    let is_structure = value.is_object() || value.is_array();
    let is_file = matches!(request.body, RequestBody::Content(Content::File(_)));
    if is_structure && !is_file && declared.media_type.ends_with("xml") {
        let argument = declared.argument.as_deref().unwrap_or(WHOLE);
        let media_type = declared.media_type.clone();
        return Err(BuildError::NotText(argument.to_owned(), media_type));
    }
    Ok(())
}
