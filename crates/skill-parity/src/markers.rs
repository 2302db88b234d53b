//! Markers that replace the directories of a run in answers and in paths, so that runs in different
//! directories can be compared.

/// The state directory of the run.
pub(crate) const STATE: &str = "${STATE}";
/// The base directory of the old host.
pub(crate) const BASE: &str = "${STATE}/legacy";
/// The home directory.
pub(crate) const HOME: &str = "${STATE}/home";
/// The installed packages.
pub(crate) const PACKAGES: &str = "${PACKAGES}";
/// The directory of the plugin, or of the skill.
pub(crate) const PACKAGE: &str = "${PACKAGE}";
