//! Whose rules, and how strictly.

use std::collections::BTreeMap;

use skill_diagnostics::Severity;

use crate::rule::{Level, Rule};
use crate::rules::RULES;

/// Whose reading of the specification decides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum Profile {
    /// The specification's text (<https://agentskills.io/specification>).
    #[default]
    Spec,
    /// The Python reference `skills-ref` 0.1.1, bug for bug.
    SkillsRef,
    /// What a client that follows the client guide still loads
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

    /// The name that users write.
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

/// Everything a user can decide.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// Whose rules.
    pub profile: Profile,
    /// Levels that differ from the profile's, by rule id.
    pub levels: BTreeMap<String, Level>,
    /// Most lines of a `SKILL.md` (specification: "keep your main SKILL.md under 500 lines").
    pub max_lines: usize,
    /// Most tokens of a body (specification: "< 5000 tokens recommended"), as estimated.
    pub max_tokens: usize,
    /// Share of words that two descriptions have in common before they count as the same.
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
    /// Every rule that is on, with the weight of its findings.
    pub(crate) fn active(&self) -> impl Iterator<Item = (&'static Rule, Severity)> {
        // Both lists are sorted by id.
        let mut chosen = self.levels.iter().peekable();
        RULES.iter().filter_map(move |rule| {
            while chosen
                .next_if(|(code, _)| code.as_str() < rule.code.0)
                .is_some()
            {}
            let own = chosen.next_if(|(code, _)| code.as_str() == rule.code.0);
            let level = own.map_or_else(|| rule.levels.of(self.profile), |(_, level)| *level);
            Some((rule, level.severity()?))
        })
    }

    /// The level of a rule.
    pub fn level(&self, rule: &Rule) -> Level {
        let chosen = self.levels.get(rule.code.0).copied();
        chosen.unwrap_or_else(|| rule.levels.of(self.profile))
    }
}
