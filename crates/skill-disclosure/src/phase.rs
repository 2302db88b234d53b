//! The phases of a description, and how one is chosen.

use std::collections::BTreeMap;

use thiserror::Error;

/// The level of detail of a description. Each phase says more than the one before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// The name and what the skill does: about 50 tokens.
    Metadata,
    /// Also when to use it, the commands with their parameters, and the titles of the sections:
    /// about 200 tokens.
    Brief,
    /// Also the whole body: 1,000 to 5,000 tokens.
    Full,
}

impl Phase {
    /// All phases, from the shortest to the longest.
    pub const ALL: [Self; 3] = [Self::Metadata, Self::Brief, Self::Full];

    /// Returns the name of the phase in settings and reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Metadata => "metadata",
            Self::Brief => "brief",
            Self::Full => "full",
        }
    }

    /// Returns the phase with this name.
    ///
    /// ```
    /// use skill_disclosure::Phase;
    ///
    /// assert_eq!(Phase::from_word("brief"), Some(Phase::Brief));
    /// assert_eq!(Phase::from_word("Brief"), None);
    /// ```
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|phase| phase.word() == word)
    }
}

/// The default confidence from which a skill is described briefly. The search is calibrated for it.
pub const TO_BRIEF: f64 = 0.15;

/// The default confidence from which a skill is described in full, and from which a request may run
/// it. The search is calibrated for it.
pub const TO_FULL: f64 = 0.7;

/// The minimum confidences for more detail. They apply to one search with one calibration and mean
/// nothing for another one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Thresholds {
    to_brief: f64,
    to_full: f64,
}

/// The reason why thresholds are invalid.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
pub enum ThresholdError {
    /// A threshold is not a number from 0 to 1.
    #[error("the threshold to {phase} is {value}, expected 0 to 1")]
    OutOfRange {
        /// The phase of the threshold.
        phase: &'static str,
        /// The value of the threshold.
        value: f64,
    },
    /// The thresholds are in the wrong order.
    #[error("the threshold to full ({to_full}) is below the one to brief ({to_brief})")]
    WrongOrder {
        /// The threshold to brief.
        to_brief: f64,
        /// The threshold to full.
        to_full: f64,
    },
}

impl Default for Thresholds {
    /// Returns [`TO_BRIEF`] and [`TO_FULL`].
    fn default() -> Self {
        Self {
            to_brief: TO_BRIEF,
            to_full: TO_FULL,
        }
    }
}

impl Thresholds {
    /// Creates thresholds with `0 ≤ to_brief ≤ to_full ≤ 1`.
    ///
    /// # Errors
    ///
    /// Returns a [`ThresholdError`] if a value is out of range or the order is wrong.
    pub fn new(to_brief: f64, to_full: f64) -> Result<Self, ThresholdError> {
        for (phase, value) in [("brief", to_brief), ("full", to_full)] {
            if !(0.0..=1.0).contains(&value) {
                return Err(ThresholdError::OutOfRange { phase, value });
            }
        }
        if to_brief > to_full {
            return Err(ThresholdError::WrongOrder { to_brief, to_full });
        }
        Ok(Self { to_brief, to_full })
    }

    /// Returns the minimum confidence for a brief description.
    pub fn to_brief(self) -> f64 {
        self.to_brief
    }

    /// Returns the minimum confidence for a full description.
    pub fn to_full(self) -> f64 {
        self.to_full
    }
}

/// The circumstances in which a description is requested.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Situation {
    /// The confidence of a search that the skill is the right one, from 0 to 1.
    pub confidence: Option<f64>,
    /// True if the skill is about to be run.
    pub about_to_run: bool,
    /// The phase that the caller requests, which takes precedence over everything else.
    pub explicit: Option<Phase>,
    /// The phase that the user prefers for this skill.
    pub preference: Option<Phase>,
}

/// Returns the phase for a situation. An explicit phase comes first, then the user's preference,
/// then full for a skill that is about to run, then the confidence. Without evidence it is
/// metadata.
///
/// ```
/// use skill_disclosure::{Phase, Situation, Thresholds, phase_for};
///
/// let situation = Situation { confidence: Some(0.4), ..Situation::default() };
/// assert_eq!(phase_for(&situation, Thresholds::default()), Phase::Brief);
/// ```
pub fn phase_for(situation: &Situation, thresholds: Thresholds) -> Phase {
    if let Some(phase) = situation.explicit.or(situation.preference) {
        return phase;
    }
    let confidence = situation.confidence.unwrap_or(0.0);
    if situation.about_to_run || confidence >= thresholds.to_full {
        Phase::Full
    } else if situation.confidence.is_some() && confidence >= thresholds.to_brief {
        Phase::Brief
    } else {
        Phase::Metadata
    }
}

/// The settings that determine phases.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Disclosure {
    /// The minimum confidences for more detail.
    pub thresholds: Thresholds,
    /// The user's preferences, by the name of the skill.
    pub preferences: BTreeMap<String, Phase>,
}

impl Disclosure {
    /// Returns the phase of a skill: [`phase_for`] with its preference.
    pub fn phase(&self, skill: &str, situation: &Situation) -> Phase {
        let preference = self.preferences.get(skill).copied();
        let preference = situation.preference.or(preference);
        let situation = Situation {
            preference,
            ..*situation
        };
        phase_for(&situation, self.thresholds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(confidence: Option<f64>, change: impl Fn(&mut Situation), expected: Phase) {
        let mut situation = Situation {
            confidence,
            ..Situation::default()
        };
        change(&mut situation);
        let found = phase_for(&situation, Thresholds::default());
        assert_eq!(found, expected, "{situation:?}");
    }

    #[test]
    fn confidence_adds_detail() {
        for (confidence, expected) in [
            (0.0, Phase::Metadata),
            (0.149_999, Phase::Metadata),
            (0.15, Phase::Brief),
            (0.699_999, Phase::Brief),
            (0.7, Phase::Full),
            (1.0, Phase::Full),
            (f64::NAN, Phase::Metadata),
        ] {
            check(Some(confidence), |_| (), expected);
        }
        check(None, |_| (), Phase::Metadata);
    }

    #[test]
    fn a_word_of_the_caller_wins_then_the_preference_then_a_run() {
        check(None, |s| s.about_to_run = true, Phase::Full);
        check(
            Some(0.9),
            |s| s.preference = Some(Phase::Metadata),
            Phase::Metadata,
        );
        check(
            Some(0.9),
            |s| (s.preference, s.explicit) = (Some(Phase::Metadata), Some(Phase::Brief)),
            Phase::Brief,
        );
        let disclosure = Disclosure {
            preferences: BTreeMap::from([("a".to_owned(), Phase::Full)]),
            ..Disclosure::default()
        };
        assert_eq!(disclosure.phase("a", &Situation::default()), Phase::Full);
        assert_eq!(
            disclosure.phase("b", &Situation::default()),
            Phase::Metadata
        );
    }

    #[test]
    fn thresholds_are_checked() {
        assert!(Thresholds::new(0.2, 0.2).is_ok());
        assert!(Thresholds::new(f64::NAN, 0.2).is_err());
        assert!(Thresholds::new(0.2, 1.1).is_err());
        let wrong = Thresholds::new(0.8, 0.2).unwrap_err();
        assert_eq!(
            wrong.to_string(),
            "the threshold to full (0.2) is below the one to brief (0.8)"
        );
    }
}
