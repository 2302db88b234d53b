//! Linux and macOS.

pub(crate) mod open;

use std::ffi::{OsStr, OsString};
use std::fs::DirBuilder;
use std::io::{self, Write as _};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use rustix::buffer::spare_capacity;
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, RenameFlags};
use rustix::io::{Errno, retry_on_intr};

use super::{Cause, Name, Result, Stat, SysError};
use crate::fs::{FileInfo, Kind, Root, Stamp};

pub(crate) use std::fs::File;

/// An open directory.
#[derive(Debug)]
pub(crate) struct Dir(OwnedFd);

impl AsFd for Dir {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl AsFd for Root {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.dir().as_fd()
    }
}

const NEW_FILE: OFlags = OFlags::WRONLY
    .union(OFlags::CREATE)
    .union(OFlags::EXCL)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

impl From<Errno> for SysError {
    fn from(errno: Errno) -> Self {
        let cause = match errno {
            Errno::NOENT => Cause::Missing,
            Errno::NOTDIR => Cause::NotADirectory,
            Errno::ISDIR => Cause::IsADirectory,
            Errno::LOOP => Cause::Link,
            Errno::XDEV => Cause::Outside,
            Errno::EXIST => Cause::Exists,
            Errno::NOTEMPTY => Cause::NotEmpty,
            Errno::ACCESS => Cause::Denied,
            Errno::PERM => Cause::NotPermitted,
            Errno::NAMETOOLONG => Cause::NameTooLong,
            Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP => Cause::Unsupported,
            Errno::NXIO => Cause::Socket,
            _ => Cause::Other,
        };
        Self::new(cause, errno.into())
    }
}

impl From<io::Error> for SysError {
    fn from(error: io::Error) -> Self {
        match Errno::from_io_error(&error) {
            Some(errno) => errno.into(),
            None => Self::new(Cause::Other, error),
        }
    }
}

/// Opens a directory by a path that the user gave; `follow` decides about a link at its end.
pub(crate) fn open_path(path: &Path, follow: bool) -> Result<Dir> {
    let flags = if follow {
        open::DIRECTORY.difference(OFlags::NOFOLLOW)
    } else {
        open::DIRECTORY
    };
    let opened = retry_on_intr(|| rustix::fs::openat(CWD, path, flags, Mode::empty()));
    Ok(Dir(opened?))
}

/// Opens a directory by an absolute path without following a link anywhere.
pub(crate) fn open_absolute(path: &Path) -> Result<Dir> {
    let inside = path.strip_prefix("/").map_err(|_| Errno::INVAL)?;
    let inside = inside.to_str().ok_or(Errno::ILSEQ)?;
    let top = rustix::fs::openat(CWD, "/", open::DIRECTORY, Mode::empty())?;
    let inside = if inside.is_empty() { "." } else { inside };
    Ok(Dir(open::by_component(&top, inside, open::DIRECTORY)?))
}

/// Opens a directory below `dir` without following a link anywhere; `.` is `dir` itself.
pub(crate) fn open_dir(dir: &Dir, path: &str) -> Result<Dir> {
    Ok(Dir(open::beneath(&dir.0, path, open::DIRECTORY)?))
}

/// Does the same one component at a time, which reports a link as a link.
pub(crate) fn open_dir_by_component(dir: &Dir, path: &str) -> Result<Dir> {
    Ok(Dir(open::by_component(&dir.0, path, open::DIRECTORY)?))
}

/// Opens one directory in `dir`, which may be on another mount.
pub(crate) fn open_one(dir: &Dir, name: &str) -> Result<Dir> {
    Ok(Dir(open::at(&dir.0, name, open::DIRECTORY)?))
}

/// Opens a file below `dir` for reading without following a link anywhere.
pub(crate) fn open_file(dir: &Dir, path: &str) -> Result<File> {
    Ok(open::beneath(&dir.0, path, open::FILE)?.into())
}

/// Opens a directory to delete its content, even if its mode forbids that.
pub(crate) fn open_to_delete(dir: &Dir, name: &OsStr) -> Result<Dir> {
    let open = || rustix::fs::openat(&dir.0, name, open::DIRECTORY, Mode::empty());
    let inner = open().or_else(|_| {
        rustix::fs::chmodat(&dir.0, name, Mode::RWXU, AtFlags::empty())?;
        open()
    })?;
    let _ = rustix::fs::fchmod(&inner, Mode::RWXU);
    Ok(Dir(inner))
}

