//! Whole texts stored for a run: `.agent/runs/<run-id>/observations/<digest>.<extension>`.

use skill_model::Digest;

use super::{LoadError, Observations};
use crate::fs::Root;

/// Digits of the digest in a file name.
const DIGITS: usize = 16;

/// Writes a file and returns its path relative to the storage directory. The name contains the
/// digest, so equal texts are stored once.
pub(super) fn keep(storage: &Observations, path: &str, bytes: &[u8]) -> Result<String, LoadError> {
    let dir = format!(".agent/runs/{}/observations", storage.run.as_str());
    let ending = path.rsplit_once('.').map_or("txt", |(_, ending)| ending);
    let name = format!("{}.{ending}", &Digest::from_content(bytes).hex()[..DIGITS]);
    let root = Root::open_following(&storage.dir)?;
    root.write_whole(&dir, &name, bytes)
        .map_err(|error| LoadError::from_read(&dir, error))?;
    Ok(format!("{dir}/{name}"))
}
