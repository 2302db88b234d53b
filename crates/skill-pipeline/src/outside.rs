//! The files of a marketplace that are in no package.

use std::collections::BTreeSet;

use plugin_readers::{MARKETPLACES, codes::PARTS_LEFT, is_text_of_copilot, lists_packages};
use skill_diagnostics::{Code, Diagnostic};
use skill_loader::fs::{Kind, Listing, Root};

use crate::groups::groups;
use crate::input_directory::InputDirectory;
use crate::unit::{PackageDirectory, path_in};

/// Files are in no package.
const FILES_OUTSIDE: Code = Code("files-outside-packages");

/// Returns the note about the files of an input that lists packages below it, which are in none of them and
/// which none of them reads.
pub(crate) fn finding(
    input: &Root,
    listing: &Listing,
    packages: &[PackageDirectory],
) -> Option<Diagnostic> {
    if packages.is_empty() || !lists_packages(&InputDirectory::new(input, "")) {
        return None;
    }
    let files = files(listing, packages);
    let files: BTreeSet<&str> = files.into_iter().filter(|it| !is_known(it)).collect();
    if files.is_empty() {
        return None;
    }
    let n_files = files.len();
    let list = groups(&files).join(", ");
    let message = if n_files == 1 {
        format!("1 file is in no package of the marketplace: {list}")
    } else {
        format!("{n_files} files are in no package of the marketplace: {list}")
    };
    Some(Diagnostic::note(FILES_OUTSIDE, message))
}

/// Returns the finding about texts that only Copilot has, outside of the directories in which it finds them.
pub(crate) fn texts(listing: &Listing, packages: &[PackageDirectory]) -> Option<Diagnostic> {
    let files = files(listing, packages).into_iter();
    let texts: BTreeSet<&str> = files.filter(|path| is_text_of_copilot(path)).collect();
    if texts.is_empty() {
        return None;
    }
    let list = groups(&texts).join(", ");
    let message =
        format!("texts of Copilot are in none of the directories where it finds them: {list}");
    let help = "expected `prompts`, `agents`, `chatmodes` or `instructions`, in `.github` or beside each other; move them there to migrate them";
    Some(Diagnostic::warning(PARTS_LEFT, message).with_help(help))
}

/// Returns the files of an input that are in no package, and that no package reads.
fn files<'l>(listing: &'l Listing, packages: &[PackageDirectory]) -> BTreeSet<&'l str> {
    let mut whole: BTreeSet<&str> = BTreeSet::new();
    let mut read: BTreeSet<String> = BTreeSet::new();
    for package in packages {
        let directory = package.directory.as_str();
        match &package.claim.files {
            None => _ = whole.insert(directory),
            Some(files) => {
                let files = files.iter().chain([&package.claim.manifest_file]);
                read.extend(files.map(|file| path_in(directory, file)));
            }
        }
    }
    let is_outside = |path: &&str| {
        let mut above = path.match_indices('/').map(|(at, _)| &path[..at]);
        let is_package = |it: &str| whole.contains(it);
        !is_package("") && !is_package(path) && !above.any(is_package) && !read.contains(*path)
    };
    let files = listing.entries.iter();
    let files = files.filter(|entry| matches!(entry.kind, Kind::File(_)));
    let files = files.map(|entry| entry.path.as_str());
    files.filter(is_outside).collect()
}

/// Returns true for the lists of a marketplace, and for files of version control.
fn is_known(path: &str) -> bool {
    MARKETPLACES.contains(&path) || path.starts_with(".git") && !path.contains('/')
}
