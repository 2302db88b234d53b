//! The plan for a unit that is a service over HTTP: one command for each operation.
//!
//! - `service`: the unit and its documents; `plan`: the files of the skill.
//! - `record`: METADATA.yml; `fates`: the result of each leaf.
//! - `summary`: the description for catalogs; `body`: SKILL.md within the length limits; `groups`: the references, one for each group.

mod body;
mod fates;
mod groups;
mod plan;
mod record;
mod service;
mod summary;
#[cfg(test)]
mod tests;

pub(crate) use plan::plan;
pub(crate) use service::Service;
