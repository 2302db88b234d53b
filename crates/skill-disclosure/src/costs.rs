//! The cost of each phase, against giving every body at once.

use skill_loader::catalog::CatalogSkill;

use crate::{Budgets, Facts, FullError, FullSource as _, LocalBodies, Phase, describe};
use skill_tokens::TokenCounter;

/// Skills that the example session describes briefly.
pub const N_BRIEFED: usize = 5;
/// Skills whose instructions the example session reads.
pub const N_READ: usize = 1;

/// Tokens of all skills in one phase.
#[derive(Clone, Debug)]
pub struct PhaseCost {
    /// The phase.
    pub phase: Phase,
    /// The median of all skills.
    pub median: usize,
    /// The 90th percentile.
    pub p90: usize,
    /// The longest.
    pub max: usize,
    /// All skills together.
    pub sum: usize,
}

/// Tokens of everything.
#[derive(Clone, Debug)]
pub struct Costs {
    /// Number of skills.
    pub n_skills: usize,
    /// Each phase.
    pub phases: Vec<PhaseCost>,
}

impl Costs {
    /// A session that lists all, briefs five and reads one, each of an average size: tokens.
    pub fn session(&self) -> usize {
        let [metadata, brief, full] = &self.phases[..] else {
            return 0;
        };
        let some =
            |cost: &PhaseCost, n: usize| cost.sum * n.min(self.n_skills) / self.n_skills.max(1);
        metadata.sum + some(brief, N_BRIEFED) + some(full, N_READ)
    }

    /// Giving every body at once: tokens.
    pub fn eager(&self) -> usize {
        self.phases.last().map_or(0, |cost| cost.sum)
    }

    /// Share of the eager tokens that the session saves, in per cent.
    pub fn saving(&self) -> f64 {
        let per_mille = (self.session() * 1000)
            .checked_div(self.eager())
            .unwrap_or(1000);
        let per_mille = f64::from(u32::try_from(per_mille).unwrap_or(u32::MAX));
        100.0 - per_mille / 10.0
    }
}

/// Describes the skills with one counter and measures the descriptions with another. Also returns
/// the descriptions that failed.
pub fn costs<'s>(
    skills: impl Iterator<Item = &'s CatalogSkill>,
    bodies: &LocalBodies<'_>,
    budgets: &Budgets,
    counter: &dyn TokenCounter,
    measure: &dyn TokenCounter,
) -> (Costs, Vec<FullError>) {
    let mut counts = vec![Vec::new(); Phase::ALL.len()];
    let mut failures = Vec::new();
    for skill in skills {
        let facts = facts_with_sections(skill, bodies);
        for (at, phase) in Phase::ALL.into_iter().enumerate() {
            match describe(&facts, phase, budgets, bodies, counter) {
                Ok(description) => counts[at].push(measure.count(&description.text)),
                Err(error) => failures.push(error),
            }
        }
    }
    let n_skills = counts[0].len();
    let phases = Phase::ALL.into_iter().zip(counts);
    let phases = phases.map(|(phase, counts)| phase_cost(phase, counts));
    let phases = phases.collect();
    (Costs { n_skills, phases }, failures)
}

/// Returns the facts with the index of the sections, if the body can be read.
pub fn facts_with_sections(skill: &CatalogSkill, bodies: &LocalBodies<'_>) -> Facts {
    let facts = Facts::from_skill(skill);
    match bodies.body(&skill.name) {
        Ok(body) => facts.with_body(&body),
        Err(_) => facts,
    }
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
