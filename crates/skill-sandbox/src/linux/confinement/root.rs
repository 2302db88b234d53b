//! A private root: a file system that contains only what the policy grants.
//!
//! Nothing outside is visible, not even names, sizes and times. No socket or terminal of others can
//! be named, and no directory can be watched. What may not be written is mounted read-only, which
//! also protects modes, owners and times.

use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::Instant;

use rustix::fs::{CWD, Mode, OFlags, chmod, openat, symlinkat};
use rustix::io::Errno;
use rustix::mount::{
    MountAttrFlags, MountFlags, MountPropagationFlags, UnmountFlags, mount_change, unmount,
};
use rustix::process::{fchdir, pivot_root};

use super::grants::{Grants, Place, reopen};
use super::{PRIVATE, TMP, mounts};
use crate::linux::open_path;
use crate::linux::orders::{Base, Restrictions};
use crate::linux::reach::CACHE_TIME;

/// Devices that hold no data of anybody.
pub(crate) const DEVICES: &[&str] = &[
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/tty",
];

/// The directory of devices.
const DIRECTORY: &str = "/dev";
/// The memory that programs share (`shm_open(3)`).
const SHARED_MEMORY: &str = "/dev/shm";

/// The directory of the terminals that the child itself opens.
pub(crate) const TERMINALS: &str = "/dev/pts";
/// The file that opens a terminal, if the terminals are private.
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

/// The maximum size of the directories and links of the root itself.
const SKELETON: &str = "4m";

/// A mount of the new root.
#[derive(Debug)]
struct Part {
    at: PathBuf,
    tree: OwnedFd,
    flags: MountFlags,
    /// The mounts beneath it, which are mounted with it, as paths relative to it.
    inner: Vec<PathBuf>,
    /// It was created for the child: nobody else sees changes in it.
    is_ours: bool,
}

impl Part {
    /// Returns the part for a file system that was just created.
    fn fresh(at: &str, tree: OwnedFd, flags: MountFlags) -> Self {
        Self {
            at: at.into(),
            tree,
            flags,
            inner: Vec::new(),
            is_ours: true,
        }
    }
}

const READ_ONLY: MountFlags = MountFlags::RDONLY
    .union(MountFlags::NOSUID)
    .union(MountFlags::NODEV);
/// A device can be written even so; its mode and times stay.
const DEVICE: MountFlags = MountFlags::RDONLY.union(MountFlags::NOSUID);
const WRITABLE: MountFlags = MountFlags::NOSUID.union(MountFlags::NODEV);

/// Enters a private root in our own mount namespace: the prepared one, if it fits the job. `alone`:
/// we are the first process of a PID namespace.
///
/// Returns what could not be done, one sentence each; an error means that there is no private root.
pub(crate) fn enter(
    restrictions: &Restrictions,
    grants: &Grants,
    alone: bool,
    prepared: Option<NewRoot>,
) -> Result<Vec<String>, Errno> {
    keep_mounts_here(MountPropagationFlags::PRIVATE)?;
    let mounted = prepared.as_ref().map(|built| built.mounted.clone());
    let mounted = mounted.unwrap_or_else(MountTable::read);
    let own = own(restrictions, grants, &mounted)?;
    let built = match prepared {
        Some(built) if built.serves(&restrictions.base, &own) => built.with(own)?,
        prepared => {
            prepared.map_or(Ok(()), NewRoot::discard)?;
            NewRoot::new(restrictions.base.clone(), own, mounted, alone)?
        }
    };
    built.enter()
}

/// A root that is built over the present one.
#[derive(Debug)]
pub(crate) struct NewRoot {
    base: Base,
    root: OwnedFd,
    parts: Vec<Part>,
    mounted: MountTable,
    since: Instant,
    missing: Vec<String>,
}

impl NewRoot {
    /// Builds what every job with this base needs.
    ///
    /// Until the job arrives, what the machine unmounts is unmounted here too; what it mounts does
    /// not appear in the new root.
    pub(crate) fn prepare(base: Base, alone: bool) -> Result<Self, Errno> {
        keep_mounts_here(MountPropagationFlags::DOWNSTREAM)?;
        let built = Self::new(base, Vec::new(), MountTable::read(), alone)?;
        fchdir(&built.root)?;
        let inward = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
        mount_change(".", inward)?;
        Ok(built)
    }

