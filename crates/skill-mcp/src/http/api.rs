//! The API of the web page: catalog, search and single skills. JSON, from the same snapshot as
//! everything else. Texts for people are in the language of the request.
//!
//! - `GET /api/catalog`: all skills with their fields, and the tokens of the list.
//! - `GET /api/search?q=…`: the matches, best first, with confidence and phase.
//! - `GET /api/skills/{name}`: one skill in its three phases, with findings, files and load report,
//!   and what a run needs if runs are allowed.
//! - `GET /api/skills/{name}/files/{path}`: the text of a file of the skill, or its beginning.

use std::sync::Arc;

use hyper::StatusCode;
use serde_json::{Map, Value, json};
use skill_diagnostics::Diagnostic;
use skill_disclosure::{Phase, Situation};
use skill_executor::configure::switched_off;
use skill_language::Language;
use skill_loader::catalog::CatalogSkill;
use skill_loader::load::{LoadError, LoadedText, Selection};
use skill_search::Request;

use super::answer::{Answer, plain};
use super::use_by_hand::{lines, needs};
use crate::shared::Shared;

/// The maximum number of matches of a search.
const LIMIT: usize = 50;

/// Answers a path and its query below `/api/`. Blocks on the disk.
///
/// `secret` is what the page needs to run a skill.
pub(super) fn answer(
    shared: &Arc<Shared>,
    (path, query): (&str, Option<&str>),
    secret: Option<&str>,
    language: Language,
) -> Answer {
    let error = |status, why: &str| error(status, &language.say(why));
    match path.split_once('/') {
        None if path == "catalog" => success(&catalog(shared)),
        None if path == "search" => match parameter(query.unwrap_or_default(), "q") {
            Some(text) => success(&search(shared, &text)),
            None => error(StatusCode::BAD_REQUEST, "expected ?q=TEXT"),
        },
        Some(("skills", rest)) => {
            let (name, path) = match rest.split_once("/files/") {
                Some((name, path)) => (name, Some(path)),
                None => (rest, None),
            };
            let Some(name) = crate::uri::decode(name) else {
                let why = "there is no such skill; GET /api/catalog lists them";
                return error(StatusCode::NOT_FOUND, why);
            };
            let found = match path.map(decode_path) {
                None => skill(shared, &name, secret, language),
                Some(Some(path)) => file(shared, &name, &path),
                Some(None) => return error(StatusCode::NOT_FOUND, "there is no such file"),
            };
            match found {
                Ok(found) => success(&found),
                Err(why) => error(StatusCode::NOT_FOUND, &why.to_string()),
            }
        }
        _ => error(
            StatusCode::NOT_FOUND,
            "expected /api/catalog, /api/search?q=TEXT or /api/skills/NAME",
        ),
    }
}

fn catalog(shared: &Shared) -> Value {
    let catalog = shared.store.catalog();
    let skills: Vec<Value> = catalog
        .skills
        .values()
        .map(|skill| line(shared, skill))
        .collect();
    let all = catalog.skills.values();
    let descriptions = all.filter_map(|skill| shared.describe(skill, Phase::Metadata).ok());
    let tokens: usize = descriptions.map(|it| it.tokens).sum();
    json!({"skills": skills, "tokens": tokens, "findings": catalog.findings.len()})
}

