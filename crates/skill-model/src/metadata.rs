//! `METADATA.yml`: what an index, a describer and an executor need to know about a skill in
//! addition to the fields of the specification.
//!
//! The field order of the structs is the key order of the file; empty keys are left out.
//! - `command`: a command and its arguments; `guard`: settings that restrict the program; `mcp`: a server; `new`: an
//!   empty record; `prompt`: a prompt of another host; `words`: the closed sets of words; `schema`: the JSON Schema of all of
//!   them.

mod command;
mod guard;
mod mcp;
mod new;
mod program;
mod prompt;
mod schema;
mod words;

use std::collections::BTreeMap;
use std::time::Duration;

use http_request::Credential;
use serde::Serialize;
use serde_json::{Map, Value};

pub use command::{Annotations, Command, Dispatch};
pub use guard::{Guard, GuardKind, Unset};
pub use mcp::McpServer;
pub use program::{Program, command_words, missing_program, own_path, program_directory, programs};
pub use prompt::{Prompt, PromptArgument};
pub use words::{ExecutorKind, PromptDialect, Runtime, Transport};

use crate::Packages;

/// Version of the format that this crate writes.
pub const METADATA_SCHEMA: u32 = 1;

/// The whole sidecar.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Metadata {
    /// Version of the format.
    pub schema: u32,
    /// Name of the skill: the directory's name and the `name` of `SKILL.md`.
    pub name: String,
    /// Name for people, in any language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// The complete description from the source.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Version of the skill.
    pub version: String,
    /// Author, as written in the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// The executor that runs it.
    #[serde(rename = "type")]
    pub executor: ExecutorKind,
    /// False for a plugin that was switched off.
    pub enabled: bool,
    /// False if something it needs is not available; `findings` has the reason.
    pub runnable: bool,
    /// A free word, used as a filter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    /// Words that requests may contain.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keywords: Vec<String>,
    /// Free labels.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Reasons for an agent to consider the skill.
    #[serde(skip_serializing_if = "Triggers::is_empty")]
    pub triggers: Triggers,
    /// The prompt, for skills of the type `prompt`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<Prompt>,
    /// The command that starts it. Absent for skills without a program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<Entry>,
    /// The way in which arguments and results are transferred.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transport: Option<Transport>,
    /// Time limit of one call, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    /// Set for programs that answer first and deliver the result later.
    #[serde(rename = "async", skip_serializing_if = "Option::is_none")]
    pub asynchronous: Option<Async>,
    /// The available commands, in the order of the source.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<Command>,
    /// Values that it provides to prompts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub placeholders: Vec<Placeholder>,
    /// The schedule on which its values are refreshed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refresh: Option<Refresh>,
    /// The settings of the skill.
    #[serde(skip_serializing_if = "Config::is_empty")]
    pub config: Config,
    /// Requirements that must be installed.
    #[serde(skip_serializing_if = "Requires::is_empty")]
    pub requires: Requires,
    /// Parts of the old host that its code uses and that nothing replaces; `client-window` is the window that
    /// acts on what it prints.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub host_requires: Vec<String>,
    /// Parts of the old host that the executor replaces: `plugin-manager`, `knowledge-base` and so on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub host_answered: Vec<String>,
    /// Modules of the old host that the skill has in `legacy/`, by their path in the old host.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub host_modules: Vec<String>,
    /// HTTP routes that it registers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub routes: Option<Routes>,
    /// Messages that it sends to clients.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub push: Option<Push>,
    /// The permissions of the program.
    pub permissions: Permissions,
    /// Resource limits.
    pub limits: Limits,
    /// Caching of results.
    pub cache: Cache,
    /// True if a call may be repeated, because the second time changes nothing. False unless the
    /// author declares it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub idempotent: bool,
    /// Skills of the same directory that are tried in this order, with the same arguments, if a
    /// repeatable call fails.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fallback: Vec<String>,
    /// The plugin that the skill was migrated from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub legacy: Option<Legacy>,
    /// Every file that was copied from the plugin.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileRecord>,
    /// Findings of the migration for the user.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<FindingRecord>,
}

impl Metadata {
    /// Returns the JSON Schema (2020-12) of the output of [`Metadata::to_yaml`], for editors and
    /// for programs in other languages. It allows unknown keys, because the format may be extended.
    pub fn json_schema() -> Value {
        schema::json()
    }

