//! The results of a comparison.

use std::collections::BTreeSet;

use crate::compare::Difference;

/// The result of comparing a plugin with its skill.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// Every case had the same result on both sides.
    Verified,
    /// At least one case had different results.
    Differs,
    /// Every case had the same result, but the plugin itself returned no value.
    Unproven,
    /// Nothing was run, or at least one case could not be run.
    NotRun,
}

impl Verdict {
    /// All verdicts.
    pub const ALL: [Self; 4] = [Self::Verified, Self::Differs, Self::Unproven, Self::NotRun];

    /// Returns the word for reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::Differs => "differs",
            Self::Unproven => "unproven",
            Self::NotRun => "not run",
        }
    }
}

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
    /// The digests of the plugin and of the skill that were run.
    pub digests: Option<(String, String)>,
    /// The cases that were run.
    pub cases: Vec<CaseResult>,
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
    /// The values of the skill that differ.
    pub differences: Vec<Difference>,
    /// JSON Pointers to values that were not compared, because they differ between runs of the plugin.
    pub masked: BTreeSet<String>,
    /// The mean time of a call of the plugin and of the skill, in milliseconds.
    pub ms: Option<(f64, f64)>,
}
