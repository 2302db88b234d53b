//! Prints the tokens of each phase over a directory of skills, by the exact count.
#![expect(
    clippy::print_stdout,
    reason = "a program for developers, which talks to a person"
)]

use std::path::PathBuf;

use skill_disclosure::{Budgets, Facts, FullSource, LocalBodies, Phase, describe};
use skill_loader::catalog::{Catalog, CatalogSettings, SkillRoot};
use skill_loader::load::{Limits, Source};
use skill_tokens::{Estimator, TokenCounter};
use skill_tokens_exact::ExactO200k;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = PathBuf::from(
        arguments
            .next()
            .expect("usage: phase_cost SKILLS [SKILL]..."),
    );
    let shown: Vec<String> = arguments.collect();
    let roots = vec![SkillRoot {
        path,
        source: Source::Project,
    }];
    let catalog = Catalog::read(&CatalogSettings {
        roots,
        ..CatalogSettings::default()
    });
    let bodies = LocalBodies::new(&catalog, Limits::default());
    let (estimator, exact) = (Estimator::default(), ExactO200k::new());
    for phase in Phase::ALL {
        let mut counts: Vec<(usize, &str)> = Vec::new();
        for skill in catalog.skills.values() {
            let body = bodies.body(&skill.name).unwrap_or_default();
            let facts = Facts::from_skill(skill).with_body(&body);
            let found = describe(&facts, phase, &Budgets::default(), &bodies, &estimator);
            let found = found.expect("the skills can be read");
            if shown.contains(&skill.name) {
                println!("=== {} {}\n{}", skill.name, phase.word(), found.text);
            }
            counts.push((exact.count(&found.text), &skill.name));
        }
        counts.sort_unstable();
        let at = |percent: usize| counts[(counts.len() * percent).div_ceil(100).max(1) - 1];
        println!(
            "{}: median {:?} p90 {:?} p95 {:?} p99 {:?} max {:?}",
            phase.word(),
            at(50),
            at(90),
            at(95),
            at(99),
            at(100)
        );
    }
}
