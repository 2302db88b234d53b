//! What each phase costs, against giving every body at once.

use serde_json::json;
use skill_disclosure::tokens::{ExactO200k, TokenCounter};
use skill_disclosure::{FullError, Phase, describe};
use skill_loader::catalog::Catalog;
use skill_loader::fs::write_new;

use super::{Settings, bodies, chart, facts_with_sections};
use crate::describe::{Args, Format};
use crate::{ExitStatus, output::Streams};

/// Skills that the example session tells briefly.
pub(super) const N_BRIEFED: usize = 5;
/// Skills of which the example session reads the instructions.
pub(super) const N_READ: usize = 1;

/// Tokens of all skills in one phase.
#[derive(Clone, Debug)]
pub(super) struct PhaseCost {
    pub(super) phase: Phase,
    pub(super) median: usize,
    pub(super) p90: usize,
    pub(super) max: usize,
    pub(super) sum: usize,
}

/// Tokens of everything.
#[derive(Clone, Debug)]
pub(super) struct Costs {
    pub(super) n_skills: usize,
    pub(super) phases: Vec<PhaseCost>,
}

impl Costs {
    /// A session that lists all, briefs five and reads one, each of an average size: tokens.
    pub(super) fn session(&self) -> usize {
        let [metadata, brief, full] = &self.phases[..] else {
            return 0;
        };
        let some =
            |cost: &PhaseCost, n: usize| cost.sum * n.min(self.n_skills) / self.n_skills.max(1);
        metadata.sum + some(brief, N_BRIEFED) + some(full, N_READ)
    }

    /// Giving every body at once: tokens.
    pub(super) fn eager(&self) -> usize {
        self.phases.last().map_or(0, |cost| cost.sum)
    }

    /// Share of the eager tokens that the session saves, in per cent.
    pub(super) fn saving(&self) -> f64 {
        let per_mille = (self.session() * 1000)
            .checked_div(self.eager())
            .unwrap_or(1000);
        let per_mille = f64::from(u32::try_from(per_mille).unwrap_or(u32::MAX));
        100.0 - per_mille / 10.0
    }
}

/// Counts, prints and draws.
pub(super) fn answer(
    args: &Args,
    settings: &Settings,
    catalog: &Catalog,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let counter = ExactO200k::new();
    let (costs, failures) = count(args, settings, catalog, &counter);
    if args.told.stats {
        match args.format {
            Format::Json => json(&costs, &counter, streams)?,
            _ => text(&costs, streams)?,
        }
    }
    if let Some(path) = &args.told.chart {
        write_new(path, chart::draw(&costs).as_bytes())?;
    }
    for failure in &failures {
        writeln!(streams.stderr, "error: {failure}")?;
    }
    let is_fine = failures.is_empty();
    Ok(if is_fine {
        ExitStatus::Fine
    } else {
        ExitStatus::Findings
    })
}

/// Describes with the counter of the settings and measures with the exact one.
fn count(
    args: &Args,
    settings: &Settings,
    catalog: &Catalog,
    counter: &dyn TokenCounter,
) -> (Costs, Vec<FullError>) {
    let bodies = bodies(catalog);
    let mut counts = vec![Vec::new(); Phase::ALL.len()];
    let mut failures = Vec::new();
    let chosen = |name: &String| args.told.chosen.is_empty() || args.told.chosen.contains(name);
    for skill in catalog.skills.values().filter(|skill| chosen(&skill.name)) {
        let facts = facts_with_sections(skill, &bodies);
        for (at, phase) in Phase::ALL.into_iter().enumerate() {
            match describe(
                &facts,
                phase,
                &settings.budgets,
                &bodies,
                &*settings.counter,
            ) {
                Ok(description) => counts[at].push(counter.count(&description.text)),
                Err(error) => failures.push(error),
            }
        }
    }
    let n_skills = counts[0].len();
    let phases = Phase::ALL.into_iter().zip(counts);
    let phases = phases
        .map(|(phase, counts)| phase_cost(phase, counts))
        .collect();
    (Costs { n_skills, phases }, failures)
}

fn phase_cost(phase: Phase, mut counts: Vec<usize>) -> PhaseCost {
    counts.sort_unstable();
    let at = |percent: usize| {
        let rank = (counts.len() * percent).div_ceil(100);
        counts.get(rank.saturating_sub(1)).copied().unwrap_or(0)
    };
    PhaseCost {
        phase,
        median: at(50),
        p90: at(90),
        max: at(100),
        sum: counts.iter().sum(),
    }
}

fn text(costs: &Costs, streams: &mut Streams) -> std::io::Result<()> {
    let out = &mut streams.stdout;
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

fn json(costs: &Costs, counter: &dyn TokenCounter, streams: &mut Streams) -> anyhow::Result<()> {
    let phases = costs.phases.iter().map(|cost| {
        let numbers =
            json!({"median": cost.median, "p90": cost.p90, "max": cost.max, "sum": cost.sum});
        (cost.phase.word().to_owned(), numbers)
    });
    let whole = json!({
        "schema": 1,
        "counter": counter.name(),
        "skills": costs.n_skills,
        "phases": phases.collect::<serde_json::Map<_, _>>(),
        "eager": costs.eager(),
        "session": {"briefed": N_BRIEFED, "read": N_READ, "tokens": costs.session()},
        "saving_percent": costs.saving(),
    });
    serde_json::to_writer_pretty(&mut streams.stdout, &whole)?;
    writeln!(streams.stdout)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_values_that_occur() {
        let cost = phase_cost(Phase::Brief, (1..=10).rev().collect());
        assert_eq!((cost.median, cost.p90, cost.max, cost.sum), (5, 9, 10, 55));
        let none = phase_cost(Phase::Brief, Vec::new());
        assert_eq!((none.median, none.p90, none.max, none.sum), (0, 0, 0, 0));
    }

    #[test]
    fn a_session_lists_all_briefs_five_and_reads_one() {
        let cost = |phase, sum| PhaseCost {
            phase,
            median: 0,
            p90: 0,
            max: 0,
            sum,
        };
        let phases = vec![
            cost(Phase::Metadata, 500),
            cost(Phase::Brief, 2_000),
            cost(Phase::Full, 20_000),
        ];
        let costs = Costs {
            n_skills: 10,
            phases,
        };
        assert_eq!(costs.session(), 500 + 1_000 + 2_000);
        assert!((costs.saving() - 82.5).abs() < 1e-9);
    }
}
