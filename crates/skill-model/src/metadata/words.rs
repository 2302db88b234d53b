//! The closed sets of words in `METADATA.yml`.

use serde::Serialize;

/// The kinds of skills, by what runs them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ExecutorKind {
    /// A child process for each call.
    Direct,
    /// A long-lived module.
    Service,
    /// A skill on another node.
    Distributed,
    /// A command whose output is a value.
    Static,
    /// A step in a chain over messages.
    Preprocessor,
    /// A function of the host itself.
    Internal,
    /// A prompt: an agent reads it, and nothing runs it.
    Prompt,
}

impl ExecutorKind {
    /// All kinds.
    pub const ALL: [Self; 7] = [
        Self::Direct,
        Self::Service,
        Self::Distributed,
        Self::Static,
        Self::Preprocessor,
        Self::Internal,
        Self::Prompt,
    ];

    /// Returns the word used in `METADATA.yml`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Service => "service",
            Self::Distributed => "distributed",
            Self::Static => "static",
            Self::Preprocessor => "preprocessor",
            Self::Internal => "internal",
            Self::Prompt => "prompt",
        }
    }
}

/// The runtime of a skill's program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Runtime {
    /// `CPython`.
    Python,
    /// Node.js.
    Node,
    /// A command line for a shell, or a shell script.
    Shell,
    /// A native program.
    Native,
}

impl Runtime {
    /// All runtimes.
    pub const ALL: [Self; 4] = [Self::Python, Self::Node, Self::Shell, Self::Native];

    /// Returns the word used in `METADATA.yml`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::Node => "node",
            Self::Shell => "shell",
            Self::Native => "native",
        }
    }
}

/// The way in which arguments and results are transferred.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Transport {
    /// JSON on standard input, JSON on standard output.
    StdioJson,
    /// The whole standard output is the value.
    Stdout,
    /// Functions of a module.
    Module,
    /// Requests to an endpoint.
    Http,
    /// A tool of an MCP server.
    Mcp,
    /// A NATS micro service.
    Nats,
}

impl Transport {
    /// All transports.
    pub const ALL: [Self; 6] = [
        Self::StdioJson,
        Self::Stdout,
        Self::Module,
        Self::Http,
        Self::Mcp,
        Self::Nats,
    ];

    /// Returns the word used in `METADATA.yml`.
    pub fn word(self) -> &'static str {
        match self {
            Self::StdioJson => "stdio-json",
            Self::Stdout => "stdout",
            Self::Module => "module",
            Self::Http => "http",
            Self::Mcp => "mcp",
            Self::Nats => "nats",
        }
    }
}

/// The hosts whose placeholders a prompt can have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum PromptDialect {
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
    /// OpenCode.
    Opencode,
    /// Gemini CLI.
    Gemini,
    /// Copilot in VS Code.
    Copilot,
    /// Cursor.
    Cursor,
    /// A prompt of an MCP bundle.
    Mcpb,
}

impl PromptDialect {
    /// All dialects.
    pub const ALL: [Self; 7] = [
        Self::Claude,
        Self::Codex,
        Self::Opencode,
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
            Self::Opencode => "opencode",
            Self::Gemini => "gemini",
            Self::Copilot => "copilot",
            Self::Cursor => "cursor",
            Self::Mcpb => "mcpb",
        }
    }
}
