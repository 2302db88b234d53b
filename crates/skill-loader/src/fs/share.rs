//! Trees that programs of the user filled (installed packages), whose equal files share their bytes.
//!
//! These directories are ours and no skill can write to them; the names in them are those of other
//! programs, so they are not checked. Links are kept as they are and never followed.
#![expect(
    clippy::disallowed_methods,
    reason = "whole trees that package managers filled"
)]

use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use skill_model::Hasher;

use super::PathError;

/// Sums about a tree.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct TreeSize {
    /// Number of files.
    pub n_files: u64,
    /// Bytes on disk; each file counts once, however many names it has.
    pub bytes: u64,
    /// Those bytes of files that have one name only; all of them where names of one file are not known.
    pub alone: u64,
}

/// Replaces each file of `tree` that `files` already holds by a hard link, adds the others to
/// `files`, and makes all of them read-only. `files` is on the same file system. A file that cannot
/// be linked stays a copy.
pub fn share_tree(tree: &Path, files: &Path) -> Result<(), PathError> {
    let mut found = Vec::new();
    list(tree, &|_| false, &mut found)?;
    for path in found {
        let info = fs::symlink_metadata(&path).map_err(|err| failed("read", &path, err))?;
        if !info.is_file() || info.len() == 0 {
            continue;
        }
        let bytes = fs::read(&path).map_err(|err| failed("read", &path, err))?;
        let is_program = is_program(&info);
        make_read_only(&path, &info).map_err(|err| failed("change", &path, err))?;
        let mut hasher = Hasher::default();
        hasher.update(&bytes);
        let name = hasher.finish().hex();
        let dir = files.join(&name[..2]);
        fs::create_dir_all(&dir).map_err(|err| failed("create", &dir, err))?;
        let suffix = if is_program { "-x" } else { "" };
        share(&path, &info, &dir.join(format!("{}{suffix}", &name[2..])));
    }
    Ok(())
}

/// Makes `path` and `shared` one file. Linking is only an economy: its failure changes nothing.
fn share(path: &Path, info: &Metadata, shared: &Path) {
    match fs::symlink_metadata(shared) {
        Ok(known) if id(&known) == id(info) && id(info).is_some() => {}
        Ok(_) => {
            let beside = path.with_file_name(".sharing");
            if fs::hard_link(shared, &beside).is_ok() && fs::rename(&beside, path).is_err() {
                let _ = fs::remove_file(&beside);
            }
        }
        Err(_) => {
            let _ = fs::hard_link(path, shared);
        }
    }
}

/// Makes `to` a copy of the tree `from`, with hard links in place of files. Directories for which
/// `skip` returns true are left out.
pub fn link_tree(from: &Path, to: &Path, skip: &dyn Fn(&Path) -> bool) -> Result<(), PathError> {
    fs::create_dir_all(to).map_err(|err| failed("create", to, err))?;
    let mut found = Vec::new();
    list(from, skip, &mut found)?;
    let mut made = BTreeSet::new();
    for path in found {
        let rest = path.strip_prefix(from).unwrap_or(&path);
        let target = to.join(rest);
        let parent = target.parent().unwrap_or(to).to_owned();
        if made.insert(parent.clone()) {
            fs::create_dir_all(&parent).map_err(|err| failed("create", &parent, err))?;
        }
        let info = fs::symlink_metadata(&path).map_err(|err| failed("read", &path, err))?;
        let linked = if info.is_symlink() {
            fs::read_link(&path).and_then(|link| symlink(&link, &target))
        } else {
            fs::hard_link(&path, &target).or_else(|_| fs::copy(&path, &target).map(drop))
        };
        linked.map_err(|err| failed("link", &target, err))?;
    }
    Ok(())
}

/// Makes `to` a name of the file `from`, or a copy if it cannot be linked. A file that has the name
/// already stays.
pub fn link_file(from: &Path, to: &Path) -> Result<(), PathError> {
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent).map_err(|err| failed("create", parent, err))?;
    }
    match fs::hard_link(from, to) {
        Ok(()) => Ok(()),
        Err(err) if err.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(_) => fs::copy(from, to)
            .map(drop)
            .map_err(|err| failed("link", to, err)),
    }
}

