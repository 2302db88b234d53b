//! Reading and writing `skills.lock`.

use std::collections::BTreeMap;

use skill_model::Lock;

use super::StoreError;
use super::dir;
use super::names::{LOCK_FILE, check_name, check_path};
use crate::fs::Root;

/// Version of the format.
const SCHEMA: u32 = 1;
/// Its temporary name, before it replaces the old file.
const NEW: &str = "skills.lock.new";

/// Returns an empty lock.
pub(super) fn none() -> Lock {
    Lock {
        schema: SCHEMA,
        skills: BTreeMap::new(),
    }
}

/// Reads the lock in `dir`: the bytes, if the file exists, and the parsed lock.
pub(super) fn read(dir: &Root) -> Result<(Option<Vec<u8>>, Lock), StoreError> {
    let Some(bytes) = dir::read(dir, LOCK_FILE)? else {
        return Ok((None, none()));
    };
    let lock = parse(&bytes).map_err(|problem| StoreError::BrokenLock {
        path: dir.shown(LOCK_FILE),
        problem,
    })?;
    Ok((Some(bytes), lock))
}

pub(super) fn parse(bytes: &[u8]) -> Result<Lock, String> {
    let lock: Lock = serde_json::from_slice(bytes).map_err(|err| err.to_string())?;
    if lock.schema != SCHEMA {
        return Err(format!("schema {} is not {SCHEMA}", lock.schema));
    }
    for (name, entry) in &lock.skills {
        check_name(name).map_err(|err| err.to_string())?;
        let mut paths = entry.files.keys();
        paths
            .try_for_each(|path| check_path(path))
            .map_err(|err| format!("skill `{name}`: {err}"))?;
    }
    Ok(lock)
}

/// Serializes a lock.
pub(super) fn emit(lock: &Lock) -> Vec<u8> {
    let mut res = serde_json::to_vec_pretty(lock).expect("a lock is maps and strings");
    res.push(b'\n');
    res
}

/// Replaces the lock by `bytes` in one step; `None` removes it.
pub(super) fn replace(
    out: &Root,
    meta: &Root,
    bytes: Option<&[u8]>,
    sync: bool,
) -> Result<(), StoreError> {
    match bytes {
        None => dir::unlink(out, LOCK_FILE)?,
        Some(bytes) => {
            dir::write(meta, NEW, bytes, sync)?;
            dir::rename_over((meta, NEW), (out, LOCK_FILE))?;
        }
    }
    if sync {
        dir::sync(out)?;
    }
    Ok(())
}

/// Deletes the leftover of a killed [`replace`].
pub(super) fn sweep(meta: &Root) -> Result<(), StoreError> {
    Ok(dir::unlink(meta, NEW)?)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use skill_model::{LockedSkill, LockedSource};

    use super::*;

    fn entry(text: String, path: String, has_base: bool) -> LockedSkill {
        let files = BTreeMap::from([(path.clone(), text.clone())]);
        LockedSkill {
            source: LockedSource {
                directory: text.clone(),
                manifest: text.clone(),
                digest: text.clone(),
            },
            recipe: text,
            base: has_base.then(|| files.clone()),
            conflicts: if has_base { vec![path] } else { Vec::new() },
            files,
            hosted: has_base,
        }
    }

    proptest! {
        #[test]
        fn reads_back_as_emitted(
            text in any::<String>(),
            name in "x[a-z0-9 中]{0,18}[a-z0-9中]",
            path in "x[a-z中]{0,8}(/x[a-z.]{0,9}x)?",
            has_base in any::<bool>(),
        ) {
            let skills = BTreeMap::from([(name, entry(text, path, has_base))]);
            let lock = Lock { skills, ..none() };
            prop_assert_eq!(parse(&emit(&lock)), Ok(lock));
        }
    }
}
