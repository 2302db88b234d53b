//! Creates and moves mounts by descriptor.

use std::ffi::OsString;
use std::io::Read as _;
use std::os::fd::{AsFd, AsRawFd as _, OwnedFd};
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{
    CWD, FileType, Mode, OFlags, StatVfsMountFlags, fstat, fstatvfs, mkdirat, openat,
};
use rustix::io::Errno;
use rustix::mount::{
    FsMountFlags, FsOpenFlags, MountAttrFlags, MountFlags, MoveMountFlags, OpenTreeFlags,
    fsconfig_create, fsconfig_set_string, fsmount, fsopen, mount_remount, move_mount, open_tree,
};
use rustix::process::fchdir;

use crate::linux::open_path;

/// The flags for a path and its parents, without following links.
const ON_THE_WAY: OFlags = OFlags::PATH.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Creates a file system of a kind, which is not attached anywhere yet.
pub(crate) fn fresh(
    kind: &str,
    options: &[(&str, &str)],
    flags: MountAttrFlags,
) -> Result<OwnedFd, Errno> {
    let context = fsopen(kind, FsOpenFlags::FSOPEN_CLOEXEC)?;
    for (name, value) in options {
        fsconfig_set_string(&context, *name, *value)?;
    }
    fsconfig_create(&context)?;
    fsmount(&context, FsMountFlags::FSMOUNT_CLOEXEC, flags)
}

/// Copies the mount of an open file; the copy is not attached anywhere yet.
pub(crate) fn copy(fd: impl AsFd) -> Result<OwnedFd, Errno> {
    open_tree(fd, "", COPY)
}

/// Copies the mount of an open directory and those beneath it.
pub(crate) fn copy_all(fd: impl AsFd) -> Result<OwnedFd, Errno> {
    open_tree(fd, "", COPY | OpenTreeFlags::AT_RECURSIVE)
}

const COPY: OpenTreeFlags = OpenTreeFlags::OPEN_TREE_CLONE
    .union(OpenTreeFlags::OPEN_TREE_CLOEXEC)
    .union(OpenTreeFlags::AT_EMPTY_PATH);

/// Attaches a detached mount over an open file.
pub(crate) fn attach(tree: &OwnedFd, onto: impl AsFd) -> Result<(), Errno> {
    let by_descriptor =
        MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH | MoveMountFlags::MOVE_MOUNT_T_EMPTY_PATH;
    move_mount(tree, "", onto, "", by_descriptor)
}

/// Adds flags to the mount whose root is open as `fd`. Its existing flags stay: in a user namespace
/// they are locked (`mount_namespaces(7)`). This may change the working directory, because a path
/// through `/proc` is slower.
pub(crate) fn restrict(fd: &OwnedFd, flags: MountFlags) -> Result<(), Errno> {
    let has = fstatvfs(fd)?.f_flag;
    let kept = [
        (StatVfsMountFlags::RDONLY, MountFlags::RDONLY),
        (StatVfsMountFlags::NOSUID, MountFlags::NOSUID),
        (StatVfsMountFlags::NODEV, MountFlags::NODEV),
        (StatVfsMountFlags::NOEXEC, MountFlags::NOEXEC),
        (StatVfsMountFlags::NOATIME, MountFlags::NOATIME),
        (StatVfsMountFlags::NODIRATIME, MountFlags::NODIRATIME),
        (StatVfsMountFlags::RELATIME, MountFlags::RELATIME),
    ];
    let kept = kept.into_iter().filter(|(here, _)| has.contains(*here));
    let kept = kept.fold(flags, |all, (_, flag)| all | flag);
    let flags = MountFlags::BIND | kept;
    if fchdir(fd).is_ok() {
        return mount_remount(".", flags, "");
    }
    mount_remount(format!("/proc/self/fd/{}", fd.as_raw_fd()), flags, "")
}

pub(crate) fn is_directory(fd: impl AsFd) -> Result<bool, Errno> {
    Ok(FileType::from_raw_mode(fstat(fd)?.st_mode).is_dir())
}

/// Opens an absolute path beneath `root`, after creating what is missing on the way; a link is an
/// error.
pub(crate) fn point(root: &OwnedFd, at: &Path, is_directory: bool) -> Result<OwnedFd, Errno> {
    let parent = at.parent().ok_or(Errno::INVAL)?;
    let name = at.file_name().ok_or(Errno::INVAL)?;
    let parent = directory(root, parent)?;
    let opened = match openat(&parent, name, ON_THE_WAY, Mode::empty()) {
        Err(Errno::NOENT) if is_directory => {
            mkdirat(&parent, name, DIRECTORY_MODE)?;
            openat(&parent, name, ON_THE_WAY, Mode::empty())?
        }
        Err(Errno::NOENT) => {
            let new = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::CLOEXEC;
            openat(&parent, name, new, FILE_MODE)?
        }
        opened => opened?,
    };
    if FileType::from_raw_mode(fstat(&opened)?.st_mode).is_symlink() {
        return Err(Errno::LOOP);
    }
    Ok(opened)
}

const DIRECTORY_MODE: Mode = Mode::from_raw_mode(0o755);
const FILE_MODE: Mode = Mode::from_raw_mode(0o444);

/// Opens a directory beneath `root`, after creating it and its parents where they are missing.
pub(crate) fn directory(root: &OwnedFd, at: &Path) -> Result<OwnedFd, Errno> {
    let flags = ON_THE_WAY | OFlags::DIRECTORY;
    let way = at.strip_prefix("/").map_err(|_| Errno::INVAL)?;
    if let Ok(found) = open_path::at_once(root, way) {
        return Ok(found);
    }
    let mut res = openat(root, ".", flags, Mode::empty())?;
    for name in way {
        res = match openat(&res, name, flags, Mode::empty()) {
            Err(Errno::NOENT) => {
                mkdirat(&res, name, DIRECTORY_MODE)?;
                openat(&res, name, flags, Mode::empty())?
            }
            opened => opened?,
        };
    }
    Ok(res)
}

/// Returns the paths of all mounts (`/proc/self/mountinfo`, proc(5)).
pub(crate) fn list() -> std::io::Result<Vec<PathBuf>> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC;
    let file = openat(CWD, "/proc/self/mountinfo", flags, Mode::empty())?;
    let mut text = Vec::new();
    std::fs::File::from(file).read_to_end(&mut text)?;
    let lines = text.split(|byte| *byte == b'\n');
    Ok(lines
        .filter_map(|line| line.split(|byte| *byte == b' ').nth(4))
        .map(|place| unescape(place).into())
        .collect())
}

/// Decodes a path in which blanks and backslashes are written as three octal digits.
fn unescape(text: &[u8]) -> OsString {
    let mut plain = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        let digits = after.get(..3).filter(|_| byte == b'\\');
        let code = digits
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 8).ok());
        plain.push(code.unwrap_or(byte));
        rest = if code.is_some() { &after[3..] } else { after };
    }
    OsString::from_vec(plain)
}

#[cfg(test)]
mod tests {
    use super::unescape;

    #[test]
    fn names_with_blanks() {
        assert_eq!(unescape(b"/a\\040b\\134c"), "/a b\\c");
        assert_eq!(unescape(b"/plain"), "/plain");
    }
}
