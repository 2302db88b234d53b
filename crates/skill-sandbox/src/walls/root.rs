//! A root of its own: a file system in which nothing lies but what the policy gives.
//!
//! Of what is outside not even names, sizes and times are to be seen, no socket or terminal of others
//! can be named, and no directory can be watched. What may not be written is mounted read-only, which
//! also keeps modes, owners and times as they are.

use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags, chmod, openat, symlinkat};
use rustix::io::Errno;
use rustix::mount::{
    MountAttrFlags, MountFlags, MountPropagationFlags, UnmountFlags, mount_change, unmount,
};
use rustix::process::{fchdir, pivot_root};

use super::given::{Given, again};
use super::{PRIVATE, TMP, mounts};
use crate::held;
use crate::policy::Walls;

/// Devices that hold nothing of anybody.
pub(crate) const DEVICES: &[&str] = &[
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/tty",
];

/// The terminals that the child itself opens.
pub(crate) const TERMINALS: &str = "/dev/pts";
/// Where a terminal is opened, when the terminals are the child's own.
pub(crate) const MULTIPLEXER: &str = "/dev/ptmx";

/// Links that programs expect (hier(7), pts(4), fd(4)).
const LINKS: &[(&str, &str)] = &[
    ("/dev/fd", "/proc/self/fd"),
    ("/dev/stdin", "/proc/self/fd/0"),
    ("/dev/stdout", "/proc/self/fd/1"),
    ("/dev/stderr", "/proc/self/fd/2"),
    (MULTIPLEXER, "pts/ptmx"),
];

const PROCESSES: &str = "/proc";

/// Bytes of the directories and links of the root itself.
const SKELETON: &str = "4m";

/// Something that is mounted.
struct Part {
    at: PathBuf,
    tree: OwnedFd,
    flags: MountFlags,
}

const READ_ONLY: MountFlags = MountFlags::RDONLY
    .union(MountFlags::NOSUID)
    .union(MountFlags::NODEV);
/// A device is written to even so; its mode and times stay.
const DEVICE: MountFlags = MountFlags::RDONLY.union(MountFlags::NOSUID);
const WRITABLE: MountFlags = MountFlags::NOSUID.union(MountFlags::NODEV);

