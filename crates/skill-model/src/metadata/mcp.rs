//! The MCP server behind a skill.

use std::collections::BTreeMap;

use serde::Serialize;

/// The MCP server whose tools are the commands of a skill: a program that is started under the
/// permissions of the skill, or an address. In `args`, `env`, `url` and `headers`, `${KEY}` is replaced
/// by a setting, `${SKILL_DIR}` by the directory where the program runs, and `${HOME}` by its home.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct McpServer {
    /// The installed package whose program is the server: `npm:NAME` or `pypi:NAME`. It must be in
    /// `requires`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
    /// The program. With `package`, the name of one of its programs; absent if it has only one, or one
    /// with the name of the package.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Its arguments. One that is only `${KEY}` becomes several if the setting is a list, and none if
    /// the setting has no value.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Variables of its environment. One that needs a setting without a value is not set.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// The address of a server that runs already, `http` or `https`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Headers of the requests.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// `streamable-http`, or `sse` for the HTTP of the protocol version 2024-11-05. If absent,
    /// `streamable-http` is tried first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub protocol: Option<String>,
    /// The only tools of the server that the skill offers; all of them if there is no such list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only_tools: Option<Vec<String>>,
    /// Tools of the server that the skill does not offer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub except_tools: Vec<String>,
    /// The server's own words on its use, as they were accepted with the tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
    /// The digest of each tool that was accepted, by name (`skills-migrate introspect`). If the
    /// server has other tools later, calls are refused.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub tools: BTreeMap<String, String>,
}

impl McpServer {
    /// The protocols of servers with an address.
    pub const PROTOCOLS: [&str; 2] = ["streamable-http", "sse"];

    /// Returns true for a tool that the skill offers.
    pub fn offers(&self, tool: &str) -> bool {
        let is_in = |names: &[String]| names.iter().any(|name| name == tool);
        let is_chosen = self.only_tools.as_deref().is_none_or(is_in);
        is_chosen && !is_in(&self.except_tools)
    }
}
