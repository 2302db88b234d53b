//! An MCP server, as its entry describes it.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use crate::Place;

/// An MCP server: a program that is started, or an address. In `args`, `env`, `url` and `headers`,
/// `${KEY}` is a setting, `${SKILL_DIR}` the directory of the files, and `${HOME}` the home directory.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Server {
    /// The name of the entry.
    pub name: String,
    /// The name for people.
    pub title: String,
    /// The description; empty if there is none.
    pub description: String,
    /// A longer description in Markdown; empty if there is none.
    pub long_description: String,
    /// Labels.
    pub tags: Vec<String>,
    /// The version.
    pub version: String,
    /// The license.
    pub license: Option<String>,
    /// The author.
    pub author: Option<String>,
    /// The package whose program is the server.
    pub package: Option<ServerPackage>,
    /// The program, or the name of a program of the package.
    pub command: Option<String>,
    /// Its arguments.
    pub args: Vec<String>,
    /// The directory in which the host starts the program; empty for that of the list.
    pub directory: String,
    /// Its variables.
    pub env: BTreeMap<String, String>,
    /// The address of a server that runs already.
    pub url: Option<String>,
    /// Headers of the requests.
    pub headers: BTreeMap<String, String>,
    /// `streamable-http` or `sse`, if the entry says so.
    pub protocol: Option<&'static str>,
    /// The hosts that are asked: `host` or `host:port`.
    pub hosts: Vec<String>,
    /// The settings.
    pub settings: Vec<ServerSetting>,
    /// The keys of settings in the place of values that the entry itself has, which are not carried.
    pub replaced: Vec<String>,
    /// Packages that the files of the server load: registry, name, versions.
    pub requires: Vec<ServerPackage>,
    /// Operating systems; empty means any.
    pub systems: Vec<String>,
    /// False if the entry is switched off.
    pub is_enabled: bool,
    /// The time limit of a call, in milliseconds.
    pub timeout_ms: Option<u64>,
    /// True if the skill gets the files of the package, because the server is among them.
    pub has_files: bool,
    /// Tools that the entry lists, with descriptions; their schemas are in the running server only.
    pub tools: Vec<(String, String)>,
    /// The only tools that the host offers; all of them if there is no such list.
    pub only_tools: Option<Vec<String>>,
    /// Tools that the host does not offer.
    pub except_tools: Vec<String>,
    /// Files from which the host reads variables of the server, and which are not carried.
    pub variable_files: Vec<String>,
    /// The reasons why the server cannot be started.
    pub blockers: Vec<String>,
    /// The document.
    pub file: Arc<str>,
    /// The place of the entry.
    pub pointer: String,
    /// The place of the package or address that was chosen, of a server of the registry.
    pub chosen: Option<String>,
}

/// A package of a registry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ServerPackage {
    /// `npm` or `pypi`.
    pub registry: &'static str,
    /// The name.
    pub name: String,
    /// The versions that fit, as the registry writes them; any version if there are none.
    pub range: Option<String>,
}

/// A setting of a server.
#[derive(Clone, PartialEq, Debug)]
pub struct ServerSetting {
    /// The key.
    pub key: String,
    /// The meaning; empty if it is not known.
    pub description: String,
    /// The type in JSON Schema.
    pub kind: &'static str,
    /// The value that is used if the user sets none.
    pub default: Option<Value>,
    /// The only possible values; any value is possible if there are none.
    pub choices: Vec<String>,
    /// True for secrets.
    pub is_secret: bool,
    /// True if nothing works without a value.
    pub is_required: bool,
    /// True if the value names files or directories that the server may use.
    pub is_directory: bool,
    /// The place of the declaration, or of the first use.
    pub place: Place,
}
