//! The record of use, which is written only for `--usage FILE`.

use std::path::Path;

use anyhow::Context as _;
use serde_json::Value;
use skill_loader::fs::{Root, resolve};

/// Appends a record as a line of JSON.
///
/// # Errors
///
/// The file cannot be written.
pub fn append(path: &Path, record: &Value) -> anyhow::Result<()> {
    let real = resolve(path)?;
    let name = real.file_name().unwrap_or_default().to_string_lossy();
    let directory = Root::open_following(real.parent().unwrap_or(Path::new("/")))?;
    let line = format!("{record}\n");
    let written = directory.append(&name, line.as_bytes());
    written.with_context(|| format!("cannot record the use in {}", path.display()))
}
