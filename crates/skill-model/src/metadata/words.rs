//! The closed sets of words in `METADATA.yml`.

use serde::Serialize;

/// The six kinds of executors.
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
}

impl ExecutorKind {
    /// All kinds.
    pub const ALL: [Self; 6] = [
        Self::Direct,
        Self::Service,
        Self::Distributed,
        Self::Static,
        Self::Preprocessor,
        Self::Internal,
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
