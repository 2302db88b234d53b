//! `skills-run stats`: what is known of the calls so far.

use serde_json::{Value, json};
use skill_executor::call::Host;
use skill_executor::{metrics, view};

use super::args::World;
use super::{print, target};
use skills_cli::{ExitStatus, output::Streams};

pub(super) fn run(host: &Host, world: World, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    let known = target::all(world.skills).unwrap_or_default();
    let bytes = |name: &str| {
        let skill = known.iter().find(|skill| skill.metadata.name == name)?;
        Some(view::bytes(skill, &host.state))
    };
    let usage = metrics::usage(&host.state);
    let rows = usage.iter().map(|((skill, executor), usage)| {
        json!({
            "skill": skill,
            "executor": executor,
            "count": usage.count,
            "failures": usage.failures,
            "p50_ms": usage.quantile(0.5),
            "p99_ms": usage.quantile(0.99),
            "state_bytes": bytes(skill),
        })
    });
    let rows: Vec<Value> = rows.collect();
    print(&json!({"version": 1, "skills": rows}), streams)?;
    Ok(ExitStatus::Fine)
}
