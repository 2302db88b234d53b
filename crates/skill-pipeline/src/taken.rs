//! The files that the skills of a package have.

use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use plugin_model::UnitKey;
use skill_diagnostics::Diagnostic;
use skill_migrator::Migration;

/// The files that the skills of a package have, where they were planned.
#[derive(Debug, Default)]
pub(crate) struct Taken {
    of_units: Mutex<BTreeMap<UnitKey, Vec<String>>>,
    /// The finding about files that are in no skill.
    pub(crate) finding: OnceLock<Option<Diagnostic>>,
}

impl Taken {
    /// Notes the files of a planned skill.
    pub(crate) fn note(&self, unit: &UnitKey, migration: &Migration) {
        let paths = paths(migration);
        let mut units = self.of_units.lock().unwrap_or_else(PoisonError::into_inner);
        units.insert(unit.clone(), paths);
    }

    /// Leaves out the finding, for a caller that needs no findings.
    pub(crate) fn skip_finding(&self) {
        self.finding.get_or_init(|| None);
    }

    /// Returns the files of the skill of a unit, if it was planned.
    pub(crate) fn of(&self, unit: &UnitKey) -> Option<Vec<String>> {
        let units = self.of_units.lock();
        let units = units.unwrap_or_else(PoisonError::into_inner);
        units.get(unit).cloned()
    }
}

/// Returns the files of the package that a skill has.
pub(crate) fn paths(migration: &Migration) -> Vec<String> {
    let copies = migration.copies.iter();
    copies.map(|it| it.from.clone()).collect()
}
