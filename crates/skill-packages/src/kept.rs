//! The description, the author and the license of the last package, which the next one keeps.

use std::path::Path;

use serde_json::Value;
use skill_loader::fs::{ReadError, Root};

use crate::error::PackError;
use crate::lock::{PackageLock, is_other_version};
use crate::manifests::described;
use crate::options::PackOptions;

/// The manifest that says them.
const MANIFEST: &str = "plugin.json";
/// The maximum size of the manifest, in bytes.
const MAX_MANIFEST: u64 = 1 << 20;

/// Returns the options with what was said for the last package and is not said now. An empty text leaves
/// it out. A description that was made of the names of skills is made again.
///
/// # Errors
///
/// The manifest of the last package cannot be read.
pub(crate) fn with_last(
    options: &PackOptions,
    out: &Path,
    last: &PackageLock,
) -> Result<PackOptions, PackError> {
    let manifest = match Root::open_following(out)?.read(MANIFEST, MAX_MANIFEST) {
        // A file that was edited by hand is found when the package is written.
        Ok(bytes) => serde_json::from_slice(&bytes).unwrap_or(Value::Null),
        Err(ReadError::Missing { .. }) => Value::Null,
        Err(err) => return Err(err.into()),
    };
    let known = |pointer: &str| manifest.pointer(pointer).and_then(Value::as_str);
    let names = last.skills.keys().map(String::as_str);
    let names: Vec<&str> = names.filter(|name| !is_other_version(name)).collect();
    let made = described(&names);
    let description = known("/description").filter(|text| *text != made);
    let kept = |given: &Option<String>, known: Option<&str>| {
        let text = given.as_deref().or(known).filter(|text| !text.is_empty());
        text.map(str::to_owned)
    };
    Ok(PackOptions {
        description: kept(&options.description, description),
        author: kept(&options.author, known("/author/name")),
        license: kept(&options.license, known("/license")),
        ..options.clone()
    })
}
