//! The clients: what is known about their lists, and how it is known.

use std::fmt;
use std::str::FromStr;

/// An agent that begins each session with a list of skills.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Client {
    /// Claude Code.
    ClaudeCode,
    /// Codex.
    Codex,
    /// Gemini CLI.
    GeminiCli,
    /// opencode.
    Opencode,
}

impl Client {
    /// All clients.
    pub const ALL: [Self; 4] = [
        Self::ClaudeCode,
        Self::Codex,
        Self::GeminiCli,
        Self::Opencode,
    ];

    /// Returns the name that users write.
    pub fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::GeminiCli => "gemini",
            Self::Opencode => "opencode",
        }
    }

    /// Returns the name of the product.
    pub fn title(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::Codex => "Codex",
            Self::GeminiCli => "Gemini CLI",
            Self::Opencode => "opencode",
        }
    }

    /// Returns the version whose list was compared with this crate.
    pub fn version(self) -> &'static str {
        match self {
            Self::ClaudeCode => "2.1.330",
            Self::Codex => "0.169.0",
            Self::GeminiCli => "0.61.0",
            Self::Opencode => "1.18.33",
        }
    }

    /// Returns the context window of its usual models, in tokens.
    pub fn context(self) -> usize {
        match self {
            Self::Codex => 272_000,
            Self::GeminiCli => 1_000_000,
            Self::ClaudeCode | Self::Opencode => 200_000,
        }
    }

    /// Returns the limit of its list, in a phrase.
    pub fn limit(self) -> &'static str {
        match self {
            Self::ClaudeCode => {
                "1 % of the context for the whole list, 1,536 characters for one description"
            }
            Self::Codex => "2 % of the context for the whole list",
            Self::GeminiCli | Self::Opencode => "no limit",
        }
    }

    /// Returns the source of the limit.
    pub fn source(self) -> &'static str {
        match self {
            Self::ClaudeCode => {
                "settings `skillListingBudgetFraction` and `skillListingMaxDescChars` \
                 (https://code.claude.com/docs/en/settings)"
            }
            Self::Codex => {
                "https://github.com/openai/codex/blob/main/codex-rs/core-skills/src/render.rs"
            }
            Self::GeminiCli => {
                "https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/prompts/snippets.ts"
            }
            Self::Opencode => {
                "https://github.com/anomalyco/opencode/blob/dev/packages/opencode/src/skill/index.ts"
            }
        }
    }
}

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Client {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|client| client.name() == text);
        let [first @ .., last] = Self::ALL.map(Self::name);
        found.ok_or_else(|| {
            let first = first.join(", ");
            format!("no client is named `{text}`; expected {first} or {last}")
        })
    }
}