    /// Returns whether a call may be repeated: refreshed values (`static`), cacheable results
    /// (`cache.cacheable`), and what the author declares for the skill or for this command.
    pub fn is_idempotent(&self, command: Option<&str>) -> bool {
        let is_so = |known: &Command| known.idempotent && Some(known.id.as_str()) == command;
        self.idempotent
            || self.cache.cacheable
            || self.executor == ExecutorKind::Static
            || self.commands.iter().any(is_so)
    }

    /// Returns the time limit of one call: `timeout_ms`, else that of `limits`. A limit of 0 is none.
    pub fn time_limit(&self) -> Option<Duration> {
        let declared = [self.timeout_ms, self.limits.timeout_ms];
        let own = declared.into_iter().flatten().find(|ms| *ms > 0);
        own.map(Duration::from_millis)
    }

    /// Returns whether anything can run it: nothing runs a prompt, or a skill without the program that its
    /// type needs.
    pub fn can_run(&self) -> bool {
        let lacks_entry = self.executor == ExecutorKind::Direct && self.entry.is_none();
        self.runnable && self.executor != ExecutorKind::Prompt && !lacks_entry
    }

    /// Returns the text of `METADATA.yml`: equal values give equal bytes.
    pub fn to_yaml(&self) -> String {
        crate::yaml::to_string(self)
    }
}

/// Reasons for an agent to consider the skill.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Triggers {
    /// Goals of a user.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub intents: Vec<String>,
    /// Phrases of a user.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub phrases: Vec<String>,
    /// Event types of a host.
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
    /// Returns true if there are no triggers.
    pub fn is_empty(&self) -> bool {
        self == &Self::default()
    }
}

/// The command that starts a skill.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Entry {
    /// The runtime of the program.
    pub runtime: Runtime,
    /// The command line as written in the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shell: Option<String>,
    /// The command line split into words, if it has no shell syntax.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub argv: Vec<String>,
    /// For in-process sources: the module file, relative to `dir`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub module: Option<String>,
    /// Functions that the module exports and the old host calls.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exports: Vec<String>,
    /// For remote services: the URL of the requests, `http` or `https`. For commands with `http`, the
    /// address of the server, in which `${KEY}` is replaced by a setting.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endpoint: Option<String>,
    /// The setting that is another address in place of `endpoint`, for commands with `http`: if it has a
    /// value, its host may be requested too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endpoint_setting: Option<String>,
    /// HTTP method of the requests; `POST` if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// Headers of the requests; `${KEY}` is replaced by a value of the configuration.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub headers: Map<String, Value>,
    /// The places of secrets in requests, for commands with `http`, by the name of the scheme.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub credentials: BTreeMap<String, Credential>,
    /// The MCP server whose tools are the commands, for `transport: mcp`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mcp: Option<McpServer>,
    /// Working directory, relative to the skill.
    pub dir: String,
}

/// A program that answers first and delivers the result later.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Async {
    /// Results arrive by HTTP callback.
    pub callback: bool,
}

/// A value that a skill provides to prompts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Placeholder {
    /// The name without braces.
    pub key: String,
    /// Meaning of the value.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
}

/// The schedule for refreshing values.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Refresh {
    /// Five or six cron fields, or another text from the source.
    pub cron: String,
}

/// The settings of the skill.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Config {
    /// JSON Schema of the declared keys. Defaults are written as `x-legacy-default`, because the
    /// old host never applied them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
    /// Keys whose values are secrets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub secret: Vec<String>,
    /// Keys that env files or the code mention but the source does not declare. In a family of keys
    /// (`TABLE_*`), `*` is the part that the user chooses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub undeclared: Vec<String>,
    /// Settings that restrict the program. As long as an `open` guard has no value, a call needs
    /// approval; once each has one, the guards no longer require it (`permissions.approval_for`).
    /// The directories of an `allow-directories` guard are accessible under `filesystem: skill` and
    /// `any`, in addition to the skill's own directory.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub guards: Vec<Guard>,
}

impl Config {
    /// Returns true if there are no settings.
    pub fn is_empty(&self) -> bool {
        self == &Self::default()
    }
}

