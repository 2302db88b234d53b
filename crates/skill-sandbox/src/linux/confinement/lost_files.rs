//! The files that are left in a private `/tmp`, which ends with its child.

use std::collections::BTreeSet;
use std::path::Path;

use rustix::fs::{CWD, Dir, FileType, Mode, OFlags, openat};
use rustix::io::Errno;

use super::TMP;
use crate::linux::orders::Job;
use crate::outcome::LostFiles;

/// The maximum number of names that are reported.
const MOST: usize = 5;

/// Returns the files that the child put into the private `/tmp`. If it cannot be read, nothing is
/// reported.
pub(crate) fn lost_files(job: &Job) -> LostFiles {
    look(&granted(job)).unwrap_or_default()
}

/// Returns the names in `/tmp` that lead to what the job was granted.
fn granted(job: &Job) -> BTreeSet<&[u8]> {
    let restrictions = &job.restrictions;
    let places = restrictions
        .read
        .iter()
        .chain(&restrictions.write)
        .chain(&restrictions.protect);
    let links = restrictions.base.links.iter().map(|(at, _)| at);
    let places = places.chain(&restrictions.base.system).chain(links);
    let beneath = places.filter_map(|place| place.strip_prefix(TMP).ok());
    let first = beneath.filter_map(|rest| rest.components().next());
    first
        .map(|name| name.as_os_str().as_encoded_bytes())
        .collect()
}

fn look(granted: &BTreeSet<&[u8]>) -> Result<LostFiles, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let tmp = openat(CWD, Path::new(TMP), flags, Mode::empty())?;
    let (mut first, mut count) = (BTreeSet::new(), 0);
    for entry in Dir::new(tmp)? {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        let is_kept = matches!(
            entry.file_type(),
            FileType::RegularFile | FileType::Directory | FileType::Symlink
        );
        if !is_kept || matches!(name, b"." | b"..") || granted.contains(name) {
            continue;
        }
        count += 1;
        first.insert(String::from_utf8_lossy(name).into_owned());
        if first.len() > MOST {
            first.pop_last();
        }
    }
    Ok(LostFiles {
        names: first.into_iter().collect(),
        count,
    })
}
