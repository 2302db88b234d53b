//! `METADATA.yml`: what an index, a describer and an executor need to know of a skill and the
//! specification has no field for.
//!
//! The field order of the structs is the key order of the file; empty keys are left out.
//! - `guard`: settings that restrict; `words`: the closed sets of words in it.

mod guard;
mod words;

use schemars::{JsonSchema, generate::SchemaSettings};
use serde::Serialize;
use serde_json::{Map, Value};

pub use guard::{Guard, GuardKind, Unset};
pub use words::{ExecutorKind, Runtime, Transport};

/// Version of the format that this crate writes.
pub const METADATA_SCHEMA: u32 = 1;

/// The whole sidecar.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Metadata {
    /// Version of the format.
    pub schema: u32,
    /// Name of the skill: the directory's name and the `name` of `SKILL.md`.
    pub name: String,
    /// Name for people, in any script.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// The source's description, whole.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Version of the skill.
    pub version: String,
    /// Author, as the source wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// Which executor runs it.
    #[serde(rename = "type")]
    pub executor: ExecutorKind,
    /// False for a plugin that was switched off.
    pub enabled: bool,
    /// False when something it needs cannot be had; `findings` says what.
    pub runnable: bool,
    /// Free word, used as a filter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    /// Words that requests may use.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keywords: Vec<String>,
    /// Free labels.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// What should make an agent think of the skill.
    #[serde(skip_serializing_if = "Triggers::is_empty")]
    pub triggers: Triggers,
    /// How it is started. Absent for skills without a program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<Entry>,
    /// How arguments and results travel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transport: Option<Transport>,
    /// Time limit of one call, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    /// For sources that answer first and deliver later.
    #[serde(rename = "async", skip_serializing_if = "Option::is_none")]
    pub asynchronous: Option<Async>,
    /// What can be asked of it, in the source's order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<Command>,
    /// Values that it provides to prompts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub placeholders: Vec<Placeholder>,
    /// When its values are computed anew.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refresh: Option<Refresh>,
    /// What can be configured.
    #[serde(skip_serializing_if = "Config::is_empty")]
    pub config: Config,
    /// What must be installed.
    #[serde(skip_serializing_if = "Requires::is_empty")]
    pub requires: Requires,
    /// Parts of the old host that its code reaches into.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub host_requires: Vec<String>,
    /// HTTP routes that it registers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub routes: Option<Routes>,
    /// Messages that it pushes to clients.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub push: Option<Push>,
    /// What it may do.
    pub permissions: Permissions,
    /// What it may use up.
    pub limits: Limits,
    /// Whether results may be kept.
    pub cache: Cache,
    /// Whether a call may be made twice, because the second time changes nothing. False unless the
    /// author says so.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub idempotent: bool,
    /// Skills of the same tree that are tried in this order, with the same arguments, when a call
    /// that may be made twice fails.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fallback: Vec<String>,
    /// The plugin it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub legacy: Option<Legacy>,
    /// Every file that was carried over.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileRecord>,
    /// What a person should know of the migration.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<FindingRecord>,
}

impl Metadata {
    /// JSON Schema (2020-12) of what [`Metadata::to_yaml`] writes, for editors and for programs
    /// of other languages. Keys that it does not name are allowed: the format grows.
    pub fn json_schema() -> Value {
        let settings = SchemaSettings::draft2020_12().for_serialize();
        let mut schema = settings.into_generator().into_root_schema_for::<Self>();
        schema.insert("title".to_owned(), "METADATA.yml".into());
        schema.into()
    }

    /// Whether a call may be made twice: values that are computed (`static`), answers that may be
    /// kept (`cache.cacheable`), and what the author says of the skill or of this command.
    pub fn is_idempotent(&self, command: Option<&str>) -> bool {
        let is_so = |known: &Command| known.idempotent && Some(known.id.as_str()) == command;
        self.idempotent
            || self.cache.cacheable
            || self.executor == ExecutorKind::Static
            || self.commands.iter().any(is_so)
    }

