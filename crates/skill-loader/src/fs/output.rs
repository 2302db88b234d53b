//! A single file that the user asked for, such as a report.

use std::path::Path;

use super::PathError;

/// Writes a file at a path that the user gave, replacing an existing one.
pub fn write_new(path: &Path, bytes: &[u8]) -> Result<(), PathError> {
    #[expect(clippy::disallowed_methods, reason = "this is the file system's door")]
    std::fs::write(path, bytes).map_err(|source| PathError {
        action: "write",
        path: path.to_owned(),
        source,
    })
}