    /// Builds it with the parts of a job.
    fn new(base: Base, own: Vec<Part>, mounted: MountTable, alone: bool) -> Result<Self, Errno> {
        let mut missing = mounted.missing();
        let mut parts = system(&base, &mounted)?;
        parts.push(Part::fresh(TERMINALS, terminals()?, MountFlags::NOSUID));
        parts.push(processes(alone, &mounted, &mut missing)?);
        parts.extend(own);
        let options = [("mode", "0755"), ("size", SKELETON)];
        let root = mounts::fresh("tmpfs", &options, NOTHING_RUNS)?;
        let above = openat(CWD, "/", OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
        mounts::attach(&root, above)?;
        let built = Self {
            base,
            root,
            parts: Vec::new(),
            mounted,
            since: Instant::now(),
            missing,
        };
        add_links(&built.root, &built.base)?;
        built.with(parts)
    }

    /// Returns true if this root fits a job: it has the same base, was built recently, and no part
    /// of the job contains an existing part, because such a part would have to be mounted first.
    fn serves(&self, base: &Base, own: &[Part]) -> bool {
        let is_outer = |own: &Part| self.parts.iter().any(|part| part.at.starts_with(&own.at));
        self.base == *base && self.since.elapsed() < CACHE_TIME && !own.iter().any(is_outer)
    }

    /// Adds parts; none of them may contain an existing part.
    fn with(mut self, mut parts: Vec<Part>) -> Result<Self, Errno> {
        // Outer parts first; of two at one path the later one is visible, so that write access
        // wins.
        parts.sort_by(|a, b| a.at.cmp(&b.at));
        let mut refused = 0;
        for part in &parts {
            refused += add(&self.root, part)?;
        }
        if refused > 0 {
            let sentence =
                format!("the mode and times of files can be changed on {refused} mounts");
            self.missing.push(sentence);
        }
        self.parts.extend(parts);
        Ok(self)
    }

    /// Makes it our root; returns what could not be done.
    fn enter(self) -> Result<Vec<String>, Errno> {
        mounts::restrict(&self.root, MountFlags::RDONLY)?;
        change_root(&self.root)?;
        if self
            .parts
            .iter()
            .any(|part| part.at == Path::new(TMP) && part.is_ours)
        {
            close_parents(&self.parts)?;
        }
        Ok(self.missing)
    }

    /// Removes it, so that another one can be built.
    pub(crate) fn discard(self) -> Result<(), Errno> {
        fchdir(&self.root)?;
        unmount(".", UnmountFlags::DETACH)?;
        rustix::process::chdir("/")
    }
}

/// The mounts outside of the new root; `None` if they are not known.
#[derive(Debug, Clone)]
struct MountTable(Option<Vec<PathBuf>>);

impl MountTable {
    fn read() -> Self {
        Self(mounts::list().ok())
    }

    fn missing(&self) -> Vec<String> {
        let sentence = "the mode and times of files can be changed: no list of mounts";
        let missing = self.0.is_none().then(|| sentence.to_owned());
        missing.into_iter().collect()
    }

    /// Copies an open file, whose path is `real`, with the known mounts beneath it; anything
    /// mounted there since stays outside.
    fn part(&self, at: &Path, fd: OwnedFd, real: &Path, flags: MountFlags) -> Result<Part, Errno> {
        let inner = self.beneath(real);
        let is_alone = self.0.is_some() && inner.is_empty();
        let copy = if is_alone {
            mounts::copy
        } else {
            mounts::copy_all
        };
        Ok(Part {
            at: at.to_owned(),
            tree: copy(fd)?,
            flags,
            inner,
            is_ours: false,
        })
    }

