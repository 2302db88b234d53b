//! The part of a prompt that is about skills, with the number of skills that it lists.

use std::collections::BTreeSet;
use std::io::{self, Write};

use serde_json::{Value, json};
use skill_diagnostics::nearest;
use skill_disclosure::{InjectedBody, Prompt};
use skill_language::{Language, say};
use skill_loader::catalog::Catalog;

/// The version of the report.
const SCHEMA: u32 = 1;

/// Writes one line for people.
pub fn summary(composed: &Prompt, language: Language, out: &mut dyn Write) -> io::Result<()> {
    let report = &composed.report;
    if report.total + composed.injected.len() == 0 {
        return writeln!(out, "{}", language.say("no skills"));
    }
    let n_skills = report.total + composed.injected.len();
    let skills = if n_skills == 1 { "skill" } else { "skills" };
    let about = if report.counter == "estimate" {
        "about "
    } else {
        ""
    };
    let tokens = composed.tokens;
    let text = match report.budget {
        Some(budget) => say!(
            language,
            "{n_skills} {skills}, {about}{tokens} tokens of {budget}"
        ),
        None => say!(language, "{n_skills} {skills}, {about}{tokens} tokens"),
    };
    write!(out, "{text}")?;
    for (n, what) in [
        (composed.injected.len(), "with instructions"),
        (composed.too_long.len(), "with instructions that do not fit"),
        (report.trimmed.len(), "shortened"),
        (report.names_only.len(), "by name only"),
        (report.omitted.len(), "not listed"),
    ] {
        if n > 0 {
            write!(out, "{}", say!(language, ", {n} {what}"))?;
        }
    }
    writeln!(out)
}

/// Writes the skills whose instructions cannot be read, and a warning if not even an empty list is
/// within the budget.
pub fn problems(
    composed: &Prompt,
    budget: Option<usize>,
    language: Language,
    err: &mut dyn Write,
) -> io::Result<()> {
    for (skill, error) in &composed.failed {
        let error = say!(language, "{error}");
        writeln!(err, "{}", say!(language, "error: {skill}: {error}"))?;
    }
    if composed.report.is_over_budget() {
        let (tokens, budget) = (composed.tokens, budget.unwrap_or_default());
        let text = say!(
            language,
            "warning: {tokens} tokens without any skill; the budget is {budget}"
        );
        writeln!(err, "{text}")?;
    }
    Ok(())
}

/// Warns of pins of skills that do not exist: they are most likely typing errors.
pub fn unknown_pins(
    pins: &BTreeSet<String>,
    catalog: &Catalog,
    language: Language,
    err: &mut dyn Write,
) -> io::Result<()> {
    let unknown = pins.iter().filter(|pin| !catalog.skills.contains_key(*pin));
    for pin in unknown {
        let shown = pin.escape_debug();
        let text = say!(language, "warning: there is no skill `{shown}` to pin");
        let near = nearest(pin, catalog.skills.keys().map(String::as_str));
        let near = near.map(|name| say!(language, "; did you mean `{name}`?"));
        writeln!(err, "{text}{}", near.unwrap_or_default())?;
    }
    Ok(())
}

/// Returns the whole report for programs.
pub fn json(composed: &Prompt, budget: Option<usize>) -> Value {
    let report = &composed.report;
    let injected = |all: &[InjectedBody]| -> Vec<Value> {
        let all = all.iter();
        all.map(|it| json!({"name": it.skill, "tokens": it.tokens}))
            .collect()
    };
    let failed = composed.failed.iter();
    json!({
        "schema": SCHEMA,
        "stage": report.stage(),
        "total": report.total + composed.injected.len(),
        "listed": report.included,
        "tokens": composed.tokens,
        "budget": budget,
        "counter": report.counter,
        "truncated_count": report.trimmed.len() + report.names_only.len(),
        "truncated_chars": report.n_chars_left_out,
        "trimmed": report.trimmed,
        "names_only": report.names_only,
        "omitted": report.omitted,
        "injected": injected(&composed.injected),
        "too_long": injected(&composed.too_long),
        "failed": failed.map(|(skill, error)| json!({"name": skill, "message": error.to_string()})).collect::<Vec<_>>(),
    })
}
