//! The table of readers.

use skill_diagnostics::Diagnostic;

use crate::{
    agent_plugins, ai_plugin, claude, codex, copilot, cursor,
    directory::{Claim, Directory},
    gemini, hive, mcp, openapi, opencode,
    reader::Reader,
    vcp,
};

/// The readers, in the order in which they are asked: the first that finds units in a directory reads
/// it.
pub const READERS: [&Reader; 14] = [
    &vcp::READER,
    &agent_plugins::READER,
    &claude::READER,
    &codex::READER,
    &cursor::READER,
    &gemini::READER,
    &copilot::READER,
    &opencode::READER,
    &hive::READER,
    &mcp::BUNDLE,
    &mcp::SERVERS,
    &mcp::REGISTRY,
    &ai_plugin::READER,
    &openapi::READER,
];

/// Returns the first reader that claims a directory and finds something in it, among those with this
/// name if one is given; if all manifests are empty, the first that claims it.
pub fn recognize(
    directory: &dyn Directory,
    only: Option<&str>,
) -> Option<(&'static Reader, Claim)> {
    let readers = READERS
        .into_iter()
        .filter(|reader| only.is_none_or(|name| reader.name == name));
    let claims = readers.filter_map(|reader| {
        let claim = (reader.claims)(directory)?;
        let is_meant = |file| claim.manifest_file == file;
        directory
            .only()
            .is_none_or(is_meant)
            .then_some((reader, claim))
    });
    let mut empty = None;
    for found in claims {
        if !found.1.is_empty {
            return Some(found);
        }
        empty.get_or_insert(found);
    }
    empty
}

/// Returns the name of the format with this word.
pub fn named(word: &str) -> Option<&'static str> {
    let mut readers = READERS.into_iter();
    Some(readers.find(|reader| reader.name == word)?.name)
}

/// Returns the remarks of all readers about a directory.
pub fn remarks(directory: &dyn Directory, only: Option<&str>) -> Vec<Diagnostic> {
    let readers = READERS
        .into_iter()
        .filter(|reader| only.is_none_or(|name| reader.name == name));
    let found = readers.flat_map(|reader| {
        let found = (reader.remarks)(directory);
        // A package of another host reports the documents among its files by itself.
        let is_left = reader.name == openapi::READER.name
            && !found.is_empty()
            && recognize(directory, None).is_some_and(|(other, _)| other.name != reader.name);
        if is_left { Vec::new() } else { found }
    });
    found.collect()
}

/// The directories that hosts have in a project, and that the search enters although their names say
/// that they are settings of an editor.
pub const HOME_DIRECTORIES: [&str; 5] = [".claude", ".codex", ".cursor", ".gemini", ".github"];
