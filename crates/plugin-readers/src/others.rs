//! Packages that no reader claims: what they look like.

/// Returns what a file looks like by its name, if it is a package that cannot be migrated as it is.
///
/// ```
/// let what = plugin_readers::looks_like("Notes.MCPB");
/// assert_eq!(what, Some("a packed MCP bundle"));
/// assert_eq!(plugin_readers::looks_like("notes.zip"), None);
/// ```
pub fn looks_like(name: &str) -> Option<&'static str> {
    let lower = name.to_ascii_lowercase();
    let is_bundle = [".mcpb", ".dxt"].iter().any(|end| lower.ends_with(end));
    is_bundle.then_some("a packed MCP bundle")
}