/// Enters a root of our own, in a mount namespace of our own.
/// `alone`: we are the first process of a PID namespace.
///
/// What could be left undone is a sentence each, what could not is the error.
pub(crate) fn enter(walls: &Walls, given: &Given, alone: bool) -> Result<Vec<String>, Errno> {
    keep_mounts_here()?;
    let mut missing = Vec::new();
    let mut parts = system(walls)?;
    parts.extend(own(walls, given)?);
    parts.push(processes(alone, &mut missing)?);
    parts.extend(given_parts(given)?);
    // Outer parts first; at one place the later one is seen, so the right to write decides.
    parts.sort_by(|a, b| a.at.cmp(&b.at));
    let root = mounts::fresh(
        "tmpfs",
        &[("mode", "0755"), ("size", SKELETON)],
        NOTHING_RUNS,
    )?;
    let above = openat(CWD, "/", OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
    mounts::attach(&root, above)?;
    add_links(&root, walls)?;
    for part in &parts {
        add(&root, part)?;
    }
    mounts::restrict(&root, MountFlags::RDONLY)?;
    change_root(&root)?;
    close_ways(&parts)?;
    missing.extend(restrict_inner(&parts));
    Ok(missing)
}

/// The whole tree stays in view; terminals are the child's own.
pub(crate) fn keep(alone: bool) -> Result<Vec<String>, Errno> {
    keep_mounts_here()?;
    let mut missing = Vec::new();
    if alone {
        put(&fresh_processes()?, PROCESSES)?;
    }
    if let Err(error) = own_terminals() {
        missing.push(format!("no terminals of its own: {error}"));
    }
    Ok(missing)
}

fn own_terminals() -> Result<(), Errno> {
    put(&terminals()?, TERMINALS)?;
    let multiplexer = held::open(CWD, Path::new("/"), Path::new("/dev/pts/ptmx"))?;
    match held::open(CWD, Path::new("/"), Path::new(MULTIPLEXER)) {
        // A link into the directory of terminals leads to our own.
        Err(Errno::LOOP) => Ok(()),
        Ok(over) => mounts::attach(&mounts::copy(multiplexer)?, over),
        Err(error) => Err(error),
    }
}

/// Mounts a file system over a directory of the tree as it is.
fn put(tree: &OwnedFd, at: &str) -> Result<(), Errno> {
    mounts::attach(tree, held::open(CWD, Path::new("/"), Path::new(at))?)
}

const NOTHING_RUNS: MountAttrFlags = MountAttrFlags::MOUNT_ATTR_NOSUID
    .union(MountAttrFlags::MOUNT_ATTR_NODEV)
    .union(MountAttrFlags::MOUNT_ATTR_NOEXEC);

/// What is mounted here stays here.
fn keep_mounts_here() -> Result<(), Errno> {
    let inward = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    mount_change("/", inward)
}

/// The places of the system and of installed programs, where no child may write.
fn system(walls: &Walls) -> Result<Vec<Part>, Errno> {
    let mut parts = Vec::new();
    let devices = DEVICES.iter().map(|device| (Path::new(device), DEVICE));
    let places = walls
        .system
        .iter()
        .map(|place| (place.as_path(), READ_ONLY));
    for (at, flags) in places.chain(devices) {
        if at.starts_with(PROCESSES) {
            continue;
        }
        match held::open(CWD, Path::new("/"), at).and_then(mounts::copy) {
            Ok(tree) => parts.push(Part {
                at: at.to_owned(),
                tree,
                flags,
            }),
            // It was removed, or belongs to somebody else: then the child misses it too.
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::ACCESS) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(parts)
}

/// Directories that are nobody else's, and terminals.
fn own(walls: &Walls, given: &Given) -> Result<Vec<Part>, Errno> {
    let size = walls.file_size.unwrap_or(0).to_string();
    let mut parts = vec![Part {
        at: TERMINALS.into(),
        tree: terminals()?,
        flags: MountFlags::NOSUID,
    }];
    for at in PRIVATE {
        if *at == TMP && given.has_tmp() {
            continue;
        }
        let flags = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV;
        parts.push(Part {
            at: at.into(),
            // A size of 0 is no bound (tmpfs(5)).
            tree: mounts::fresh("tmpfs", &[("mode", "1777"), ("size", &size)], flags)?,
            flags: WRITABLE,
        });
    }
    Ok(parts)
}

fn terminals() -> Result<OwnedFd, Errno> {
    let options = [("mode", "0620"), ("ptmxmode", "0666")];
    let flags = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NOEXEC;
    mounts::fresh("devpts", &options, flags)
}

fn fresh_processes() -> Result<OwnedFd, Errno> {
    mounts::fresh("proc", &[], NOTHING_RUNS)
}

/// `/proc`, for nobody but ourselves where that can be had: a container may forbid it.
fn processes(alone: bool, missing: &mut Vec<String>) -> Result<Part, Errno> {
    let fresh = if alone { Some(fresh_processes()) } else { None };
    let tree = match fresh {
        Some(Ok(tree)) => tree,
        failed => {
            if let Some(Err(error)) = failed {
                missing.push(format!(
                    "other processes can be seen: no own /proc: {error}"
                ));
            }
            held::open(CWD, Path::new("/"), Path::new(PROCESSES)).and_then(mounts::copy)?
        }
    };
    Ok(Part {
        at: PROCESSES.into(),
        tree,
        flags: READ_ONLY | MountFlags::NOEXEC,
    })
}

/// What the policy gives: its very files, wherever their names lead by now.
fn given_parts(given: &Given) -> Result<Vec<Part>, Errno> {
    let is_written = |at: &Path| given.write.iter().any(|place| at.starts_with(&place.at));
    // The right to write a directory reaches down into all that lies there.
    let read = given.read.iter().filter(|place| !is_written(&place.at));
    let read = read.chain(&given.protect).map(|place| (place, READ_ONLY));
    let written = given.write.iter().map(|place| (place, WRITABLE));
    let parts = read.chain(written).map(|(place, flags)| {
        Ok(Part {
            at: place.at.clone(),
            tree: mounts::copy(again(&place.fd)?)?,
            flags,
        })
    });
    parts.collect()
}

/// Makes the links that lead to places of the system.
fn add_links(root: &OwnedFd, walls: &Walls) -> Result<(), Errno> {
    let fixed = LINKS.iter().map(|(at, to)| (Path::new(at), Path::new(to)));
    let links = walls
        .links
        .iter()
        .map(|(at, to)| (at.as_path(), to.as_path()));
    for (at, to) in links.chain(fixed) {
        let (Some(parent), Some(name)) = (at.parent(), at.file_name()) else {
            continue;
        };
        match symlinkat(to, mounts::directory(root, parent)?, name) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn add(root: &OwnedFd, part: &Part) -> Result<(), Errno> {
    let is_directory = mounts::is_directory(&part.tree)?;
    let point = mounts::point(root, &part.at, is_directory)?;
    mounts::attach(&part.tree, point)?;
    mounts::restrict(&part.tree, part.flags)
}

/// Restricts the mounts that came along with a part, because they lie beneath it, as the part itself.
fn restrict_inner(parts: &[Part]) -> Option<String> {
    let Ok(mounts) = mounts::list() else {
        return Some("the mode and times of files can be changed: no list of mounts".to_owned());
    };
    let is_part = |at: &Path| at == Path::new("/") || parts.iter().any(|part| part.at == at);
    let inner = mounts.iter().filter(|at| !is_part(at));
    let refused = inner.filter(|at| {
        let outer = parts.iter().rfind(|part| at.starts_with(&part.at));
        let flags = outer.map_or(READ_ONLY, |part| part.flags);
        let opened = held::open(CWD, Path::new("/"), at);
        // Mounted over, or out of our reach: then out of the child's too.
        opened.is_ok_and(|mount| mounts::restrict(&mount, flags).is_err())
    });
    let refused = refused.count();
    (refused > 0).then(|| format!("the mode and times of files can be changed on {refused} mounts"))
}

/// Keeps the child from writing on the way to what lies beneath the private `/tmp`: what it left there
/// would be lost, where it expects a directory that is kept.
fn close_ways(parts: &[Part]) -> Result<(), Errno> {
    let is_given = |way: &Path| {
        let mut given = parts.iter().filter(|part| part.at != Path::new(TMP));
        given.any(|part| way.starts_with(&part.at))
    };
    for part in parts.iter().filter(|part| part.at.starts_with(TMP)) {
        let ways = part.at.ancestors().skip(1);
        for way in ways.filter(|way| way.starts_with(TMP) && *way != Path::new(TMP)) {
            if !is_given(way) {
                chmod(way, Mode::from_raw_mode(0o555))?;
            }
        }
    }
    Ok(())
}

/// Makes `root` our root and lets go of the old one, without a second directory (`pivot_root(2)`).
fn change_root(root: &OwnedFd) -> Result<(), Errno> {
    fchdir(root)?;
    pivot_root(".", ".")?;
    unmount(".", UnmountFlags::DETACH)?;
    rustix::process::chdir("/")
}
