//! A file that the user named.

use std::path::Path;

use super::{ReadError, Root, resolve};

/// Returns the bytes of a file at a path that the user gave. Links are followed: the user means the
/// file that they lead to.
///
/// # Errors
///
/// The file does not exist, is not a regular file, or has more than `max` bytes.
pub fn read_named(path: &Path, max: u64) -> Result<Vec<u8>, ReadError> {
    let real = resolve(path)?;
    let name = real.file_name().unwrap_or_default().to_string_lossy();
    let directory = Root::open_following(real.parent().unwrap_or(Path::new("/")))?;
    directory.read(&name, max)
}
