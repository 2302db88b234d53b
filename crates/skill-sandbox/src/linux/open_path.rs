//! Files and directories that are held open for a child.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat, openat2};
use rustix::io::Errno;

use crate::error::{Error, Result};

/// A file or directory that was opened once, and the absolute path at which a child sees it.
///
/// The child reaches this very file, even if another one has taken its path by the time the child
/// starts.
#[derive(Debug, Clone)]
pub struct OpenPath {
    fd: Arc<OwnedFd>,
    at: PathBuf,
}

impl OpenPath {
    /// Opens an absolute path, one component after the other.
    ///
    /// # Errors
    ///
    /// The path does not exist, is not absolute, contains `..`, or a component of it is a link.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self> {
        let path = path.into();
        let opened = open(CWD, Path::new("/"), &path);
        Self::from_opened(opened, path)
    }

    /// Shows an open file or directory of the caller at the absolute path `at`.
    ///
    /// # Errors
    ///
    /// The descriptor cannot be duplicated.
    pub fn new(held: impl AsFd, at: impl Into<PathBuf>) -> Result<Self> {
        let at = at.into();
        let copy = rustix::io::fcntl_dupfd_cloexec(held, FIRST_OF_OURS);
        Self::from_opened(copy, at)
    }

    /// Opens a path beneath this directory, as [`OpenPath::open`] does. A child sees it beneath the
    /// path of this directory.
    ///
    /// # Errors
    ///
    /// As for [`OpenPath::open`]; `path` must be relative.
    pub fn beneath(&self, path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let at = self.at.join(path);
        if path.is_absolute() {
            return Self::from_opened(Err(Errno::INVAL), at);
        }
        Self::from_opened(open(&self.fd, Path::new("."), path), at)
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

    fn from_opened(opened: std::result::Result<OwnedFd, Errno>, at: PathBuf) -> Result<Self> {
        match opened {
            Ok(fd) => Ok(Self {
                fd: Arc::new(fd),
                at,
            }),
            Err(error) => Err(Error::Open {
                path: at,
                source: error.into(),
            }),
        }
    }
}

impl AsFd for OpenPath {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

/// Descriptors 0 to 2 are the standard streams.
const FIRST_OF_OURS: i32 = 3;

/// The flags for parent directories. The last component may be of any kind except a link.
const ON_THE_WAY: OFlags = OFlags::PATH
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// Opens `path` beneath `start`, which is opened relative to `dir`, without following links.
pub(crate) fn open(dir: impl AsFd, start: &Path, path: &Path) -> rustix::io::Result<OwnedFd> {
    let mut names = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => names.push(name),
            Component::RootDir | Component::CurDir => {}
            Component::ParentDir | Component::Prefix(_) => return Err(Errno::INVAL),
        }
    }
    let mut fd = openat(dir, start, ON_THE_WAY, Mode::empty())?;
    let Some((last, parents)) = names.split_last() else {
        return Ok(fd);
    };
    let way: PathBuf = names.iter().collect();
    if let Ok(end) = at_once(&fd, &way) {
        return Ok(end);
    }
    for name in parents {
        fd = openat(&fd, *name, ON_THE_WAY, Mode::empty())?;
    }
    let end = openat(
        &fd,
        *last,
        ON_THE_WAY.difference(OFlags::DIRECTORY),
        Mode::empty(),
    )?;
    if is_link(&end)? {
        return Err(Errno::LOOP);
    }
    Ok(end)
}

/// Does the same in one call, if the kernel supports it; a link at the end is an error too.
pub(crate) fn at_once(dir: impl AsFd, path: &Path) -> rustix::io::Result<OwnedFd> {
    let flags = ON_THE_WAY.difference(OFlags::DIRECTORY);
    let end = openat2(dir, path, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS)?;
    if is_link(&end)? {
        return Err(Errno::LOOP);
    }
    Ok(end)
}

/// `O_PATH` with `O_NOFOLLOW` opens the link itself.
fn is_link(fd: &OwnedFd) -> rustix::io::Result<bool> {
    let mode = rustix::fs::fstat(fd)?.st_mode;
    Ok(rustix::fs::FileType::from_raw_mode(mode).is_symlink())
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "files are laid out")]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use rustix::fs::fstat;

    use super::*;

    /// Checks whether `path` can be opened in a directory with a file, a subdirectory and links.
    fn check(path: &str, is_held: bool) {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("sub")).unwrap();
        fs::write(dir.path().join("sub/file"), "x").unwrap();
        symlink("sub", dir.path().join("to-directory")).unwrap();
        symlink("sub/file", dir.path().join("to-file")).unwrap();
        assert_eq!(
            OpenPath::open(dir.path().join(path)).is_ok(),
            is_held,
            "{path}"
        );
        let root = OpenPath::open(dir.path()).unwrap();
        assert_eq!(root.beneath(path).is_ok(), is_held, "{path} beneath");
    }

    #[test]
    fn links_are_not_followed() {
        check("", true);
        check("sub", true);
        check("sub/file", true);
        check("./sub//file", true);
        check("to-directory", false);
        check("to-file", false);
        check("to-directory/file", false);
        check("sub/../sub/file", false);
        check("missing", false);
    }

    #[test]
    fn it_stays_the_same_when_its_path_is_taken_by_another() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        fs::create_dir(&path).unwrap();
        let held = OpenPath::new(fs::File::open(&path).unwrap(), "/elsewhere").unwrap();
        let before = fstat(&held).unwrap().st_ino;
        fs::rename(&path, dir.path().join("b")).unwrap();
        fs::create_dir(&path).unwrap();
        assert_eq!(fstat(&held).unwrap().st_ino, before);
        assert_eq!(held.at(), Path::new("/elsewhere"));
    }
}
