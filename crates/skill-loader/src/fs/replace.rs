//! Replacing one file of a directory that is not a store.

use std::ffi::OsStr;

use super::sys::{self, Cause, Dir, File, SysError};

/// Gives the file `name` in `dir` new content atomically: a reader sees the old file or the new
/// one.
pub(super) fn replace(dir: &Dir, name: &str, bytes: &[u8]) -> sys::Result<()> {
    write_with(dir, name, bytes, sys::mode(dir, name)?)
}

/// Writes the file `name` in `dir` atomically, whatever had that name; a link is replaced, not
/// followed.
pub(super) fn write_whole(dir: &Dir, name: &str, bytes: &[u8]) -> sys::Result<()> {
    write_with(dir, name, bytes, sys::MODE_PRIVATE_FILE)
}

/// Like [`write_whole`], for a file that others may read, whatever the umask.
pub(super) fn write_shared(
    dir: &Dir,
    name: &str,
    bytes: &[u8],
    executable: bool,
) -> sys::Result<()> {
    let mode = if executable { 0o755 } else { 0o644 };
    write_with(dir, name, bytes, mode)
}

/// Opens a directory below `root`; creates missing components with mode 0700.
pub(super) fn make_dirs(root: &Dir, path: &str) -> sys::Result<Dir> {
    make_dirs_with(root, path, sys::MODE_PRIVATE_DIRECTORY)
}

/// Opens a directory below `root`; creates missing components with a mode.
pub(super) fn make_dirs_with(root: &Dir, path: &str, mode: u32) -> sys::Result<Dir> {
    let ends = path.match_indices('/').map(|(at, _)| at);
    for end in ends.chain([path.len()]) {
        let (parent, name) = path[..end].rsplit_once('/').unwrap_or((".", &path[..end]));
        let parent = sys::open_dir_by_component(root, parent)?;
        match sys::make_dir(&parent, name, mode) {
            Err(err) if err.cause != Cause::Exists => return Err(err),
            _ => {}
        }
    }
    // Reports a link as a link; `openat2` only says that it is not a directory.
    sys::open_dir_by_component(root, path)
}

fn write_with(dir: &Dir, name: &str, bytes: &[u8], mode: u32) -> sys::Result<()> {
    let (beside, file) = create(dir, name)?;
    let written = fill(&file, bytes, mode);
    // Windows renames only closed files.
    drop(file);
    let res = written.and_then(|()| sys::rename((dir, &beside), (dir, name)));
    if res.is_err() {
        let _ = sys::unlink(dir, OsStr::new(&beside));
    }
    res
}

fn fill(file: &File, bytes: &[u8], mode: u32) -> sys::Result<()> {
    sys::write_all(file, bytes)?;
    sys::set_mode(file, mode)?;
    Ok(file.sync_all()?)
}

/// Creates a temporary file next to `name`, skipping one that a killed process left behind.
fn create(dir: &Dir, name: &str) -> sys::Result<(String, File)> {
    /// Longest part of `name` in the name of the temporary file, which has at most 255 bytes too.
    const LONGEST: usize = 200;
    let ends = name.char_indices().map(|(at, c)| at + c.len_utf8());
    let end = ends.take_while(|end| *end <= LONGEST).last();
    let start = &name[..end.unwrap_or(0)];
    for n in 0..100 {
        let beside = format!(".{start}.{n}.tmp");
        match sys::create(dir, &beside, sys::MODE_PRIVATE_FILE) {
            Err(err) if err.cause == Cause::Exists => {}
            res => return res.map(|file| (beside, file)),
        }
    }
    Err(SysError::because(
        Cause::Exists,
        "every temporary name is taken",
    ))
}
