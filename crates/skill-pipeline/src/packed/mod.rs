//! Packed MCP bundles: archives of zip, which are unpacked into a temporary directory and then read as
//! any other package.
//!
//! - `zip`: the archives, with a limit for everything.

#[cfg(test)]
mod tests;
mod zip;

use std::sync::Arc;

use plugin_readers::{is_bundle, recognize, remarks};
use skill_diagnostics::{Code, Diagnostic};
use skill_loader::fs::{Kind, Listing, Root, Scratch};
use skill_migrator::leave_directory;

use crate::{input_directory::InputDirectory, unit::PackageDirectory, unpacked::Unpacked};

/// The largest archive, in bytes.
const MAX_ARCHIVE: u64 = 128 << 20;
/// The name of the format.
const FORMAT: &str = "mcpb";
/// The prefix of the temporary directories.
const SCRATCH: &str = "skills-bundle-";
/// An archive that is not unpacked.
pub(crate) const BUNDLE_REFUSED: Code = Code("bundle-refused");

/// Returns true for the name of a packed bundle.
pub(crate) fn is_packed(path: &str) -> bool {
    is_bundle(path.rsplit('/').next().unwrap_or(path))
}

/// Returns the bundles of a listing, unpacked, and findings about those that are refused.
pub(crate) fn bundles(
    input: &Root,
    listing: &Listing,
    format: Option<&str>,
) -> (Vec<PackageDirectory>, Vec<Diagnostic>) {
    let files = listing.entries.iter();
    let files = files.filter(|it| matches!(it.kind, Kind::File(_)) && is_packed(&it.path));
    let (mut res, mut findings) = (Vec::new(), Vec::new());
    for file in files {
        match bundle(input, &file.path, format) {
            Ok(package) => res.extend(package),
            Err(finding) => findings.push(*finding),
        }
    }
    (res, findings)
}

/// Unpacks a bundle; `None` if another format is wanted.
pub(crate) fn bundle(
    input: &Root,
    path: &str,
    format: Option<&str>,
) -> Result<Option<PackageDirectory>, Box<Diagnostic>> {
    let refuse = |why: String| {
        let finding = Diagnostic::error(BUNDLE_REFUSED, format!("the bundle is refused: {why}"));
        Box::new(finding.in_file(path))
    };
    let archive = input
        .read(path, MAX_ARCHIVE)
        .map_err(|error| refuse(error.to_string()))?;
    let unpacked = unpack(&archive, stem(path)).map_err(refuse)?;
    let directory = InputDirectory::new(&unpacked.root, "");
    let Some((reader, claim)) = recognize(&directory, Some(FORMAT)) else {
        if let Some(flaw) = remarks(&directory, Some(FORMAT)).into_iter().next() {
            let why = flaw.message.clone();
            let finding = refuse(why);
            let file = flaw.place.file.as_deref().unwrap_or_default();
            return Err(Box::new(finding.in_file(format!("{path}/{file}"))));
        }
        let why = "it has no `manifest.json` of a bundle at its top";
        return Err(refuse(why.to_owned()));
    };
    let is_wanted = format.is_none_or(|name| name == reader.name);
    Ok(is_wanted.then(|| PackageDirectory {
        directory: path.to_owned(),
        reader,
        claim,
        unpacked: Some(Arc::new(unpacked)),
        read_by_others: Arc::default(),
    }))
}

/// Returns the name of a file without its suffix.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rsplit_once('.') {
        Some((stem, _)) if skill_model::is_portable_name(stem) => stem,
        _ => "bundle",
    }
}

fn unpack(archive: &[u8], name: &str) -> Result<Unpacked, String> {
    let skips = |name: &str| leave_directory(name).is_some();
    let members = zip::members(archive, &skips)?;
    let text = |error: &dyn std::fmt::Display| error.to_string();
    let scratch = Scratch::make(&std::env::temp_dir(), SCRATCH).map_err(|error| text(&error))?;
    let root = Root::make_shared(&scratch.path().join(name)).map_err(|error| text(&error))?;
    for member in &members.files {
        let bytes = zip::content(archive, member)?;
        root.write_shared(&member.path, &bytes, member.is_executable)
            .map_err(|error| text(&error))?;
    }
    for directory in &members.skipped {
        // Only its name counts: what was left out is reported.
        Root::make_shared(&root.path().join(directory)).map_err(|error| text(&error))?;
    }
    Ok(Unpacked::new(root, scratch))
}
