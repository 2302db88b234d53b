//! What a rule is.

use skill_diagnostics::{Code, Severity};

use crate::context::{Context, Tree};
use crate::settings::Profile;
use skill_diagnostics::Diagnostic;

/// One idea about skills, with its documentation.
#[derive(Debug)]
pub struct Rule {
    /// Id: kebab-case, names the flaw.
    pub code: Code,
    /// What it is about.
    pub group: Group,
    /// How much it weighs, by profile.
    pub levels: Levels,
    /// What it finds: a sentence.
    pub what: &'static str,
    /// Why that is bad: a sentence or two.
    pub why: &'static str,
    /// The smallest thing that it finds.
    pub example: &'static str,
    /// Where the rule or its limit stands.
    pub source: &'static str,
    pub(crate) check: Check,
}

/// What a rule looks at.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Check {
    /// One skill.
    Skill(fn(&Context<'_>) -> Vec<Diagnostic>),
    /// All skills together.
    Tree(fn(&Tree<'_>) -> Vec<Diagnostic>),
}

/// What rules are about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Group {
    /// What the specification or a client requires.
    Specification,
    /// What makes a skill useful.
    Quality,
    /// `METADATA.yml`.
    Metadata,
    /// What a package must not contain.
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

    /// The word in listings.
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

/// How much a rule weighs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// Not checked.
    Off,
    /// A note.
    Note,
    /// A warning.
    Warning,
    /// An error.
    Error,
}

impl Level {
    /// All levels.
    pub const ALL: [Self; 4] = [Self::Off, Self::Note, Self::Warning, Self::Error];

    /// The word that users write.
    pub fn word(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    /// The weight of its findings, unless it is off.
    pub fn severity(self) -> Option<Severity> {
        match self {
            Self::Off => None,
            Self::Note => Some(Severity::Note),
            Self::Warning => Some(Severity::Warning),
            Self::Error => Some(Severity::Error),
        }
    }
}

/// The level of a rule in each profile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Levels {
    spec: Level,
    skills_ref: Level,
    lenient: Level,
    claude_code: Level,
    codex: Level,
}

impl Levels {
    /// The same everywhere.
    pub(crate) const fn everywhere(level: Level) -> Self {
        Self {
            spec: level,
            skills_ref: level,
            lenient: level,
            claude_code: level,
            codex: level,
        }
    }

    /// A sentence of the specification: an error, except where the Python reference judges for
    /// itself, and a warning where a client loads the skill all the same.
    pub(crate) const REQUIRED: Self = Self::everywhere(Level::Error)
        .skills_ref(Level::Off)
        .lenient(Level::Warning);

    /// Without this no client can load the skill.
    pub(crate) const FATAL: Self = Self::everywhere(Level::Error).skills_ref(Level::Off);

    /// Advice.
    pub(crate) const ADVICE: Self = Self::everywhere(Level::Warning);

    /// Advice on how a frontmatter is written, which the reference judges for itself.
    pub(crate) const STYLE: Self = Self::everywhere(Level::Warning).skills_ref(Level::Off);

    /// What must not be shipped, whoever reads it.
    pub(crate) const UNSAFE: Self = Self::everywhere(Level::Error);

    /// A remark.
    pub(crate) const REMARK: Self = Self::everywhere(Level::Note);

    /// The same with another level for `skills-ref`.
    pub(crate) const fn skills_ref(mut self, level: Level) -> Self {
        self.skills_ref = level;
        self
    }

    /// The same with another level for `lenient`.
    pub(crate) const fn lenient(mut self, level: Level) -> Self {
        self.lenient = level;
        self
    }

    /// The same with another level for `claude-code`.
    pub(crate) const fn claude_code(mut self, level: Level) -> Self {
        self.claude_code = level;
        self
    }

    /// The same with another level for `codex`.
    pub(crate) const fn codex(mut self, level: Level) -> Self {
        self.codex = level;
        self
    }

    /// The level in a profile.
    pub const fn of(self, profile: Profile) -> Level {
        match profile {
            Profile::Spec => self.spec,
            Profile::SkillsRef => self.skills_ref,
            Profile::Lenient => self.lenient,
            Profile::ClaudeCode => self.claude_code,
            Profile::Codex => self.codex,
        }
    }
}
