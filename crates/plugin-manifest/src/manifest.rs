//! The types of a manifest, in the words of the source.

use crate::Node;

/// A value of the manifest and its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field<T> {
    /// The value as the host would use it.
    pub value: T,
    /// The JSON Pointer to the value.
    pub pointer: String,
    /// True if the source has the type that the host expects; `"1200"` for a number is not exact.
    pub exact: bool,
}

/// A `plugin-manifest.json` that the host would load.
#[derive(Clone, PartialEq, Debug)]
pub struct Manifest {
    /// `name`: the name of the tool in calls.
    pub name: Field<String>,
    /// `pluginType`.
    pub plugin_type: Field<PluginType>,
    /// `pluginType` as written.
    pub plugin_type_word: String,
    /// `entryPoint`.
    pub entry_point: EntryPoint,
    /// `displayName`.
    pub display_name: Option<Field<String>>,
    /// `description`.
    pub description: Option<Field<String>>,
    /// `version`.
    pub version: Option<Field<String>>,
    /// `author`.
    pub author: Option<Field<String>>,
    /// `license`.
    pub license: Option<Field<String>>,
    /// `manifestVersion`.
    pub manifest_version: Option<Field<String>>,
    /// `communication`.
    pub communication: Communication,
    /// `configSchema`, in the order of the text.
    pub config: Vec<ConfigKey>,
    /// The shape of `configSchema`.
    pub config_shape: ConfigShape,
    /// `capabilities.invocationCommands`, in the order of the text.
    pub commands: Vec<Command>,
    /// `capabilities.systemPromptPlaceholders`, in the order of the text.
    pub placeholders: Vec<Placeholder>,
    /// `refreshIntervalCron`.
    pub refresh_cron: Option<Field<String>>,
    /// `webSocketPush`.
    pub push: Option<Push>,
    /// `requiresAdmin`.
    pub requires_admin: Option<Field<bool>>,
    /// `hasApiRoutes`.
    pub has_api_routes: Option<Field<bool>>,
    /// `requiresContextBridge`.
    pub requires_context_bridge: Option<Field<bool>>,
    /// `requiresKnowledgeBaseManager`.
    pub requires_knowledge_base: Option<Field<bool>>,
    /// The strings in the lists `tags` and `keywords`.
    pub tags: Vec<Field<String>>,
    /// The whole source.
    pub root: Node,
}

/// The ways in which a host runs a plugin.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PluginType {
    /// A process for each call. ApexBridge: `direct-execution`, `direct`.
    Synchronous,
    /// A process that answers first and delivers later.
    Asynchronous,
    /// A process whose output fills placeholders. ApexBridge: `static-info`.
    Static,
    /// A module that rewrites messages. ApexBridge: `preprocessor`.
    MessagePreprocessor,
    /// A module that runs beside the host.
    Service,
    /// A module that is a service and a tool. ApexBridge: `hybrid`.
    HybridService,
    /// A tool of another node. ApexBridge: `distributed-tool`.
    Distributed,
    /// A function of the host. ApexBridge: `internal`.
    Internal,
}

impl PluginType {
    /// Every known word with its meaning: VCPToolBox first, then ApexBridge.
    pub const WORDS: [(&'static str, Self); 16] = [
        ("synchronous", Self::Synchronous),
        ("asynchronous", Self::Asynchronous),
        ("static", Self::Static),
        ("messagePreprocessor", Self::MessagePreprocessor),
        ("service", Self::Service),
        ("hybridservice", Self::HybridService),
        ("direct-execution", Self::Synchronous),
        ("direct", Self::Synchronous),
        ("static-info", Self::Static),
        ("preprocessor", Self::MessagePreprocessor),
        ("hybrid", Self::HybridService),
        ("distributed-tool", Self::Distributed),
        ("distributed", Self::Distributed),
        ("internal", Self::Internal),
        ("direct-async", Self::Asynchronous),
        ("internal-tool", Self::Internal),
    ];

    /// Returns the type for a word of `pluginType`. Case matters, as in the host.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::WORDS
            .iter()
            .find(|(known, _)| *known == word)
            .map(|(_, kind)| *kind)
    }

    /// Returns true if the word belongs to ApexBridge rather than to VCPToolBox.
    pub fn is_apexbridge_word(word: &str) -> bool {
        Self::WORDS[6..].iter().any(|(known, _)| *known == word)
    }
}

/// `entryPoint`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct EntryPoint {
    /// `command`: a line for a shell.
    pub command: Option<Field<String>>,
    /// `script`: a module to load.
    pub script: Option<Field<String>>,
    /// `type`: decoration, no host reads it.
    pub kind: Option<Field<String>>,
    /// `timeout` in milliseconds: only distributed nodes read it.
    pub timeout_ms: Option<Field<Millis>>,
}

/// A time in milliseconds, as the host would compute with it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Millis(pub f64);

impl Millis {
    /// The value for something that is not a number of milliseconds: `setTimeout` lets it expire at
    /// once.
    pub const AT_ONCE: Self = Self(-1.0);
}

impl Eq for Millis {}

/// `communication`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Communication {
    /// `protocol`: `stdio` or `direct`, and whatever else was written.
    pub protocol: Option<Field<String>>,
    /// `timeout` in milliseconds.
    pub timeout_ms: Option<Field<Millis>>,
}

/// The shapes of `configSchema`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConfigShape {
    /// The field is missing.
    Absent,
    /// Keys with a type word or an object: what the host reads.
    Object,
    /// A list of objects with `key` or `name`: the host ignores it.
    List,
    /// A string, number or other value.
    Other,
}

/// One configuration key.
#[derive(Clone, PartialEq, Debug)]
pub struct ConfigKey {
    /// The key.
    pub key: String,
    /// The JSON Pointer to the key.
    pub pointer: String,
    /// The type as written, which may be prose.
    pub type_word: Option<Field<String>>,
    /// `description`, here or in the side table `configSchemaDescriptions`.
    pub description: Option<Field<String>>,
    /// `default` or `defaultValue`, here or in the side table `defaults`. No host applies it.
    pub default: Option<(String, Node)>,
    /// `required`.
    pub required: Option<Field<bool>>,
    /// The closed list of values in `enum` or `options`.
    pub choices: Option<(String, Node)>,
    /// `min`, `max`, `minimum`, `maximum`: pointer, JSON Schema keyword, value.
    pub bounds: Vec<(String, &'static str, Node)>,
}

/// One invocation command.
#[derive(Clone, PartialEq, Debug)]
pub struct Command {
    /// The identifier: `commandIdentifier`, or else `command`, `name` or `id`.
    pub id: String,
    /// Pointer of the command itself.
    pub pointer: String,
    /// The identifier, if the manifest has one.
    pub id_field: Option<Field<String>>,
    /// Further identifiers.
    pub other_ids: Vec<Field<String>>,
    /// `description`.
    pub description: Option<Field<String>>,
    /// `example` and `examples`: texts. Objects and lists are given as JSON text.
    pub examples: Vec<Field<String>>,
    /// `parameters`, `args`, `inputSchema`: pointer and value.
    pub structured: Option<(String, Node)>,
}

/// One placeholder that the plugin fills.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placeholder {
    /// The name without braces.
    pub key: Field<String>,
    /// `description`.
    pub description: Option<Field<String>>,
}

/// `webSocketPush`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Push {
    /// `enabled`.
    pub enabled: Option<Field<bool>>,
    /// `messageType`.
    pub message_type: Option<Field<String>>,
    /// `targetClientType`.
    pub client_type: Option<Field<String>>,
}
