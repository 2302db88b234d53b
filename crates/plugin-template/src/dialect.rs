//! The dialects of prompts.

/// A host's way of writing placeholders.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Dialect {
    /// Claude Code: `$ARGUMENTS`, `$0`, `$name`, `` !`cmd` ``, `@path`, `${CLAUDE_…}`.
    Claude,
    /// Codex: `$1` to `$9`, `$ARGUMENTS`, `$NAME`.
    Codex,
    /// OpenCode: `$1`, `$ARGUMENTS`, `` !`cmd` ``, `@path`.
    OpenCode,
    /// Gemini CLI: `{{args}}`, `!{cmd}`, `@{path}`, `${extensionPath}`.
    Gemini,
    /// Copilot in VS Code: `${input:name:hint}`, `${file}`, `#file:path`.
    Copilot,
    /// Cursor: `@path`.
    Cursor,
    /// Prompts of an MCP bundle: `${arguments.name}`.
    Mcpb,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Self; 7] = [
        Self::Claude,
        Self::Codex,
        Self::OpenCode,
        Self::Gemini,
        Self::Copilot,
        Self::Cursor,
        Self::Mcpb,
    ];

    /// Returns the word used in `METADATA.yml`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::OpenCode => "opencode",
            Self::Gemini => "gemini",
            Self::Copilot => "copilot",
            Self::Cursor => "cursor",
            Self::Mcpb => "mcpb",
        }
    }

    /// Returns the dialect with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dialect| dialect.word() == word)
    }

    /// Returns whether the host passes on arguments that the prompt has no placeholder for. Codex
    /// drops them.
    pub(crate) fn appends_arguments(self) -> bool {
        !matches!(self, Self::Codex | Self::Mcpb)
    }
}
