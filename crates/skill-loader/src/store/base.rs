//! The generated texts of each skill, kept so that a later version can be merged with manual edits.
//!
//! `base` has one file per skill: a line of JSON with the paths and lengths, then the bytes of the
//! texts in that order. The file is named after a digest of the skill's name and its file digests,
//! so that a run that is killed or rolled back finds the base of either version. Every text is
//! compared with its digest when it is read, so a truncated file yields fewer texts and never a
//! wrong one.

use std::collections::{BTreeMap, BTreeSet};

use skill_model::{Digest, Hasher, Lock, LockedSkill};

use super::names::{META, check_name};
use super::{Store, StoreError, dir, lock_file, run, trash};
use crate::fs::sys;
use crate::fs::{PathError, Root, WalkLimits};

/// The directory's name in the store's own directory.
pub(super) const BASE: &str = "base";

/// Paths with their digests, as in [`LockedSkill::made`].
type FileDigests = BTreeMap<String, String>;

impl Store {
    /// Stores `texts`, which are some of the files of `made`, as the generated texts of the skill
    /// `name`. Call it before the skill is committed or recorded.
    pub fn keep_base(
        &self,
        name: &str,
        made: &FileDigests,
        texts: &BTreeMap<&str, &[u8]>,
    ) -> Result<(), StoreError> {
        check_name(name)?;
        let (out, writer) = self.writer()?;
        let bytes = pack(texts);
        let key = key(name, made);
        if writer.base.get().is_none()
            && let Some(base) = dir::open(&writer.meta, BASE)?
        {
            let _ = writer.base.set(base);
        }
        if let Some(base) = writer.base.get()
            && is_whole(base, &key, bytes.len() as u64)
        {
            return Ok(());
        }
        writer.run(out)?;
        if writer.base.get().is_none() {
            let _ = writer.base.set(dir::make(&writer.meta, BASE)?);
        }
        let base = writer
            .base
            .get()
            .expect("it was set, here or by another thread");
        Ok(write(base, &key, &bytes, writer.options.sync)?)
    }

    /// Returns the texts that [`Store::keep_base`] stored for `made`, without those that cannot be
    /// read whole.
    pub fn base(
        &self,
        name: &str,
        made: &FileDigests,
    ) -> Result<BTreeMap<String, Vec<u8>>, StoreError> {
        check_name(name)?;
        let Some(out) = self.root() else {
            return Ok(BTreeMap::new());
        };
        let Some(meta) = dir::open(out, META)? else {
            return Ok(BTreeMap::new());
        };
        let Some(base) = dir::open(&meta, BASE)? else {
            return Ok(BTreeMap::new());
        };
        let bytes = dir::read(&base, &key(name, made))?.unwrap_or_default();
        let mut res = unpack(&bytes);
        res.retain(|path, text| {
            made.get(path)
                .and_then(|digest| Digest::parse(digest))
                .is_some_and(|digest| digest == Digest::from_content(text))
        });
        Ok(res)
    }
}

/// Writes a new file, or rewrites a truncated one.
fn write(base: &Root, key: &str, bytes: &[u8], sync: bool) -> Result<(), PathError> {
    let file = match dir::create(base, key, dir::MODE_FILE) {
        Err(error) if error.source.kind() == std::io::ErrorKind::AlreadyExists => {
            dir::unlink(base, key)?;
            dir::create(base, key, dir::MODE_FILE)?
        }
        file => file?,
    };
    let fail = |err| PathError::new("write", base.shown(key), err);
    sys::write_all(&file, bytes).map_err(fail)?;
    if sync {
        dir::sync_file(&file).map_err(fail)?;
        dir::sync(base)?;
    }
    Ok(())
}

fn is_whole(base: &Root, key: &str, n_bytes: u64) -> bool {
    matches!(
        dir::kind(base, key),
        Ok(Some(crate::fs::Kind::File(info))) if info.size == n_bytes
    )
}

fn key(name: &str, made: &FileDigests) -> String {
    let mut hasher = Hasher::default();
    let parts = made.iter().flat_map(|(path, digest)| [path, digest]);
    for part in [name].into_iter().chain(parts.map(String::as_str)) {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finish().hex()
}

fn pack(texts: &BTreeMap<&str, &[u8]>) -> Vec<u8> {
    let lengths: Vec<(&str, usize)> = texts
        .iter()
        .map(|(path, bytes)| (*path, bytes.len()))
        .collect();
    let mut res = serde_json::to_vec(&lengths).expect("strings and numbers");
    res.push(b'\n');
    for bytes in texts.values() {
        res.extend_from_slice(bytes);
    }
    res
}

fn unpack(bytes: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let mut res = BTreeMap::new();
    let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else {
        return res;
    };
    let lengths: Vec<(String, usize)> = serde_json::from_slice(&bytes[..end]).unwrap_or_default();
    let mut rest = &bytes[end + 1..];
    for (path, length) in lengths {
        let Some((text, after)) = rest.split_at_checked(length) else {
            break;
        };
        res.insert(path, text.to_vec());
        rest = after;
    }
    res
}

/// Deletes bases that neither `lock` nor a rollback needs. A failed deletion is repeated after the
/// next run that changes something.
pub(super) fn sweep(meta: &Root, lock: &Lock) -> Result<(), StoreError> {
    let Some(base) = dir::open(meta, BASE)? else {
        return Ok(());
    };
    let mut kept = keys(lock);
    if let Some(previous) = dir::open(meta, run::PREVIOUS)? {
        kept.extend(keys(&lock_file::read(&previous)?.1));
    }
    let top = WalkLimits {
        depth: 0,
        entries: usize::MAX,
    };
    for entry in base.walk("", &top, &|_| true)?.entries {
        if !kept.contains(&entry.path) {
            trash::remove(&base, &entry.path);
        }
    }
    Ok(())
}

fn keys(lock: &Lock) -> BTreeSet<String> {
    let of = |(name, entry): (&String, &LockedSkill)| key(name, entry.made());
    lock.skills.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_short_gives_less_and_nothing_wrong() {
        let texts = BTreeMap::from([("a", &b"one"[..]), ("b", b""), ("c/d", b"\xff\0x")]);
        let whole = pack(&texts);
        for n_bytes in 0..=whole.len() {
            for (path, text) in unpack(&whole[..n_bytes]) {
                assert_eq!(texts[path.as_str()], text, "{n_bytes}");
            }
        }
        assert_eq!(unpack(&whole).len(), 3);
    }
}
