//! A file system of its own: what may be written is, all else is mounted read-only.
//!
//! Landlock keeps files from being opened, but not from having their mode, owner or times changed;
//! a read-only mount does.

use std::ffi::{CString, OsString};
use std::io::Read as _;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, FileType, Mode, OFlags, chmod, fstat, mkdir, open};
use rustix::io::Errno;
use rustix::mount::{
    MountFlags, MountPropagationFlags, MoveMountFlags, OpenTreeFlags, mount, mount_change,
    mount_remount, move_mount, open_tree,
};

use crate::policy::Walls;

const TMP: &str = "/tmp";

/// Directories that are nobody else's, when the view has been arranged.
pub(crate) const PRIVATE: &[&str] = &[TMP, "/dev/shm"];

/// Whether `/tmp` becomes a private one: unless the policy gives all of it.
pub(crate) fn covers_tmp(walls: &Walls) -> bool {
    let given = walls.read.iter().chain(&walls.write);
    !given
        .into_iter()
        .any(|path| Path::new(TMP).starts_with(path))
}

/// Arranges the view in our mount namespace. `alone`: we are the first process of a PID namespace.
/// What could be left undone is a sentence, what could not is the error.
pub(crate) fn arrange(walls: &Walls, alone: bool) -> Result<Option<String>, Errno> {
    // What is mounted here stays here.
    let inward = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    mount_change("/", inward)?;
    let cover = covers_tmp(walls);
    let kept = kept_trees(walls, cover)?;
    if alone {
        let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
        mount("proc", "/proc", "proc", flags, None)?;
    }
    let missing = protect(walls);
    if cover {
        for directory in PRIVATE {
            mount_tmpfs(directory, walls)?;
        }
    }
    let mut made = Vec::new();
    for part in &kept {
        show(part, &mut made)?;
    }
    // The way to a kept part is none of the child's business: it would write there to no end.
    for directory in made {
        chmod(directory, Mode::from_raw_mode(0o555))?;
    }
    Ok(missing)
}

fn mount_tmpfs(at: &str, walls: &Walls) -> Result<(), Errno> {
    let size = walls.file_size.map(|size| format!(",size={size}"));
    let options = format!("mode=1777{}", size.unwrap_or_default());
    let options = CString::new(options).map_err(|_| Errno::INVAL)?;
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    mount("tmpfs", at, "tmpfs", flags, Some(options.as_c_str()))
}

/// A part of the real file system that is to be seen, or written, in ours.
struct Kept {
    path: PathBuf,
    tree: OwnedFd,
    writable: bool,
}

/// What may be written, and what may be read below a `/tmp` that is covered; outer parts first.
fn kept_trees(walls: &Walls, cover: bool) -> Result<Vec<Kept>, Errno> {
    let mut kept = Vec::new();
    for path in walls.write.iter().map(PathBuf::from) {
        // All that is written is written there: nothing to protect, and nothing to keep.
        if path != Path::new("/") {
            keep(&mut kept, path, true)?;
        }
    }
    for path in walls.read.iter().map(PathBuf::from) {
        // The right to write a directory reaches down into all that lies there.
        let is_written = walls.write.iter().any(|written| path.starts_with(written));
        if cover && path.starts_with(TMP) && !is_written {
            keep(&mut kept, path, false)?;
        }
    }
    for path in &walls.protect {
        keep(&mut kept, path.into(), false)?;
    }
    kept.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(kept)
}

fn keep(kept: &mut Vec<Kept>, path: PathBuf, writable: bool) -> Result<(), Errno> {
    let flags = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_RECURSIVE;
    match open_tree(CWD, &path, flags) {
        Ok(tree) => kept.push(Kept {
            path,
            tree,
            writable,
        }),
        Err(Errno::NOENT) => {}
        Err(error) => return Err(error),
    }
    Ok(())
}

/// Mounts a kept part where it was. Below the private `/tmp` its place has to be made.
fn show(part: &Kept, made: &mut Vec<PathBuf>) -> Result<(), Errno> {
    let is_directory =
        FileType::from_raw_mode(fstat(part.tree.as_fd())?.st_mode) == FileType::Directory;
    if part.path.starts_with(TMP) {
        make_mount_point(&part.path, is_directory, made)?;
    }
    let from_tree = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH;
    move_mount(&part.tree, "", CWD, &part.path, from_tree)?;
    if part.writable {
        return Ok(());
    }
    mount_remount(&part.path, MountFlags::BIND | MountFlags::RDONLY, "")
}

/// Makes a file or directory to mount over; the parents that it had to make go into `made`.
fn make_mount_point(path: &Path, is_directory: bool, made: &mut Vec<PathBuf>) -> Result<(), Errno> {
    let parents: Vec<&Path> = path.ancestors().skip(1).collect();
    for parent in parents.into_iter().rev() {
        if make_directory(parent)? {
            made.push(parent.into());
        }
    }
    if is_directory {
        return make_directory(path).map(drop);
    }
    match open(path, OFlags::CREATE | OFlags::CLOEXEC, Mode::RUSR) {
        Ok(_) | Err(Errno::ROFS) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Whether it had to be made.
fn make_directory(path: &Path) -> Result<bool, Errno> {
    match mkdir(path, Mode::from_raw_mode(0o755)) {
        Ok(()) => Ok(true),
        Err(Errno::EXIST | Errno::ROFS) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Makes all mounts read-only, unless everything may be written.
fn protect(walls: &Walls) -> Option<String> {
    if walls.write.iter().any(|path| path == "/") {
        return None;
    }
    let Ok(mounts) = mounts() else {
        return Some("the mode and times of files can be changed: no list of mounts".to_owned());
    };
    let refused = mounts
        .iter()
        .filter(|mount| {
            let flags = MountFlags::BIND | MountFlags::RDONLY | mount.flags;
            let remounted = mount_remount(&mount.at, flags, "");
            // Mounted over, or out of our reach: then out of the child's too.
            !matches!(
                remounted,
                Ok(()) | Err(Errno::NOENT | Errno::ACCESS | Errno::INVAL | Errno::NOTDIR)
            )
        })
        .count();
    (refused > 0).then(|| format!("the mode and times of files can be changed on {refused} mounts"))
}

/// Where something is mounted, and the options that a remount must repeat.
struct Mount {
    at: OsString,
    flags: MountFlags,
}

fn mounts() -> std::io::Result<Vec<Mount>> {
    let file = open(
        "/proc/self/mountinfo",
        OFlags::RDONLY | OFlags::CLOEXEC,
        Mode::empty(),
    )?;
    let mut text = Vec::new();
    std::fs::File::from(file).read_to_end(&mut text)?;
    Ok(text
        .split(|byte| *byte == b'\n')
        .filter_map(parse)
        .collect())
}

/// One line of `mountinfo`: id, parent, device, root, place, options (proc(5)).
fn parse(line: &[u8]) -> Option<Mount> {
    let mut fields = line.split(|byte| *byte == b' ');
    let at = unescape(fields.nth(4)?);
    let options = fields.next()?;
    let flags = options
        .split(|byte| *byte == b',')
        .map(|option| match option {
            b"nosuid" => MountFlags::NOSUID,
            b"nodev" => MountFlags::NODEV,
            b"noexec" => MountFlags::NOEXEC,
            b"noatime" => MountFlags::NOATIME,
            b"nodiratime" => MountFlags::NODIRATIME,
            b"relatime" => MountFlags::RELATIME,
            _ => MountFlags::empty(),
        })
        .collect();
    Some(Mount { at, flags })
}

/// Blanks and backslashes are written as three octal digits.
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
