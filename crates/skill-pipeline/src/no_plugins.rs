//! The error for an input without any plugin, which is most often a wrong directory.

use skill_diagnostics::{Code, Diagnostic};
use skill_loader::fs::{Kind, Root, WalkLimits};

use crate::discover::Collection;

const NO_PLUGINS: Code = Code("no-plugins");
/// The maximum number of entries that are named.
const MAX_NAMED: usize = 5;
/// The maximum number of entries that are counted.
const MAX_COUNTED: usize = 10_000;

/// Returns the error for a collection that has no plugin, or of which no plugin is selected; `None`
/// if there is one.
pub(crate) fn find(input: &Root, collection: &Collection) -> Option<Diagnostic> {
    if !collection.plugins.is_empty() {
        return None;
    }
    let n_others = collection.passed_over.len();
    if n_others > 0 {
        let plugins = if n_others == 1 { "plugin" } else { "plugins" };
        let message = format!("none of the {n_others} {plugins} of the input is selected");
        let help = "check the patterns of --only, --exclude and --type";
        return Some(Diagnostic::error(NO_PLUGINS, message).with_help(help));
    }
    let message = format!("the input has no plugin: {}", contents(input));
    Some(Diagnostic::error(NO_PLUGINS, message).with_help(
        "expected a directory with plugin-manifest.json, or one whose subdirectories have it",
    ))
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
