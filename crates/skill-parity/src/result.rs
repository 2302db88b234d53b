//! The results of a comparison.

use std::collections::{BTreeMap, BTreeSet};

use emulated_internet::{Cassette, Recording};
use serde_json::Value;

use parity_record::{Level, Record, Verdict};

use crate::cause::Cause;
use crate::compare::Difference;
use crate::program_clock::ProgramClock;

/// The comparison of one plugin with its skill.
#[derive(Debug)]
pub struct PluginResult {
    /// The directory of the plugin.
    pub directory: String,
    /// The name of the skill, if there is one.
    pub skill: Option<String>,
    /// The verdict.
    pub verdict: Verdict,
    /// The reason why it is not verified.
    pub reason: Option<String>,
    /// The kind of that reason; `None` for a skill that is verified or differs.
    pub cause: Option<Cause>,
    /// The one thing that would prove it.
    pub would_prove: Option<String>,
    /// The level that the skill reached.
    pub level: Level,
    /// The digests of the plugin and of the skill that were run.
    pub digests: Option<(String, String)>,
    /// The digests of the skills that it requires, by name.
    pub requires: BTreeMap<String, String>,
    /// The cases that were run.
    pub cases: Vec<CaseResult>,
    /// The recording of a run that records.
    pub cassette: Option<Cassette>,
    /// The clock of both programs; `None` if they were not run.
    pub clock: Option<ProgramClock>,
    /// The files of the old host of which both sides had the skill's version, without secrets.
    pub without_secrets: Vec<String>,
}

impl PluginResult {
    /// Returns the result of a plugin in `directory`, and of its skill, before anything is run.
    pub fn not_run(directory: String, skill: Option<String>) -> Self {
        Self {
            directory,
            skill,
            verdict: Verdict::NotRun,
            reason: None,
            cause: None,
            would_prove: None,
            level: Level::Read,
            digests: None,
            requires: BTreeMap::new(),
            cases: Vec::new(),
            cassette: None,
            clock: None,
            without_secrets: Vec::new(),
        }
    }

    /// Returns true if the skill differs from its plugin.
    pub fn differs(&self) -> bool {
        self.verdict == Verdict::Differs
    }

    /// Returns the result as it is recorded beside the skills; `None` if there is no skill.
    pub(crate) fn to_record(&self) -> Option<Record> {
        Some(Record {
            skill: self.skill.clone()?,
            directory: self.directory.clone(),
            verdict: self.verdict,
            reason: self.reason.clone(),
            cases: self.cases.len(),
            level: self.level,
            digests: self.digests.clone(),
            requires: self.requires.clone(),
            without_secrets: self.without_secrets.clone(),
        })
    }
}

/// The comparison of one case.
#[derive(Debug)]
pub struct CaseResult {
    /// The name of the case.
    pub id: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The reason why it is not verified.
    pub reason: Option<String>,
    /// The level that the skill reached in this case.
    pub level: Level,
    /// It proves nothing, because a program tried to use the network and may not.
    pub needs_network: bool,
    /// The input of both.
    pub input: Value,
    /// The answer of the plugin's first run, and that of the skill's last one: `value` or `error`.
    pub answers: Option<(Value, Value)>,
    /// The plugin added, changed or removed files.
    pub changes_files: bool,
    /// The values of the skill that differ.
    pub differences: Vec<Difference>,
    /// JSON Pointers to values that were not compared, because they differ between runs of the plugin.
    pub masked: BTreeSet<String>,
    /// The number of requests that the plugin sent to an emulated internet.
    pub n_requests: usize,
    /// The method and the address, without its query, of the first of these requests and of the last one.
    pub asked: Vec<String>,
    /// Their answers are those of a recording.
    pub is_recorded: bool,
    /// The recording of a run that records.
    pub(crate) recording: Option<Recording>,
    /// The mean time of a call of the plugin and of the skill, in milliseconds.
    pub ms: Option<(f64, f64)>,
}
