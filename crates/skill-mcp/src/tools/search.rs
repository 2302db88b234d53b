//! `search_skills`: what fits a request, with as much of it as the confidence is worth.

use std::fmt::Write as _;

use serde_json::{Value, json};
use skill_disclosure::{Phase, Situation};
use skill_search::Request;

use super::{Answer, Call, Given, Refusal, describe};
use crate::names::ToolKind;
use crate::wrapper::attribute;

/// Answers unless another number is asked for.
const LIMIT: usize = 10;
/// Most answers.
const MAX_LIMIT: u64 = 50;

pub(super) fn answer(call: &Call) -> Answer {
    let query = call.arguments.needed("query")?;
    if query.trim().is_empty() {
        return Err(Refusal::new("bad-arguments", "`query` is empty"));
    }
    let limit = call.arguments.number("limit", 1, MAX_LIMIT)?;
    let catalog = call.shared.store.catalog();
    let mut request = Request::new(query);
    request.limit = limit.and_then(|n| usize::try_from(n).ok()).unwrap_or(LIMIT);
    let matches = call.shared.search(&catalog, &request);
    let mut text = match matches.len() {
        0 => "no skill fits".to_owned(),
        n => format!("{n} skills may fit, best first"),
    };
    let mut shown = Vec::new();
    for found in &matches {
        let Some(skill) = catalog.skills.get(&found.skill) else {
            continue;
        };
        let situation = Situation {
            confidence: Some(f64::from(found.confidence)),
            ..Situation::default()
        };
        // The body comes with reading the skill, not with finding it.
        let phase = call
            .shared
            .settings
            .disclosure
            .phase(&skill.name, &situation)
            .min(Phase::Brief);
        let description = describe::describe(call, skill, phase)?;
        let _ = write!(
            text,
            "\n\n[{:.2}] {}",
            found.confidence,
            crate::wrapper::inside("skill_content", description.text.trim_end())
        );
        shown.push(json!({
            "name": skill.name,
            "confidence": (f64::from(found.confidence) * 1e4).round() / 1e4,
            "phase": phase.word(),
            "description": description.text,
            "tokens": description.tokens,
        }));
    }
    let names = &call.shared.settings.names;
    let (read, list) = (
        names.of(ToolKind::ReadSkill),
        names.of(ToolKind::ListSkills),
    );
    let _ = match matches.first() {
        Some(best) => write!(
            text,
            "\n\nread it: {read} {}",
            json!({"skill_name": attribute(&best.skill)})
        ),
        None => write!(text, "; all of them: {list} {{}}"),
    };
    Ok(Given {
        text,
        data: json!({"query": query, "matches": Value::Array(shown)}),
    })
}
