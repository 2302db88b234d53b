//! The file of recorded use, written only where `--usage FILE` asks for it.

use std::path::Path;

use anyhow::{Context as _, anyhow};
use serde_json::Value;
use skill_loader::fs::{Root, resolve};
use skill_search::Match;
use skill_search::usage::{self, Usage};

use crate::named;

/// Largest record, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// Records what a request found.
pub(crate) fn listed(path: &Path, request: &str, matches: &[Match]) -> anyhow::Result<()> {
    append(path, &usage::listed(request, matches))
}

/// Records that a skill was read (`read`) or run (`run`).
pub(crate) fn used(path: &Path, how: &str, skill: &str) -> anyhow::Result<()> {
    append(path, &usage::used(how, skill))
}

fn append(path: &Path, line: &Value) -> anyhow::Result<()> {
    let real = resolve(path)?;
    let name = real.file_name().unwrap_or_default().to_string_lossy();
    let directory = Root::open_following(real.parent().unwrap_or(Path::new("/")))?;
    let line = format!("{line}\n");
    let written = directory.append(&name, line.as_bytes());
    written.with_context(|| format!("cannot record the use in {}", path.display()))
}

/// Reads a record; a line that is none is an error with its number.
pub(crate) fn read(path: &Path) -> anyhow::Result<Usage> {
    let bytes = named::read(path, MAX_BYTES)?;
    let shown = path.display();
    let text = String::from_utf8(bytes).with_context(|| format!("{shown} is not UTF-8"))?;
    usage::parse(&text).map_err(|line| anyhow!("{shown}, line {line}: this is no record of a use"))
}
