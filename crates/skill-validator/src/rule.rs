//! The definition of a rule.

use skill_diagnostics::{Code, Diagnostic};

use crate::context::{Context, Tree};
use crate::level::{Level, Levels};
use crate::settings::Settings;
use crate::unicode::Kind;

/// One idea about skills, with its documentation.
#[derive(Debug)]
pub struct Rule {
    /// Id: kebab-case, names the flaw.
    pub code: Code,
    /// The subject of the rule.
    pub group: Group,
    /// Its level in each profile.
    pub levels: Levels,
    /// The flaw it finds: a sentence.
    pub what: &'static str,
    /// The harm of the flaw: a sentence or two.
    pub why: &'static str,
    /// The smallest example of the flaw.
    pub example: &'static str,
    /// The source of the rule or of its limit.
    pub source: &'static str,
    pub(crate) check: Check,
}

/// The check of a rule, by its input.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Check {
    /// One skill.
    Skill(fn(&Context<'_>) -> Vec<Diagnostic>),
    /// All skills together.
    Tree(fn(&Tree<'_>) -> Vec<Diagnostic>),
    /// The findings of parsing `SKILL.md` that have the rule's code.
    Parsing,
    /// The findings of reading `METADATA.yml` that have the rule's code.
    Metadata,
    /// The signals that have the rule's code.
    Signal,
    /// The hidden characters of a kind.
    Hidden(Kind),
}

/// The subjects of rules.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Group {
    /// Requirements of the specification or of a client.
    Specification,
    /// Properties that make a skill useful.
    Quality,
    /// `METADATA.yml`.
    Metadata,
    /// Content that a package must not have.
    Safety,
    /// Agreement with `skills.lock`.
    Migration,
}

impl Group {
    /// All groups, in the order of the documentation.
    pub const ALL: [Self; 5] = [
        Self::Specification,
        Self::Quality,
        Self::Metadata,
        Self::Safety,
        Self::Migration,
    ];

    /// Returns the word for listings.
    pub fn word(self) -> &'static str {
        match self {
            Self::Specification => "specification",
            Self::Quality => "quality",
            Self::Metadata => "metadata",
            Self::Safety => "safety",
            Self::Migration => "migration",
        }
    }
}

impl Settings {
    /// Returns the level of a rule.
    pub fn level(&self, rule: &Rule) -> Level {
        let chosen = self.levels.get(rule.code.0).copied();
        chosen.unwrap_or_else(|| rule.levels.get(self.profile))
    }
}
