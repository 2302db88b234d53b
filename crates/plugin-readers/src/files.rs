//! The files of a package.

use plugin_model::Sources;

/// Returns true for the files that readers of prompts and skills look into.
pub(crate) fn is_text_file(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let suffixes = [
        ".md", ".mdc", ".toml", ".json", ".txt", ".yml", ".yaml", ".sh", ".bash", ".ps1", ".rb",
    ];
    suffixes.iter().any(|suffix| lower.ends_with(suffix))
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
