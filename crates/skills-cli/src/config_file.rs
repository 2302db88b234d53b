//! `skills.toml`: the settings of a project.

use std::path::Path;

use anyhow::Context as _;
use serde::de::DeserializeOwned;
use skill_loader::fs::{ReadError, Root};

/// Name of the file.
const FILE: &str = "skills.toml";
/// Most bytes of it.
const MAX_BYTES: u64 = 1 << 20;

/// The file that was named, or the one in the working directory. A file inside the tree that is
/// looked at has no say: what is checked must not decide how.
pub fn read<T: DeserializeOwned + Default>(named: Option<&Path>) -> anyhow::Result<T> {
    let path = named.unwrap_or(Path::new(FILE));
    let name = path
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    let directory = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let root = Root::open_following(directory.unwrap_or(Path::new(".")))?;
    let bytes = match root.read(name, MAX_BYTES) {
        Ok(bytes) => bytes,
        Err(ReadError::Missing { .. }) if named.is_none() => return Ok(T::default()),
        Err(error) => return Err(error.into()),
    };
    let text =
        String::from_utf8(bytes).with_context(|| format!("{} is not UTF-8", path.display()))?;
    toml::from_str(&text).with_context(|| format!("cannot read {}", path.display()))
}