/// Creates a file that does not exist yet.
pub(crate) fn create(dir: &Dir, path: &str, mode: u32) -> Result<File> {
    let mode = mode_of(mode);
    let file = retry_on_intr(|| rustix::fs::openat(&dir.0, path, NEW_FILE, mode))?;
    Ok(file.into())
}

/// Creates a file that does not exist yet, every write to which goes to its end.
pub(crate) fn create_to_append(dir: &Dir, path: &str, mode: u32) -> Result<File> {
    let flags = NEW_FILE | OFlags::APPEND;
    Ok(rustix::fs::openat(&dir.0, path, flags, mode_of(mode))?.into())
}

/// Opens a file to append to it; creates it if it is missing. A FIFO without a reader is an error
/// instead of a wait.
pub(crate) fn open_to_append(dir: &Dir, path: &str, mode: u32) -> Result<File> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::APPEND | OFlags::NONBLOCK;
    let flags = flags | OFlags::NOFOLLOW | OFlags::NOCTTY | OFlags::CLOEXEC;
    Ok(rustix::fs::openat(&dir.0, path, flags, mode_of(mode))?.into())
}

/// Opens a file that is only locked; creates it if it is missing.
pub(crate) fn open_to_lock(dir: &Dir, path: &str, mode: u32) -> Result<File> {
    let flags = OFlags::RDONLY | OFlags::CREATE | OFlags::NONBLOCK;
    let flags = flags | OFlags::NOFOLLOW | OFlags::NOCTTY | OFlags::CLOEXEC;
    Ok(rustix::fs::openat(&dir.0, path, flags, mode_of(mode))?.into())
}

/// Returns facts about an entry; a link is not followed.
pub(crate) fn stat(dir: &Dir, path: &str) -> Result<Stat> {
    let stat = rustix::fs::statat(&dir.0, path, AtFlags::SYMLINK_NOFOLLOW)?;
    Ok(read_stat(&stat))
}

/// Returns facts about a path that the user gave; a link at its end is not followed.
pub(crate) fn stat_path(path: &Path) -> Result<Stat> {
    let stat = rustix::fs::statat(CWD, path, AtFlags::SYMLINK_NOFOLLOW)?;
    Ok(read_stat(&stat))
}

/// Returns facts about an open file.
pub(crate) fn stat_file(file: &File) -> Result<Stat> {
    Ok(read_stat(&rustix::fs::fstat(file)?))
}

/// Returns whether an open directory has exactly this mode.
pub(crate) fn has_mode(dir: &Dir, mode: u32) -> Result<bool> {
    let stat = rustix::fs::fstat(&dir.0)?;
    Ok(mode_bits(&stat) == mode)
}

/// Returns why others can use an open directory: it has another owner than `above`, or rights of
/// `forbidden`.
pub(crate) fn exposure(dir: &Dir, above: &Dir, forbidden: u32) -> Result<Option<String>> {
    let (stat, above) = (rustix::fs::fstat(&dir.0)?, rustix::fs::fstat(&above.0)?);
    let (owner, mode) = (stat.st_uid, mode_bits(&stat));
    if owner != above.st_uid {
        let expected = above.st_uid;
        let why = format!(
            "it belongs to user {owner}, expected user {expected}, whose directory it is in; remove it if you did not create it"
        );
        return Ok(Some(why));
    }
    let why = format!(
        "other users can use it (mode {mode:04o}), expected mode 0700; if nobody changed it, run chmod 700 on it"
    );
    Ok((mode & forbidden != 0).then_some(why))
}

/// Returns the permissions of an entry, for [`set_mode`].
pub(crate) fn mode(dir: &Dir, path: &str) -> Result<u32> {
    let stat = rustix::fs::statat(&dir.0, path, AtFlags::SYMLINK_NOFOLLOW)?;
    Ok(mode_bits(&stat))
}

/// Sets the permissions of an open file.
pub(crate) fn set_mode(file: &File, mode: u32) -> Result<()> {
    Ok(rustix::fs::fchmod(file, mode_of(mode))?)
}

/// Sets the permissions of a directory.
pub(crate) fn set_mode_at(dir: &Dir, path: &str, mode: u32) -> Result<()> {
    let mode = mode_of(mode);
    Ok(rustix::fs::chmodat(&dir.0, path, mode, AtFlags::empty())?)
}

