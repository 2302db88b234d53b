//! The API of the web page: catalog, search and single skills. JSON, from the same snapshot as
//! everything else.
//!
//! - `GET /api/catalog`: all skills with their fields, and the tokens of the list.
//! - `GET /api/search?q=…`: the matches, best first, with confidence and phase.
//! - `GET /api/skills/{name}`: one skill in its three phases, with findings, files and load report.

use std::sync::Arc;

use hyper::StatusCode;
use serde_json::{Map, Value, json};
use skill_diagnostics::Diagnostic;
use skill_disclosure::{Phase, Situation};
use skill_loader::catalog::CatalogSkill;
use skill_loader::load::{LoadError, LoadedText, Selection};
use skill_search::Request;

use super::answer::{Answer, plain};
use crate::shared::Shared;

/// The maximum number of matches of a search.
const LIMIT: usize = 50;

/// Answers a path below `/api/`. Blocks on the disk.
pub(super) fn answer(shared: &Arc<Shared>, path: &str, query: Option<&str>) -> Answer {
    match path.split_once('/') {
        None if path == "catalog" => success(&catalog(shared)),
        None if path == "search" => match parameter(query.unwrap_or_default(), "q") {
            Some(text) => success(&search(shared, &text)),
            None => error(StatusCode::BAD_REQUEST, "expected ?q=TEXT"),
        },
        Some(("skills", name)) => match crate::uri::decode(name).map(|name| skill(shared, &name)) {
            Some(Ok(skill)) => success(&skill),
            Some(Err(why)) => error(StatusCode::NOT_FOUND, &why.to_string()),
            None => error(
                StatusCode::NOT_FOUND,
                "there is no such skill; GET /api/catalog lists them",
            ),
        },
        _ => error(
            StatusCode::NOT_FOUND,
            "expected /api/catalog, /api/search?q=TEXT or /api/skills/NAME",
        ),
    }
}

fn catalog(shared: &Shared) -> Value {
    let catalog = shared.store.catalog();
    let skills: Vec<Value> = catalog.skills.values().map(|skill| line(skill)).collect();
    let all = catalog.skills.values();
    let descriptions = all.filter_map(|skill| shared.describe(skill, Phase::Metadata).ok());
    let tokens: usize = descriptions.map(|it| it.tokens).sum();
    json!({"skills": skills, "tokens": tokens, "findings": catalog.findings.len()})
}

/// Returns the fields of a skill that the list shows.
fn line(skill: &CatalogSkill) -> Value {
    let metadata = skill.metadata.as_deref();
    json!({
        "name": skill.name,
        "display_name": metadata.and_then(|it| it.display_name.clone()),
        "description": skill.description,
        "type": metadata.map(|it| it.executor.word()),
        "runnable": metadata.map(|it| it.runnable && it.enabled),
        "version": metadata.map(|it| it.version.clone()),
        "domain": metadata.and_then(|it| it.domain.clone()),
    })
}

fn search(shared: &Shared, text: &str) -> Value {
    let catalog = shared.store.catalog();
    let mut request = Request::new(text);
    request.limit = LIMIT;
    let matches = shared.search(&catalog, &request);
    let shown = matches.iter().map(|found| {
        let confidence = f64::from(found.confidence);
        let situation = Situation {
            confidence: Some(confidence),
            ..Situation::default()
        };
        let phase = shared.settings.disclosure.phase(&found.skill, &situation);
        json!({"skill": found.skill, "confidence": confidence, "phase": phase.word()})
    });
    json!({"query": text, "matches": shown.collect::<Vec<_>>()})
}

fn skill(shared: &Shared, name: &str) -> Result<Value, LoadError> {
    let (skill, body) = shared.store.body(name, &Selection::default())?;
    let mut res = line(&skill);
    res["phases"] = phases(shared, &skill);
    res["load"] = report(&body.loaded);
    let (files, n_more) = shared.store.listed(name);
    let files = files
        .iter()
        .map(|file| json!({"path": file.path, "bytes": file.size}));
    res["resources"] = files.collect();
    res["more_resources"] = n_more.into();
    let about = shared.settings.about.as_deref();
    res["findings"] = about.map_or(Value::Null, |about| {
        about.findings(&skill.place).iter().map(finding).collect()
    });
    res["parity"] = about.and_then(|about| about.parity(&skill.place)).into();
    Ok(res)
}

fn phases(shared: &Shared, skill: &Arc<CatalogSkill>) -> Value {
    let one = |phase: Phase| {
        let description = shared.describe(skill, phase);
        let text = description.map_or_else(|error| error.to_string(), |it| it.text);
        let value = json!({"tokens": shared.tokens(&text), "text": text});
        (phase.word().to_owned(), value)
    };
    let phases = [Phase::Metadata, Phase::Brief, Phase::Full];
    Value::Object(phases.map(one).into_iter().collect::<Map<_, _>>())
}

fn report(loaded: &LoadedText) -> Value {
    let report = &loaded.report;
    json!({
        "file": report.path,
        "sha256": report.sha256.to_string(),
        "bytes_of_the_file": report.total_bytes,
        "characters_given": report.chars_returned,
        "lines": format!("{} to {}", report.lines.first, report.lines.last),
        "chosen": format!("{:?}", report.strategy).to_lowercase(),
        "cut": report.truncated,
        "findings": loaded.findings.len(),
    })
}

fn finding(found: &Diagnostic) -> Value {
    json!({
        "severity": found.severity.word(),
        "code": found.code.0,
        "place": found.place.file,
        "message": found.message,
    })
}

/// Returns a parameter of a query, decoded.
fn parameter(query: &str, name: &str) -> Option<String> {
    let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let (_, value) = pairs.find(|(key, _)| *key == name)?;
    // A search text may contain a slash; the name of a skill may not.
    let parts = value.split("%2F").flat_map(|part| part.split("%2f"));
    let parts = parts.flat_map(|part| part.split('/'));
    let parts: Option<Vec<String>> = parts
        .map(|part| crate::uri::decode(&part.replace('+', " ")))
        .collect();
    parts.map(|parts| parts.join("/"))
}

fn success(value: &Value) -> Answer {
    plain(StatusCode::OK, "application/json", value.to_string().into())
}

fn error(status: StatusCode, message: &str) -> Answer {
    let value = json!({"error": message});
    plain(status, "application/json", value.to_string().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_lose_their_escapes() {
        for (query, expected) in [
            ("q=rain", Some("rain")),
            ("a=b&q=a+b%20c", Some("a b c")),
            ("q=%E5%A4%A9%E6%B0%94", Some("天气")),
            ("q=a/b%2Fc", Some("a/b/c")),
            ("q=%", None),
            ("q=%ff", None),
            ("x=1", None),
            ("q=", Some("")),
        ] {
            assert_eq!(parameter(query, "q").as_deref(), expected, "{query}");
        }
    }
}
