//! The conclusion from the runs of one case.

use std::collections::BTreeSet;

use emulated_internet::Recording;
use parity_record::{Level, Verdict};
use plugin_model::escape_pointer;
use serde_json::Value;

use crate::cause::is_missing_module;
use crate::compare::{Compared, Difference};
use crate::evidence::Evidence;
use crate::order;
use crate::requests;
use crate::result::CaseResult;
use crate::trial::Trial;

/// The reason why a replay proves nothing.
pub(crate) const NOT_RECORDED: &str = "the plugin asks what was not recorded";

/// The runs of one case.
pub(crate) struct Trials {
    pub(crate) plugin: Vec<Trial>,
    pub(crate) skill: Vec<Trial>,
    /// The recording whose answers they got.
    pub(crate) recording: Option<Recording>,
}

impl Trials {
    /// Returns the first request of the plugin that the recording has no answer to.
    fn gap(&self) -> Option<&str> {
        self.plugin.iter().find_map(|trial| trial.gap.as_deref())
    }

    /// Compares a run of the skill with all runs of the plugin.
    fn compared(&self, skill: &Trial) -> Compared {
        let plugin: Vec<&Value> = self.plugin.iter().map(|trial| &trial.observed).collect();
        order::compare(&plugin, &skill.observed)
    }

    /// Returns the first place that one of the programs could not connect to.
    pub(crate) fn unreached(&self) -> Option<&str> {
        let mut all = self.plugin.iter().chain(&self.skill);
        all.find_map(|trial| trial.unreached.as_deref())
    }

    /// Returns the differences of the last run if every run has some.
    pub(crate) fn differences(&self) -> Option<Vec<Difference>> {
        let all = self.skill.iter();
        let mut all: Vec<_> = all.map(|trial| self.compared(trial).differences).collect();
        let last = all.pop()?;
        (!last.is_empty() && all.iter().all(|it| !it.is_empty())).then_some(last)
    }

    /// Returns true if nothing of the answer was compared: each of its values is masked, and none is a
    /// text, of which the stable words are compared.
    fn is_all_masked(&self, masked: &BTreeSet<String>) -> bool {
        let mut leaves = Vec::new();
        append_leaves(
            "/answer/value",
            &self.plugin[0].observed["answer"]["value"],
            &mut leaves,
        );
        let is_masked = |(at, value): &(String, &Value)| !value.is_string() && masked.contains(at);
        !leaves.is_empty() && leaves.iter().all(is_masked)
    }

    /// Returns the level that the skill reached in its last run.
    pub(crate) fn level(&self) -> Level {
        match self.skill.last().map(|trial| &trial.evidence) {
            Some(Evidence::Worked | Evidence::Unchanged | Evidence::Doubtful(_)) => Level::Runs,
            Some(Evidence::Failed(why)) if !is_missing_module(why) => Level::Loads,
            _ => Level::Read,
        }
    }

    pub(crate) fn conclude(&self, res: &mut CaseResult) {
        res.level = self.level();
        if let Some(last) = self.skill.last() {
            let answer = |trial: &Trial| trial.observed["answer"].clone();
            let files = self.plugin[0].observed["files"].as_object();
            res.changes_files = files.is_some_and(|files| !files.is_empty());
            res.answers = Some((answer(&self.plugin[0]), answer(last)));
            res.masked = self.compared(last).masked;
            res.n_requests = requests::sequence(&self.plugin[0].observed).len();
            res.asked = requests::asked(&self.plugin[0].observed);
        }
        if let Some(differences) = self.differences() {
            res.differences = differences;
            res.verdict = Verdict::Differs;
            return;
        }
        let has_failed = |trial: &Trial| matches!(trial.evidence, Evidence::Failed(_));
        let n_failed = self.plugin.iter().filter(|trial| has_failed(trial)).count();
        let (verdict, reason) = match &self.plugin[0].evidence {
            _ if n_failed > 0 && n_failed < self.plugin.len() => {
                let reason = "the plugin fails now and then".to_owned();
                (Verdict::Unproven, Some(reason))
            }
            _ if self.gap().is_some() => {
                let reason = self.gap().map(|gap| format!("{NOT_RECORDED}: {gap}"));
                (Verdict::Unproven, reason)
            }
            Evidence::Worked if self.unreached().is_some() => {
                let place = self.unreached().unwrap_or_default();
                let reason = format!(
                    "the plugin could not connect to {place}, and its answer may only say so"
                );
                (Verdict::Unproven, Some(reason))
            }
            Evidence::Worked if asks_anything(&res.masked) => {
                let reason = "its requests differ from run to run in number or by their hosts";
                (Verdict::Unproven, Some(reason.to_owned()))
            }
            Evidence::Worked if self.is_all_masked(&res.masked) => {
                let reason = "its whole answer differs from run to run".to_owned();
                (Verdict::Unproven, Some(reason))
            }
            Evidence::Worked => (Verdict::Verified, None),
            Evidence::Doubtful(why) => (Verdict::Unproven, Some(why.clone())),
            Evidence::Unchanged => {
                let reason = "the conversation passes unchanged through both".to_owned();
                (Verdict::Unchanged, Some(reason))
            }
            Evidence::Failed(why) => {
                let reason = format!("the plugin itself fails: {why}");
                (Verdict::FailsAlike, Some(reason))
            }
        };
        (res.verdict, res.reason) = (verdict, reason);
    }
}

/// Returns true if not even the number, the methods or the hosts of all requests were compared: a skill could
/// ask anybody.
fn asks_anything(masked: &BTreeSet<String>) -> bool {
    masked.iter().any(|at| {
        let mut parts = at.split('/').skip(1);
        let is_of_requests = parts.next() == Some("requests");
        let part = parts.nth(1);
        is_of_requests && matches!(part, None | Some("method" | "host"))
    })
}

/// Appends the values of a tree that contain no others, each with its JSON Pointer.
fn append_leaves<'v>(at: &str, value: &'v Value, leaves: &mut Vec<(String, &'v Value)>) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            for (key, value) in map {
                append_leaves(&format!("{at}/{}", escape_pointer(key)), value, leaves);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for (n, value) in items.iter().enumerate() {
                append_leaves(&format!("{at}/{n}"), value, leaves);
            }
        }
        value => leaves.push((at.to_owned(), value)),
    }
}

/// Returns the mean duration of some runs, in milliseconds.
pub(crate) fn mean(trials: &[Trial]) -> f64 {
    let sum: f64 = trials.iter().map(|trial| trial.time.as_secs_f64()).sum();
    #[expect(clippy::cast_precision_loss, reason = "a handful of runs")]
    let n = trials.len() as f64;
    sum * 1_000.0 / n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_that_hide_who_is_asked() {
        for (at, expected) in [
            ("/requests", true),
            ("/requests/0", true),
            ("/requests/0/host", true),
            ("/requests/1/method", true),
            ("/requests/0/url", false),
            ("/requests/0/headers/x-id", false),
            ("/answer/value/requests/0", false),
        ] {
            assert_eq!(
                asks_anything(&BTreeSet::from([at.to_owned()])),
                expected,
                "{at}"
            );
        }
    }
}