/// Creates a directory; its parent exists.
pub(crate) fn make_dir(dir: &Dir, path: &str, mode: u32) -> Result<()> {
    Ok(rustix::fs::mkdirat(&dir.0, path, mode_of(mode))?)
}

/// Creates a FIFO; not supported on macOS.
pub(crate) fn make_fifo(dir: &Dir, path: &str, mode: u32) -> Result<()> {
    #[cfg(target_os = "linux")]
    rustix::fs::mknodat(&dir.0, path, FileType::Fifo, mode_of(mode), 0)?;
    #[cfg(not(target_os = "linux"))]
    return {
        let _ = (dir, path, mode);
        let why = "a FIFO is not copied on this system";
        Err(SysError::because(Cause::Unsupported, why))
    };
    #[cfg(target_os = "linux")]
    Ok(())
}

/// Removes a file or a link.
pub(crate) fn unlink(dir: &Dir, name: &OsStr) -> Result<()> {
    Ok(rustix::fs::unlinkat(&dir.0, name, AtFlags::empty())?)
}

/// Removes an empty directory.
pub(crate) fn remove_dir(dir: &Dir, name: &OsStr) -> Result<()> {
    Ok(rustix::fs::unlinkat(&dir.0, name, AtFlags::REMOVEDIR)?)
}

/// Renames an entry, replacing a file or an empty directory.
pub(crate) fn rename(from: (&Dir, &str), to: (&Dir, &str)) -> Result<()> {
    Ok(rustix::fs::renameat(&from.0.0, from.1, &to.0.0, to.1)?)
}

/// Renames to a name that must be free; fails with [`Cause::Exists`] otherwise.
pub(crate) fn rename_new(from: (&Dir, &str), to: (&Dir, &str)) -> Result<()> {
    let flags = RenameFlags::NOREPLACE;
    let res = rustix::fs::renameat_with(&from.0.0, from.1, &to.0.0, to.1, flags);
    if !is_unsupported(res) {
        return Ok(res?);
    }
    match rustix::fs::statat(&to.0.0, to.1, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(_) => Err(Errno::EXIST.into()),
        Err(Errno::NOENT) => rename(from, to),
        Err(err) => Err(err.into()),
    }
}

/// Exchanges two names in one step. Returns false if the file system does not support that.
pub(crate) fn exchange(a: (&Dir, &str), b: (&Dir, &str)) -> Result<bool> {
    let res = rustix::fs::renameat_with(&a.0.0, a.1, &b.0.0, b.1, RenameFlags::EXCHANGE);
    if is_unsupported(res) {
        return Ok(false);
    }
    res?;
    Ok(true)
}

fn is_unsupported(res: std::result::Result<(), Errno>) -> bool {
    matches!(res, Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP))
}

/// Gives a file of `dir` a second name in it, which must be free.
pub(crate) fn hard_link(dir: &Dir, from: &str, to: &str) -> Result<()> {
    Ok(rustix::fs::linkat(
        &dir.0,
        from,
        &dir.0,
        to,
        AtFlags::empty(),
    )?)
}

/// Returns the target of a link as written.
pub(crate) fn read_link(dir: &Dir, path: &str) -> Result<PathBuf> {
    let target = rustix::fs::readlinkat(&dir.0, path, Vec::new())?;
    Ok(OsString::from_vec(target.into_bytes()).into())
}

/// Creates a symbolic link.
pub(crate) fn symlink(target: &Path, dir: &Dir, path: &str) -> Result<()> {
    Ok(rustix::fs::symlinkat(target, &dir.0, path)?)
}

/// Reads into the unused capacity of `buffer`; returns the number of bytes, 0 at the end.
pub(crate) fn read(file: &File, buffer: &mut Vec<u8>) -> Result<usize> {
    Ok(retry_on_intr(|| {
        rustix::io::read(file, spare_capacity(buffer))
    })?)
}

/// Writes all of `bytes`.
pub(crate) fn write_all(mut file: &File, bytes: &[u8]) -> Result<()> {
    Ok(file.write_all(bytes)?)
}

/// Waits until the entries of a directory are on disk.
pub(crate) fn sync_dir(dir: &Dir) -> Result<()> {
    #[cfg(target_vendor = "apple")]
    if rustix::fs::fcntl_fullfsync(&dir.0).is_ok() {
        return Ok(());
    }
    Ok(rustix::fs::fsync(&dir.0)?)
}

