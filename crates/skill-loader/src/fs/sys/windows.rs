//! Windows, with the directory handles of `cap-std`.
//!
//! A directory that is open cannot be renamed or removed, so callers close it first. There are no
//! modes, no FIFOs and no exchange of two names.

use std::ffi::{OsStr, OsString};
use std::fs::DirBuilder;
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::{Component, Path, PathBuf, Prefix};
use std::time::{Duration, UNIX_EPOCH};

use cap_fs_ext::{DirExt as _, FollowSymlinks, MetadataExt as _, OpenOptionsFollowExt as _};
use cap_std::fs::{FileType, Metadata, OpenOptions};
use skill_model::path_flaw;

use super::{Cause, Name, Result, Stat, SysError};
use crate::fs::{FileInfo, Kind, Stamp};

pub(crate) use std::fs::File;

/// An open directory.
#[derive(Debug)]
pub(crate) struct Dir(cap_std::fs::Dir);

/// `ERROR_STOPPED_ON_SYMLINK`: a reparse point was not followed.
const STOPPED_ON_LINK: i32 = 681;
/// `ERROR_ACCESS_DENIED` and `ERROR_SHARING_VIOLATION`: among other reasons, another program such
/// as a virus scanner has the file open for a moment.
const BUSY: [i32; 2] = [5, 32];
/// Number of attempts to rename what another program has open.
const N_TRIES: u64 = 14;

impl From<io::Error> for SysError {
    fn from(error: io::Error) -> Self {
        let cause = match error.kind() {
            _ if error.raw_os_error() == Some(STOPPED_ON_LINK) => Cause::Link,
            ErrorKind::NotFound => Cause::Missing,
            ErrorKind::NotADirectory => Cause::NotADirectory,
            ErrorKind::IsADirectory => Cause::IsADirectory,
            ErrorKind::CrossesDevices => Cause::Outside,
            ErrorKind::AlreadyExists => Cause::Exists,
            ErrorKind::DirectoryNotEmpty => Cause::NotEmpty,
            ErrorKind::PermissionDenied => Cause::Denied,
            ErrorKind::InvalidFilename => Cause::NameTooLong,
            ErrorKind::Unsupported => Cause::Unsupported,
            _ => Cause::Other,
        };
        Self::new(cause, error)
    }
}

/// Opens a directory by a path that the user gave; `follow` decides about a link at its end.
pub(crate) fn open_path(path: &Path, follow: bool) -> Result<Dir> {
    let (parent, name) = match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) if !follow => (parent, name),
        _ => return open_ambient(path),
    };
    let parent = if parent.as_os_str().is_empty() {
        Path::new(".")
    } else {
        parent
    };
    let parent = open_ambient(parent)?;
    open_entry(&parent.0, name).map(Dir)
}

/// Opens a directory by an absolute path without following a link anywhere.
pub(crate) fn open_absolute(path: &Path) -> Result<Dir> {
    let is_name = |component: &Component<'_>| matches!(component, Component::Normal(_));
    let top: PathBuf = path.components().take_while(|c| !is_name(c)).collect();
    if !top.has_root() {
        return Err(outside());
    }
    let mut res = open_ambient(&top)?;
    for component in path.components().skip_while(|c| !is_name(c)) {
        let Component::Normal(name) = component else {
            return Err(outside());
        };
        res = Dir(open_entry(&res.0, name)?);
    }
    Ok(res)
}

fn open_ambient(path: &Path) -> Result<Dir> {
    let authority = cap_std::ambient_authority();
    Ok(Dir(cap_std::fs::Dir::open_ambient_dir(path, authority)?))
}

/// Opens one directory in `dir` without following a link.
fn open_entry(dir: &cap_std::fs::Dir, name: &OsStr) -> Result<cap_std::fs::Dir> {
    dir.open_dir_nofollow(name).map_err(|error| {
        let found = dir.symlink_metadata(name).map(|meta| meta.file_type());
        let error = SysError::from(error);
        match found {
            Ok(kind) if kind.is_symlink() => SysError::new(Cause::Link, error.into()),
            Ok(kind) if !kind.is_dir() => SysError::new(Cause::NotADirectory, error.into()),
            _ => error,
        }
    })
}

