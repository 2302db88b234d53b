//! Plugin to skill, as a plan.
//!
//! [`migrate`] takes one unit of a package as values and returns everything to be written: `SKILL.md`,
//! `METADATA.yml`, references, and the list of copied files, with the fate of every leaf of
//! the package's documents and the findings. It neither reads nor writes files.
//!
//! **Invariant:** pure; the same plugin and options give the same plan.
//! **Invariant:** every leaf of every document has a fate.
//! **Invariant:** a plan contains neither a value of an env file nor a likely secret.
//! **Invariant:** no code of the plugin is run.

mod agent;
mod also_read;
mod api;
mod argument_notes;
mod arguments;
mod array_examples;
mod carry;
mod code;
mod code_commands;
pub mod codes;
mod commands;
mod config;
mod data_choices;
mod dead_links;
mod deps;
mod description;
mod draft;
mod elsewhere;
mod entry;
mod env_comment;
mod env_comments;
mod env_example;
mod env_remarks;
mod fate;
mod file_urls;
mod finish;
mod format_examples;
mod guards;
mod holds;
mod hook;
mod host;
mod host_part;
mod host_values;
mod instructions;
mod json_types;
mod listed_choices;
mod manifest_secrets;
mod markdown;
mod mcp;
mod mentions;
mod metadata;
mod migrate;
mod model_names;
mod naming;
mod needed;
mod nested;
mod notes;
mod numbered_calls;
mod one_of;
mod package;
mod plan;
mod platforms;
mod plugin;
mod plugin_language;
mod plugin_texts;
mod polish;
mod program;
mod program_facts;
mod prompt;
mod readme_calls;
mod readme_links;
mod readme_requirements;
mod readme_ways;
mod regex_examples;
mod render;
mod rust_arguments;
mod secrets;
mod setting_rows;
mod siblings;
mod signatures;
mod surroundings;
mod switch;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod text;
mod triggers;
mod undeclared;
mod unknown_commands;
mod unread_calls;
mod untold;
mod user_directories;
mod window_commands;
mod words;

pub use carry::{
    is_code_file, is_env_file, leave_directory, leave_file, leave_private, wants_text,
};
pub use deps::HostRoot;
pub use fate::Fate;
pub use host_part::host_part;
pub use manifest_secrets::{ManifestSecret, manifest_secrets, places_of};
pub use mcp::{TOOLS_PAGE, accept_tools, keep_tools, with_tools};
pub use mentions::Mentions;
pub use migrate::migrate;
pub use naming::{NameRequest, Naming, assign_names};
pub use package::from_plugin;
pub use plan::{CopiedFile, GeneratedFile, Migration, Options};
pub use plugin::{Calls, Source};
pub use plugin_texts::{PluginTexts, plugin_texts};
pub use polish::Polish;
pub use program::wanted_modules;
pub use render::{Language, LanguageChoice, Shell, TEMPLATE_FILES, TemplateError, Templates};
pub use secrets::{findings_of, mask, redact, redact_values, secret_findings};
pub use text::{Agents, chinese_sentence, is_license_file};
pub use triggers::{TRIGGERS, triggers_text};
