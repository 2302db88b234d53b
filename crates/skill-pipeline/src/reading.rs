//! A package as its reader returns it, with its findings by unit.

use std::collections::BTreeMap;
use std::sync::Arc;

use plugin_model::{Package, Unit, UnitKey, escape_pointer};
use plugin_readers::codes::{
    BROKEN_ENTRY, INSTRUCTIONS_LEFT, MISSING_PART, NOTHING_TO_MIGRATE, PARTS_LEFT,
};
use skill_diagnostics::{Diagnostic, Severity};
use skill_migrator::Mentions;

use crate::{
    discover::Candidate, plugin_files::PluginFiles, scans::Scans, taken::Taken, unit::path_of,
};

/// A package that was read, for the plans of all of its units.
#[derive(Debug)]
pub(crate) struct Reading<'a> {
    pub(crate) package: Option<Package<'a>>,
    /// The paths that the files of the package mention.
    pub(crate) mentions: Mentions,
    /// The secrets in its files.
    pub(crate) scans: Scans,
    /// The files that its skills have.
    pub(crate) taken: Arc<Taken>,
    findings: Vec<Diagnostic>,
    /// The positions of the units.
    units: BTreeMap<UnitKey, usize>,
    /// The positions of the findings in the file of a unit.
    of_units: BTreeMap<String, Vec<usize>>,
    /// The positions of the other findings.
    of_package: Vec<usize>,
}

impl<'a> Reading<'a> {
    /// Reads the package of a unit.
    pub(crate) fn new(found: &Candidate, files: &'a PluginFiles) -> Self {
        let (package, findings) = (found.reader.read)(files.sources());
        let all = package.as_ref().map_or(&[][..], |package| &package.units);
        let units = all.iter().enumerate();
        let units = units.map(|(at, unit)| (unit.key.clone(), at)).collect();
        let files = all.iter().map(|unit| unit.file.to_string());
        let mut of_units: BTreeMap<String, Vec<usize>> =
            files.map(|file| (file, Vec::new())).collect();
        let mut of_package = Vec::new();
        for (at, finding) in findings.iter().enumerate() {
            let file = finding.place.file.as_deref();
            match file.and_then(|file| of_units.get_mut(file)) {
                Some(own) => own.push(at),
                None => of_package.push(at),
            }
        }
        Self {
            package,
            mentions: Mentions::default(),
            scans: Scans::default(),
            taken: Arc::default(),
            findings,
            units,
            of_units,
            of_package,
        }
    }

    /// Reads the package again, of which other files were read before: its skills have the same files.
    pub(crate) fn again(&self, found: &Candidate, files: &'a PluginFiles) -> Self {
        Self {
            taken: Arc::clone(&self.taken),
            ..Self::new(found, files)
        }
    }

    /// Returns true for a package that has only parts that no skill can have, such as hooks.
    pub(crate) fn has_nothing(&self) -> bool {
        let is_note =
            |it: &Diagnostic| it.code == NOTHING_TO_MIGRATE && it.severity < Severity::Error;
        let mut findings = self.findings.iter();
        self.package.is_none()
            && findings.all(|it| it.severity < Severity::Error)
            && self.findings.iter().any(is_note)
    }

    /// Returns the unit that was found, if the package has it.
    pub(crate) fn unit(&self, found: &Candidate) -> Option<&Unit> {
        let at = *self.units.get(&found.unit)?;
        self.package.as_ref()?.units.get(at)
    }

    /// Returns all units of the package; none if it cannot be read.
    pub(crate) fn units(&self) -> &[Unit] {
        let package = self.package.as_ref();
        package.map_or(&[], |package| &package.units)
    }

    /// Returns true for the first unit of the package that becomes a skill: its report has what is true
    /// of the whole package.
    pub(crate) fn is_first(&self, found: &Candidate) -> bool {
        let units = self.units();
        let skills = found.calls.of_texts().units;
        let first = units.iter().find(|unit| skills.contains_key(&unit.key));
        let first = first.or_else(|| units.first());
        first.is_none_or(|first| first.key == found.unit)
    }

    /// Returns the findings that name parts of the package which are not migrated.
    pub(crate) fn named_files(&self) -> Vec<&str> {
        let named = self.findings.iter().filter(|it| it.code == PARTS_LEFT);
        named.map(|it| it.message.as_str()).collect()
    }

    /// Returns true if a finding is in a file.
    pub(crate) fn has_finding_in(&self, path: &str) -> bool {
        let mut files = self
            .findings
            .iter()
            .filter_map(|it| it.place.file.as_deref());
        files.any(|file| file == path)
    }

    /// Returns the findings for a unit: all but those in the files of other units, whose reports
    /// have them.
    pub(crate) fn findings(&self, found: &Candidate) -> Vec<Diagnostic> {
        let unit = self.unit(found);
        let entries = self.findings.iter().filter(|it| it.code == BROKEN_ENTRY);
        if unit.is_none() && entries.clone().next().is_some() {
            let end = format!("/{}", escape_pointer(&path_of(&found.unit)));
            let is_own = |it: &&Diagnostic| {
                let pointer = it.place.pointer.as_deref();
                pointer.is_some_and(|it| it.ends_with(&end))
            };
            return entries.filter(is_own).cloned().collect();
        }
        let own = unit.and_then(|unit| self.of_units.get(&*unit.file));
        let is_first = self.is_first(found);
        let of_package = self.of_package.iter();
        let of_package = of_package.filter(|at| is_first || !is_said_once(&self.findings[**at]));
        let of_package =
            of_package.filter(|at| !self.is_of_other(&self.findings[**at], found, unit.is_some()));
        let mut at: Vec<usize> = of_package
            .chain(own.into_iter().flatten())
            .copied()
            .collect();
        at.retain(|at| self.findings[*at].code != BROKEN_ENTRY);
        at.sort_unstable();
        at.into_iter().map(|at| self.findings[at].clone()).collect()
    }

    /// Returns true for an error in the file of another part. A part that cannot be read is not a
    /// unit, and its errors are those of that part only.
    fn is_of_other(&self, finding: &Diagnostic, found: &Candidate, is_read: bool) -> bool {
        let file = finding.place.file.as_deref();
        let Some(file) = file.filter(|_| self.package.is_some()) else {
            return false;
        };
        finding.severity == Severity::Error && (is_read || !found.is_file_of(file))
    }
}

/// Returns true for a finding about a whole package that the report of its first unit has.
fn is_said_once(finding: &Diagnostic) -> bool {
    [INSTRUCTIONS_LEFT, MISSING_PART, PARTS_LEFT].contains(&finding.code)
}
