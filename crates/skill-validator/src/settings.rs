//! The settings of a validation.

use std::collections::BTreeMap;

use crate::level::Level;
use crate::profile::Profile;

/// The settings of a validation.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// The reading of the specification.
    pub profile: Profile,
    /// Levels that differ from the profile's, by rule id.
    pub levels: BTreeMap<String, Level>,
    /// Maximum lines of a `SKILL.md` (specification: "keep your main SKILL.md under 500 lines").
    pub max_lines: usize,
    /// Maximum tokens of a body, estimated (specification: "< 5000 tokens recommended").
    pub max_tokens: usize,
    /// Share of common words from which two descriptions count as the same.
    pub overlap: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            profile: Profile::Spec,
            levels: BTreeMap::new(),
            max_lines: 500,
            max_tokens: 5000,
            overlap: 0.75,
        }
    }
}
