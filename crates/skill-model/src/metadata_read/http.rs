//! Reading `commands[].http` and `entry.credentials`.

use std::collections::BTreeMap;

use http_request::{
    Body, BodyKind, Credential, Encoding, METHODS, Operation, Parameter, ParameterPlace, Style,
};

use super::fields::{EntryValue, Fields};

/// Reads an operation; one without a method or a path has no meaning.
pub(super) fn operation(mut f: Fields<'_>) -> Option<Operation> {
    let method = f.word("method", &METHODS, |word| word);
    for key in ["method", "path"] {
        if !f.has(key) {
            f.missing(key);
        }
    }
    let path = f.text("path");
    let server = f.text("server");
    let parameters: Vec<Parameter> = f.inners("parameters").into_iter().map(parameter).collect();
    let body = f.inner("body").and_then(body);
    let security = f.lists("security");
    let answers = f.texts("answers");
    if let Some(path) = &path {
        for flaw in flaws(path, &parameters) {
            f.wrong("path", flaw);
        }
    }
    f.finish();
    Some(Operation {
        method: method?.to_owned(),
        path: path?,
        server,
        parameters,
        body,
        security,
        answers,
    })
}

/// Returns what is wrong with a path: names without a parameter, and parameters without a name in it.
fn flaws(path: &str, parameters: &[Parameter]) -> Vec<String> {
    let in_path = parameters
        .iter()
        .filter(|it| it.place == ParameterPlace::Path);
    let names: Vec<&str> = in_path.map(|it| it.name.as_str()).collect();
    let parts = path.split('{').skip(1);
    let used: Vec<&str> = parts
        .filter_map(|part| Some(part.split_once('}')?.0))
        .collect();
    let undeclared = used
        .iter()
        .filter(|name| !names.contains(name))
        .map(|name| {
            format!("`{{{name}}}` has no parameter, expected one with `in: path` and this name")
        });
    let unused = names
        .iter()
        .filter(|name| !used.contains(name))
        .map(|name| {
            format!("the parameter `{name}` is not in the path, expected `{{{name}}}` there")
        });
    undeclared.chain(unused).collect()
}

fn parameter(mut f: Fields<'_>) -> Parameter {
    if !f.has("name") {
        f.missing("name");
    }
    let name = f.text("name").unwrap_or_default();
    let place = f.word("in", &ParameterPlace::ALL, ParameterPlace::word);
    let res = Parameter {
        argument: f.text("argument"),
        style: f.word("style", &Style::ALL, Style::word),
        explode: f.flag("explode"),
        allow_reserved: f.flag("allow_reserved").unwrap_or_default(),
        content: f.text("content"),
        required: f.flag("required").unwrap_or_default(),
        ..Parameter::new(&name, place.unwrap_or(ParameterPlace::Query))
    };
    f.finish();
    res
}

fn body(mut f: Fields<'_>) -> Option<Body> {
    if !f.has("media_type") {
        f.missing("media_type");
    }
    let kind = f.word("kind", &BodyKind::ALL, BodyKind::word);
    let media_type = f.text("media_type");
    let argument = f.text("argument");
    let required = f.flag("required").unwrap_or_default();
    let mut encodings = BTreeMap::new();
    f.entries("encoding", |name, value| {
        if let EntryValue::Map(fields) = value {
            encodings.insert(name.to_owned(), encoding(fields));
        }
    });
    let files = f.texts("files");
    f.finish();
    let media_type = media_type?;
    Some(Body {
        kind: kind.unwrap_or(BodyKind::of_media_type(&media_type)),
        media_type,
        argument,
        required,
        encoding: encodings,
        files,
    })
}

fn encoding(mut f: Fields<'_>) -> Encoding {
    let res = Encoding {
        style: f.word("style", &Style::ALL, Style::word),
        explode: f.flag("explode"),
        allow_reserved: f.flag("allow_reserved").unwrap_or_default(),
        content: f.text("content"),
    };
    f.finish();
    res
}

/// Reads the credentials of an entry; one without a name or a setting has no meaning.
pub(super) fn credentials(f: &mut Fields<'_>) -> BTreeMap<String, Credential> {
    let mut res = BTreeMap::new();
    f.entries("credentials", |id, value| {
        if let EntryValue::Map(fields) = value {
            res.extend(credential(fields).map(|it| (id.to_owned(), it)));
        }
    });
    res
}

fn credential(mut f: Fields<'_>) -> Option<Credential> {
    use ParameterPlace::{Cookie, Header, Query};
    let place = f.word("in", &[Header, Query, Cookie], ParameterPlace::word);
    for key in ["name", "setting"] {
        if !f.has(key) {
            f.missing(key);
        }
    }
    let name = f.text("name");
    let prefix = f.text("prefix");
    let setting = f.text("setting");
    let user = f.text("user");
    f.finish();
    Some(Credential {
        place: place.unwrap_or(Header),
        name: name?,
        prefix,
        setting: setting?,
        user,
    })
}
