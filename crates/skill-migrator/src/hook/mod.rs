//! Hooks that only print: a skill for each, whose program gives the text that the host added.
//!
//! - `plan`: everything of a skill; `record`: METADATA.yml; `body`: SKILL.md; `files`: where
//!   its files are.

mod body;
mod files;
mod plan;
mod record;

pub(crate) use plan::plan;
