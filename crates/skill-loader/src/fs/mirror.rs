//! A second copy of a tree, for programs that write beside themselves.
//!
//! What the copy gained or lost since is kept: only files that changed at the source are written
//! again, and only files that went there are removed.

use std::collections::BTreeMap;
use std::path::{Component, Path};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{AtFlags, Mode, OFlags, openat, renameat, symlinkat, unlinkat};
use rustix::io::Errno;

use super::replace::{make_dirs, write_all};
use super::{Entry, FileInfo, Kind, PathError, ReadError, Root, WalkLimits, check_relative, read};

/// Largest file that is copied, in bytes.
const MAX_FILE: u64 = 1 << 30;

/// Copies of this process so far: no two write to one name at a time.
static N_COPIES: AtomicU64 = AtomicU64::new(0);

/// What a mirror holds.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Mirrored {
    /// Every file by its path beneath the source, with the stamp it had.
    pub files: BTreeMap<String, String>,
    /// What was left out: links that lead elsewhere, sockets, what could not be listed.
    pub left_out: Vec<String>,
}

impl Root {
    /// Opens a directory, after making it, and those above it, where they are missing: for this
    /// user alone.
    pub fn make(path: &Path) -> Result<Self, PathError> {
        use std::os::unix::fs::DirBuilderExt as _;
        let mut builder = std::fs::DirBuilder::new();
        let made = builder.recursive(true).mode(0o700).create(path);
        made.map_err(|source| PathError {
            action: "create",
            path: path.to_owned(),
            source,
        })?;
        Self::open_real(&super::resolve(path)?)
    }

    /// Makes a directory beneath, and those on the way to it.
    pub fn make_dir(&self, dir: &str) -> Result<(), ReadError> {
        self.checked(dir)?;
        make_dirs(self, dir)
            .map(drop)
            .map_err(|err| ReadError::from_open(self.shown(dir), err))
    }

    /// Makes the tree `target` beneath equal to `dir` of `source`, where `source` has changed
    /// since `known` was the answer. Directories for which `link` says yes are not copied: a link
    /// to the source stands for them.
    pub fn mirror(
        &self,
        target: &str,
        (source, dir): (&Root, &str),
        known: &BTreeMap<String, String>,
        link: &dyn Fn(&str) -> bool,
    ) -> Result<Mirrored, ReadError> {
        self.make_dir(target)?;
        let to = self.open_dir(target)?;
        let from = source.open_dir(dir)?;
        let listing = from.walk("", &WalkLimits::default(), link)?;
        let mut res = Mirrored::default();
        let notes = listing.notes.iter();
        let unlisted = notes.filter(|note| !matches!(note.kind, super::NoteKind::Pruned));
        res.left_out.extend(unlisted.map(|note| note.path.clone()));
        for entry in &listing.entries {
            copy_entry(&to, &from, entry, known, link, &mut res)?;
        }
        for path in known.keys().filter(|path| !res.files.contains_key(*path)) {
            to.remove(path)?;
        }
        Ok(res)
    }

    /// Removes a file or a link beneath; none is fine.
    pub fn remove(&self, path: &str) -> Result<(), ReadError> {
        self.checked(path)?;
        match unlinkat(self, path, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT | Errno::NOTDIR | Errno::ISDIR) => Ok(()),
            Err(err) => Err(PathError::new("remove", self.shown(path), err).into()),
        }
    }

    /// Adds bytes to the end of a file beneath, which is made where it is missing, in one write.
    pub fn append(&self, path: &str, bytes: &[u8]) -> Result<(), ReadError> {
        self.checked(path)?;
        let fail = |err| ReadError::from_open(self.shown(path), err);
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::APPEND | OFlags::NOFOLLOW;
        let mode = Mode::RUSR | Mode::WUSR;
        let file = openat(self, path, flags | OFlags::CLOEXEC, mode).map_err(fail)?;
        write_all(&file, bytes).map_err(fail)
    }

    fn checked(&self, path: &str) -> Result<(), ReadError> {
        check_relative(path).map_err(|_| ReadError::Outside {
            path: self.shown(path),
        })
    }
}

fn copy_entry(
    to: &Root,
    from: &Root,
    entry: &Entry,
    known: &BTreeMap<String, String>,
    link: &dyn Fn(&str) -> bool,
    res: &mut Mirrored,
) -> Result<(), ReadError> {
    let path = entry.path.as_str();
    match &entry.kind {
        Kind::Dir if link(path) => {
            let target = from.shown(path).to_string_lossy().into_owned();
            link_to(to, path, &target)
        }
        Kind::Dir => to.make_dir(path),
        Kind::File(info) => {
            let stamp = stamp(info);
            if known.get(path) != Some(&stamp) {
                copy_file(to, from, path, info)?;
            }
            res.files.insert(path.to_owned(), stamp);
            Ok(())
        }
        Kind::Symlink => {
            let target = from.link_target(path)?;
            if is_inner(&target) {
                return link_to(to, path, &target);
            }
            res.left_out.push(path.to_owned());
            Ok(())
        }
        _ => {
            res.left_out.push(path.to_owned());
            Ok(())
        }
    }
}

/// Neither the inode nor the time of change: a tree that was copied anew is the same tree.
fn stamp(info: &FileInfo) -> String {
    format!("{}:{}:{}", info.size, info.stamp.modified, info.executable)
}

/// Only downwards: such a link stays inside whatever directory it is in.
fn is_inner(target: &str) -> bool {
    let mut components = Path::new(target).components();
    components.all(|component| matches!(component, Component::Normal(_) | Component::CurDir))
}

fn link_to(to: &Root, path: &str, target: &str) -> Result<(), ReadError> {
    match symlinkat(target, to, path) {
        Ok(()) | Err(Errno::EXIST) => Ok(()),
        Err(err) => Err(PathError::new("link", to.shown(path), err).into()),
    }
}

/// Written beside, then renamed, so that a program that runs meanwhile sees one whole file.
fn copy_file(to: &Root, from: &Root, path: &str, info: &FileInfo) -> Result<(), ReadError> {
    let fail = |err| ReadError::from(PathError::new("write", to.shown(path), err));
    let (file, _) = from.open_file(path)?;
    let mut bytes = Vec::new();
    let whole = read::read_to_end(&file, info.size, MAX_FILE, &mut bytes);
    if !whole.map_err(|err| PathError::new("read", from.shown(path), err))? {
        return Err(ReadError::TooLarge {
            path: from.shown(path),
            limit: MAX_FILE,
        });
    }
    let (parent, name) = path.rsplit_once('/').unwrap_or((".", path));
    let parent = if parent == "." {
        None
    } else {
        Some(make_dirs(to, parent).map_err(fail)?)
    };
    let dir = parent
        .as_ref()
        .map_or(rustix::fd::AsFd::as_fd(to), rustix::fd::AsFd::as_fd);
    let mode = if info.executable { 0o700 } else { 0o600 };
    let process = rustix::process::getpid().as_raw_nonzero();
    let nth = N_COPIES.fetch_add(1, Ordering::Relaxed);
    let beside = format!(".{name}.{process}.{nth}.mirror");
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC | OFlags::NOFOLLOW;
    let file = openat(
        dir,
        &beside,
        flags | OFlags::CLOEXEC,
        Mode::from_raw_mode(mode),
    );
    let file = file.map_err(fail)?;
    write_all(&file, &bytes).map_err(fail)?;
    renameat(dir, &beside, dir, name).map_err(fail)
}
