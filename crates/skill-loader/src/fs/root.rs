//! An open directory and the operations below it.

use std::path::{Path, PathBuf};

use super::sys::{self, Cause, Dir, File};
use super::walk::Walker;
use super::{
    Entry, FileInfo, Kind, Listing, PartReader, PathError, ReadError, Stamp, WalkLimits,
    check_relative, read,
    relative::{RelativeError, check_stored},
    replace,
};
use skill_model::Digest;

/// An open directory. Paths given to its methods are relative to it, with `/` between components;
/// `""` and `"."` are the directory itself.
///
/// It can be shared between threads. For many files of one directory, open that directory with
/// [`Root::open_dir`] and read from there.
#[derive(Debug)]
pub struct Root {
    handle: Dir,
    path: PathBuf,
    /// The check of the paths that are read.
    check: fn(&str) -> Result<(), RelativeError>,
}

impl Root {
    /// Opens a directory; refuses a symbolic link.
    pub fn open(path: &Path) -> Result<Self, PathError> {
        Self::open_with(path, false)
    }

    /// Opens a directory or the target of a symbolic link, for paths that the user gave.
    pub fn open_following(path: &Path) -> Result<Self, PathError> {
        Self::open_with(path, true)
    }

    /// Opens a directory by an absolute path without following a link anywhere, for results of
    /// [`resolve`](super::resolve).
    pub fn open_real(path: &Path) -> Result<Self, PathError> {
        let handle = sys::open_absolute(path).map_err(|err| PathError::new("open", path, err))?;
        Ok(Self::new(handle, path.to_owned()))
    }

    fn open_with(path: &Path, follow: bool) -> Result<Self, PathError> {
        // A trailing `/` would make the system follow a link after all.
        let bare: PathBuf = path.components().collect();
        let bare = if bare.as_os_str().is_empty() {
            Path::new(".")
        } else {
            &bare
        };
        match sys::open_path(bare, follow) {
            Ok(handle) => Ok(Self::new(handle, path.to_owned())),
            Err(err) if is_link_error(err.cause) && is_link(bare) => Err(PathError::because(
                "open",
                path,
                "it is a symbolic link, which is not followed",
            )),
            Err(err) => Err(PathError::new("open", path, err)),
        }
    }

    pub(crate) fn new(handle: Dir, path: PathBuf) -> Self {
        Self {
            handle,
            path,
            check: check_relative,
        }
    }

    /// Also reads files whose names have a `:`, where the system stores them: trees that others made
    /// have such names. Nothing is written under one.
    #[must_use]
    pub fn with_stored_names(self) -> Self {
        Self {
            check: check_stored,
            ..self
        }
    }

    /// Returns the open directory.
    pub(crate) fn dir(&self) -> &Dir {
        &self.handle
    }

    /// Returns the path it was opened by, for messages.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens a directory below this one as a root of its own.
    pub fn open_dir(&self, dir: &str) -> Result<Self, ReadError> {
        let handle = sys::open_dir(self.dir(), self.inside(dir)?)
            .map_err(|err| ReadError::from_open(self.shown(dir), err))?;
        Ok(Self {
            check: self.check,
            ..Self::new(handle, self.shown(dir))
        })
    }

    /// Returns the kind of `path`; `None` if it does not exist. Links are not followed.
    pub fn kind(&self, path: &str) -> Result<Option<Kind>, ReadError> {
        let fail = |err| ReadError::from_open(self.shown(path), err);
        let inside = self.inside(path)?;
        let stat = match inside.rsplit_once('/') {
            None => sys::stat(self.dir(), inside),
            Some((parent, name)) => match sys::open_dir(self.dir(), parent) {
                Err(err) if is_absent(err.cause) => return Ok(None),
                res => sys::stat(&res.map_err(fail)?, name),
            },
        };
        match stat {
            Ok(stat) => Ok(Some(stat.kind)),
            Err(err) if err.cause == Cause::Missing => Ok(None),
            Err(err) => Err(fail(err)),
        }
    }

    /// Returns identity and times of `path`; `None` if it does not exist.
    ///
    /// This is a single system call, cheap enough for many names. A parent directory that was
    /// swapped for a link is followed; the stamp of the directory above it reveals that.
    pub fn stamp(&self, path: &str) -> Result<Option<Stamp>, ReadError> {
        match sys::stat(self.dir(), self.inside(path)?) {
            Ok(stat) => Ok(Some(stat.info.stamp)),
            Err(err) if is_absent(err.cause) => Ok(None),
            Err(err) => Err(ReadError::from_open(self.shown(path), err)),
        }
    }

