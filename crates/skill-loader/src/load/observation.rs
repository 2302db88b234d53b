//! Whole texts kept for a run: `.agent/runs/<run-id>/observations/<digest>.<ending>`.

use super::{LoadError, Observations};
use crate::digest::Digest;
use crate::fs::Root;

/// Digits of the digest in a name.
const DIGITS: usize = 16;

/// Writes a file and names it relative to the directory of the storage. The name says what is
/// in it, so the same text is kept once.
pub(super) fn keep(storage: &Observations, path: &str, bytes: &[u8]) -> Result<String, LoadError> {
    let dir = format!(".agent/runs/{}/observations", storage.run.as_str());
    let ending = path.rsplit_once('.').map_or("txt", |(_, ending)| ending);
    let name = format!("{}.{ending}", &Digest::of(bytes).hex()[..DIGITS]);
    let root = Root::open_following(&storage.dir)?;
    root.write_whole(&dir, &name, bytes)
        .map_err(|error| LoadError::from_read(&dir, error))?;
    Ok(format!("{dir}/{name}"))
}
