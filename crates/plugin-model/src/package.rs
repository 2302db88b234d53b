//! A package: what a reader makes of one plugin directory.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::{Configuration, Field, Key, Node, Role, Sources, Unit};

/// One plugin directory, read.
#[derive(Clone, Debug)]
pub struct Package<'a> {
    /// The format, which is the host that the package was written for.
    pub format: Format,
    /// True unless the host would skip the package.
    pub is_enabled: bool,
    /// Name, description and author of the package.
    pub identity: Identity,
    /// The configuration that all units share.
    pub config: Configuration,
    /// The units, in a stable order; each becomes one skill.
    pub units: Vec<Unit>,
    /// The documents that were read. Every leaf of every document gets a fate.
    pub documents: Vec<Document<'a>>,
    /// Files that the skill of every unit gets.
    pub attached: Vec<Attached>,
    /// The files of the directory.
    pub sources: Sources<'a>,
}

/// A file of a package that the skill of every unit gets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attached {
    /// Path relative to the package.
    pub from: String,
    /// Path relative to the skill.
    pub to: String,
    /// True if the host loads it into every conversation; SKILL.md says so.
    pub is_always_loaded: bool,
}

/// The formats of packages.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Format {
    /// A plugin of VCPToolBox.
    VcpToolBox,
    /// A plugin of ApexBridge, which reads the manifest of VCPToolBox with other words.
    ApexBridge,
    /// A plugin or a configuration directory of Claude Code.
    Claude,
    /// An extension of Gemini CLI.
    Gemini,
    /// Prompts, agents and instructions of GitHub Copilot.
    Copilot,
    /// A plugin or prompts of Codex.
    Codex,
    /// A plugin, commands or rules of Cursor.
    Cursor,
    /// Commands and agents of OpenCode.
    OpenCode,
    /// A package of the Agent Plugins specification.
    AgentPlugins,
    /// Skills that are single files.
    Hive,
    /// A document of the OpenAPI specification.
    OpenApi,
    /// A plugin of ChatGPT: `ai-plugin.json` with an OpenAPI document.
    AiPlugin,
    /// A list of MCP servers: `.mcp.json`.
    McpServers,
    /// A bundle of an MCP server: `manifest.json`.
    McpBundle,
    /// A server of the MCP registry: `server.json`.
    McpRegistry,
}

impl Format {
    /// Returns the word for `legacy.host`, also the word for `--format`.
    pub fn word(self) -> &'static str {
        match self {
            Self::VcpToolBox => "vcp-main",
            Self::ApexBridge => "apexbridge",
            Self::Claude => "claude",
            Self::Gemini => "gemini",
            Self::Copilot => "copilot",
            Self::Codex => "codex",
            Self::Cursor => "cursor",
            Self::OpenCode => "opencode",
            Self::AgentPlugins => "agent-plugins",
            Self::Hive => "hive",
            Self::OpenApi => "openapi",
            Self::AiPlugin => "ai-plugin",
            Self::McpServers => "mcp",
            Self::McpBundle => "mcpb",
            Self::McpRegistry => "mcp-registry",
        }
    }
}

/// The name, description and author of a package.
#[derive(Clone, PartialEq, Debug)]
pub struct Identity {
    /// The name.
    pub name: Field<String>,
    /// The name for people.
    pub display_name: Option<Field<String>>,
    /// The description.
    pub description: Option<Field<String>>,
    /// The version.
    pub version: Option<Field<String>>,
    /// The author.
    pub author: Option<Field<String>>,
    /// The license.
    pub license: Option<Field<String>>,
    /// The subject area.
    pub domain: Option<Field<String>>,
    /// Tags and keywords.
    pub tags: Vec<Field<String>>,
}

/// A document of a package: a file that was read as a tree.
#[derive(Clone, PartialEq, Debug)]
pub struct Document<'a> {
    /// Path relative to the package.
    pub file: Arc<str>,
    /// The text, without a byte order mark.
    pub text: &'a str,
    /// The tree. That of a text has its placeholders too, by their offset: `/body/@12`.
    pub root: Node,
    /// The meaning of the keys at the top; empty if the reader has its own types for them.
    pub keys: &'static [Key],
}

impl Document<'_> {
    /// Returns the keys at the top that have a role, with their values.
    pub fn with_role(&self, role: Role) -> impl Iterator<Item = (&'static Key, &Node)> {
        let keys = self.keys.iter().filter(move |key| key.role == role);
        keys.filter_map(|key| Some((key, self.root.get(key.name)?)))
    }

    /// Returns the words of a role: a list of strings, or one string with blanks or commas.
    pub fn words(&self, role: Role) -> Vec<String> {
        let nodes = self.with_role(role).flat_map(|(_, node)| {
            let items = node.items().iter();
            std::iter::once(node).chain(items).filter_map(Node::as_str)
        });
        let words = nodes.flat_map(|text| text.split([' ', ',']));
        words
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    }
}

impl Package<'_> {
    /// Returns the documents of the package itself: those of no unit.
    pub fn own_documents(&self) -> Vec<&Document<'_>> {
        let n_own = self.documents.len().saturating_sub(self.units.len());
        let (own, others) = self.documents.split_at(n_own);
        // Readers push the document of each unit together with the unit.
        let mut pairs = others.iter().zip(&self.units);
        if pairs.all(|(document, unit)| Arc::ptr_eq(&document.file, &unit.file)) {
            return own.iter().collect();
        }
        let is_text = |unit: &&Unit| unit.kind.text().is_some();
        let texts: BTreeSet<&str> = self
            .units
            .iter()
            .filter(is_text)
            .map(|unit| &*unit.file)
            .collect();
        let all: BTreeSet<&str> = self.units.iter().map(|unit| &*unit.file).collect();
        let documents = self.documents.iter();
        // A manifest that declares servers is that of the package too.
        let is_own = |file: &str| {
            !all.contains(file) || file == self.sources.manifest_file && !texts.contains(file)
        };
        documents
            .filter(|document| is_own(&document.file))
            .collect()
    }

    /// Returns the document with this path.
    pub fn document(&self, file: &str) -> Option<&Document<'_>> {
        let mut documents = self.documents.iter();
        documents.find(|document| &*document.file == file)
    }
}