    /// Lists `dir` and everything below it, sorted by the bytes of the path.
    ///
    /// A directory for which `prune` returns true is listed and not entered. [`Listing::notes`] has
    /// what could not be listed.
    pub fn walk(
        &self,
        dir: &str,
        limits: &WalkLimits,
        prune: &dyn Fn(&str) -> bool,
    ) -> Result<Listing, ReadError> {
        let handle = sys::open_dir(self.dir(), self.inside(dir)?)
            .map_err(|err| ReadError::from_open(self.shown(dir), err))?;
        let prefix = if matches!(dir, "" | ".") { "" } else { dir };
        Ok(Walker::new(&self.path, limits, prune).walk(&handle, prefix)?)
    }

    /// Returns the names of the entries of `dir` that are UTF-8, in any order; `None` if there are more
    /// than `max`.
    pub fn names(&self, dir: &str, max: usize) -> Result<Option<Vec<String>>, ReadError> {
        let fail = |err| ReadError::from_open(self.shown(dir), err);
        let handle = sys::open_dir(self.dir(), self.inside(dir)?).map_err(fail)?;
        let mut res = Vec::new();
        let listed: sys::Result<()> = sys::Names::default().each(&handle, |name| {
            res.extend(name?.text.ok().map(str::to_owned));
            Ok(res.len() <= max)
        });
        listed.map_err(fail)?;
        Ok((res.len() <= max).then_some(res))
    }

    /// Reads a regular file of at most `max_bytes`.
    pub fn read(&self, path: &str, max_bytes: u64) -> Result<Vec<u8>, ReadError> {
        let mut res = Vec::new();
        self.read_into(path, max_bytes, &mut res)?;
        Ok(res)
    }

    /// Like [`Root::read`], into a reusable buffer: its content is replaced, its memory kept.
    pub fn read_into(
        &self,
        path: &str,
        max_bytes: u64,
        res: &mut Vec<u8>,
    ) -> Result<FileInfo, ReadError> {
        res.clear();
        let (file, info) = self.open_file(path)?;
        match read::read_to_end(&file, info.size, max_bytes, res) {
            Ok(true) => Ok(info),
            Ok(false) => Err(ReadError::TooLarge {
                path: self.shown(path),
                limit: max_bytes,
            }),
            Err(err) => Err(PathError::new("read", self.shown(path), err).into()),
        }
    }

    /// Returns the first bytes of a regular file of any size, at most `max_bytes`.
    pub fn read_start(&self, path: &str, max_bytes: usize) -> Result<Vec<u8>, ReadError> {
        let (file, _) = self.open_file(path)?;
        read::read_start(&file, max_bytes)
            .map_err(|err| PathError::new("read", self.shown(path), err).into())
    }

    /// Opens a regular file of at most `max_bytes` for reading in parts.
    pub fn read_parts(
        &self,
        path: &str,
        max_bytes: u64,
    ) -> Result<(PartReader, FileInfo), ReadError> {
        let (file, info) = self.open_file(path)?;
        if info.size > max_bytes {
            return Err(ReadError::TooLarge {
                path: self.shown(path),
                limit: max_bytes,
            });
        }
        Ok((PartReader::new(file, self.shown(path), info.size), info))
    }

    /// Returns the target of a symbolic link as written; bytes that are not UTF-8 become U+FFFD.
    pub fn link_target(&self, path: &str) -> Result<String, ReadError> {
        self.target(path, self.inside(path)?)
    }

    fn target(&self, path: &str, inside: &str) -> Result<String, ReadError> {
        let fail = |err| ReadError::from_open(self.shown(path), err);
        let (parent, name) = inside.rsplit_once('/').unwrap_or((".", inside));
        let parent = sys::open_dir(self.dir(), parent).map_err(fail)?;
        let target = sys::read_link(&parent, name).map_err(fail)?;
        Ok(target.to_string_lossy().into_owned())
    }

    /// Like [`Root::digest`], for an entry of a listing of this root, whatever its name.
    pub fn entry_digest(&self, entry: &Entry) -> Result<(Digest, u64), ReadError> {
        let (file, _) = self.open_listed(&entry.path)?;
        read::digest_of(&file, |_| Ok(()))
            .map_err(|err| PathError::new("read", self.shown(&entry.path), err).into())
    }