/// Returns the absolute path without links.
#[expect(
    clippy::disallowed_methods,
    reason = "this module accesses the file system"
)]
pub(crate) fn canonical(path: &Path) -> io::Result<PathBuf> {
    std::fs::canonicalize(path)
}

pub(super) fn private_dir_builder() -> DirBuilder {
    let mut res = DirBuilder::new();
    res.mode(super::MODE_PRIVATE_DIRECTORY);
    res
}

/// Lists directories with a reusable buffer.
#[derive(Default)]
pub(crate) struct Names {
    #[cfg(target_os = "linux")]
    buffer: Vec<u8>,
}

impl Names {
    /// Passes each name in `dir` to `take`, which returns false to stop, or the error of the
    /// listing.
    pub(crate) fn each<E>(
        &mut self,
        dir: &Dir,
        mut take: impl FnMut(Result<Name<'_>>) -> std::result::Result<bool, E>,
    ) -> std::result::Result<(), E> {
        #[cfg(target_os = "linux")]
        self.buffer.reserve(BUFFER);
        #[cfg(target_os = "linux")]
        let mut names = rustix::fs::RawDir::new(dir.0.as_fd(), self.buffer.spare_capacity_mut());
        #[cfg(not(target_os = "linux"))]
        let mut names = match rustix::fs::Dir::read_from(dir.0.as_fd()) {
            Ok(names) => names,
            Err(err) => return take(Err(err.into())).map(drop),
        };
        while let Some(name) = names.next() {
            let name = match name {
                Ok(name) => name,
                Err(err) => return take(Err(err.into())).map(drop),
            };
            let bytes = name.file_name().to_bytes();
            if matches!(bytes, b"." | b"..") {
                continue;
            }
            let lossy = |_| String::from_utf8_lossy(bytes).into_owned();
            let text = std::str::from_utf8(bytes).map_err(lossy);
            let kind = match name.file_type() {
                FileType::RegularFile | FileType::Unknown => None,
                other => Some(kind_of(other)),
            };
            if !take(Ok(Name { text, kind }))? {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// Size of the buffer for directory entries in bytes.
#[cfg(target_os = "linux")]
const BUFFER: usize = 32 * 1024;

/// Returns the names in a directory, of any encoding; stops at the first error.
pub(crate) fn names(dir: &Dir) -> Vec<OsString> {
    let mut res = Vec::new();
    let Ok(mut listed) = rustix::fs::Dir::read_from(dir.0.as_fd()) else {
        return res;
    };
    while let Some(Ok(entry)) = listed.next() {
        let name = entry.file_name().to_bytes();
        if !matches!(name, b"." | b"..") {
            res.push(OsStr::from_bytes(name).to_owned());
        }
    }
    res
}

fn mode_of(mode: u32) -> Mode {
    Mode::from_bits_truncate(mode as rustix::fs::RawMode)
}

#[cfg_attr(
    target_os = "linux",
    expect(
        clippy::useless_conversion,
        reason = "the widths differ between systems"
    )
)]
fn read_stat(stat: &rustix::fs::Stat) -> Stat {
    let nanoseconds = |seconds: i64, rest: i128| i128::from(seconds) * 1_000_000_000 + rest;
    let info = FileInfo {
        size: u64::try_from(stat.st_size).unwrap_or(0),
        executable: stat.st_mode & 0o111 != 0,
        n_links: u64::from(stat.st_nlink),
        stamp: Stamp {
            inode: stat.st_ino,
            modified: nanoseconds(stat.st_mtime, stat.st_mtime_nsec.into()),
            changed: nanoseconds(stat.st_ctime, stat.st_ctime_nsec.into()),
        },
    };
    let kind = match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => Kind::File(info),
        other => kind_of(other),
    };
    Stat { kind, info }
}

#[cfg_attr(
    target_os = "linux",
    expect(
        clippy::useless_conversion,
        reason = "the widths differ between systems"
    )
)]
fn mode_bits(stat: &rustix::fs::Stat) -> u32 {
    u32::from(Mode::from_raw_mode(stat.st_mode).as_raw_mode())
}

/// Converts every type except regular files.
fn kind_of(file_type: FileType) -> Kind {
    match file_type {
        FileType::Directory => Kind::Dir,
        FileType::Symlink => Kind::Symlink,
        FileType::Fifo => Kind::Fifo,
        FileType::Socket => Kind::Socket,
        _ => Kind::Device,
    }
}
