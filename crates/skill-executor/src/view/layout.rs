//! Names of directories and files in the view.

/// The directory that the skills share, beneath the state directory.
pub const LEGACY: &str = "legacy";
/// The directory of all plugins, in the old host's.
pub(crate) const PLUGINS: &str = "Plugin";
/// The manifest of a plugin.
pub(super) const MANIFEST: &str = plugin_manifest::MANIFEST_FILE;
/// The directory for temporary files in the home directory of a skill; used if nothing more private
/// is available.
pub const TMP: &str = "tmp";
/// The configuration as a plugin of the old host read it.
pub(super) const CONFIG: &str = "config.env";
/// The directory of npm packages, by the name that Node.js looks for.
pub(super) const NODE_MODULES: &str = "node_modules";
