//! A growing list of byte strings in one allocation.

use super::strings::offset;

/// Byte strings stored one after the other.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Blobs {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

impl Blobs {
    pub(super) fn into_parts(self) -> (Vec<u8>, Vec<u32>) {
        (self.bytes, self.ends)
    }

    pub(super) fn push(&mut self, blob: &[u8]) {
        self.push_with(|bytes| bytes.extend_from_slice(blob));
    }

    /// Appends the output of `write` as one blob.
    pub(super) fn push_with(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        write(&mut self.bytes);
        self.ends.push(offset(self.bytes.len()));
    }

    /// Appends all blobs of another list.
    pub(super) fn append(&mut self, other: &Self) {
        let start = offset(self.bytes.len());
        self.bytes.extend_from_slice(&other.bytes);
        let _ = offset(self.bytes.len());
        self.ends.extend(other.ends.iter().map(|end| start + end));
    }
}
