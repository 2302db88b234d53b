//! What is known of commands and plugins before their prose is read.

use serde_json::Value;

/// What is known of one command before its prose is read.
#[derive(Clone, Copy, Debug)]
pub struct CommandSource<'a> {
    /// Name of the plugin, as calls write it in `tool_name`.
    pub plugin: &'a str,
    /// Identifier of the command.
    pub id: &'a str,
    /// Other identifiers that the manifest gives the command (`command` beside
    /// `commandIdentifier`).
    pub other_ids: &'a [&'a str],
    /// How many commands the plugin has.
    pub n_commands: usize,
    /// The command's description.
    pub description: &'a str,
    /// The command's examples.
    pub examples: &'a [&'a str],
    /// `parameters`, `args` or a JSON Schema, when the manifest has one.
    pub structured: Option<&'a Value>,
    /// Whether a string stands as a quoted literal in the plugin's code.
    pub in_code: &'a dyn InCode,
}

/// Answers whether a string stands as a quoted literal in the plugin's code.
pub trait InCode: std::fmt::Debug + Sync {
    /// Whether `literal` stands in the code between quotes.
    fn contains(&self, literal: &str) -> bool;
}

/// No code is at hand.
#[derive(Clone, Copy, Debug)]
pub struct NoCode;

impl InCode for NoCode {
    fn contains(&self, _literal: &str) -> bool {
        false
    }
}

/// What is known of a whole plugin, for [`crate::read_blurb`].
#[derive(Clone, Copy, Debug)]
pub struct PluginSource<'a> {
    /// Name of the plugin.
    pub name: &'a str,
    /// Name for people.
    pub display_name: Option<&'a str>,
    /// The plugin's description.
    pub description: &'a str,
    /// Identifier and summary of each command.
    pub commands: &'a [(&'a str, &'a str)],
    /// Names (bare) and descriptions of the placeholders it fills.
    pub placeholders: &'a [(&'a str, &'a str)],
}