    /// The text of `METADATA.yml`: one form, the same bytes every time.
    pub fn to_yaml(&self) -> String {
        crate::yaml::to_string(self)
    }
}

/// What should make an agent think of the skill.
#[derive(Clone, PartialEq, Default, Debug, Serialize, JsonSchema)]
pub struct Triggers {
    /// Things a user wants.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub intents: Vec<String>,
    /// Words a user says.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub phrases: Vec<String>,
    /// Events of a host.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub event_types: Vec<String>,
    /// 0 to 1, with a bounded effect on ranking.
    #[serde(skip_serializing_if = "is_zero")]
    pub priority: f64,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature that serde asks for"
)]
fn is_zero(priority: &f64) -> bool {
    *priority == 0.0
}

impl Triggers {
    /// Nothing is said.
    pub fn is_empty(&self) -> bool {
        self == &Self::default()
    }
}

/// How a skill is started.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Entry {
    /// What runs it.
    pub runtime: Runtime,
    /// The command line as the source wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shell: Option<String>,
    /// The same split into words, when it has no shell syntax.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub argv: Vec<String>,
    /// For in-process sources: the module file, relative to `dir`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub module: Option<String>,
    /// Functions that the module exports, as far as they are known to the old host.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exports: Vec<String>,
    /// For services elsewhere: the address that requests go to, `http` or `https`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endpoint: Option<String>,
    /// Method of the requests; `POST` when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// Headers of the requests; `${KEY}` stands for a value of the configuration.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub headers: Map<String, Value>,
    /// Working directory, relative to the skill.
    pub dir: String,
}

/// A source that answers first and delivers later.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Async {
    /// Results arrive by HTTP callback.
    pub callback: bool,
}

/// One invocation command.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Command {
    /// The source's identifier, exactly.
    pub id: String,
    /// One or two sentences.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// The argument that selects the command, if it needs one. Always written, `null` says that
    /// it needs none.
    pub dispatch: Option<Dispatch>,
    /// The calling convention for several calls in one, if there is one: `numbered-suffix`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch: Option<String>,
    /// Whether a call of this command may be made twice, where not all of the skill may.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub idempotent: bool,
    /// JSON Schema of the arguments, without the dispatch argument.
    pub input_schema: Value,
    /// Argument objects, without the dispatch argument.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<Value>,
}

/// The argument that selects a command.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Dispatch {
    /// Name of the argument.
    pub key: String,
    /// Its value.
    pub value: String,
    /// How it was found: `example`, `const`, `code` or `assumed`.
    pub source: String,
}

/// A value that a skill provides to prompts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Placeholder {
    /// The name without braces.
    pub key: String,
    /// What the value is.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
}

/// When values are computed anew.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Refresh {
    /// Five or six fields, or what else the source wrote.
    pub cron: String,
}

/// What can be configured.
#[derive(Clone, PartialEq, Default, Debug, Serialize, JsonSchema)]
pub struct Config {
    /// JSON Schema of the declared keys. Defaults stand as `x-legacy-default`, because the old
    /// host never applied them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
    /// Keys whose values are secrets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub secret: Vec<String>,
    /// Keys that env files or the code mention and the source does not declare.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub undeclared: Vec<String>,
    /// Settings that restrict what the program may do. While one that is `open` without a value
    /// has none, a call needs approval; once each has one, none is needed on their account
    /// (`permissions.approval_for`). The directories of an `allow-directories` guard are what `filesystem:
    /// skill` and `any` reach besides the skill's own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub guards: Vec<Guard>,
}

impl Config {
    /// Nothing can be configured.
    pub fn is_empty(&self) -> bool {
        self == &Self::default()
    }
}

