//! The files of a package, and paths in it.

use plugin_model::Sources;

/// Returns true for the files that readers of prompts and skills look into.
pub(crate) fn is_text_file(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let suffixes = [
        ".md", ".mdc", ".toml", ".json", ".jsonc", ".txt", ".yml", ".yaml", ".sh", ".bash", ".ps1",
        ".rb",
    ];
    // Scripts of hooks often have no suffix.
    let is_hook = lower.contains("hooks/") && !lower.rsplit('/').next().unwrap_or("").contains('.');
    is_hook || suffixes.iter().any(|suffix| lower.ends_with(suffix))
}

/// Returns the files at or below a path of the package, sorted.
pub(crate) fn files_below(sources: &Sources<'_>, below: &str) -> Vec<String> {
    let is_inside = |path: &str| match path.strip_prefix(below) {
        Some(rest) => below.is_empty() || rest.is_empty() || rest.starts_with('/'),
        None => false,
    };
    let files = sources.files.iter().map(|file| file.path.as_str());
    files
        .filter(|path| is_inside(path))
        .map(str::to_owned)
        .collect()
}

/// Returns a path of a manifest relative to the package, or `None` if it leaves the package.
pub(crate) fn inside(path: &str) -> Option<String> {
    let mut acc: Vec<&str> = Vec::new();
    if path.starts_with('/') || path.contains('\\') {
        return None;
    }
    for component in path.split('/') {
        match component {
            "" | "." => {}
            ".." => return None,
            other => acc.push(other),
        }
    }
    Some(acc.join("/"))
}
