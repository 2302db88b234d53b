//! A single file that the user asked for, such as a report.

use std::path::Path;

use super::{PathError, ReadError, Root, resolve};

/// Writes a file at a path that the user gave, replacing an existing one.
pub fn write_new(path: &Path, bytes: &[u8]) -> Result<(), PathError> {
    #[expect(
        clippy::disallowed_methods,
        reason = "this module is the entry point to the file system"
    )]
    std::fs::write(path, bytes).map_err(|source| PathError {
        action: "write",
        path: path.to_owned(),
        source,
    })
}

/// Appends a line to the file at a path that the user gave; creates the file if it is missing.
///
/// # Errors
///
/// The directory does not exist, or the file is not a regular file that can be written.
pub fn append_line(path: &Path, line: &str) -> Result<(), ReadError> {
    let real = resolve(path)?;
    let name = real.file_name().unwrap_or_default().to_string_lossy();
    let directory = Root::open_following(real.parent().unwrap_or(Path::new("/")))?;
    directory.append(&name, format!("{line}\n").as_bytes())
}
