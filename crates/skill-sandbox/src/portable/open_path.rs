//! Files and directories that a child may access.

use std::io;
use std::path::{Component, Path, PathBuf};

use crate::error::{Error, Result};

/// A file or directory that exists, with no link in its path.
///
/// It is not held open here: another one may take its path before the child starts.
#[derive(Debug, Clone)]
pub struct OpenPath {
    at: PathBuf,
}

impl OpenPath {
    /// Checks an absolute path, one component after the other.
    ///
    /// # Errors
    ///
    /// The path does not exist, is not absolute, contains `..`, or a component of it is a link.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self> {
        let at = path.into();
        match check(&at) {
            Ok(()) => Ok(Self { at }),
            Err(source) => Err(Error::Open { path: at, source }),
        }
    }

    /// Returns the same file, seen at another absolute path.
    #[must_use]
    pub fn shown_at(mut self, at: impl Into<PathBuf>) -> Self {
        self.at = at.into();
        self
    }

    /// Returns the path at which a child sees it.
    pub fn at(&self) -> &Path {
        &self.at
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "looks at paths for the policy of a child; opens nothing"
)]
fn check(path: &Path) -> io::Result<()> {
    let refuse = |why: &str| Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    if !path.has_root() {
        return refuse("the path is not absolute");
    }
    let mut so_far = PathBuf::new();
    for component in path.components() {
        so_far.push(component);
        match component {
            Component::Prefix(_) | Component::RootDir | Component::CurDir => {}
            Component::ParentDir => return refuse("the path contains `..`"),
            Component::Normal(_) => {
                if std::fs::symlink_metadata(&so_far)?.is_symlink() {
                    return refuse("a component of the path is a link");
                }
            }
        }
    }
    Ok(())
}
