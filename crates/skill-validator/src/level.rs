//! The weight of a rule, in general and in each profile.

use skill_diagnostics::Severity;

use crate::profile::Profile;

/// The weight of a rule.
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

    /// Returns the word that users write.
    pub fn word(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    /// Returns the severity of its findings, unless it is off.
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
    /// Creates levels that are the same in every profile.
    pub(crate) const fn everywhere(level: Level) -> Self {
        Self {
            spec: level,
            skills_ref: level,
            lenient: level,
            claude_code: level,
            codex: level,
        }
    }

    /// Levels of a sentence of the specification: an error, except for the Python reference, which
    /// judges for itself, and a warning for clients that load the skill anyway.
    pub(crate) const REQUIRED: Self = Self::everywhere(Level::Error)
        .skills_ref(Level::Off)
        .lenient(Level::Warning);

    /// Levels of a flaw that prevents every client from loading the skill.
    pub(crate) const FATAL: Self = Self::everywhere(Level::Error).skills_ref(Level::Off);

    /// Levels of advice.
    pub(crate) const ADVICE: Self = Self::everywhere(Level::Warning);

    /// Levels of advice on the notation of a frontmatter, which the reference judges for itself.
    pub(crate) const STYLE: Self = Self::everywhere(Level::Warning).skills_ref(Level::Off);

    /// Levels of content that must not be distributed, whatever the client.
    pub(crate) const UNSAFE: Self = Self::everywhere(Level::Error);

    /// Levels of a remark.
    pub(crate) const REMARK: Self = Self::everywhere(Level::Note);

    /// Returns the levels with another one for `skills-ref`.
    pub(crate) const fn skills_ref(mut self, level: Level) -> Self {
        self.skills_ref = level;
        self
    }

    /// Returns the levels with another one for `lenient`.
    pub(crate) const fn lenient(mut self, level: Level) -> Self {
        self.lenient = level;
        self
    }

    /// Returns the levels with another one for `claude-code`.
    pub(crate) const fn claude_code(mut self, level: Level) -> Self {
        self.claude_code = level;
        self
    }

    /// Returns the levels with another one for `codex`.
    pub(crate) const fn codex(mut self, level: Level) -> Self {
        self.codex = level;
        self
    }

    /// Returns the level for a profile.
    pub const fn get(self, profile: Profile) -> Level {
        match profile {
            Profile::Spec => self.spec,
            Profile::SkillsRef => self.skills_ref,
            Profile::Lenient => self.lenient,
            Profile::ClaudeCode => self.claude_code,
            Profile::Codex => self.codex,
        }
    }
}
