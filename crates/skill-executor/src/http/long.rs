//! Answers that are too long to be a value: they are written to a file as they come.

use std::io::Read;
use std::path::PathBuf;

use skill_loader::fs::{Kind, Root, Scratch, WalkLimits};

use super::error::HttpError;
use crate::answer_file::{DIGITS, DIR, is_name};
use crate::cancel::Cancel;
use crate::envelope::Failure;
use crate::masks::{MAX_UNPACKED, Masks, Packed};
use crate::state::State;

/// The longest answer in a file, in bytes.
pub(super) const MAX_FILE: usize = 256 << 20;
/// The most answers that stay.
const MAX_KEPT: usize = 100;
/// The most bytes of the answers that stay.
const MAX_KEPT_BYTES: u64 = 1 << 30;
/// The file while it is written.
const PART: &str = "part";
/// The beginning of the name of the directory of a file that is written.
const WORK: &str = "part-";
/// The number of bytes that are written at once.
const PIECE: usize = 1 << 20;

/// The directory of long answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LongAnswers {
    /// The directory; it is made when it is needed.
    pub dir: PathBuf,
    /// The longest answer that is kept in memory, in bytes.
    pub in_memory: usize,
    /// The secrets that no file has.
    pub masks: Masks,
}

/// An answer in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LongAnswer {
    /// The name of the file, made of the digest of its content.
    pub name: String,
    /// Its size.
    pub bytes: u64,
}

impl LongAnswers {
    /// Writes an answer whose beginning was read already. Nothing remains of one that is cancelled,
    /// breaks off, or has more than `max` bytes.
    pub(super) fn write(
        &self,
        (start, rest): (&[u8], &mut dyn Read),
        ending: &str,
        (max, cancel): (usize, &Cancel),
        failed: &dyn Fn(std::io::Error) -> HttpError,
    ) -> Result<LongAnswer, HttpError> {
        let unwritable = |error: &dyn std::error::Error| HttpError::Unwritable(error.to_string());
        let root = Root::make(&self.dir).map_err(|error| unwritable(&error))?;
        let work = Scratch::make(root.path(), WORK).map_err(|error| unwritable(&error))?;
        let part = Root::open(work.path()).map_err(|error| unwritable(&error))?;
        let append = |bytes: &[u8]| {
            let written = part.append(PART, bytes);
            written.map_err(|error| unwritable(&error))
        };
        let refused = || HttpError::Packed(String::new(), MAX_UNPACKED);
        let mut filter = self.masks.filter();
        let mut packed = Packed::new(&self.masks);
        if packed.push(start) {
            return Err(refused());
        }
        append(&filter.push(start))?;
        let mut size = start.len();
        let mut piece = Vec::with_capacity(PIECE);
        loop {
            piece.clear();
            let read = Read::take(&mut *rest, PIECE as u64).read_to_end(&mut piece);
            read.map_err(failed)?;
            if cancel.is_cancelled() {
                return Err(HttpError::Cancelled);
            }
            size += piece.len();
            if size > max {
                return Err(HttpError::TooLarge(String::new(), max));
            }
            if piece.is_empty() {
                break;
            }
            if packed.push(&piece) {
                return Err(refused());
            }
            append(&filter.push(&piece))?;
        }
        if packed.finish() {
            return Err(refused());
        }
        append(&filter.finish())?;
        let (digest, bytes) = part.digest(PART).map_err(|error| unwritable(&error))?;
        let name = format!("{}{ending}", &digest.hex()[..DIGITS]);
        let known = root.kind(&name).map_err(|error| unwritable(&error))?;
        if known.is_none() {
            let from = work.path().file_name().unwrap_or_default();
            let from = format!("{}/{PART}", from.to_string_lossy());
            // Another call may have written the same answer in this moment.
            let renamed = root.rename(&from, &name);
            if root.kind(&name).ok().flatten().is_none() {
                renamed.map_err(|error| unwritable(&error))?;
            }
        }
        keep_newest(&root, &name);
        Ok(LongAnswer { name, bytes })
    }
}

/// Returns the files of answers, the newest first, with their sizes. A file that another call writes is none
/// yet.
fn kept(root: &Root) -> Vec<(String, u64)> {
    let Ok(listing) = root.walk(".", &WalkLimits::default(), &|_| true) else {
        return Vec::new();
    };
    let files = listing
        .entries
        .into_iter()
        .filter_map(|entry| match entry.kind {
            Kind::File(info) if is_name(&entry.path) => {
                Some((info.stamp.modified, entry.path, info.size))
            }
            _ => None,
        });
    let mut files: Vec<(i128, String, u64)> = files.collect();
    files.sort_by(|a, b| b.cmp(a));
    let files = files.into_iter();
    files.map(|(_, path, size)| (path, size)).collect()
}

/// Removes the oldest answers beyond the bounds, never the one that was just written.
pub(super) fn keep_newest(root: &Root, new: &str) {
    let (mut n_files, mut n_bytes) = (0, 0);
    for (path, size) in kept(root) {
        n_files += 1;
        n_bytes += size;
        let is_beyond = n_files > MAX_KEPT || n_bytes > MAX_KEPT_BYTES;
        if is_beyond && path != new {
            // Another process may have removed it.
            let _ = root.remove(&path);
        }
    }
}

/// Removes all answers. Returns their number and their bytes.
///
/// # Errors
///
/// A file cannot be removed.
pub(crate) fn prune(state: &State) -> Result<(usize, u64), Failure> {
    let Ok(root) = state.root().open_dir(DIR) else {
        return Ok((0, 0));
    };
    let files = kept(&root);
    for (path, _) in &files {
        root.remove(path).map_err(|error| Failure::io(&error))?;
    }
    Ok((files.len(), files.iter().map(|(_, size)| size).sum()))
}