/// Opens a directory below `dir` without following a link anywhere; `.` is `dir` itself.
pub(crate) fn open_dir(dir: &Dir, path: &str) -> Result<Dir> {
    let mut res = dir.0.try_clone()?;
    for name in path.split('/').filter(|name| !matches!(*name, "" | ".")) {
        res = open_entry(&res, OsStr::new(checked(name)?))?;
    }
    Ok(Dir(res))
}

/// The same as [`open_dir`].
pub(crate) fn open_dir_by_component(dir: &Dir, path: &str) -> Result<Dir> {
    open_dir(dir, path)
}

/// The same as [`open_dir`], for one name.
pub(crate) fn open_one(dir: &Dir, name: &str) -> Result<Dir> {
    open_dir(dir, name)
}

/// Opens a directory to delete its content.
pub(crate) fn open_to_delete(dir: &Dir, name: &OsStr) -> Result<Dir> {
    open_entry(&dir.0, name).map(Dir)
}

/// Refuses names that mean something else here, also those of a listing.
fn checked(name: &str) -> Result<&str> {
    if name == ".." || path_flaw(name).is_some() {
        return Err(outside());
    }
    Ok(name)
}

fn outside() -> SysError {
    let why = "the name means something else on Windows, or leads outside";
    SysError::because(Cause::Outside, why)
}

/// Opens the parent of `path`; returns it with the last component.
fn parent<'p>(dir: &Dir, path: &'p str) -> Result<(Dir, &'p str)> {
    let (parent, name) = path.rsplit_once('/').unwrap_or((".", path));
    Ok((open_dir(dir, parent)?, checked(name)?))
}

fn open_with(dir: &Dir, path: &str, options: &mut OpenOptions) -> Result<File> {
    let (parent, name) = parent(dir, path)?;
    let options = options.follow(FollowSymlinks::No);
    match parent.0.open_with(name, options) {
        Ok(file) => Ok(file.into_std()),
        Err(error) => match parent.0.symlink_metadata(name) {
            Ok(meta) if meta.is_symlink() => Err(SysError::new(Cause::Link, error)),
            Ok(meta) if meta.is_dir() => Err(SysError::new(Cause::IsADirectory, error)),
            _ => Err(error.into()),
        },
    }
}

/// Opens a file below `dir` for reading without following a link anywhere.
pub(crate) fn open_file(dir: &Dir, path: &str) -> Result<File> {
    open_with(dir, path, OpenOptions::new().read(true))
}

/// Creates a file that does not exist yet.
pub(crate) fn create(dir: &Dir, path: &str, _mode: u32) -> Result<File> {
    open_with(dir, path, OpenOptions::new().write(true).create_new(true))
}

/// Creates a file that does not exist yet, every write to which goes to its end.
pub(crate) fn create_to_append(dir: &Dir, path: &str, _mode: u32) -> Result<File> {
    open_with(dir, path, OpenOptions::new().append(true).create_new(true))
}

/// Opens a file to append to it; creates it if it is missing.
pub(crate) fn open_to_append(dir: &Dir, path: &str, _mode: u32) -> Result<File> {
    open_with(dir, path, OpenOptions::new().append(true).create(true))
}

/// Opens a file that is only locked; creates it if it is missing.
pub(crate) fn open_to_lock(dir: &Dir, path: &str, _mode: u32) -> Result<File> {
    let mut options = OpenOptions::new();
    open_with(dir, path, options.read(true).write(true).create(true))
}

/// Returns facts about an entry; a link is not followed.
pub(crate) fn stat(dir: &Dir, path: &str) -> Result<Stat> {
    if path == "." {
        return Ok(read_stat(&dir.0.dir_metadata()?, None));
    }
    let (parent, name) = parent(dir, path)?;
    let meta = parent.0.symlink_metadata(name)?;
    if !meta.is_file() {
        return Ok(read_stat(&meta, None));
    }
    // Only an open file tells its identity and its links.
    match open_file(&parent, name) {
        Ok(file) => stat_file(&file),
        Err(_) => Ok(read_stat(&meta, None)),
    }
}

/// Returns facts about a path that the user gave; a link at its end is not followed.
#[expect(
    clippy::disallowed_methods,
    reason = "this module accesses the file system"
)]
pub(crate) fn stat_path(path: &Path) -> Result<Stat> {
    let meta = std::fs::symlink_metadata(path)?;
    Ok(read_stat(&Metadata::from_just_metadata(meta), None))
}

