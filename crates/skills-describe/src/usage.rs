//! Recorded use: what is listed first where the budget is short, and what calibrates the confidence.

use std::path::Path;

use anyhow::{Context as _, anyhow};
use skill_search::usage::{self, Usage};
use skills_cli::named;

/// Largest record, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// Reads a record.
///
/// # Errors
///
/// The file cannot be read, or a line is not a record; its number is given.
pub(crate) fn read(path: &Path) -> anyhow::Result<Usage> {
    let bytes = named::read(path, MAX_BYTES)?;
    let file = path.display();
    let text = String::from_utf8(bytes).with_context(|| format!("{file} is not UTF-8"))?;
    usage::parse(&text)
        .map_err(|line| anyhow!("{file}, line {line}: this is not a record of a use"))
}
