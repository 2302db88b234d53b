//! Readers of plugin formats: they recognize the packages of a host and turn their files into a
//! [`Package`](plugin_model::Package).
//!
//! - [`READERS`]: the table, a row for each format. The first that finds units in a directory reads
//!   it.
//! - [`Reader`], [`UnitHead`]: the row of a format.
//! - [`Directory`], [`Claim`], [`Marketplace`]: a directory as readers see it before its files are
//!   collected.
//! - `vcp`, `claude`, …: a module for each format, with a table of the meaning of its keys.
//! - `beside`: lists and settings beside a package of a host that does not read them.
//! - `host`: a host as a table of names, which most formats are; `hooks`: its hooks that only print.
//! - `files`, `frontmatter`, `toml_file`, `parts`, `package`, `left`, `markets`: what formats
//!   share; `unread`: files that cannot be read; `host_files`, `host_remarks`: what else
//!   hosts have in a project.
//! - [`without_address_secrets`]: a document of a service as it is copied.
//! - [`list`], [`page`]: the formats as texts, with the fate of each key.
//!
//! **Invariant:** readers get values and never access files.
//! **Invariant:** the crate does not know what a skill looks like on the disk.

mod address_secrets;
mod agent_plugins;
mod ai_plugin;
mod beside;
mod claude;
pub mod codes;
mod codex;
mod copilot;
mod cursor;
mod cursor_rules;
mod directory;
mod docs;
mod files;
mod frontmatter;
mod gemini;
mod hive;
mod hooks;
mod host;
mod host_files;
mod host_remarks;
mod left;
mod marketplace;
mod markets;
mod mcp;
mod openapi;
mod openapi_remarks;
mod openapi_text;
mod opencode;
mod opencode_config;
mod opencode_keys;
mod others;
mod package;
mod parts;
mod reader;
#[cfg(test)]
mod remarks_tests;
mod secret_values;
mod table;
mod toml_file;
mod unread;
mod vcp;

pub use address_secrets::without_address_secrets;
pub use directory::{Claim, Directory};
pub use docs::{list, page};
pub use left::is_text_of_copilot;
pub use marketplace::Marketplace;
pub use markets::{FILES as MARKETPLACES, lists_below as lists_packages};
pub use openapi_text::parse_document;
pub use others::is_bundle;
pub use parts::is_readme;
pub use reader::{Part, ReadPackage, Reader, UnitHead};
pub use secret_values::redacted_scalar;
pub use table::{READERS, homes, is_home, named, recognize, recognize_all, remarks};
pub use unread::{has_settings, root_of as settings_root};
