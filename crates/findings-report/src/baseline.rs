//! Findings that are already known.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Report;

/// The number of findings with each fingerprint.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Baseline {
    version: u32,
    findings: BTreeMap<String, u32>,
}

impl Baseline {
    /// Parses the JSON of [`Baseline::to_json`].
    ///
    /// # Errors
    ///
    /// When the bytes are not JSON of that form.
    pub fn parse(bytes: &[u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(bytes)
    }

    /// Collects the findings of a report.
    pub fn from_report(report: &Report) -> Self {
        let mut findings = BTreeMap::new();
        for item in &report.items {
            *findings.entry(item.fingerprint.clone()).or_default() += 1;
        }
        Self {
            version: 1,
            findings,
        }
    }

    /// Returns the text of a baseline file.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("texts and numbers are JSON") + "\n"
    }

    /// Removes known findings from the report, each as often as it is known.
    pub fn apply(mut self, report: &mut Report) {
        report.take_known(|fingerprint| match self.findings.get_mut(fingerprint) {
            Some(n) if *n > 0 => {
                *n -= 1;
                true
            }
            _ => false,
        });
    }
}
