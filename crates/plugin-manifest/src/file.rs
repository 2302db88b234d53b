//! The names of manifest files.

/// The file name of a manifest.
pub const MANIFEST_FILE: &str = "plugin-manifest.json";
/// The file name of a manifest that the host disabled.
pub const DISABLED_MANIFEST_FILE: &str = "plugin-manifest.json.block";
/// The suffix that the host appends to the name of a manifest to disable a plugin.
const DISABLED_SUFFIX: &str = ".block";

/// Returns true if a file is a manifest, enabled or disabled.
pub fn is_manifest_file(path: &str) -> bool {
    [MANIFEST_FILE, DISABLED_MANIFEST_FILE].contains(&path)
}

/// Returns true unless the host disabled the plugin with this manifest.
pub fn is_enabled(manifest_file: &str) -> bool {
    !manifest_file.ends_with(DISABLED_SUFFIX)
}
