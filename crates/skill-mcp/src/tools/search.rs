//! `search_skills`: returns the skills that match a request, each in the phase that its confidence
//! calls for.

use std::fmt::Write as _;

use serde_json::{Value, json};
use skill_disclosure::{Phase, Situation};
use skill_loader::catalog::CatalogSkill;
use skill_search::Request;

use super::answer::{Answer, Refusal, ToolOutput};
use super::call::Call;
use super::describe;
use crate::names::ToolKind;
use crate::wrapper::attribute;

/// The confidence from which a skill is recommended.
const FLOOR: f32 = 0.15;
/// The mark of a skill that cannot be run.
pub(super) const CANNOT_RUN: &str = " (cannot be run)";
/// The default number of matches.
const LIMIT: usize = 10;
/// The maximum number of matches.
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
    let mut matches = call.shared.search(&catalog, &request);
    let cannot_run = |name: &str| {
        catalog
            .skills
            .get(name)
            .is_some_and(|skill| cannot_run(skill))
    };
    matches.sort_by_key(|found| cannot_run(&found.skill));
    let mut text = heading(matches.iter().map(|found| found.confidence));
    let mut shown = Vec::new();
    for found in &matches {
        let Some(skill) = catalog.skills.get(&found.skill) else {
            continue;
        };
        let situation = Situation {
            confidence: Some(f64::from(found.confidence)),
            ..Situation::default()
        };
        // The body is returned when the skill is read, not when it is found.
        let phase = call
            .shared
            .settings
            .disclosure
            .phase(&skill.name, &situation)
            .min(Phase::Brief);
        let description = describe::describe(call, skill, phase)?;
        let _ = write!(
            text,
            "\n\n[{:.2}]{} {}",
            found.confidence,
            if cannot_run(&skill.name) {
                CANNOT_RUN
            } else {
                ""
            },
            crate::wrapper::inside("skill_content", description.text.trim_end())
        );
        let mut one = json!({
            "name": skill.name,
            "confidence": (f64::from(found.confidence) * 1e4).round() / 1e4,
            "phase": phase.word(),
            "can_run": !cannot_run(&skill.name),
            "tokens": description.tokens,
        });
        if let Some(wish) = &found.wish {
            one["wish"] = wish[..].into();
        }
        shown.push(one);
    }
    let names = &call.shared.settings.names;
    let (read, list) = (
        names.name(ToolKind::ReadSkill),
        names.name(ToolKind::ListSkills),
    );
    let _ = match matches.first() {
        Some(best) if best.confidence < FLOOR => write!(
            text,
            "\n\nnone of them is likely to fit; to list all skills: {list} {{}}"
        ),
        Some(best) => write!(
            text,
            "\n\nto read the first one: {read} {}",
            json!({"skill_name": attribute(&best.skill)})
        ),
        None => write!(text, "; to list all skills: {list} {{}}"),
    };
    Ok(ToolOutput {
        text,
        data: json!({"query": query, "matches": Value::Array(shown)}),
    })
}

/// Returns the first line: how many matches are likely, and how many are listed besides.
fn heading(confidences: impl Iterator<Item = f32>) -> String {
    let (likely, others): (Vec<f32>, Vec<f32>) = confidences.partition(|it| *it >= FLOOR);
    let (n_likely, n_others) = (likely.len(), others.len());
    let others = match n_others {
        0 => String::new(),
        1 => "; 1 other is unlikely".to_owned(),
        n => format!("; {n} others are unlikely"),
    };
    match n_likely {
        0 if n_others == 0 => "no skill matches".to_owned(),
        0 => "no skill is likely to match, best first".to_owned(),
        1 => format!("1 skill may match{others}"),
        n => format!("{n} skills may match, best first{others}"),
    }
}

/// Returns whether a skill has a program that is switched off or lacks something.
pub(super) fn cannot_run(skill: &CatalogSkill) -> bool {
    let metadata = skill.metadata.as_deref();
    metadata.is_some_and(|metadata| !(metadata.enabled && metadata.runnable))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_heading_counts_likely_and_unlikely_matches() {
        for (confidences, expected) in [
            (&[][..], "no skill matches"),
            (&[0.7], "1 skill may match"),
            (&[0.7, 0.2], "2 skills may match, best first"),
            (&[0.7, 0.1], "1 skill may match; 1 other is unlikely"),
            (
                &[0.7, 0.2, 0.0, 0.0],
                "2 skills may match, best first; 2 others are unlikely",
            ),
            (&[0.1, 0.0], "no skill is likely to match, best first"),
        ] {
            assert_eq!(heading(confidences.iter().copied()), expected);
        }
    }
}
