//! The readings of the specification.

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
