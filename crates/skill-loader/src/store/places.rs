//! The directories of an output that have skills: the output itself, and `.host` with the parts of a
//! host.

use std::ffi::OsStr;
use std::ops::Deref;
use std::sync::atomic::Ordering;

use skill_model::{HOST_DIRECTORY, skill_path};

use super::{Store, StoreError, dir};
use crate::fs::sys;
use crate::fs::{PathError, Root};

/// A directory of an output that has skills.
pub(super) enum Place<'o> {
    /// The output.
    Out(&'o Root),
    /// The directory of the parts of a host.
    Host(Root),
}

impl Deref for Place<'_> {
    type Target = Root;

    fn deref(&self) -> &Root {
        match self {
            Self::Out(out) => out,
            Self::Host(host) => host,
        }
    }
}

/// Opens the directory for skills that are hosted, or are not; `None` if it does not exist.
pub(super) fn open(out: &Root, hosted: bool) -> Result<Option<Place<'_>>, StoreError> {
    if !hosted {
        return Ok(Some(Place::Out(out)));
    }
    Ok(dir::open(out, HOST_DIRECTORY)?.map(Place::Host))
}

/// Does the same, and creates the directory if it does not exist.
pub(super) fn make(out: &Root, hosted: bool) -> Result<Place<'_>, StoreError> {
    if !hosted {
        return Ok(Place::Out(out));
    }
    Ok(Place::Host(dir::make(out, HOST_DIRECTORY)?))
}

/// Returns the directory that has an entry `name`, the output first; `None` if none has one.
pub(super) fn holder<'o>(out: &'o Root, name: &str) -> Result<Option<Place<'o>>, StoreError> {
    for hosted in [false, true] {
        if let Some(place) = open(out, hosted)?
            && dir::kind(&place, name)?.is_some()
        {
            return Ok(Some(place));
        }
    }
    Ok(None)
}

/// Returns whether a place exists and has an entry `name`.
pub(super) fn has(place: Option<&Place<'_>>, name: &str) -> Result<bool, PathError> {
    place.map_or(Ok(false), |place| Ok(dir::kind(place, name)?.is_some()))
}

/// Removes the directory of the parts of a host if it is empty.
pub(super) fn tidy(out: &Root) {
    let _ = sys::remove_dir(out.dir(), OsStr::new(HOST_DIRECTORY));
}

impl Store {
    /// Returns the path of a skill in the output: where `skills.lock` has it, otherwise where it is.
    pub fn path(&self, name: &str) -> String {
        skill_path(name, self.is_hosted(name))
    }

    /// Returns whether a skill is among the parts of a host.
    pub(super) fn is_hosted(&self, name: &str) -> bool {
        if let Some(entry) = self.locked(name) {
            return entry.hosted;
        }
        let has = |hosted| {
            let kind = self.root().map(|out| out.kind(&skill_path(name, hosted)));
            matches!(kind, Some(Ok(Some(_))))
        };
        !has(false) && self.may_have_hosted() && has(true)
    }

    /// Returns false if there is no directory of the parts of a host: there was none when the store was
    /// opened for writing, which keeps other writers away, and this run has made none.
    fn may_have_hosted(&self) -> bool {
        let writer = self.writer.as_ref();
        writer.is_none_or(|writer| writer.has_hosted.load(Ordering::Relaxed))
    }
}
