//! MCP servers: a skill for each, whose commands are its tools.
//!
//! - `plan`: everything of a skill; `record`: METADATA.yml; `body`: SKILL.md; `fates`: the fate of each
//!   leaf of the document.
//! - `access`: the settings for hosts and directories; `files`: the files that the skill gets;
//!   `values`: findings about values that are not carried.
//! - `summary`: the description in the frontmatter; `tools`: the section of SKILL.md that lists the tools,
//!   also when they become known later; `page`: the reference with their arguments.
//!
//! The tools are in the running server only. Migrating starts nothing: `skills-migrate introspect`
//! asks the server once, and writes them into the skill.

mod access;
mod body;
mod fates;
mod files;
mod page;
mod plan;
mod record;
mod summary;
mod tools;
mod values;

pub use page::TOOLS_PAGE;
pub(crate) use plan::plan;
pub use tools::{accept_tools, keep_tools, with_tools};
