//! Opening a store.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use rustix::fs::{AtFlags, CWD, statat};
use rustix::io::Errno;
use skill_model::{Lock, LockedSkill};

use super::guard::{self, Guard};
use super::names::META;
use super::run::Run;
use super::stamps::Stamps;
use super::{StoreError, dir, lock_file, recover};
use crate::fs::{Kind, PathError, Root};

/// Options of a store.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct StoreOptions {
    /// Waits until the data is on disk before a skill is exchanged. Without it, a killed process
    /// does no harm, but a power failure may leave empty files. The next run finds those and
    /// reports them as edited.
    pub sync: bool,
}

/// The changes of an interrupted run that were recovered.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Recovery {
    /// Skills that it had written or replaced.
    pub written: Vec<String>,
    /// Skills that it had removed.
    pub removed: Vec<String>,
    /// True if the interrupted run was a rollback; it has been completed.
    pub rolled_back: bool,
}

/// An output directory. Threads may share it for distinct skills.
#[derive(Debug)]
pub struct Store {
    pub(super) out: Option<Root>,
    pub(super) lock: Lock,
    pub(super) recovery: Option<Recovery>,
    pub(super) writer: Option<Writer>,
    reader: Option<Guard>,
}

/// The additional state of a store that is open for writing.
#[derive(Debug)]
pub(super) struct Writer {
    pub(super) meta: Root,
    pub(super) options: StoreOptions,
    pub(super) run: Mutex<Option<Arc<Run>>>,
    pub(super) changes: Mutex<Changes>,
    pub(super) stamps: Mutex<Stamps>,
    /// The directory of bases, opened on first use.
    pub(super) base: OnceLock<Root>,
    _guard: Guard,
}

/// New entries of `skills.lock`; `None` for those to be removed.
pub(super) type Changes = BTreeMap<String, Option<LockedSkill>>;

impl Store {
    /// Opens `out` for writing with default options; waits silently while another process writes.
    ///
    /// # Errors
    ///
    /// The same as [`Store::open_with`].
    pub fn open(out: &Path) -> Result<Self, StoreError> {
        Self::open_with(out, StoreOptions::default(), &mut || ())
    }

    /// Opens `out` for writing: creates it, waits until no other process writes (`on_wait` is
    /// called once before a wait), and recovers an interrupted run.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if `out` is not a directory, its `skills.lock` cannot be parsed, or a system
    /// call fails.
    pub fn open_with(
        out: &Path,
        options: StoreOptions,
        on_wait: &mut dyn FnMut(),
    ) -> Result<Self, StoreError> {
        let out = open_or_create(out)?;
        let meta = dir::make(&out, META)?;
        let guard = guard::exclusive(&meta, on_wait)?;
        if dir::kind(&meta, ".gitignore")?.is_none() {
            dir::write(&meta, ".gitignore", b"*\n", false)?;
        }
        let (lock, recovery) = recover::recover(&out, &meta, options.sync)?;
        let stamps = Stamps::read(&meta);
        Ok(Self {
            out: Some(out),
            lock,
            recovery,
            writer: Some(Writer {
                meta,
                options,
                run: Mutex::default(),
                changes: Mutex::default(),
                stamps: Mutex::new(stamps),
                base: OnceLock::new(),
                _guard: guard,
            }),
            reader: None,
        })
    }

    /// Opens `out` for reading. Nothing is created, changed or recovered; the changes of an
    /// interrupted run are taken into account. `out` need not exist. Waits while another process
    /// writes, and blocks writers until it is dropped.
    pub fn open_read_only(out: &Path) -> Result<Self, StoreError> {
        let mut res = Self {
            out: open_existing(out)?,
            lock: lock_file::none(),
            recovery: None,
            writer: None,
            reader: None,
        };
        let Some(out) = &res.out else {
            return Ok(res);
        };
        if let Some(meta) = dir::open(out, META)? {
            res.reader = guard::shared(&meta)?;
            (res.lock, res.recovery) = recover::look(out, &meta)?;
        } else {
            res.lock = lock_file::read(out)?.1;
        }
        Ok(res)
    }

    /// Returns the lock as of the opening of the store, after recovery.
    pub fn lock(&self) -> &Lock {
        &self.lock
    }

    /// Returns the entry of one skill in [`Store::lock`].
    pub fn locked(&self, name: &str) -> Option<&LockedSkill> {
        self.lock.skills.get(name)
    }

    /// Returns the recovered changes of an interrupted run, if there was one.
    pub fn recovery(&self) -> Option<&Recovery> {
        self.recovery.as_ref()
    }

    /// Returns the output directory for reading; `None` if it does not exist (read-only stores).
    pub fn root(&self) -> Option<&Root> {
        self.out.as_ref()
    }

    /// Returns the output directory and the state for writing.
    pub(super) fn writer(&self) -> Result<(&Root, &Writer), StoreError> {
        match (&self.out, &self.writer) {
            (Some(out), Some(writer)) => Ok((out, writer)),
            (out, _) => Err(read_only(out.as_ref())),
        }
    }
}

pub(super) fn read_only(out: Option<&Root>) -> StoreError {
    StoreError::ReadOnly {
        path: out.map(|out| out.path().to_owned()).unwrap_or_default(),
    }
}

impl Writer {
    /// Returns the current run; begins it if needed.
    pub(super) fn run(&self, out: &Root) -> Result<Arc<Run>, StoreError> {
        let mut run = self.run.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(run) = &*run {
            return Ok(Arc::clone(run));
        }
        let begun = Arc::new(Run::begin(out, &self.meta, self.options.sync)?);
        Ok(Arc::clone(run.insert(begun)))
    }

    pub(super) fn stamps(&self) -> MutexGuard<'_, Stamps> {
        self.stamps.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn changes(&self) -> MutexGuard<'_, Changes> {
        self.changes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "directories above the store are the user's; nothing is held there yet"
)]
pub(super) fn open_or_create(path: &Path) -> Result<Root, StoreError> {
    if let Some(root) = open_existing(path)? {
        return Ok(root);
    }
    std::fs::create_dir_all(path).map_err(|source| PathError {
        action: "create",
        path: path.to_owned(),
        source,
    })?;
    let root = open_existing(path)?;
    root.ok_or_else(|| PathError::new("open", path, Errno::NOENT).into())
}

/// Opens the output directory if it exists; refuses links and files.
pub(super) fn open_existing(path: &Path) -> Result<Option<Root>, StoreError> {
    match Root::open(path) {
        Ok(root) => Ok(Some(root)),
        Err(err) => {
            let bare: std::path::PathBuf = path.components().collect();
            match statat(CWD, &bare, AtFlags::SYMLINK_NOFOLLOW).map(|stat| Kind::from_stat(&stat)) {
                Err(Errno::NOENT) => Ok(None),
                // Another process created it between the two calls.
                Ok(Kind::Dir) if err.source.kind() == ErrorKind::NotFound => Ok(None),
                Err(_) | Ok(Kind::Dir) => Err(err.into()),
                Ok(kind) => Err(StoreError::NotADirectory {
                    path: path.to_owned(),
                    found: format!("is a {kind}"),
                }),
            }
        }
    }
}