    /// Returns the mounts beneath a path, relative to it.
    fn beneath(&self, real: &Path) -> Vec<PathBuf> {
        let mounts = self.0.iter().flatten();
        mounts
            .filter_map(|mount| mount.strip_prefix(real).ok())
            .filter(|rest| !rest.as_os_str().is_empty())
            .map(Path::to_owned)
            .collect()
    }
}

/// Keeps the whole tree visible, with private terminals, devices that stay in their places, read-only
/// parts where the policy protects some and, if `alone`, a fresh `/proc`.
pub(crate) fn keep(grants: &Grants, alone: bool) -> Result<Vec<String>, Errno> {
    keep_mounts_here(MountPropagationFlags::PRIVATE)?;
    let mut missing = Vec::new();
    if let Err(error) = protect(grants) {
        missing.push(format!(
            "parts that must not change are not protected: {error}"
        ));
    }
    if alone {
        put(&fresh_processes()?, PROCESSES)?;
    }
    if let Err(error) = hold_devices() {
        missing.push(format!("devices can be replaced: {error}"));
    }
    if let Err(error) = own_terminals() {
        missing.push(format!("no private terminals: {error}"));
    }
    Ok(missing)
}

/// Mounts the protected parts over the paths at which they are shown, for reading alone, and the
/// writable parts inside them.
fn protect(grants: &Grants) -> Result<(), Errno> {
    let mounted = MountTable::read();
    let is_inside = |place: &&Place| {
        let mut outer = grants.protect.iter();
        outer.any(|outer| place.at.starts_with(&outer.at))
    };
    let held = grants.protect.iter().map(|place| (place, READ_ONLY));
    let written = grants.write.iter().filter(is_inside);
    let written = written.map(|place| (place, WRITABLE));
    let parts = held.chain(written).map(|(place, flags)| {
        let (fd, real) = reopen(&place.fd)?;
        mounted.part(&place.at, fd, &real, flags)
    });
    // All are opened before the first one hides others.
    let mut parts = parts.collect::<Result<Vec<Part>, Errno>>()?;
    parts.sort_by(|a, b| a.at.cmp(&b.at));
    for part in parts {
        let over = open_path::open(CWD, Path::new("/"), &part.at)?;
        mounts::attach(&part.tree, over)?;
        mounts::restrict(&part.tree, part.flags)?;
    }
    Ok(())
}

/// Makes the directory of devices read-only: a program of root could replace `/dev/null` by a file,
/// which every program of the machine would then fill. The devices can be written even so, and so
/// can the shared memory in that directory.
fn hold_devices() -> Result<(), Errno> {
    let open = |at: &str| open_path::open(CWD, Path::new("/"), Path::new(at));
    let devices = mounts::copy_all(open(DIRECTORY)?)?;
    let shared = open(SHARED_MEMORY).and_then(mounts::copy_all);
    mounts::attach(&devices, open(DIRECTORY)?)?;
    mounts::restrict(&devices, MountFlags::RDONLY)?;
    match shared {
        Ok(shared) => mounts::attach(&shared, open(SHARED_MEMORY)?),
        Err(Errno::NOENT) => Ok(()),
        Err(error) => Err(error),
    }
}

fn own_terminals() -> Result<(), Errno> {
    put(&terminals()?, TERMINALS)?;
    let multiplexer = open_path::open(CWD, Path::new("/"), Path::new("/dev/pts/ptmx"))?;
    match open_path::open(CWD, Path::new("/"), Path::new(MULTIPLEXER)) {
        // A link into the directory of terminals leads to the private ones.
        Err(Errno::LOOP) => Ok(()),
        Ok(over) => mounts::attach(&mounts::copy(multiplexer)?, over),
        Err(error) => Err(error),
    }
}

/// Mounts a file system over a directory of the present tree.
fn put(tree: &OwnedFd, at: &str) -> Result<(), Errno> {
    mounts::attach(tree, open_path::open(CWD, Path::new("/"), Path::new(at))?)
}

const NOTHING_RUNS: MountAttrFlags = MountAttrFlags::MOUNT_ATTR_NOSUID
    .union(MountAttrFlags::MOUNT_ATTR_NODEV)
    .union(MountAttrFlags::MOUNT_ATTR_NOEXEC);

/// Keeps our mounts from appearing elsewhere. `inward`: whether mounts of the machine appear here.
fn keep_mounts_here(inward: MountPropagationFlags) -> Result<(), Errno> {
    mount_change("/", inward | MountPropagationFlags::REC)
}

/// Returns the paths of the system and of installed programs, which no child may write.
fn system(base: &Base, mounted: &MountTable) -> Result<Vec<Part>, Errno> {
    let mut parts = Vec::new();
    let devices = DEVICES.iter().map(|device| (Path::new(device), DEVICE));
    let places = base.system.iter();
    let places = places.map(|place| (place.as_path(), READ_ONLY));
    for (at, flags) in places.chain(devices) {
        if at.starts_with(PROCESSES) {
            continue;
        }
        let opened = open_path::open(CWD, Path::new("/"), at);
        match opened.and_then(|fd| mounted.part(at, fd, at, flags)) {
            Ok(part) => parts.push(part),
            // It was removed, or we may not read it: then the child does without it too.
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::ACCESS) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(parts)
}

/// Returns the parts of the job: private directories, and what the policy grants.
fn own(
    restrictions: &Restrictions,
    grants: &Grants,
    mounted: &MountTable,
) -> Result<Vec<Part>, Errno> {
    let size = restrictions.file_size.unwrap_or(0).to_string();
    let mut parts = Vec::new();
    for at in PRIVATE {
        if *at == TMP && grants.has_tmp() {
            continue;
        }
        let flags = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV;
        // A size of 0 means no limit (tmpfs(5)).
        let tree = mounts::fresh("tmpfs", &[("mode", "1777"), ("size", &size)], flags)?;
        parts.push(Part::fresh(at, tree, WRITABLE));
    }
    parts.extend(granted_parts(grants, mounted)?);
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

/// Returns a private `/proc` if possible: a container may forbid it.
fn processes(alone: bool, mounted: &MountTable, missing: &mut Vec<String>) -> Result<Part, Errno> {
    let fresh = if alone { Some(fresh_processes()) } else { None };
    let flags = READ_ONLY | MountFlags::NOEXEC;
    match fresh {
        Some(Ok(tree)) => Ok(Part::fresh(PROCESSES, tree, flags)),
        failed => {
            if let Some(Err(error)) = failed {
                missing.push(format!(
                    "other processes are visible: no private /proc: {error}"
                ));
            }
            let at = Path::new(PROCESSES);
            mounted.part(at, open_path::open(CWD, Path::new("/"), at)?, at, flags)
        }
    }
}

/// Returns what the policy grants: the very files, wherever their paths lead now.
fn granted_parts(grants: &Grants, mounted: &MountTable) -> Result<Vec<Part>, Errno> {
    let is_written = |at: &Path| grants.write.iter().any(|place| at.starts_with(&place.at));
    // Write access to a directory extends to everything in it.
    let read = grants.read.iter().filter(|place| !is_written(&place.at));
    let read = read.chain(&grants.protect).map(|place| (place, READ_ONLY));
    let written = grants.write.iter().map(|place| (place, WRITABLE));
    let parts = read.chain(written).map(|(place, flags)| {
        let (fd, real) = reopen(&place.fd)?;
        mounted.part(&place.at, fd, &real, flags)
    });
    parts.collect()
}

/// Creates the links that lead to paths of the system.
fn add_links(root: &OwnedFd, base: &Base) -> Result<(), Errno> {
    let fixed = LINKS.iter().map(|(at, to)| (Path::new(at), Path::new(to)));
    let links = base.links.iter();
    let links = links.map(|(at, to)| (at.as_path(), to.as_path()));
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

/// Mounts a part; returns how many of the mounts beneath it could not be restricted in the same
/// way.
fn add(root: &OwnedFd, part: &Part) -> Result<usize, Errno> {
    let is_directory = mounts::is_directory(&part.tree)?;
    let point = mounts::point(root, &part.at, is_directory)?;
    mounts::attach(&part.tree, point)?;
    mounts::restrict(&part.tree, part.flags)?;
    let inner = part.inner.iter();
    Ok(inner.filter(|at| restrict_inner(part, at).is_err()).count())
}

fn restrict_inner(part: &Part, at: &Path) -> Result<(), Errno> {
    let Ok(mount) = open_path::open(&part.tree, Path::new("."), at) else {
        // We cannot access it, and so the child cannot either.
        return Ok(());
    };
    match mounts::restrict(&mount, part.flags) {
        // Not the root of a mount: something was mounted over it.
        Err(Errno::INVAL) => Ok(()),
        restricted => restricted,
    }
}

/// Keeps the child from writing to parents of granted paths beneath the private `/tmp`: files there
/// would be lost, though the child expects a directory that is kept.
fn close_parents(parts: &[Part]) -> Result<(), Errno> {
    let is_given = |way: &Path| {
        let mut grants = parts.iter().filter(|part| part.at != Path::new(TMP));
        grants.any(|part| way.starts_with(&part.at))
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

/// Makes `root` our root and detaches the old one, without a second directory (`pivot_root(2)`).
fn change_root(root: &OwnedFd) -> Result<(), Errno> {
    fchdir(root)?;
    pivot_root(".", ".")?;
    unmount(".", UnmountFlags::DETACH)?;
    rustix::process::chdir("/")
}
