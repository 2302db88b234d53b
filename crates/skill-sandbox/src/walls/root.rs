//! A root of its own: a file system in which nothing lies but what the policy gives.
//!
//! Of what is outside not even names, sizes and times are to be seen, no socket or terminal of others
//! can be named, and no directory can be watched. What may not be written is mounted read-only, which
//! also keeps modes, owners and times as they are.

use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::Instant;

use rustix::fs::{CWD, Mode, OFlags, chmod, openat, symlinkat};
use rustix::io::Errno;
use rustix::mount::{
    MountAttrFlags, MountFlags, MountPropagationFlags, UnmountFlags, mount_change, unmount,
};
use rustix::process::{fchdir, pivot_root};

use super::given::{Given, again};
use super::{PRIVATE, TMP, mounts};
use crate::held;
use crate::policy::{Base, Walls};
use crate::reach::HOLDS;

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
#[derive(Debug)]
struct Part {
    at: PathBuf,
    tree: OwnedFd,
    flags: MountFlags,
    /// The mounts that come along, because they lie beneath it: by their paths from there.
    inner: Vec<PathBuf>,
    /// It was made for the child: nobody else sees what changes there.
    is_ours: bool,
}

impl Part {
    /// A file system that was just made.
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
/// A device is written to even so; its mode and times stay.
const DEVICE: MountFlags = MountFlags::RDONLY.union(MountFlags::NOSUID);
const WRITABLE: MountFlags = MountFlags::NOSUID.union(MountFlags::NODEV);

/// Enters a root of our own, in a mount namespace of our own: the one that was built ahead, when it
/// serves. `alone`: we are the first process of a PID namespace.
///
/// What could be left undone is a sentence each, what could not is the error.
pub(crate) fn enter(
    walls: &Walls,
    given: &Given,
    alone: bool,
    ahead: Option<Built>,
) -> Result<Vec<String>, Errno> {
    keep_mounts_here(MountPropagationFlags::PRIVATE)?;
    let around = ahead.as_ref().map(|built| built.around.clone());
    let around = around.unwrap_or_else(Around::look);
    let own = own(walls, given, &around)?;
    let built = match ahead {
        Some(built) if built.serves(&walls.base, &own) => built.with(own)?,
        ahead => {
            ahead.map_or(Ok(()), Built::discard)?;
            Built::new(walls.base.clone(), own, around, alone)?
        }
    };
    built.enter()
}

/// A root that is built, over the one that we have.
#[derive(Debug)]
pub(crate) struct Built {
    base: Base,
    root: OwnedFd,
    parts: Vec<Part>,
    around: Around,
    since: Instant,
    missing: Vec<String>,
}

impl Built {
    /// Builds what a job with this base needs in any case.
    ///
    /// Until the job comes, what the machine unmounts is unmounted here too; what it mounts does not
    /// come into the new root.
    pub(crate) fn ahead(base: Base, alone: bool) -> Result<Self, Errno> {
        keep_mounts_here(MountPropagationFlags::DOWNSTREAM)?;
        let built = Self::new(base, Vec::new(), Around::look(), alone)?;
        fchdir(&built.root)?;
        let inward = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
        mount_change(".", inward)?;
        Ok(built)
    }

