//! Packages that are archives.

/// Returns true for the name of a packed MCP bundle.
///
/// ```
/// assert!(plugin_readers::is_bundle("Notes.MCPB"));
/// assert!(!plugin_readers::is_bundle("notes.zip"));
/// ```
pub fn is_bundle(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    [".mcpb", ".dxt"].iter().any(|end| lower.ends_with(end))
}
