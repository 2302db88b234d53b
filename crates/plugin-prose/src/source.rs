//! The input of reading: commands and plugins.

use serde_json::Value;

/// The input of reading one command.
#[derive(Clone, Copy, Debug)]
pub struct CommandSource<'a> {
    /// The name of the plugin, as calls write it in `tool_name`.
    pub plugin: &'a str,
    /// The identifier of the command.
    pub id: &'a str,
    /// Other identifiers of the command in the manifest (`command` next to `commandIdentifier`).
    pub other_ids: &'a [&'a str],
    /// The number of commands of the plugin.
    pub n_commands: usize,
    /// The command's description.
    pub description: &'a str,
    /// The command's examples.
    pub examples: &'a [&'a str],
    /// `parameters`, `args` or a JSON Schema, when the manifest has one.
    pub structured: Option<&'a Value>,
    /// Tells whether a string is a quoted literal in the plugin's code.
    pub in_code: &'a dyn InCode,
}

/// Tells whether a string is a quoted literal in the plugin's code.
pub trait InCode: std::fmt::Debug + Sync {
    /// Returns true if `literal` is in the code between quotes.
    fn contains(&self, literal: &str) -> bool;
}

/// The answer if the code is not available: no literals.
#[derive(Clone, Copy, Debug)]
pub struct NoCode;

impl InCode for NoCode {
    fn contains(&self, _literal: &str) -> bool {
        false
    }
}

/// The input of [`crate::read_blurb`]: a whole plugin.
#[derive(Clone, Copy, Debug)]
pub struct PluginSource<'a> {
    /// The name of the plugin.
    pub name: &'a str,
    /// The display name.
    pub display_name: Option<&'a str>,
    /// The plugin's description.
    pub description: &'a str,
    /// The identifier and the summary of each command.
    pub commands: &'a [(&'a str, &'a str)],
    /// The whole texts of the commands, which may have sections on when to use them.
    pub texts: &'a [&'a str],
    /// The bare names and the descriptions of the placeholders that the plugin fills.
    pub placeholders: &'a [(&'a str, &'a str)],
}