/// Returns true if `path` is a name of the shared file with this digest (64 hex digits), so that its
/// bytes need not be read.
pub fn is_shared_as(path: &Path, files: &Path, digest: &str) -> bool {
    let Some((dir, name)) = digest.split_at_checked(2) else {
        return false;
    };
    let Ok(own) = fs::symlink_metadata(path) else {
        return false;
    };
    ["", "-x"].iter().any(|suffix| {
        let shared = fs::symlink_metadata(files.join(dir).join(format!("{name}{suffix}")));
        shared.is_ok_and(|shared| id(&shared) == id(&own) && id(&own).is_some())
    })
}

/// Appends everything beneath a directory that is not a directory itself.
fn list(dir: &Path, skip: &dyn Fn(&Path) -> bool, acc: &mut Vec<PathBuf>) -> Result<(), PathError> {
    let mut waiting = vec![dir.to_owned()];
    while let Some(dir) = waiting.pop() {
        let entries = fs::read_dir(&dir).map_err(|err| failed("list", &dir, err))?;
        for entry in entries {
            let entry = entry.map_err(|err| failed("list", &dir, err))?;
            let kind = entry.file_type().map_err(|err| failed("read", &dir, err))?;
            match kind.is_dir() {
                true if skip(&entry.path()) => {}
                true => waiting.push(entry.path()),
                false => acc.push(entry.path()),
            }
        }
    }
    acc.sort();
    Ok(())
}

/// Removes a tree; one that does not exist is not an error.
pub fn remove_tree(dir: &Path) -> Result<(), PathError> {
    match fs::remove_dir_all(dir) {
        Err(err) if err.kind() != io::ErrorKind::NotFound => Err(failed("remove", dir, err)),
        _ => Ok(()),
    }
}

/// Removes everything in a directory, which stays.
pub fn empty_tree(dir: &Path) -> Result<(), PathError> {
    let entries = fs::read_dir(dir).map_err(|err| failed("list", dir, err))?;
    for entry in entries {
        let entry = entry.map_err(|err| failed("list", dir, err))?;
        let kind = entry.file_type().map_err(|err| failed("read", dir, err))?;
        let path = entry.path();
        if kind.is_dir() {
            remove_tree(&path)?;
        } else {
            fs::remove_file(&path).map_err(|err| failed("remove", &path, err))?;
        }
    }
    Ok(())
}

/// Removes the files in the directory of [`share_tree`] that no tree uses; returns their size.
pub fn remove_unshared(files: &Path) -> Result<TreeSize, PathError> {
    let mut res = TreeSize::default();
    if fs::symlink_metadata(files).is_err() {
        return Ok(res);
    }
    let mut found = Vec::new();
    list(files, &|_| false, &mut found)?;
    for path in found {
        let info = fs::symlink_metadata(&path).map_err(|err| failed("read", &path, err))?;
        if n_links(&info) == 1 {
            fs::remove_file(&path).map_err(|err| failed("remove", &path, err))?;
            res.n_files += 1;
            res.bytes += disk_bytes(&info);
        }
    }
    Ok(res)
}

/// Returns the size on disk of trees together.
pub fn tree_size(trees: &[PathBuf]) -> Result<TreeSize, PathError> {
    let mut seen = BTreeSet::new();
    let mut res = TreeSize::default();
    for tree in trees {
        let mut found = Vec::new();
        if fs::symlink_metadata(tree).is_ok() {
            list(tree, &|_| false, &mut found)?;
        }
        for path in found {
            let info = fs::symlink_metadata(&path).map_err(|err| failed("read", &path, err))?;
            if id(&info).is_none_or(|id| seen.insert(id)) {
                res.n_files += 1;
                res.bytes += disk_bytes(&info);
                if id(&info).is_none() || n_links(&info) == 1 {
                    res.alone += disk_bytes(&info);
                }
            }
        }
    }
    Ok(res)
}

#[cfg(unix)]
use of_unix::{disk_bytes, id, is_program, make_read_only, n_links, symlink};