    /// Like [`Root::read_start`], for an entry of a listing of this root, whatever its name.
    pub fn entry_start(&self, entry: &Entry, max_bytes: usize) -> Result<Vec<u8>, ReadError> {
        let (file, _) = self.open_listed(&entry.path)?;
        read::read_start(&file, max_bytes)
            .map_err(|err| PathError::new("read", self.shown(&entry.path), err).into())
    }

    /// Like [`Root::link_target`], for an entry of a listing of this root, whatever its name.
    pub fn entry_target(&self, entry: &Entry) -> Result<String, ReadError> {
        self.target(&entry.path, &entry.path)
    }

    /// Replaces a regular file atomically: a temporary file takes over its name and its
    /// permissions.
    pub fn replace(&self, path: &str, bytes: &[u8]) -> Result<(), ReadError> {
        self.checked(path)?;
        let inside = self.inside(path)?;
        let (parent, name) = inside.rsplit_once('/').unwrap_or((".", inside));
        let fail = |err| ReadError::from_open(self.shown(path), err);
        let parent = sys::open_dir(self.dir(), parent).map_err(fail)?;
        self.open_file(path)?;
        replace::replace(&parent, name, bytes)
            .map_err(|err| PathError::new("write", self.shown(path), err).into())
    }

    /// Writes a file atomically and creates its missing parent directories; `.` is the directory
    /// itself. A link on the way is refused, and so is a device, FIFO or socket of that name: a new
    /// file would take its place.
    pub fn write_whole(&self, dir: &str, name: &str, bytes: &[u8]) -> Result<(), ReadError> {
        let path = match dir {
            "." => name.to_owned(),
            _ => format!("{dir}/{name}"),
        };
        self.checked(&path)?;
        let fail = |err| ReadError::from_open(self.shown(&path), err);
        match self.kind(&path)? {
            None | Some(Kind::File(_) | Kind::Symlink) => {}
            Some(kind) => {
                let path = self.shown(&path);
                return Err(ReadError::NotRegular { path, kind });
            }
        }
        let parent = match dir {
            "." => sys::open_dir(self.dir(), dir),
            _ => replace::make_dirs(self.dir(), dir),
        };
        let parent = parent.map_err(fail)?;
        replace::write_whole(&parent, name, bytes)
            .map_err(|err| PathError::new("write", self.shown(&path), err).into())
    }

    /// Returns the digest and the size of a regular file of any size, without loading all of it
    /// into memory.
    pub fn digest(&self, path: &str) -> Result<(Digest, u64), ReadError> {
        let (file, _) = self.open_file(path)?;
        read::digest_of(&file, |_| Ok(()))
            .map_err(|err| PathError::new("read", self.shown(path), err).into())
    }

    /// Opens a regular file.
    pub(crate) fn open_file(&self, path: &str) -> Result<(File, FileInfo), ReadError> {
        read::regular(self.dir(), self.inside(path)?, || self.shown(path))
    }

    /// Opens a regular file whose path comes from a listing of this directory, whatever its name.
    pub(crate) fn open_listed(&self, path: &str) -> Result<(File, FileInfo), ReadError> {
        read::regular(self.dir(), path, || self.shown(path))
    }

    /// Returns `path` as the system takes it, after checking that it is relative.
    fn inside<'p>(&self, path: &'p str) -> Result<&'p str, ReadError> {
        if matches!(path, "" | ".") {
            return Ok(".");
        }
        match (self.check)(path) {
            Ok(()) => Ok(path),
            Err(err) => Err(ReadError::from_relative(self.shown(path), err)),
        }
    }

    pub(crate) fn shown(&self, path: &str) -> PathBuf {
        match path {
            "" | "." => self.path.clone(),
            _ => {
                let above = self.path.display().to_string();
                PathBuf::from(format!("{}/{path}", above.trim_end_matches('/')))
            }
        }
    }
}

fn is_link(path: &Path) -> bool {
    sys::stat_path(path).is_ok_and(|stat| stat.kind == Kind::Symlink)
}

/// Returns whether opening a link as a directory may fail in this way.
fn is_link_error(cause: Cause) -> bool {
    matches!(cause, Cause::Link | Cause::NotADirectory)
}

fn is_absent(cause: Cause) -> bool {
    matches!(cause, Cause::Missing | Cause::NotADirectory)
}
