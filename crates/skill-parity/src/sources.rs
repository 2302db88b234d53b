//! The source files of a plugin.

use skill_loader::fs::{Kind, Root, WalkLimits};

/// The largest source file that is read, in bytes.
const MAX_SOURCE: u64 = 1 << 20;
/// The greatest number of source files that are read.
const MAX_SOURCES: usize = 64;

/// A source file.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// The language.
    pub(crate) language: Language,
    /// Its text.
    pub(crate) text: String,
}

/// The way in which a language marks its blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Language {
    /// JavaScript.
    Braces,
    /// Python.
    Indents,
}

/// Reads the source files of a plugin. What cannot be read is left out.
pub(crate) fn read(plugin: &Root) -> Vec<Source> {
    let is_left_out = |path: &str| path.ends_with("node_modules") || path.starts_with('.');
    let walk = plugin.walk("", &WalkLimits::default(), &is_left_out);
    let entries = walk.map(|listing| listing.entries).unwrap_or_default();
    let sources = entries.into_iter().filter_map(|entry| {
        let (_, ending) = entry.path.rsplit_once('.')?;
        let language = match ending {
            "js" | "mjs" | "cjs" => Language::Braces,
            "py" => Language::Indents,
            _ => return None,
        };
        let is_file = matches!(entry.kind, Kind::File(_));
        let bytes = plugin
            .read(&entry.path, MAX_SOURCE)
            .ok()
            .filter(|_| is_file)?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Some(Source { language, text })
    });
    sources.take(MAX_SOURCES).collect()
}
