//! Temporary directories of a run. Those of killed runs are removed by the next run.
#![expect(
    clippy::disallowed_methods,
    reason = "removes whole trees that other programs filled"
)]

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::{PathError, sys};

/// The file that the owner of a directory keeps locked; the lock ends with its process.
const OWNER: &str = ".owner";

/// A directory that is removed on drop.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    _owner: File,
}

impl Scratch {
    /// Creates a directory in `parent`, named after `name`, the process id and a number. Also tries
    /// to remove directories of this name whose owners have ended.
    pub fn make(parent: &Path, name: &str) -> Result<Self, PathError> {
        remove_left(parent, name);
        let pid = std::process::id();
        let mut n = 0;
        loop {
            let path = parent.join(format!("{name}{pid}-{n}"));
            match sys::make_private_dir(&path) {
                Ok(()) => return Self::own(path),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => n += 1,
                Err(error) => return Err(failed("make", path, &error)),
            }
        }
    }

    /// The file gets its name only after it is locked, so that no other process can take the lock.
    fn own(path: PathBuf) -> Result<Self, PathError> {
        let unnamed = path.join(".owner.new");
        let owned = || {
            let file = File::create_new(&unnamed)?;
            file.lock()?;
            fs::rename(&unnamed, path.join(OWNER))?;
            io::Result::Ok(file)
        };
        match owned() {
            Ok(owner) => Ok(Self {
                path,
                _owner: owner,
            }),
            Err(error) => Err(failed("lock", path, &error)),
        }
    }

    /// Returns its path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A failed removal is repeated by the next run.
        let _ = fs::remove_dir_all(&self.path);
    }
}

fn failed(action: &'static str, path: PathBuf, error: &io::Error) -> PathError {
    PathError::because(action, path, &error.to_string())
}

fn remove_left(parent: &Path, name: &str) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let is_ours = entry.file_name().to_string_lossy().starts_with(name)
            && entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_ours && is_left(&entry.path()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Returns whether its owner has ended. A directory without an owner file was not made here and is
/// kept.
fn is_left(dir: &Path) -> bool {
    let owner = File::open(dir.join(OWNER));
    owner.is_ok_and(|owner| owner.try_lock().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_nobody_owns_is_removed() {
        let parent = tempfile::tempdir().unwrap();
        let living = Scratch::make(parent.path(), "run-").unwrap();
        let dead = parent.path().join("run-dead");
        fs::create_dir_all(dead.join("deep")).unwrap();
        fs::write(dead.join(OWNER), "").unwrap();
        let foreign = parent.path().join("run-foreign");
        fs::create_dir(&foreign).unwrap();
        let other = parent.path().join("other");
        fs::create_dir(&other).unwrap();
        fs::write(other.join(OWNER), "").unwrap();
        let second = Scratch::make(parent.path(), "run-").unwrap();
        assert!(!dead.exists());
        assert!(foreign.exists() && other.exists() && living.path().exists());
        assert_ne!(living.path(), second.path());
        let path = second.path().to_owned();
        drop(second);
        assert!(!path.exists());
    }
}