/// Returns the fields of a skill that the list shows.
fn line(shared: &Shared, skill: &CatalogSkill) -> Value {
    let metadata = skill.metadata.as_deref();
    json!({
        "name": skill.name,
        "display_name": metadata.and_then(|it| it.display_name.clone()),
        "description": skill.description,
        "type": metadata.map(|it| it.executor.word()),
        "runnable": metadata.map(|it| it.can_run() && is_enabled(shared, skill)),
        "version": metadata.map(|it| it.version.clone()),
        "other_versions": shared.store.catalog().other_versions(skill),
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

fn skill(
    shared: &Shared,
    name: &str,
    secret: Option<&str>,
    language: Language,
) -> Result<Value, LoadError> {
    let (skill, body) = shared.store.body(name, &Selection::default())?;
    let mut res = line(shared, &skill);
    res["phases"] = phases(shared, &skill);
    res["body"] = json!(body.loaded.text);
    res["load"] = report(&body.loaded);
    res["obstacles"] = obstacles(shared, &skill, language);
    res["run"] = run(shared, &skill, secret);
    res["needs"] = needs(&skill);
    res["requires"] = requires(shared, &skill);
    res["lines"] = lines(&shared.settings, &skill, is_enabled(shared, &skill));
    let (files, n_more) = shared.store.listed(name);
    let files = files
        .iter()
        .map(|file| json!({"path": file.path, "bytes": file.size}));
    res["resources"] = files.collect();
    res["more_resources"] = n_more.into();
    let about = shared.settings.about.as_deref();
    res["findings"] = about.map_or(Value::Null, |about| {
        let found = about.findings(&skill.place);
        found.iter().map(|it| finding(it, language)).collect()
    });
    res["parity"] = about.and_then(|about| about.parity(&skill.place)).into();
    Ok(res)
}

/// Returns the skills that a skill builds on: the text in its METADATA.yml, the version that meets it, and
/// the name under which the page has that version.
fn requires(shared: &Shared, skill: &CatalogSkill) -> Value {
    let catalog = shared.store.catalog();
    let all = catalog.requirements(skill).into_iter().map(|(text, met)| {
        let listed = met.filter(|met| {
            let found = catalog.skills.get(&met.name);
            found.is_some_and(|found| found.place.location() == met.place.location())
        });
        json!({
            "text": text,
            "version": met.map(|met| met.version()),
            "page": listed.map(|listed| &listed.name),
        })
    });
    all.collect()
}

/// Returns true if a skill is not switched off, or the user switched it on.
fn is_enabled(shared: &Shared, skill: &CatalogSkill) -> bool {
    let runner = shared.settings.run.as_ref();
    match (runner, skill.metadata.as_deref()) {
        (Some(runner), _) => runner.is_enabled(skill),
        (None, metadata) => metadata.is_some_and(|it| it.enabled),
    }
}

/// Returns the reasons why a skill cannot run.
fn obstacles(shared: &Shared, skill: &CatalogSkill, language: Language) -> Value {
    let Some(metadata) = skill.metadata.as_deref() else {
        return json!([]);
    };
    let findings = metadata.findings.iter().filter(|_| !metadata.runnable);
    let mut reasons: Vec<&str> = findings.map(|finding| finding.message.as_str()).collect();
    let off = switched_off(&skill.name);
    if !is_enabled(shared, skill) {
        reasons.insert(0, &off);
    }
    reasons.iter().map(|reason| language.say(reason)).collect()
}

/// Returns the commands of a skill and the secret for a run, or null if the skill is not run here.
fn run(shared: &Shared, skill: &CatalogSkill, secret: Option<&str>) -> Value {
    let runner = shared.settings.run.as_ref();
    let (Some(_), Some(secret), Some(metadata)) = (
        runner.filter(|runner| runner.runs(skill)),
        secret,
        skill.metadata.as_deref(),
    ) else {
        return Value::Null;
    };
    let commands = metadata.commands.iter().map(|command| {
        json!({
            "id": command.id,
            "description": command.description,
            "input_schema": command.input_schema,
        })
    });
    json!({"secret": secret, "commands": commands.collect::<Vec<_>>()})
}

/// Returns the text of a file of a skill, within the limits of all texts.
fn file(shared: &Shared, name: &str, path: &str) -> Result<Value, LoadError> {
    let (skill, loaded) = shared.store.resource(name, path, &Selection::default())?;
    Ok(json!({
        "skill": skill.name,
        "path": loaded.report.path,
        "text": loaded.text,
        "bytes": loaded.report.total_bytes,
        "cut": loaded.report.truncated,
    }))
}

/// Decodes the segments of a path.
fn decode_path(path: &str) -> Option<String> {
    let segments: Option<Vec<String>> = path.split('/').map(crate::uri::decode).collect();
    segments.map(|segments| segments.join("/"))
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
        "part": report.strategy.word(),
        "cut": report.truncated,
        "findings": loaded.findings.len(),
    })
}

fn finding(found: &Diagnostic, language: Language) -> Value {
    json!({
        "severity": found.severity.word(),
        "code": found.code.0,
        "place": found.place.file,
        "message": language.say(&found.message),
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

pub(super) fn success(value: &Value) -> Answer {
    plain(StatusCode::OK, "application/json", value.to_string().into())
}

pub(super) fn error(status: StatusCode, message: &str) -> Answer {
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
