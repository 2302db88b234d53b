//! A unit that was found, as the migration reads it.

use plugin_model::{Package, Unit};
use skill_migrator::{Mentions, Source};

use crate::discover::Candidate;

impl Candidate {
    /// Returns a unit of the package as the source of a skill.
    pub(crate) fn source<'a>(
        &'a self,
        package: &'a Package<'a>,
        unit: &'a Unit,
        mentions: &'a Mentions,
    ) -> Source<'a> {
        Source {
            directory: &self.directory,
            package,
            unit,
            neighbours: &self.neighbours,
            host: &self.host,
            calls: self.calls.of_texts(),
            mentions,
            polish: None,
        }
    }
}