/// Returns facts about an open file.
pub(crate) fn stat_file(file: &File) -> Result<Stat> {
    let meta = cap_std::fs::File::from_std(file.try_clone()?).metadata()?;
    Ok(read_stat(&meta, Some((meta.ino(), meta.nlink()))))
}

/// Returns true: there are no modes.
pub(crate) fn has_mode(_dir: &Dir, _mode: u32) -> Result<bool> {
    Ok(true)
}

/// Returns `None`: there are no modes.
pub(crate) fn exposure(_dir: &Dir, _above: &Dir, _forbidden: u32) -> Result<Option<String>> {
    Ok(None)
}

/// Returns 0: there are no modes.
pub(crate) fn mode(dir: &Dir, path: &str) -> Result<u32> {
    stat(dir, path).map(|_| 0)
}

/// Does nothing: there are no modes.
pub(crate) fn set_mode(_file: &File, _mode: u32) -> Result<()> {
    Ok(())
}

/// Does nothing: there are no modes.
pub(crate) fn set_mode_at(_dir: &Dir, _path: &str, _mode: u32) -> Result<()> {
    Ok(())
}

/// Creates a directory; its parent exists.
pub(crate) fn make_dir(dir: &Dir, path: &str, _mode: u32) -> Result<()> {
    let (parent, name) = parent(dir, path)?;
    Ok(parent.0.create_dir(name)?)
}

/// Fails: directories have no FIFOs.
pub(crate) fn make_fifo(_dir: &Dir, _path: &str, _mode: u32) -> Result<()> {
    let why = "a FIFO cannot be created on Windows";
    Err(SysError::because(Cause::Unsupported, why))
}

/// Removes a file or a link.
pub(crate) fn unlink(dir: &Dir, name: &OsStr) -> Result<()> {
    let error = match patiently(|| dir.0.remove_file_or_symlink(name)) {
        Ok(()) => return Ok(()),
        Err(error) => error,
    };
    match dir.0.symlink_metadata(name) {
        Ok(meta) if meta.is_dir() => Err(SysError::new(Cause::IsADirectory, error)),
        _ => Err(error.into()),
    }
}

/// Removes an empty directory.
pub(crate) fn remove_dir(dir: &Dir, name: &OsStr) -> Result<()> {
    Ok(patiently(|| dir.0.remove_dir(name))?)
}

/// Renames an entry, replacing a file.
pub(crate) fn rename(from: (&Dir, &str), to: (&Dir, &str)) -> Result<()> {
    let (source, name) = parent(from.0, from.1)?;
    let (target, new_name) = parent(to.0, to.1)?;
    Ok(patiently(|| source.0.rename(name, &target.0, new_name))?)
}

/// Renames to a name that must be free; fails with [`Cause::Exists`] otherwise. The check and the
/// rename are two steps: the lock of the store keeps other writers out.
pub(crate) fn rename_new(from: (&Dir, &str), to: (&Dir, &str)) -> Result<()> {
    let (target, new_name) = parent(to.0, to.1)?;
    match target.0.symlink_metadata(new_name) {
        Ok(_) => Err(SysError::because(Cause::Exists, "the name is taken")),
        Err(error) if error.kind() == ErrorKind::NotFound => rename(from, to),
        Err(error) => Err(error.into()),
    }
}

/// Returns false: Windows cannot exchange two names in one step.
pub(crate) fn exchange(_a: (&Dir, &str), _b: (&Dir, &str)) -> Result<bool> {
    Ok(false)
}

/// Gives a file of `dir` a second name in it, which must be free.
pub(crate) fn hard_link(dir: &Dir, from: &str, to: &str) -> Result<()> {
    Ok(dir.0.hard_link(checked(from)?, &dir.0, checked(to)?)?)
}

/// Returns the target of a link as written.
pub(crate) fn read_link(dir: &Dir, path: &str) -> Result<PathBuf> {
    let (parent, name) = parent(dir, path)?;
    Ok(parent.0.read_link_contents(name)?)
}

/// Fails: creating a link needs a privilege on Windows.
pub(crate) fn symlink(_target: &Path, _dir: &Dir, _path: &str) -> Result<()> {
    let why = "symbolic links are not created on Windows, where they need a privilege";
    Err(SysError::because(Cause::Unsupported, why))
}

