//! The texts of a model: the lock in the output.

use skill_diagnostics::Diagnostic;
use skill_loader::fs::{ReadError, Root};
use skill_migrator::{Polish, Source, plugin_texts};
use skill_polish::{POLISH_LOCK, PolishLock, Sources};

use crate::error::Error;

/// The maximum size of the lock, in bytes.
const MAX_LOCK_BYTES: u64 = 64 << 20;

/// Reads the lock of a directory of skills; empty if there is none.
pub(crate) fn read_lock(out: Option<&Root>) -> Result<PolishLock, Error> {
    let Some(out) = out else {
        return Ok(PolishLock::default());
    };
    match out.read(POLISH_LOCK, MAX_LOCK_BYTES) {
        Ok(bytes) => Ok(PolishLock::read(&String::from_utf8_lossy(&bytes))?),
        Err(ReadError::Missing { .. }) => Ok(PolishLock::default()),
        Err(error) => Err(error.into()),
    }
}

/// Writes the lock, unless it would be the same.
pub(crate) fn write_lock(out: &Root, lock: &PolishLock) -> Result<(), Error> {
    let text = lock.to_text();
    let known = out.read(POLISH_LOCK, MAX_LOCK_BYTES).ok();
    if known.as_deref() != Some(text.as_bytes()) {
        out.write_whole(".", POLISH_LOCK, text.as_bytes())?;
    }
    Ok(())
}

/// Merges the locks of shards into that of the output, and returns the conflicts between shards.
pub(crate) fn merge_locks<'r>(
    parts: impl Iterator<Item = Option<&'r Root>>,
    out: &Root,
) -> Result<Vec<String>, Error> {
    let mut res = PolishLock::default();
    let mut conflicts = Vec::new();
    for part in parts {
        for name in res.merge(&read_lock(part)?) {
            let message = format!("the texts of `{name}` in {POLISH_LOCK} differ between shards");
            conflicts.push(message);
        }
    }
    if !res.is_empty() {
        // A skill that is in no shard keeps its texts.
        res.merge(&read_lock(Some(out))?);
        write_lock(out, &res)?;
    }
    Ok(conflicts)
}

/// Returns the texts in the lock for a unit, and findings on those that are not used.
pub(crate) fn polish(
    lock: &PolishLock,
    name: &str,
    source: &Source<'_>,
) -> (Option<Polish>, Vec<Diagnostic>) {
    let texts = lock.get(name).zip(plugin_texts(source));
    let Some((entry, texts)) = texts else {
        return (None, Vec::new());
    };
    let (polish, findings) = entry.polish(&Sources::new(&texts));
    (Some(polish), findings)
}
