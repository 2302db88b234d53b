//! A configuration or another input in a file that the user named.

use std::path::Path;

use skill_loader::fs::{ReadError, read_named};

/// The maximum size of an input or a configuration, in bytes.
pub const MAX_INPUT: u64 = 64 << 20;

/// Returns the text of a file that the user named. Bytes that are not UTF-8 become U+FFFD, as in the
/// old host.
///
/// # Errors
///
/// The file cannot be read, or has more than 64 MiB.
pub fn read_file(path: &Path) -> Result<String, ReadError> {
    let bytes = read_named(path, MAX_INPUT)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
