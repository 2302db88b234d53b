//! Opening a store.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, OnceLock};

use skill_model::HOST_DIRECTORY;

use super::handle::{Store, StoreOptions, Writer};
use super::names::META;
use super::output::{open_existing, open_or_create};
use super::stamps::Stamps;
use super::{StoreError, dir, guard, lock_file, recover};

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
        let has_hosted = dir::kind(&out, HOST_DIRECTORY)?.is_some();
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
                has_hosted: AtomicBool::new(has_hosted),
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
}
