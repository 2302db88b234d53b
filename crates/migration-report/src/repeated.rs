//! Findings about a package, which every part of it has and a report says once.

use std::collections::BTreeMap;

use skill_diagnostics::Diagnostic;

/// The findings that parts of one package share.
pub(crate) struct Repeated<'f> {
    /// The number of parts that have a finding, by package and finding; 0 after it was taken.
    counts: BTreeMap<(&'f str, &'f Diagnostic), usize>,
}

impl<'f> Repeated<'f> {
    /// Counts findings, each with the key of its unit: the package, `#` and the part.
    pub(crate) fn count(findings: impl Iterator<Item = (&'f str, &'f Diagnostic)>) -> Self {
        let mut counts = BTreeMap::new();
        for (unit, finding) in findings {
            *counts.entry((package_of(unit), finding)).or_default() += 1;
        }
        Self { counts }
    }

    /// Returns the number of other parts that have a finding, or `None` if it was returned before.
    pub(crate) fn take(&mut self, unit: &'f str, finding: &'f Diagnostic) -> Option<usize> {
        let n = self.counts.get_mut(&(package_of(unit), finding))?;
        std::mem::take(n).checked_sub(1)
    }
}

fn package_of(unit: &str) -> &str {
    unit.split_once('#').map_or(unit, |(package, _)| package)
}

#[cfg(test)]
mod tests {
    use skill_diagnostics::Code;

    use super::*;

    #[test]
    fn a_finding_of_a_package_is_taken_once() {
        let finding = |file: &str| Diagnostic::warning(Code("x"), "m").in_file(file);
        let (a, b) = (finding("a"), finding("b"));
        let rows = [("p#k/1", &a), ("p#k/2", &a), ("p#k/2", &b), ("q#k/1", &a)];
        let mut repeated = Repeated::count(rows.into_iter());
        let taken = rows.map(|(unit, finding)| repeated.take(unit, finding));
        assert_eq!(taken, [Some(1), None, Some(0), Some(0)]);
    }
}
