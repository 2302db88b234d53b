//! `skills.toml`: the settings of a project.

use std::path::Path;

use anyhow::Context as _;
use serde::de::DeserializeOwned;
use skill_loader::fs::{ReadError, Root};

/// The name of the file.
const FILE: &str = "skills.toml";
/// The largest file, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// Returns the settings in the named file, or in the one of the working directory. A file inside the
/// tree that is checked has no influence on the check.
///
/// # Errors
///
/// The named file does not exist, or a file cannot be read or has other keys.
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
