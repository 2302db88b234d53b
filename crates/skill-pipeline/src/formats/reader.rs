//! The row of a format in the table of readers.

use plugin_model::{Package, Sources, UnitKey};
use skill_diagnostics::Diagnostic;

use super::directory::Directory;

/// Reads the packages of one format.
#[derive(Debug)]
pub(crate) struct Reader {
    /// Returns the file by which the reader recognizes a directory, if it does.
    pub(crate) claims: fn(&Directory<'_>) -> Option<&'static str>,
    /// Reads what naming and selection need of each unit; empty if the package cannot be read.
    pub(crate) heads: fn(&Directory<'_>, manifest_file: &str) -> Vec<UnitHead>,
    /// Returns true if the host would load a package with this manifest file.
    pub(crate) is_enabled: fn(manifest_file: &str) -> bool,
    /// Returns true for the paths of manifests, which are not copied as files of the package.
    pub(crate) is_manifest: fn(path: &str) -> bool,
    /// Reads a package, or reports why it cannot be read.
    pub(crate) read: ReadPackage,
}

/// Reads a package from the files of its directory.
pub(crate) type ReadPackage = for<'a> fn(Sources<'a>) -> (Option<Package<'a>>, Vec<Diagnostic>);

/// The part of a unit that naming and selection need.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct UnitHead {
    /// The key of the unit within its package.
    pub(crate) unit: UnitKey,
    /// The name.
    pub(crate) name: String,
    /// The type, in the words of the format.
    pub(crate) type_word: String,
}
