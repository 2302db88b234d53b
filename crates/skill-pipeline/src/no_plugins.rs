//! The error for an input without any plugin, which is most often a wrong directory.

use plugin_readers::{READERS, Reader, looks_like};
use skill_diagnostics::{Code, Diagnostic};
use skill_loader::fs::{Kind, Root, WalkLimits};
use skill_migrator::leave_directory;

use crate::discover::Collection;

const NO_PLUGINS: Code = Code("no-plugins");
/// The maximum number of entries that are named.
const MAX_NAMED: usize = 5;
/// The maximum number of entries that are counted.
const MAX_COUNTED: usize = 10_000;
/// The depth to which packages that cannot be migrated are searched.
const MAX_OTHER_DEPTH: usize = 4;

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
    if let Some(file) = only {
        let message = format!("`{file}` is not a plugin");
        let help = "expected a directory of plugins, a manifest, or a document of OpenAPI 3";
        return Some(Diagnostic::error(NO_PLUGINS, message).with_help(help));
    }
    if let Some((path, what)) = other(input) {
        let message = format!("the input has no plugin: `{path}` looks like {what}");
        let help = "unpack it into a directory, as the archive of zip that it is, and migrate that";
        let finding = Diagnostic::error(NO_PLUGINS, message).in_file(path);
        return Some(finding.with_help(help));
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
    READERS.into_iter().find(|reader| reader.name == name)
}

/// Returns the first main file of a package that cannot be migrated, and what it looks like.
fn other(input: &Root) -> Option<(String, &'static str)> {
    let limits = WalkLimits {
        depth: MAX_OTHER_DEPTH,
        entries: MAX_COUNTED,
    };
    let prune = |path: &str| leave_directory(name_of(path)).is_some();
    let listing = input.walk("", &limits, &prune).ok()?;
    let files = listing.entries.into_iter();
    let mut files = files.filter(|it| matches!(it.kind, Kind::File(_)));
    files.find_map(|file| {
        let name = name_of(&file.path);
        let what = looks_like(name)?;
        Some((file.path, what))
    })
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
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
