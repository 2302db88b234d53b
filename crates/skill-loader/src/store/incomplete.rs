//! The mark of an output whose input could not be read as a whole: a skill that it lacks may belong to the
//! part that was not read.

use super::names::META;
use super::{Store, StoreError, dir};

/// The file of the mark, in the store's own directory.
const MARK: &str = "incomplete";

impl Store {
    /// Sets the mark, or removes it.
    ///
    /// # Errors
    ///
    /// Fails if the store is open for reading only, or the file cannot be written.
    pub fn mark_incomplete(&self, is_incomplete: bool) -> Result<(), StoreError> {
        let (_, writer) = self.writer()?;
        let is_marked = dir::kind(&writer.meta, MARK)?.is_some();
        match (is_marked, is_incomplete) {
            (false, true) => dir::write(&writer.meta, MARK, b"", writer.options.sync)?,
            (true, false) => dir::unlink(&writer.meta, MARK)?,
            _ => {}
        }
        Ok(())
    }

    /// Returns true if the last run could not read the whole of its input.
    ///
    /// # Errors
    ///
    /// Fails if the output cannot be read.
    pub fn is_incomplete(&self) -> Result<bool, StoreError> {
        let Some(out) = &self.out else {
            return Ok(false);
        };
        let meta = dir::open(out, META)?;
        Ok(match meta {
            Some(meta) => dir::kind(&meta, MARK)?.is_some(),
            None => false,
        })
    }
}
