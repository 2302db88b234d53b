//! What is left in a `/tmp` that ends with its child.

use std::collections::BTreeSet;
use std::path::Path;

use rustix::fs::{CWD, Dir, FileType, Mode, OFlags, openat};
use rustix::io::Errno;

use super::TMP;
use crate::outcome::Lost;
use crate::policy::Job;

/// Names that are reported.
const MOST: usize = 5;

/// What lies in the private `/tmp` and was put there by the child. Where it cannot be looked at, nothing
/// is reported.
pub(crate) fn lost(job: &Job) -> Lost {
    look(&given(job)).unwrap_or_default()
}

/// The names in `/tmp` that lead to what the job was given.
fn given(job: &Job) -> BTreeSet<&[u8]> {
    let walls = &job.walls;
    let places = walls.read.iter().chain(&walls.write).chain(&walls.protect);
    let links = walls.base.links.iter().map(|(at, _)| at);
    let places = places.chain(&walls.base.system).chain(links);
    let beneath = places.filter_map(|place| place.strip_prefix(TMP).ok());
    let first = beneath.filter_map(|rest| rest.components().next());
    first
        .map(|name| name.as_os_str().as_encoded_bytes())
        .collect()
}

fn look(given: &BTreeSet<&[u8]>) -> Result<Lost, Errno> {
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
        if !is_kept || matches!(name, b"." | b"..") || given.contains(name) {
            continue;
        }
        count += 1;
        first.insert(String::from_utf8_lossy(name).into_owned());
        if first.len() > MOST {
            first.pop_last();
        }
    }
    Ok(Lost {
        names: first.into_iter().collect(),
        count,
    })
}