/// What must be installed.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, JsonSchema)]
pub struct Requires {
    /// npm packages.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub npm: Vec<String>,
    /// Python packages.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pip: Vec<String>,
    /// Programs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bin: Vec<String>,
    /// Operating systems; empty means any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub os: Vec<String>,
    /// Skills beside it whose files its program reads: the name of the skill's directory, or of the
    /// directory of the plugin that it was, where only one skill has it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skills: Vec<String>,
    /// Whether it talks to the network.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub network: bool,
}

impl Requires {
    /// Nothing is needed.
    pub fn is_empty(&self) -> bool {
        self == &Self::default()
    }
}

/// HTTP routes that a skill registers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Routes {
    /// Where the old host mounted them.
    pub mount: String,
    /// `namespaced` (`registerApiRoutes`) or `legacy` (`registerRoutes`).
    pub style: String,
}

/// Messages that a skill pushes to clients.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Push {
    /// Whether it does.
    pub enabled: bool,
    /// The `type` of the message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message_type: Option<String>,
    /// Which clients get it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_type: Option<String>,
}

/// Directories of the old host that plugins wrote into and that several of them used.
/// Source: `legacy-host.md` §1.4 and the plugins themselves.
pub const SHARED_DIRECTORIES: [&str; 6] = [
    "dailynote",
    "image",
    "file",
    "VCPTimedContacts",
    "VCPAsyncResults",
    "DebugLog",
];

/// Why a migrated skill requires approval: the old host asked its administrator, or a setting that
/// restricts the program has no value.
pub const APPROVAL_REASONS: [&str; 2] = ["admin", "guards"];

/// What a skill may do.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Permissions {
    /// `none`, `allowlist` or `any`.
    pub network: String,
    /// Hosts, for `allowlist`: `host`, `host:port`, or `*.domain` for every host below it. Programs reach
    /// 80 and 443 where no port stands. `localhost` is the machine that the tool runs on; a name that
    /// leads there otherwise, or to its link, is not followed, unless the machine's own list of hosts
    /// says so.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub network_allowlist: Vec<String>,
    /// `none`, `read-only`, `skill` or `any`.
    pub filesystem: String,
    /// Directories of the old host that it shares with the other skills that have them here:
    /// `dailynote`, `image`, `file`, `VCPTimedContacts`, `VCPAsyncResults`, `DebugLog`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shared: Vec<String>,
    /// Variables that reach the process.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub environment: Vec<String>,
    /// Whether it needs the host's administrator.
    pub admin: bool,
    /// `none` or `required`.
    pub approval: String,
    /// Why it is `required`, where the migration decided that: `admin`, `guards`. Where `guards` is
    /// the only reason, no approval is needed once every guard of `config.guards` has a value;
    /// without a reason, every call needs one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub approval_for: Vec<String>,
}

/// What a skill may use up.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Limits {
    /// Time of one call, in milliseconds.
    pub timeout_ms: u64,
    /// Memory of one process, in mebibytes.
    pub memory_mb: u64,
}

/// Whether results may be kept.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, JsonSchema)]
pub struct Cache {
    /// False unless the author says so: legacy tools have side effects.
    pub cacheable: bool,
    /// How long, in seconds.
    pub ttl_s: u64,
}

/// The plugin that a skill was.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Legacy {
    /// `vcp-main`, `vcp-distributed` or `apexbridge`.
    pub host: String,
    /// The exact name, which old calls use as tool name.
    pub name: String,
    /// Directory of the plugin.
    pub directory: String,
    /// `pluginType`, exactly.
    pub plugin_type: String,
    /// `manifestVersion`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub manifest_version: Option<String>,
    /// Every manifest key that has no place above, as it was.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub extra: Map<String, Value>,
}

/// One file that was carried over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct FileRecord {
    /// Path relative to the skill.
    pub path: String,
    /// Size.
    pub bytes: u64,
    /// Digest: 64 hex digits.
    pub sha256: String,
}

/// What a person should know of the migration.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct FindingRecord {
    /// Kind of finding.
    pub code: String,
    /// What was found.
    pub message: String,
    /// JSON Pointer into the manifest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
}
