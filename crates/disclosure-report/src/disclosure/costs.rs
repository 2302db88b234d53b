//! The cost of each phase, as a table and as JSON.

use std::io::{self, Write};

use serde_json::{Value, json};
use skill_disclosure::{Costs, N_BRIEFED, N_READ};
use skill_language::{Language, columns, say};

/// Writes a table for people.
pub fn text(costs: &Costs, language: Language, out: &mut dyn Write) -> io::Result<()> {
    let skills = if costs.n_skills == 1 {
        "skill"
    } else {
        "skills"
    };
    let head = say!(
        language,
        "{} {skills}, tokens by the exact o200k count",
        costs.n_skills
    );
    writeln!(out, "{head}")?;
    if costs.n_skills == 0 {
        return Ok(());
    }
    let heads = [
        ("phase", 0),
        ("median", 8),
        ("p90", 8),
        ("max", 8),
        ("sum", 10),
    ];
    let heads = heads.map(|(head, width)| match width {
        0 => left(&language.say(head), 10),
        width => right(&language.say(head), width),
    });
    writeln!(out, "\n{}", heads.concat())?;
    for cost in &costs.phases {
        writeln!(
            out,
            "{}{:>8}{:>8}{:>8}{:>10}",
            left(&language.say(cost.phase.word()), 10),
            cost.median,
            cost.p90,
            cost.max,
            cost.sum
        )?;
    }
    let eager = language.say("eager: every skill in full");
    writeln!(out, "\n{}{:>10}", left(&eager, 38), costs.eager())?;
    let session = say!(
        language,
        "session: list all, brief {N_BRIEFED}, read {N_READ}"
    );
    writeln!(out, "{}{:>10}", left(&session, 38), costs.session())?;
    if costs.session() < costs.eager() {
        let saving = left(&language.say("saving"), 38);
        writeln!(out, "{saving}{:>9.1}%", costs.saving())
    } else {
        let none = language.say("saving: none, there are too few skills for such a session");
        writeln!(out, "{none}")
    }
}

/// Returns a text with blanks after it, `width` columns wide.
fn left(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(columns(text))))
}

/// Returns a text with blanks before it, `width` columns wide.
fn right(text: &str, width: usize) -> String {
    format!("{}{text}", " ".repeat(width.saturating_sub(columns(text))))
}

/// Returns one object for programs. `counter` is the name of the token counter.
pub fn json(costs: &Costs, counter: &str) -> Value {
    let phases = costs.phases.iter().map(|cost| {
        let numbers =
            json!({"median": cost.median, "p90": cost.p90, "max": cost.max, "sum": cost.sum});
        (cost.phase.word().to_owned(), numbers)
    });
    json!({
        "schema": 1,
        "counter": counter,
        "skills": costs.n_skills,
        "phases": phases.collect::<serde_json::Map<_, _>>(),
        "eager": costs.eager(),
        "session": {"briefed": N_BRIEFED, "read": N_READ, "tokens": costs.session()},
        "saving_percent": costs.saving(),
    })
}