#[cfg(unix)]
mod of_unix {
    use std::fs::{self, Metadata, Permissions};
    use std::io;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    use std::path::Path;

    pub(super) use std::os::unix::fs::symlink;

    /// Returns what identifies a file with many names.
    #[expect(clippy::unnecessary_wraps, reason = "other systems have none")]
    pub(super) fn id(info: &Metadata) -> Option<(u64, u64)> {
        Some((info.dev(), info.ino()))
    }

    pub(super) fn n_links(info: &Metadata) -> u64 {
        info.nlink()
    }

    pub(super) fn disk_bytes(info: &Metadata) -> u64 {
        info.blocks() * 512
    }

    pub(super) fn is_program(info: &Metadata) -> bool {
        info.permissions().mode() & 0o111 != 0
    }

    pub(super) fn make_read_only(path: &Path, info: &Metadata) -> io::Result<()> {
        let mode = if is_program(info) { 0o555 } else { 0o444 };
        fs::set_permissions(path, Permissions::from_mode(mode))
    }
}

#[cfg(not(unix))]
use elsewhere::{disk_bytes, id, is_program, make_read_only, n_links, symlink};

/// Systems whose stable interface does not tell which names are one file: sizes count each name, and
/// files that nobody uses stay.
#[cfg(not(unix))]
mod elsewhere {
    use std::fs::Metadata;
    use std::io;
    use std::path::Path;

    pub(super) fn id(_: &Metadata) -> Option<(u64, u64)> {
        None
    }

    pub(super) fn n_links(_: &Metadata) -> u64 {
        2
    }

    pub(super) fn disk_bytes(info: &Metadata) -> u64 {
        info.len()
    }

    pub(super) fn is_program(_: &Metadata) -> bool {
        false
    }

    /// A read-only file could not be removed there.
    pub(super) fn make_read_only(_: &Path, _: &Metadata) -> io::Result<()> {
        Ok(())
    }

    pub(super) fn symlink(_: &Path, _: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

fn failed(action: &'static str, path: &Path, source: io::Error) -> PathError {
    PathError {
        action,
        path: path.to_owned(),
        source,
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::MetadataExt as _;

    use super::*;

    #[test]
    fn equal_files_are_stored_once() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        for (name, text) in [("a/x", "same"), ("b/deep/y", "same"), ("b/z", "other")] {
            fs::create_dir_all(path(name).parent().unwrap()).unwrap();
            fs::write(path(name), text).unwrap();
        }
        symlink("x", path("a/link")).unwrap();
        for tree in ["a", "b"] {
            share_tree(&path(tree), &path("files")).unwrap();
        }
        let inode = |name: &str| fs::metadata(path(name)).unwrap().ino();
        assert_eq!(inode("a/x"), inode("b/deep/y"));
        assert_ne!(inode("a/x"), inode("b/z"));
        assert!(fs::metadata(path("a/x")).unwrap().permissions().readonly());
        link_tree(&path("a"), &path("c"), &|_| false).unwrap();
        assert_eq!(inode("c/x"), inode("a/x"));
        assert_eq!(fs::read_link(path("c/link")).unwrap(), Path::new("x"));
        let two = tree_size(&[path("a"), path("c")]).unwrap();
        assert_eq!(two.n_files, 3, "two links and one file");
        fs::write(path("a/own"), "own").unwrap();
        let (before, after) = (two, tree_size(&[path("a"), path("c")]).unwrap());
        assert_eq!(after.alone - before.alone, after.bytes - before.bytes);
        remove_tree(&path("b")).unwrap();
        remove_tree(&path("b")).unwrap();
        symlink("a", path("d")).unwrap();
        fs::create_dir(path("e")).unwrap();
        fs::rename(path("d"), path("e/link-to-a")).unwrap();
        empty_tree(&path("e")).unwrap();
        assert!(fs::read_dir(path("e")).unwrap().next().is_none());
        assert_eq!(remove_unshared(&path("files")).unwrap().n_files, 1);
        assert_eq!(fs::read(path("c/x")).unwrap(), b"same");
    }
}
