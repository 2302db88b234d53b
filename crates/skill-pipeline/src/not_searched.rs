//! The limits of a search, and findings about directories of the input that were not searched.

use skill_diagnostics::{Code, Diagnostic};
use skill_loader::fs::{Kind, Listing, NoteKind};
use skill_model::path_flaw;

use crate::error::Error;

/// The depth to which directories below the input are searched. Collections nest them two deep
/// (`plugins/<type>/<name>/`).
pub(crate) const SEARCH_DEPTH: usize = 8;
/// The maximum number of entries in a search.
pub(crate) const SEARCH_ENTRIES: usize = 2_000_000;

const NOT_SEARCHED: Code = Code("not-searched");

/// Returns the findings about directories that were not searched. A search that ended early must
/// not look like a complete one.
pub(crate) fn not_searched(listing: &Listing) -> Result<Vec<Diagnostic>, Error> {
    let mut acc = Vec::new();
    for note in &listing.notes {
        let finding = match &note.kind {
            NoteKind::TooMany => {
                return Err(Error::TooManyEntries {
                    limit: SEARCH_ENTRIES,
                });
            }
            NoteKind::Pruned => continue,
            NoteKind::Unreadable(error) => Diagnostic::error(
                NOT_SEARCHED,
                format!("the directory cannot be read: {error}"),
            ),
            NoteKind::TooDeep => {
                let message = format!("the directory is deeper than {SEARCH_DEPTH} levels");
                Diagnostic::warning(NOT_SEARCHED, message)
            }
            NoteKind::NotUtf8 => Diagnostic::warning(NOT_SEARCHED, "the name is not UTF-8"),
        };
        acc.push(
            finding
                .in_file(&note.path)
                .with_help("plugins in it were not found"),
        );
    }
    let links = listing
        .entries
        .iter()
        .filter(|entry| entry.kind == Kind::Symlink);
    acc.extend(links.map(|link| {
        Diagnostic::warning(NOT_SEARCHED, "a symbolic link is not followed")
            .in_file(&link.path)
            .with_help("a plugin behind it was not found; give its directory as the input")
    }));
    let directories = listing.entries.iter().filter(|e| e.kind == Kind::Dir);
    acc.extend(directories.filter_map(|directory| {
        let name = directory.path.rsplit('/').next().unwrap_or_default();
        let flaw = path_flaw(name)?;
        let message = format!("the name {flaw}, expected a name that every system can store");
        let finding = Diagnostic::warning(NOT_SEARCHED, message).in_file(&directory.path);
        Some(finding.with_help("plugins in it were not found; rename the directory"))
    }));
    Ok(acc)
}
