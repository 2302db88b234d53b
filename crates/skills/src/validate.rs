//! Checking skills against the rules of the specification.

use std::path::Path;

use skill_checker::{CheckOptions, Checker};
use skill_diagnostics::Diagnostic;

use crate::Error;

/// Checks one skill, or all skills below a directory, and returns the findings by file and place.
///
/// The rules are those of `skills-validate` with its default levels.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let dir = tempfile::tempdir()?;
/// # std::fs::create_dir(dir.path().join("dice"))?;
/// # std::fs::write(dir.path().join("dice/SKILL.md"), "---\nname: Dice!\ndescription: Rolls dice.\n---\n# Dice\n")?;
/// let findings = skills::validate(dir.path())?;
/// assert!(findings.iter().any(|finding| finding.severity == skills::Severity::Error));
/// for finding in &findings {
///     println!("{}: {}", finding.code, finding.message);
/// }
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// [`ErrorKind::NotFound`](crate::ErrorKind::NotFound) where the path does not exist, and
/// [`ErrorKind::Io`](crate::ErrorKind::Io) where it cannot be opened or a skill cannot be listed. A
/// broken skill is a finding.
pub fn validate(path: impl AsRef<Path>) -> Result<Vec<Diagnostic>, Error> {
    let checker = Checker::open(path.as_ref(), CheckOptions::default())?;
    Ok(checker.check()?.findings)
}
