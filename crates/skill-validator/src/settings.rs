//! Settings: the profile, and the levels of rules.

use std::collections::BTreeMap;

use skill_diagnostics::Severity;

use crate::rule::{Level, Rule};
use crate::rules::RULES;

/// The reading of the specification that is applied.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum Profile {
    /// The specification's text (<https://agentskills.io/specification>).
    #[default]
    Spec,
    /// The Python reference `skills-ref` 0.1.1, bug for bug.
    SkillsRef,
    /// A client that follows the client guide and still loads what it can
    /// (<https://agentskills.io/client-implementation/adding-skills-support>).
    Lenient,
    /// Claude Code (<https://code.claude.com/docs/en/skills>).
    ClaudeCode,
    /// Codex (<https://developers.openai.com/codex/skills>).
    Codex,
}

impl Profile {
    /// All profiles.
    pub const ALL: [Self; 5] = [
        Self::Spec,
        Self::SkillsRef,
        Self::Lenient,
        Self::ClaudeCode,
        Self::Codex,
    ];

    /// Returns the name that users write.
    pub fn name(self) -> &'static str {
        match self {
            Self::Spec => "spec",
            Self::SkillsRef => "skills-ref",
            Self::Lenient => "lenient",
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
        }
    }
}

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

impl Settings {
    /// Returns every active rule with the severity of its findings.
    pub(crate) fn active(&self) -> impl Iterator<Item = (&'static Rule, Severity)> {
        // Both lists are sorted by id.
        let mut chosen = self.levels.iter().peekable();
        RULES.iter().filter_map(move |rule| {
            while chosen
                .next_if(|(code, _)| code.as_str() < rule.code.0)
                .is_some()
            {}
            let own = chosen.next_if(|(code, _)| code.as_str() == rule.code.0);
            let level = own.map_or_else(|| rule.levels.get(self.profile), |(_, level)| *level);
            Some((rule, level.severity()?))
        })
    }

    /// Returns the level of a rule.
    pub fn level(&self, rule: &Rule) -> Level {
        let chosen = self.levels.get(rule.code.0).copied();
        chosen.unwrap_or_else(|| rule.levels.get(self.profile))
    }
}
