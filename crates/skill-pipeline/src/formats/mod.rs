//! The plugin formats: a table of readers.
//!
//! To add a format, copy the shape of `vcp.rs`: a file with one [`Reader`], and its row in
//! [`READERS`]. The steps are in `CONTRIBUTING.md`, "A plugin format".

mod directory;
mod reader;
mod vcp;

pub(crate) use directory::Directory;
pub use directory::MAX_MANIFEST_BYTES;
pub(crate) use reader::{Reader, UnitHead};

/// The readers, in the order in which they are asked: the first that claims a directory reads it.
pub(crate) const READERS: [&Reader; 1] = [&vcp::READER];

/// Returns the reader of a directory and the file by which it recognizes the directory.
pub(crate) fn recognize(directory: &Directory<'_>) -> Option<(&'static Reader, &'static str)> {
    READERS
        .into_iter()
        .find_map(|reader| Some((reader, (reader.claims)(directory)?)))
}
