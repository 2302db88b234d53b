//! MCP servers: a skill for each, whose commands are its tools.
//!
//! - `plan`: everything of a skill; `record`: METADATA.yml; `body`: SKILL.md; `fates`: the fate of each
//!   leaf of the document.
//! - `access`: the settings for hosts and directories; `files`: the files that the skill gets.
//! - `tools`: the section of SKILL.md that lists the tools, also when they become known later.
//!
//! The tools are in the running server only. Migrating starts nothing: `skills-migrate introspect`
//! asks the server once, and writes them into the skill.

mod access;
mod body;
mod fates;
mod files;
mod plan;
mod record;
mod tools;

pub(crate) use plan::plan;
pub use tools::{keep_tools, with_tools};
