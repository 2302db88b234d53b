//! The plan for a unit that is a text: a prompt, the instructions of a skill, an agent.
//!
//! - `agents`: the treatment of agents.
//! - `unit`: the unit, its document and the documents of its package.
//! - `roles`: the fates of the keys of the documents; `described`: the description; `sentences`: those
//!   about the old host in Chinese.
//! - `tool_paths`: paths of the package in the names of tools.
//! - `body`: the body of SKILL.md, from a text with placeholders or without; `made`: its parts;
//!   `words`: what is added to it; `whole`: commands that work in the directory of the package.
//! - `links`: links out of the directory of a skill; `outside`: paths out of the package; `programs`: programs on the
//!   `PATH`; `prompt`: the record of a template.
//! - `references`: names of other parts in a text, written as the names of their skills.
//! - `copies`: the files that the skill needs, with those that they mention; `followed`: what counts as a
//!   mention; `copied_links`: the links in them; `budget`: the size of what many skills share.
//! - `hooks`: hooks in the documents of the package, with their programs.
//! - `licenses`: the license of the package, in every skill.
//! - `settings`: the settings of the package; `record`: METADATA.yml.

mod agents;
mod body;
mod budget;
mod copied_links;
mod copies;
mod described;
mod followed;
mod hooks;
mod host_words;
mod licenses;
mod links;
mod made;
mod outside;
mod plan;
mod programs;
mod prompt;
mod record;
mod references;
mod roles;
mod sentences;
mod settings;
#[cfg(test)]
mod tests;
mod tool_paths;
mod unit;
mod whole;
mod words;

pub use agents::Agents;
pub(crate) use body::Extent;
pub(crate) use followed::Reach;
pub use licenses::is_license_file;
pub(crate) use licenses::{license_copies, no_license};
pub(crate) use plan::plan;
pub use sentences::chinese_sentence;
pub(crate) use unit::TextUnit;
pub(crate) use words::always_loaded;
