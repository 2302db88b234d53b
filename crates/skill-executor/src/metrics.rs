//! Usage statistics: how often each skill ran and failed, and how long it took.
//!
//! One line of JSON for each call in `usage/calls.jsonl`; the older half goes when the file is large.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::clock;
use crate::envelope::Envelope;
use crate::json;
use crate::package::SkillPackage;
use crate::state::State;
use crate::view;

const DIR: &str = "usage";
const FILE: &str = "calls.jsonl";
/// Bytes from which on the older half is dropped.
const LARGE: usize = 4 << 20;

/// Keeps one call. A state directory that is full loses the line, not the answer.
pub(crate) fn record(state: &State, envelope: &Envelope) {
    let meta = &envelope.meta;
    let line = json!({
        "at_ms": clock::now_ms(),
        "skill": meta.skill,
        "executor": meta.executor,
        "ok": envelope.is_ok(),
        "ms": meta.elapsed_ms,
    });
    let line = format!("{}\n", json::stringify(&line));
    if state.make_dir(DIR).is_ok() {
        let _ = state
            .root()
            .append(&format!("{DIR}/{FILE}"), line.as_bytes());
    }
}

/// The statistics of one skill and executor.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Usage {
    /// Calls.
    pub count: u64,
    /// Calls that failed.
    pub failures: u64,
    /// Time of the calls in milliseconds, sorted.
    times: Vec<u64>,
    /// The time of its last call, in milliseconds since 1970.
    pub last_ms: i64,
}

impl Usage {
    /// Returns the time in milliseconds that this share of the calls did not exceed; 0.5 is the
    /// median.
    pub fn quantile(&self, share: f64) -> u64 {
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a rank among at most a few million calls"
        )]
        let rank = (share * self.times.len() as f64).ceil() as usize;
        let at = rank.clamp(1, self.times.len().max(1)) - 1;
        self.times.get(at).copied().unwrap_or_default()
    }
}

/// Returns one object with the usage of each skill and executor. `skills` are the skills whose state
/// is measured.
pub fn report(state: &State, skills: &[SkillPackage]) -> Value {
    let bytes = |name: &str| {
        let skill = skills.iter().find(|skill| skill.metadata.name == name)?;
        Some(view::bytes(skill, state))
    };
    let rows = usage(state).into_iter().map(|((skill, executor), usage)| {
        let state_bytes = bytes(&skill);
        json!({
            "skill": skill,
            "executor": executor,
            "count": usage.count,
            "failures": usage.failures,
            "p50_ms": usage.quantile(0.5),
            "p99_ms": usage.quantile(0.99),
            "state_bytes": state_bytes,
        })
    });
    json!({"version": 1, "skills": rows.collect::<Vec<_>>()})
}

/// All usage, by skill and executor. Lines that cannot be read are left out.
pub fn usage(state: &State) -> BTreeMap<(String, String), Usage> {
    let text = state
        .read_text(&format!("{DIR}/{FILE}"))
        .unwrap_or_default();
    let mut res: BTreeMap<(String, String), Usage> = BTreeMap::new();
    for line in text.lines().filter_map(|line| json::parse(line).ok()) {
        let (Some(skill), Some(executor)) = (line["skill"].as_str(), line["executor"].as_str())
        else {
            continue;
        };
        let entry = res
            .entry((skill.to_owned(), executor.to_owned()))
            .or_default();
        entry.count += 1;
        entry.failures += u64::from(line["ok"] != Value::Bool(true));
        entry.times.push(line["ms"].as_u64().unwrap_or_default());
        entry.last_ms = entry
            .last_ms
            .max(line["at_ms"].as_i64().unwrap_or_default());
    }
    for usage in res.values_mut() {
        usage.times.sort_unstable();
    }
    shorten(state, &text);
    res
}

/// Names of all skills that were ever called, the most used first; of equals, the one used last.
pub fn most_used(state: &State) -> Vec<String> {
    let mut by_skill: BTreeMap<String, (u64, i64)> = BTreeMap::new();
    for ((skill, _), usage) in usage(state) {
        let sum = by_skill.entry(skill).or_default();
        *sum = (sum.0 + usage.count, sum.1.max(usage.last_ms));
    }
    let mut res: Vec<_> = by_skill.into_iter().collect();
    res.sort_by_key(|(_, used)| std::cmp::Reverse(*used));
    res.into_iter().map(|(skill, _)| skill).collect()
}

fn shorten(state: &State, text: &str) {
    if text.len() < LARGE {
        return;
    }
    let half = text.len() / 2;
    let from = text.as_bytes()[half..]
        .iter()
        .position(|byte| *byte == b'\n');
    if let Some(from) = from {
        let _ = state
            .root()
            .write_whole(DIR, FILE, &text.as_bytes()[half + from + 1..]);
    }
}

#[cfg(test)]
mod tests {
    use super::Usage;

    #[test]
    fn quantiles() {
        let times = |times: Vec<u64>| Usage {
            times,
            ..Usage::default()
        };
        let hundred = times((1..=100).collect());
        assert_eq!(
            [0.5, 0.99, 1.0].map(|share| hundred.quantile(share)),
            [50, 99, 100]
        );
        assert_eq!(times(vec![7]).quantile(0.5), 7);
        assert_eq!(times(Vec::new()).quantile(0.5), 0);
    }
}