/// Requirements that must be installed.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Requires {
    /// npm packages.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub npm: Vec<String>,
    /// Python packages.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pip: Vec<String>,
    /// Programs on `PATH`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bin: Vec<String>,
    /// Operating systems; empty means any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub os: Vec<String>,
    /// Other skills that this one builds on or whose files its program reads, as `NAME` or as
    /// `NAME@RANGE` with a range of versions (`pdf-tools@^1.2`). NAME is the name of the skill's
    /// directory, or of the directory of its plugin if only one skill comes from it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skills: Vec<String>,
    /// Versions of the interpreter that take the code, if not all do: `>=3.12`, `>=3.9, <3.13`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runtime: Option<String>,
    /// Versions and properties of the packages, where they are known.
    #[serde(skip_serializing_if = "Packages::is_empty")]
    pub packages: Packages,
    /// True if the program uses the network.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub network: bool,
}

impl Requires {
    /// Returns true if nothing is required.
    pub fn is_empty(&self) -> bool {
        self == &Self::default()
    }
}

/// HTTP routes that a skill registers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Routes {
    /// Path under which the old host mounted them.
    pub mount: String,
    /// `namespaced` (`registerApiRoutes`) or `legacy` (`registerRoutes`).
    pub style: String,
}

/// Messages that a skill sends to clients.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Push {
    /// True if it sends messages.
    pub enabled: bool,
    /// The `type` of the message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message_type: Option<String>,
    /// The type of clients that receive it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_type: Option<String>,
}

/// Directories of the old host that several plugins wrote to. Source: `docs/design/legacy-host.md` §1.4 and the
/// plugins themselves.
pub const SHARED_DIRECTORIES: [&str; 6] = [
    "dailynote",
    "image",
    "file",
    "VCPTimedContacts",
    "VCPAsyncResults",
    "DebugLog",
];

/// Reasons why a migrated skill requires approval: the old host asked its administrator, or a
/// setting that restricts the program has no value.
pub const APPROVAL_REASONS: [&str; 2] = ["admin", "guards"];

/// The permissions of a skill.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Permissions {
    /// `none`, `allowlist` or `any`.
    pub network: String,
    /// Hosts for `allowlist`: `host`, `host:port`, or `*.domain` for every host below it. Without a
    /// port, ports 80 and 443 are allowed. `localhost` is the machine that runs the tool. Other
    /// names that resolve to this machine or its link-local network are blocked, unless the
    /// machine's own hosts file lists them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub network_allowlist: Vec<String>,
    /// `none`, `read-only`, `skill` or `any`.
    pub filesystem: String,
    /// Directories of the old host that it shares with other skills: `dailynote`, `image`, `file`,
    /// `VCPTimedContacts`, `VCPAsyncResults`, `DebugLog`. Also data files of the skills in
    /// `requires.skills`, as the directory of their plugin and a path: `Calendar/entries.json`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shared: Vec<String>,
    /// Environment variables that are passed to the process.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub environment: Vec<String>,
    /// True if it needs the host's administrator.
    pub admin: bool,
    /// `none` or `required`.
    pub approval: String,
    /// The reasons for `required`, if the migration set it: `admin`, `guards`. If `guards` is the
    /// only reason, no approval is needed once every guard of `config.guards` has a value. Without
    /// a reason, every call needs one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub approval_for: Vec<String>,
}

/// Resource limits of a skill.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Limits {
    /// Time of one call, in milliseconds; the top-level `timeout_ms` has precedence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    /// Memory of one process, in mebibytes.
    pub memory_mb: u64,
}

/// Caching of results.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Cache {
    /// False unless the author declares otherwise: legacy tools have side effects.
    pub cacheable: bool,
    /// Lifetime of a cached result, in seconds.
    pub ttl_s: u64,
}

/// The plugin that a skill was migrated from.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Legacy {
    /// `vcp-main`, `vcp-distributed`, `apexbridge`, or another format: `claude`.
    pub host: String,
    /// The exact name, which old calls use as the tool name.
    pub name: String,
    /// Directory of the plugin.
    pub directory: String,
    /// The file of the part that became the skill, relative to the plugin's directory; absent for a
    /// plugin that is one program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The value of `pluginType`, unchanged.
    pub plugin_type: String,
    /// The value of `manifestVersion`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub manifest_version: Option<String>,
    /// Every manifest key without a field above, unchanged.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub extra: Map<String, Value>,
}

/// A file that was copied from the plugin.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FileRecord {
    /// Path relative to the skill.
    pub path: String,
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256 digest: 64 hex digits.
    pub sha256: String,
}

/// A finding of the migration.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FindingRecord {
    /// Code of the finding.
    pub code: String,
    /// Message for the user.
    pub message: String,
    /// JSON Pointer into the manifest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
}
