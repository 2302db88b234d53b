//! The table of readers.

use std::collections::BTreeSet;

use skill_diagnostics::Diagnostic;

use crate::{
    agent_plugins, ai_plugin, beside, claude,
    codes::UNREADABLE_PART,
    codex, copilot, cursor, cursor_rules,
    directory::{Claim, Directory},
    gemini, hive, mcp, openapi, opencode, opencode_config,
    reader::Reader,
    vcp,
};

/// The readers, in the order in which they are asked: the first that finds units in a directory reads
/// it. Those that may take some of its files only come last.
pub const READERS: &[&Reader] = &[
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
    &opencode_config::READER,
    &cursor_rules::READER,
];

/// Returns the first reader that claims a directory and finds something in it, among those with this
/// name if one is given; if all manifests are empty, the first that claims it.
pub fn recognize(
    directory: &dyn Directory,
    only: Option<&str>,
) -> Option<(&'static Reader, Claim)> {
    let mut empty = None;
    for found in claims(directory, only) {
        if !found.1.is_empty {
            return Some(found);
        }
        empty.get_or_insert(found);
    }
    empty
}

/// Returns the readers that claim parts of a directory: the first, as [`recognize`] does, and further
/// ones that take some of the files only, and none that another has. Beside a package that has the whole
/// directory, only lists and settings that it does not read are claimed.
pub fn recognize_all(
    directory: &dyn Directory,
    only: Option<&str>,
) -> Vec<(&'static Reader, Claim)> {
    let first = recognize(directory, only);
    let mut res: Vec<_> = first.into_iter().collect();
    let mut taken = BTreeSet::new();
    match res
        .first()
        .map(|(reader, claim)| (*reader, claim, own_files(claim)))
    {
        None => return res,
        Some((reader, claim, None)) => {
            let others = beside::claims(directory, (reader, claim)).into_iter();
            let others = others.filter(|(other, _)| only.is_none_or(|name| other.name == name));
            let others: Vec<_> = others.collect();
            res.extend(others);
            return res;
        }
        Some((_, _, Some(files))) => taken.extend(files),
    }
    for (reader, claim) in claims(directory, only) {
        let files = own_files(&claim).filter(|_| !claim.is_empty);
        if let Some(files) = files.filter(|files| files.is_disjoint(&taken)) {
            taken.extend(files);
            res.push((reader, claim));
        }
    }
    res
}

/// Returns the claims on a directory, by priority.
fn claims(
    directory: &dyn Directory,
    only: Option<&str>,
) -> impl Iterator<Item = (&'static Reader, Claim)> {
    let readers = READERS
        .iter()
        .copied()
        .filter(move |reader| only.is_none_or(|name| reader.name == name));
    readers.filter_map(|reader| {
        let claim = (reader.claims)(directory)?;
        let is_meant = |file| claim.manifest_file == file;
        directory
            .only()
            .is_none_or(is_meant)
            .then_some((reader, claim))
    })
}

/// Returns the files of a claim, without licenses, if they are not all of the directory.
fn own_files(claim: &Claim) -> Option<BTreeSet<String>> {
    let files = claim.files.as_ref()?.iter().chain([&claim.manifest_file]);
    let files = files.filter(|file| !file.is_empty() && !openapi::is_license(file));
    Some(files.cloned().collect())
}

/// Returns the name of the format with this word.
pub fn named(word: &str) -> Option<&'static str> {
    let mut readers = READERS.iter();
    Some(readers.find(|reader| reader.name == word)?.name)
}

/// Returns the remarks of all readers about a directory.
pub fn remarks(directory: &dyn Directory, only: Option<&str>) -> Vec<Diagnostic> {
    let readers = READERS
        .iter()
        .copied()
        .filter(|reader| only.is_none_or(|name| reader.name == name));
    let found = readers.flat_map(|reader| {
        let found = (reader.remarks)(directory);
        // A package of another host reports the documents among its files by itself.
        let is_whole = |claim: &Claim| claim.files.is_none();
        let is_left = reader.name == openapi::READER.name
            && !found.is_empty()
            && recognize(directory, None).is_some_and(|(_, claim)| is_whole(&claim));
        if is_left { Vec::new() } else { found }
    });
    // A file can be that of several hosts.
    let mut unread = BTreeSet::new();
    let is_new = |finding: &Diagnostic| {
        finding.code != UNREADABLE_PART || unread.insert(finding.place.file.clone())
    };
    found.filter(is_new).collect()
}

/// Returns true for the name of a directory that a host has in a project, such as `.claude`.
pub fn is_home(name: &str) -> bool {
    homes().any(|home| home == name)
}

/// Returns the names of the directories that hosts have in a project.
pub fn homes() -> impl Iterator<Item = &'static str> {
    READERS.iter().flat_map(|reader| reader.homes).copied()
}
