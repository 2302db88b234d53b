//! The parameters of an operation.

use std::collections::BTreeMap;

use http_request::{Parameter, ParameterPlace, Style};
use serde_json::{Value, json};
use skill_diagnostics::Diagnostic;

use crate::codes::UNSUPPORTED;
use crate::documents::{At, Documents};
use crate::schema::Schemas;
use crate::version::Version;

/// A parameter with its declaration.
#[derive(Clone, Debug)]
pub(crate) struct Declared<'a> {
    pub(crate) parameter: Parameter,
    pub(crate) at: At<'a>,
}

/// Returns the parameters of a path and of its operation, which replace those of the path.
pub(crate) fn parameters<'a>(
    documents: &Documents<'a>,
    version: Version,
    path_item: &At<'a>,
    operation: &At<'a>,
) -> Vec<Declared<'a>> {
    let mut res: Vec<Declared<'a>> = Vec::new();
    for owner in [path_item, operation] {
        let list = owner.get("parameters");
        for at in list.iter().flat_map(At::items) {
            let Some(at) = documents.resolve(&at) else {
                continue;
            };
            let Some(declared) = parameter(documents, version, &at) else {
                continue;
            };
            let same = |other: &Declared<'_>| {
                let (a, b) = (&other.parameter, &declared.parameter);
                a.name == b.name && a.place == b.place
            };
            match res.iter().position(same) {
                Some(at) => res[at] = declared,
                None => res.push(declared),
            }
        }
    }
    res
}

fn parameter<'a>(documents: &Documents<'a>, version: Version, at: &At<'a>) -> Option<Declared<'a>> {
    let name = at.text("name");
    let word = at.text("in");
    let place = ParameterPlace::ALL.into_iter().find(|it| it.word() == word);
    let Some(place) = place.filter(|_| !name.is_empty()) else {
        let message = format!("the parameter `{name}` in `{word}` is not written into requests");
        let help = "expected a name, and a place that is path, query, header or cookie";
        documents.report(
            Diagnostic::warning(UNSUPPORTED, message).with_help(help),
            &at.place,
        );
        return None;
    };
    let is_of_client = ["accept", "content-type", "authorization"];
    if place == ParameterPlace::Header && is_of_client.contains(&name.to_lowercase().as_str()) {
        let message = format!("the header `{name}` is written from the body and the credentials");
        documents.report(Diagnostic::note(UNSUPPORTED, message), &at.place);
        return None;
    }
    let is_of_transport = [
        "host",
        "content-length",
        "transfer-encoding",
        "connection",
        "upgrade",
    ];
    if place == ParameterPlace::Header && is_of_transport.contains(&name.to_lowercase().as_str()) {
        let message =
            format!("the header `{name}` is not an argument: each connection sets its own");
        documents.report(Diagnostic::warning(UNSUPPORTED, message), &at.place);
        return None;
    }
    let style = style(documents, version, at).filter(|style| *style != place.usual_style());
    let usual = style.unwrap_or(place.usual_style()).usually_explodes();
    let content = at.get("content");
    let content = content.and_then(|it| it.members().next().map(|(name, _)| name.to_owned()));
    let parameter = Parameter {
        style,
        explode: at.flag("explode").filter(|flag| *flag != usual),
        allow_reserved: at.is("allowReserved"),
        content,
        required: at.is("required") || place == ParameterPlace::Path,
        ..Parameter::new(name, place)
    };
    let at = at.clone();
    Some(Declared { parameter, at })
}

/// Returns the style that is declared. An unknown one is a finding.
pub(crate) fn style(documents: &Documents<'_>, version: Version, at: &At<'_>) -> Option<Style> {
    Some(match at.text("style") {
        "" => return None,
        "simple" => Style::Simple,
        "label" if version.has_dotted_labels() => Style::DottedLabel,
        "label" => Style::Label,
        "matrix" => Style::Matrix,
        "form" => Style::Form,
        "spaceDelimited" => Style::SpaceDelimited,
        "pipeDelimited" => Style::PipeDelimited,
        "deepObject" => Style::DeepObject,
        word => {
            let message = format!("`{word}` is not a style; the usual one of the place is used");
            documents.report(Diagnostic::warning(UNSUPPORTED, message), &at.place);
            return None;
        }
    })
}

/// Names the arguments: a name in two places gets the word of its place.
pub(crate) fn name_arguments(declared: &mut [Declared<'_>]) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for it in declared.iter() {
        *counts.entry(it.parameter.name.clone()).or_default() += 1;
    }
    for at in 0..declared.len() {
        let Parameter { name, place, .. } = &declared[at].parameter;
        if counts[name] >= 2 {
            declared[at].parameter.argument = with_place(declared, at, (name, *place));
        }
    }
}

/// Gives the parameter whose argument has the name of the whole body the word of its place.
pub(crate) fn name_apart(declared: &mut [Declared<'_>], body: &str) {
    for at in 0..declared.len() {
        let Parameter { name, place, .. } = &declared[at].parameter;
        if declared[at].parameter.argument() == body {
            declared[at].parameter.argument = with_place(declared, at, (name, *place));
        }
    }
}

/// Returns a free name for the argument of the parameter at `at`: its own with the word of its place.
fn with_place(
    declared: &[Declared<'_>],
    at: usize,
    (name, place): (&str, ParameterPlace),
) -> Option<String> {
    let base = format!("{name}_{}", place.word());
    let is_taken = |text: &str| {
        let mut others = declared.iter().enumerate();
        others.any(|(other, it)| other != at && it.parameter.argument() == text)
    };
    let numbered = (2..).map(|n| format!("{base}_{n}"));
    let mut names = std::iter::once(base.clone()).chain(numbered);
    names.find(|name| !is_taken(name))
}

/// Returns the schema of a parameter, with its description.
pub(crate) fn schema<'a>(schemas: &mut Schemas<'_, 'a>, declared: &Declared<'a>) -> Value {
    let at = &declared.at;
    let content = at.get("content");
    let media = content.and_then(|it| it.members().next().map(|(_, media)| media));
    let schema = at.get("schema").or_else(|| media?.get("schema"));
    let mut res = match schema.map(|schema| schemas.schema(&schema)) {
        Some(Value::Object(map)) => map,
        _ => serde_json::Map::new(),
    };
    let description = at.text("description").trim();
    if !description.is_empty() {
        res.insert("description".to_owned(), description.into());
    }
    if at.is("deprecated") {
        res.insert("deprecated".to_owned(), true.into());
    }
    if let Some(example) = at.node.get("example") {
        res.insert("examples".to_owned(), json!([example.to_value()]));
    }
    Value::Object(res)
}