    /// Builds it with what belongs to the job.
    fn new(base: Base, own: Vec<Part>, around: Around, alone: bool) -> Result<Self, Errno> {
        let mut missing = around.missing();
        let mut parts = system(&base, &around)?;
        parts.push(Part::fresh(TERMINALS, terminals()?, MountFlags::NOSUID));
        parts.push(processes(alone, &around, &mut missing)?);
        parts.extend(own);
        let options = [("mode", "0755"), ("size", SKELETON)];
        let root = mounts::fresh("tmpfs", &options, NOTHING_RUNS)?;
        let above = openat(CWD, "/", OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
        mounts::attach(&root, above)?;
        let built = Self {
            base,
            root,
            parts: Vec::new(),
            around,
            since: Instant::now(),
            missing,
        };
        add_links(&built.root, &built.base)?;
        built.with(parts)
    }

    /// Whether this is the root of a job: it is for such a base, was built a moment ago, and nothing of
    /// the job lies around what is there, which would have to come first.
    fn serves(&self, base: &Base, own: &[Part]) -> bool {
        let lies_around = |own: &Part| self.parts.iter().any(|part| part.at.starts_with(&own.at));
        self.base == *base && self.since.elapsed() < HOLDS && !own.iter().any(lies_around)
    }

    /// Adds parts; none of them lies around one that is there.
    fn with(mut self, mut parts: Vec<Part>) -> Result<Self, Errno> {
        // Outer parts first; at one place the later one is seen, so the right to write decides.
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

    /// Makes it our root; what is missing.
    fn enter(self) -> Result<Vec<String>, Errno> {
        mounts::restrict(&self.root, MountFlags::RDONLY)?;
        change_root(&self.root)?;
        if self
            .parts
            .iter()
            .any(|part| part.at == Path::new(TMP) && part.is_ours)
        {
            close_ways(&self.parts)?;
        }
        Ok(self.missing)
    }

    /// Removes it, so that another can be built.
    pub(crate) fn discard(self) -> Result<(), Errno> {
        fchdir(&self.root)?;
        unmount(".", UnmountFlags::DETACH)?;
        rustix::process::chdir("/")
    }
}

/// The places where something is mounted outside of the new root; `None` when they are not known.
#[derive(Debug, Clone)]
struct Around(Option<Vec<PathBuf>>);

impl Around {
    fn look() -> Self {
        Self(mounts::list().ok())
    }

    fn missing(&self) -> Vec<String> {
        let sentence = "the mode and times of files can be changed: no list of mounts";
        let missing = self.0.is_none().then(|| sentence.to_owned());
        missing.into_iter().collect()
    }

    /// Copies an open file, whose path is `real`, with the mounts that are known to lie beneath it: what
    /// else is mounted there by now stays outside.
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

    /// The mounts beneath a path, by their paths from there.
    fn beneath(&self, real: &Path) -> Vec<PathBuf> {
        let mounts = self.0.iter().flatten();
        mounts
            .filter_map(|mount| mount.strip_prefix(real).ok())
            .filter(|rest| !rest.as_os_str().is_empty())
            .map(Path::to_owned)
            .collect()
    }
}

/// The whole tree stays in view; terminals are the child's own.
pub(crate) fn keep(alone: bool) -> Result<Vec<String>, Errno> {
    keep_mounts_here(MountPropagationFlags::PRIVATE)?;
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

/// What is mounted here stays here. `inward`: whether what the machine does comes in.
fn keep_mounts_here(inward: MountPropagationFlags) -> Result<(), Errno> {
    mount_change("/", inward | MountPropagationFlags::REC)
}

/// The places of the system and of installed programs, where no child may write.
fn system(base: &Base, around: &Around) -> Result<Vec<Part>, Errno> {
    let mut parts = Vec::new();
    let devices = DEVICES.iter().map(|device| (Path::new(device), DEVICE));
    let places = base.system.iter();
    let places = places.map(|place| (place.as_path(), READ_ONLY));
    for (at, flags) in places.chain(devices) {
        if at.starts_with(PROCESSES) {
            continue;
        }
        let opened = held::open(CWD, Path::new("/"), at);
        match opened.and_then(|fd| around.part(at, fd, at, flags)) {
            Ok(part) => parts.push(part),
            // It was removed, or belongs to somebody else: then the child misses it too.
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::ACCESS) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(parts)
}

/// What belongs to the job: directories that are nobody else's, and what the policy gives.
fn own(walls: &Walls, given: &Given, around: &Around) -> Result<Vec<Part>, Errno> {
    let size = walls.file_size.unwrap_or(0).to_string();
    let mut parts = Vec::new();
    for at in PRIVATE {
        if *at == TMP && given.has_tmp() {
            continue;
        }
        let flags = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV;
        // A size of 0 is no bound (tmpfs(5)).
        let tree = mounts::fresh("tmpfs", &[("mode", "1777"), ("size", &size)], flags)?;
        parts.push(Part::fresh(at, tree, WRITABLE));
    }
    parts.extend(given_parts(given, around)?);
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
fn processes(alone: bool, around: &Around, missing: &mut Vec<String>) -> Result<Part, Errno> {
    let fresh = if alone { Some(fresh_processes()) } else { None };
    let flags = READ_ONLY | MountFlags::NOEXEC;
    match fresh {
        Some(Ok(tree)) => Ok(Part::fresh(PROCESSES, tree, flags)),
        failed => {
            if let Some(Err(error)) = failed {
                missing.push(format!(
                    "other processes can be seen: no own /proc: {error}"
                ));
            }
            let at = Path::new(PROCESSES);
            around.part(at, held::open(CWD, Path::new("/"), at)?, at, flags)
        }
    }
}

/// What the policy gives: its very files, wherever their names lead by now.
fn given_parts(given: &Given, around: &Around) -> Result<Vec<Part>, Errno> {
    let is_written = |at: &Path| given.write.iter().any(|place| at.starts_with(&place.at));
    // The right to write a directory reaches down into all that lies there.
    let read = given.read.iter().filter(|place| !is_written(&place.at));
    let read = read.chain(&given.protect).map(|place| (place, READ_ONLY));
    let written = given.write.iter().map(|place| (place, WRITABLE));
    let parts = read.chain(written).map(|(place, flags)| {
        let (fd, real) = again(&place.fd)?;
        around.part(&place.at, fd, &real, flags)
    });
    parts.collect()
}

/// Makes the links that lead to places of the system.
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

/// Mounts a part; how many of the mounts beneath it could not be restricted as the part is.
fn add(root: &OwnedFd, part: &Part) -> Result<usize, Errno> {
    let is_directory = mounts::is_directory(&part.tree)?;
    let point = mounts::point(root, &part.at, is_directory)?;
    mounts::attach(&part.tree, point)?;
    mounts::restrict(&part.tree, part.flags)?;
    let inner = part.inner.iter();
    Ok(inner.filter(|at| restrict_inner(part, at).is_err()).count())
}

fn restrict_inner(part: &Part, at: &Path) -> Result<(), Errno> {
    let Ok(mount) = held::open(&part.tree, Path::new("."), at) else {
        // Out of our reach, and so out of the child's.
        return Ok(());
    };
    match mounts::restrict(&mount, part.flags) {
        // No root of a mount: it was mounted over.
        Err(Errno::INVAL) => Ok(()),
        restricted => restricted,
    }
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
