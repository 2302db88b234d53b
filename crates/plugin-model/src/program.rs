//! Programs, and the configuration of a package.
//!
//! Names are those of the VCPToolBox manifest, whose plugins are programs.

use crate::{Field, Located, Place};

/// A program or module that a host starts or loads, in the words of its manifest.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    /// `pluginType`.
    pub plugin_type: Field<PluginType>,
    /// `pluginType` as written.
    pub plugin_type_word: String,
    /// `entryPoint`.
    pub entry_point: EntryPoint,
    /// `manifestVersion`.
    pub manifest_version: Option<Field<String>>,
    /// `communication`.
    pub communication: Communication,
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

/// The configuration keys that a package declares.
#[derive(Clone, PartialEq, Debug)]
pub struct Configuration {
    /// The keys, in the order of the text.
    pub keys: Vec<ConfigKey>,
    /// The shape of the declaration.
    pub shape: ConfigShape,
}

/// The shapes of the declaration of a configuration (`configSchema`).
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
    /// The place of the key.
    pub place: Place,
    /// The type as written, which may be prose.
    pub type_word: Option<Field<String>>,
    /// `description`, here or in the side table `configSchemaDescriptions`.
    pub description: Option<Field<String>>,
    /// `default` or `defaultValue`, here or in the side table `defaults`. No host applies it.
    pub default: Option<Located>,
    /// `required`.
    pub required: Option<Field<bool>>,
    /// The closed list of values in `enum` or `options`.
    pub choices: Option<Located>,
    /// `min`, `max`, `minimum`, `maximum`: the JSON Schema keyword and the value.
    pub bounds: Vec<(&'static str, Located)>,
}

/// One invocation command.
#[derive(Clone, PartialEq, Debug)]
pub struct Command {
    /// The identifier: `commandIdentifier`, or else `command`, `name` or `id`.
    pub id: String,
    /// The place of the command itself.
    pub place: Place,
    /// The identifier, if the manifest has one.
    pub id_field: Option<Field<String>>,
    /// Further identifiers.
    pub other_ids: Vec<Field<String>>,
    /// `description`.
    pub description: Option<Field<String>>,
    /// `example` and `examples`: texts. Objects and lists are given as JSON text.
    pub examples: Vec<Field<String>>,
    /// The declaration of parameters: `parameters`, `args`, `inputSchema`.
    pub structured: Option<Located>,
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
