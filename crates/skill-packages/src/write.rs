//! Writing a package to its directory.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use skill_loader::fs::{Kind, ReadError, Root};
use skill_model::Digest;

use crate::error::PackError;
use crate::files::Content;
use crate::lock::{LOCK, PackageLock};

/// The maximum size of `skills.lock`, in bytes.
const MAX_LOCK: u64 = 256 << 20;
/// The number of edited files that an error names.
const N_NAMED: usize = 5;

/// Returns the lock of the package in a directory, if there is one.
///
/// # Errors
///
/// The file cannot be read, or is not the lock of a package.
pub(crate) fn last(out: &Path) -> Result<Option<PackageLock>, PackError> {
    // A directory that does not exist has no package; any other failure is found when it is written.
    let Ok(root) = Root::open_following(out) else {
        return Ok(None);
    };
    match root.read(LOCK, MAX_LOCK) {
        Ok(bytes) => Ok(Some(PackageLock::from_bytes(&bytes)?)),
        Err(ReadError::Missing { .. }) => Ok(None),
        Err(err) => Err(err.into()),
    }
}

/// Writes a package over the last one: only what differs, and `skills.lock` at the end. A run that was
/// interrupted can be repeated. Returns the number of files that were written or removed.
///
/// # Errors
///
/// A file was edited by hand since the last package, or the disk fails.
pub(crate) fn write(
    out: &Path,
    last: Option<&PackageLock>,
    files: &BTreeMap<String, Content>,
) -> Result<usize, PackError> {
    let root = Root::make_shared(out)?;
    let old: BTreeMap<&str, &str> = last
        .iter()
        .flat_map(|last| &last.files)
        .map(|(path, digest)| (path.as_str(), digest.as_str()))
        .collect();
    let paths: BTreeSet<&str> = old
        .keys()
        .copied()
        .chain(files.keys().map(String::as_str))
        .collect();
    let (mut edited, mut due) = (Vec::new(), Vec::new());
    for path in paths {
        let new = files.get(path);
        let found = on_disk(&root, path)?;
        let digest = new.map(|new| Digest::from_content(&new.bytes).to_string());
        let Some((found, executable)) = found else {
            due.extend(new.map(|_| path));
            continue;
        };
        let is_new = Some(&found) == digest.as_ref();
        let is_ours = path == LOCK || old.get(path) == Some(&found.as_str());
        if !is_new && !is_ours {
            edited.push(path);
        } else if !is_new || new.is_some_and(|new| new.executable != executable) {
            due.push(path);
        }
    }
    if !edited.is_empty() {
        return Err(PackError::Edited {
            n: edited.len(),
            named: edited
                .iter()
                .take(N_NAMED)
                .copied()
                .collect::<Vec<_>>()
                .join(", "),
        });
    }
    // The lock is the last file, so that it describes a whole package.
    due.sort_by_key(|path| *path == LOCK);
    for path in &due {
        match files.get(*path) {
            Some(new) => root.write_shared(path, &new.bytes, new.executable)?,
            None => remove(&root, path)?,
        }
    }
    Ok(due.len())
}

/// Returns the digest of a file and whether it can be executed; `None` if there is no such file.
fn on_disk(root: &Root, path: &str) -> Result<Option<(String, bool)>, ReadError> {
    match root.kind(path)? {
        None => Ok(None),
        Some(Kind::File(info)) => {
            let (digest, _) = root.digest(path)?;
            Ok(Some((digest.to_string(), info.executable)))
        }
        Some(kind) => Ok(Some((kind.to_string(), false))),
    }
}

/// Removes a file, and the directories that become empty.
fn remove(root: &Root, path: &str) -> Result<(), ReadError> {
    root.remove(path)?;
    let ends: Vec<usize> = path.match_indices('/').map(|(at, _)| at).collect();
    for end in ends.into_iter().rev() {
        root.remove_empty_dir(&path[..end])?;
    }
    Ok(())
}
