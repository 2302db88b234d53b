//! The error for an input without any plugin, which is most often a wrong directory.

use plugin_readers::codes::UNREADABLE_PART;
use plugin_readers::{READERS, Reader};
use skill_diagnostics::{Code, Diagnostic};
use skill_loader::fs::{Kind, Root, WalkLimits};

use crate::discover::Collection;
use crate::packed::BUNDLE_REFUSED;

const NO_PLUGINS: Code = Code("no-plugins");
/// The maximum number of entries that are named.
const MAX_NAMED: usize = 5;
/// The maximum number of entries that are counted.
const MAX_COUNTED: usize = 10_000;

/// Returns the error for a collection that has no plugin, or of which no plugin is selected; `None`
/// if there is one.
pub(crate) fn find(
    input: &Root,
    collection: &Collection,
    (format, only): (Option<&str>, Option<&str>),
) -> Option<Diagnostic> {
    if !collection.plugins.is_empty() {
        return None;
    }
    let n_agents = collection.agents_left.len();
    let n_others = collection.passed_over.len();
    if n_agents > 0 && n_others == 0 {
        let message = "the input has only agents, which --agents leaves out";
        let help = "--agents skills makes a skill of each";
        return Some(Diagnostic::error(NO_PLUGINS, message).with_help(help));
    }
    if n_others > 0 {
        let plugins = if n_others == 1 { "plugin" } else { "plugins" };
        let message = format!("none of the {n_others} {plugins} of the input is selected");
        let help = "check the patterns of --only, --exclude and --type";
        return Some(Diagnostic::error(NO_PLUGINS, message).with_help(help));
    }
    let mut others = collection.not_searched.iter();
    if others.any(|it| it.code == BUNDLE_REFUSED) {
        let message = "the input has no plugin besides bundles that are refused";
        return Some(Diagnostic::error(NO_PLUGINS, message));
    }
    let mut others = collection.not_searched.iter();
    if others.any(|it| it.code == UNREADABLE_PART) {
        let message = "the input has no plugin besides documents that cannot be read";
        return Some(Diagnostic::error(NO_PLUGINS, message));
    }
    if let Some(file) = only {
        let message = format!("`{file}` is not a plugin");
        let help = "expected a directory of plugins, a manifest, a packed bundle, or a document of OpenAPI 3";
        return Some(Diagnostic::error(NO_PLUGINS, message).with_help(help));
    }
    let message = format!("the input has no plugin: {}", contents(input));
    let finding = Diagnostic::error(NO_PLUGINS, message);
    let format = format.filter(|name| *name != "vcp").and_then(reader);
    Some(match format {
        Some(reader) => finding.with_help(format!(
            "expected a package of the format {}: {}",
            reader.name, reader.marks
        )),
        None => finding.with_help(
            "expected a directory with plugin-manifest.json, or one whose subdirectories have it; --list-formats shows what else is recognized",
        ),
    })
}

/// Returns the reader with this name.
fn reader(name: &str) -> Option<&'static Reader> {
    READERS.iter().copied().find(|reader| reader.name == name)
}

/// Describes the entries of the input.
fn contents(input: &Root) -> String {
    let limits = WalkLimits {
        depth: 0,
        entries: MAX_COUNTED,
    };
    let Ok(listing) = input.walk("", &limits, &|_| true) else {
        return "it cannot be listed".to_owned();
    };
    let notes = listing.notes.iter().map(|note| format!("{}/", note.path));
    let entries = listing.entries.iter().map(|entry| match entry.kind {
        Kind::Dir => format!("{}/", entry.path),
        _ => entry.path.clone(),
    });
    let mut names: Vec<String> = entries.chain(notes).collect();
    names.sort();
    names.dedup();
    if names.is_empty() {
        return "the directory is empty".to_owned();
    }
    let named: Vec<String> = names
        .iter()
        .take(MAX_NAMED)
        .map(|it| format!("`{it}`"))
        .collect();
    match names.len() - named.len() {
        0 => format!("found only {}", named.join(", ")),
        n_more => format!("found {} and {n_more} more", named.join(", ")),
    }
}
