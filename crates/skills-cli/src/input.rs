//! Files that the user names, and standard input in place of one.

use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, ensure};
use skill_loader::fs::read_named;

/// Returns the text of a file, or of standard input if `path` is `-`.
///
/// # Errors
///
/// The text cannot be read, is not UTF-8, or has more than `max` bytes.
pub fn text_or_stdin(path: &Path, max: u64) -> anyhow::Result<String> {
    if path != Path::new("-") {
        return text(path, max);
    }
    String::from_utf8(stdin(max)?).context("standard input is not UTF-8")
}

/// Returns the text of a file.
///
/// # Errors
///
/// The file cannot be read, is not UTF-8, or has more than `max` bytes.
pub fn text(path: &Path, max: u64) -> anyhow::Result<String> {
    let bytes = read_named(path, max)?;
    String::from_utf8(bytes).with_context(|| format!("{} is not UTF-8", path.display()))
}

/// Returns the bytes of standard input to its end.
///
/// # Errors
///
/// Standard input cannot be read, or it has more than `max` bytes.
pub fn stdin(max: u64) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut input = std::io::stdin().lock().take(max + 1);
    input.read_to_end(&mut bytes)?;
    ensure!(
        bytes.len() as u64 <= max,
        "standard input has more than {max} bytes"
    );
    Ok(bytes)
}
