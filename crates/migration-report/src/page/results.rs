//! The input of a page.

use std::collections::BTreeMap;

use parity_record::Parity;
use skill_pipeline::Migrated;

/// A migration, and the recorded comparisons of its skills.
#[derive(Clone, Copy)]
pub(super) struct Results<'a> {
    pub(super) migrated: &'a Migrated,
    /// The records of `verify`, by name of the skill.
    pub(super) parity: &'a BTreeMap<String, Parity>,
}
