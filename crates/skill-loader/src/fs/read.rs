//! Bounded reads of an opened regular file.

use std::io::{ErrorKind, Read as _};
use std::path::PathBuf;

use super::sys::{self, Cause, Dir, File, SysError};
use super::{FileInfo, Kind, PathError, ReadError};
use skill_model::{Digest, Hasher};

/// Piece size of streamed reads in bytes.
const PIECE: usize = 128 * 1024;

/// Opens `name` below `dir` and checks that it is a regular file.
pub(super) fn regular(
    dir: &Dir,
    name: &str,
    shown: impl Fn() -> PathBuf,
) -> Result<(File, FileInfo), ReadError> {
    let file = sys::open_file(dir, name).map_err(|err| ReadError::from_open(shown(), err))?;
    let stat = sys::stat_file(&file).map_err(|err| PathError::new("read", shown(), err))?;
    match stat.kind {
        Kind::File(info) => Ok((file, info)),
        kind => Err(ReadError::NotRegular {
            path: shown(),
            kind,
        }),
    }
}

/// Appends the rest of `file` to `acc`, at most one byte more than `limit`. Returns false if the
/// limit was exceeded.
pub(super) fn read_to_end(
    file: &File,
    size: u64,
    limit: u64,
    acc: &mut Vec<u8>,
) -> sys::Result<bool> {
    if size > limit {
        return Ok(false);
    }
    let size = usize::try_from(size)
        .map_err(|_| SysError::because(Cause::Other, "the file does not fit in memory"))?;
    let start = acc.len();
    acc.reserve_exact(size.saturating_add(1));
    loop {
        let n_read = sys::read(file, acc)?;
        let len = acc.len() - start;
        if len as u64 > limit {
            return Ok(false);
        }
        // A short read of a regular file means its end.
        if n_read == 0 || len == size {
            return Ok(true);
        }
        if acc.len() == acc.capacity() {
            acc.reserve(PIECE);
        }
    }
}

/// Reads at most `limit` bytes of the rest of `file`.
pub(super) fn read_start(mut file: &File, limit: usize) -> std::io::Result<Vec<u8>> {
    let mut res = vec![0; limit];
    let mut length = 0;
    while length < limit {
        match file.read(&mut res[length..]) {
            Ok(0) => break,
            Ok(n_read) => length += n_read,
            Err(err) if err.kind() == ErrorKind::Interrupted => {}
            Err(err) => return Err(err),
        }
    }
    res.truncate(length);
    Ok(res)
}

/// A regular file that is read from front to back, in parts.
#[derive(Debug)]
pub struct PartReader {
    file: File,
    path: PathBuf,
    /// Unread bytes, counted from the size at opening.
    left: u64,
}

impl PartReader {
    pub(super) fn new(file: File, path: PathBuf, size: u64) -> Self {
        let left = size;
        Self { file, path, left }
    }

    /// Returns the next bytes, at most `n_bytes`; fewer at the end of the size at opening.
    pub fn take(&mut self, n_bytes: usize) -> Result<Vec<u8>, ReadError> {
        let left = usize::try_from(self.left).unwrap_or(usize::MAX);
        let res = read_start(&self.file, n_bytes.min(left))
            .map_err(|err| PathError::new("read", self.path.clone(), err))?;
        self.left -= res.len() as u64;
        Ok(res)
    }
}

/// Returns the digest and the length of the rest of `file`; passes each piece to `each`.
pub(crate) fn digest_of(
    file: &File,
    mut each: impl FnMut(&[u8]) -> sys::Result<()>,
) -> sys::Result<(Digest, u64)> {
    let mut hasher = Hasher::default();
    let mut piece = Vec::with_capacity(PIECE);
    let mut n_bytes = 0;
    loop {
        piece.clear();
        let n_read = sys::read(file, &mut piece)?;
        if n_read == 0 {
            return Ok((hasher.finish(), n_bytes));
        }
        hasher.update(&piece);
        each(&piece)?;
        n_bytes += n_read as u64;
    }
}
