//! The cost of each phase, as a table and as JSON.

use std::io::{self, Write};

use serde_json::{Value, json};
use skill_disclosure::{Costs, N_BRIEFED, N_READ};

/// Writes a table for people.
pub fn text(costs: &Costs, out: &mut dyn Write) -> io::Result<()> {
    let plural = if costs.n_skills == 1 { "" } else { "s" };
    writeln!(
        out,
        "{} skill{plural}, tokens by the exact o200k count",
        costs.n_skills
    )?;
    if costs.n_skills == 0 {
        return Ok(());
    }
    writeln!(
        out,
        "\n{:<10}{:>8}{:>8}{:>8}{:>10}",
        "phase", "median", "p90", "max", "sum"
    )?;
    for cost in &costs.phases {
        writeln!(
            out,
            "{:<10}{:>8}{:>8}{:>8}{:>10}",
            cost.phase.word(),
            cost.median,
            cost.p90,
            cost.max,
            cost.sum
        )?;
    }
    writeln!(
        out,
        "\neager: every skill in full            {:>10}",
        costs.eager()
    )?;
    writeln!(
        out,
        "session: list all, brief {N_BRIEFED}, read {N_READ}       {:>10}",
        costs.session()
    )?;
    if costs.session() < costs.eager() {
        writeln!(
            out,
            "saving                                {:>9.1}%",
            costs.saving()
        )
    } else {
        writeln!(
            out,
            "saving: none, there are too few skills for such a session"
        )
    }
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