/// Reads into the unused capacity of `buffer`; returns the number of bytes, 0 at the end.
pub(crate) fn read(mut file: &File, buffer: &mut Vec<u8>) -> Result<usize> {
    let start = buffer.len();
    buffer.resize(buffer.capacity(), 0);
    let res = loop {
        match file.read(&mut buffer[start..]) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            res => break res,
        }
    };
    buffer.truncate(start + res.as_ref().copied().unwrap_or(0));
    Ok(res?)
}

/// Writes all of `bytes`.
pub(crate) fn write_all(mut file: &File, bytes: &[u8]) -> Result<()> {
    Ok(file.write_all(bytes)?)
}

/// Does nothing: Windows cannot be asked to write a directory to the disk.
pub(crate) fn sync_dir(_dir: &Dir) -> Result<()> {
    Ok(())
}

/// Returns the absolute path without links, and without the prefix `\\?\` of a drive.
#[expect(
    clippy::disallowed_methods,
    reason = "this module accesses the file system"
)]
pub(crate) fn canonical(path: &Path) -> io::Result<PathBuf> {
    let real = std::fs::canonicalize(path)?;
    let mut components = real.components();
    let Some(Component::Prefix(prefix)) = components.next() else {
        return Ok(real);
    };
    let Prefix::VerbatimDisk(letter) = prefix.kind() else {
        return Ok(real);
    };
    let mut res = PathBuf::from(format!("{}:\\", char::from(letter)));
    res.extend(components.filter(|c| matches!(c, Component::Normal(_))));
    Ok(res)
}

pub(super) fn private_dir_builder() -> DirBuilder {
    DirBuilder::new()
}

/// Lists directories.
#[derive(Default)]
pub(crate) struct Names;

impl Names {
    /// Passes each name in `dir` to `take`, which returns false to stop, or the error of the
    /// listing.
    pub(crate) fn each<E>(
        &mut self,
        dir: &Dir,
        mut take: impl FnMut(Result<Name<'_>>) -> std::result::Result<bool, E>,
    ) -> std::result::Result<(), E> {
        let entries = match dir.0.entries() {
            Ok(entries) => entries,
            Err(error) => return take(Err(error.into())).map(drop),
        };
        for entry in entries {
            let entry = match entry.and_then(|entry| Ok((entry.file_name(), entry.file_type()?))) {
                Ok(entry) => entry,
                Err(error) => return take(Err(error.into())).map(drop),
            };
            let (name, file_type) = entry;
            let lossy = || name.to_string_lossy().into_owned();
            let text = name.to_str().ok_or_else(lossy);
            let kind = kind_of(file_type);
            if !take(Ok(Name { text, kind }))? {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// Returns the names in a directory; stops at the first error.
pub(crate) fn names(dir: &Dir) -> Vec<OsString> {
    let entries = dir.0.entries().into_iter().flatten();
    let names = entries.map_while(|entry| Some(entry.ok()?.file_name()));
    names.collect()
}

/// Repeats an operation for about a second while another program has the file open.
fn patiently<T>(operation: impl Fn() -> io::Result<T>) -> io::Result<T> {
    for n in 1..N_TRIES {
        match operation() {
            Err(error)
                if error
                    .raw_os_error()
                    .is_some_and(|code| BUSY.contains(&code)) =>
            {
                std::thread::sleep(Duration::from_millis(10 * n));
            }
            res => return res,
        }
    }
    operation()
}

fn read_stat(meta: &Metadata, identity: Option<(u64, u64)>) -> Stat {
    let (inode, n_links) = identity.unwrap_or((0, 1));
    let modified = meta.modified().ok().map(|time| time.into_std());
    let modified = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let modified = modified.map_or(0, |since| i128::try_from(since.as_nanos()).unwrap_or(0));
    let info = FileInfo {
        size: meta.len(),
        executable: false,
        n_links,
        stamp: Stamp {
            inode,
            modified,
            changed: modified,
        },
    };
    let kind = kind_of(meta.file_type()).unwrap_or(Kind::File(info));
    Stat { kind, info }
}

/// Returns the kind; `None` for a regular file, about which only [`stat`] can tell more.
fn kind_of(file_type: FileType) -> Option<Kind> {
    if file_type.is_symlink() {
        Some(Kind::Symlink)
    } else if file_type.is_dir() {
        Some(Kind::Dir)
    } else if file_type.is_file() {
        None
    } else {
        Some(Kind::Device)
    }
}
