//! The record of use, which orders short lists and calibrates the confidence.

use std::path::Path;

use anyhow::anyhow;
use skill_search::usage::{self, Usage};
use skills_cli::input;

/// The maximum size of a record, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// Reads a record.
///
/// # Errors
///
/// The file cannot be read, or a line is not a record; its number is given.
pub(crate) fn read(path: &Path) -> anyhow::Result<Usage> {
    let text = input::text(path, MAX_BYTES)?;
    let file = path.display();
    usage::parse(&text).map_err(|line| anyhow!("{file}, line {line}: this is not a record of use"))
}
