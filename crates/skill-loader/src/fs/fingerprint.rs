//! Whether a tree was touched between two looks, without reading it.

use super::{Kind, Listing};
use crate::digest::{Digest, Hasher};

/// Names, sizes, inode numbers and times of everything in a listing. Equal fingerprints mean
/// equal trees, unless a file was changed twice within one tick of the file system's clock: see
/// [`Fingerprint::newest`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fingerprint {
    /// Over everything that is listed.
    pub digest: Digest,
    /// When the last change of a file happened, in nanoseconds of the system's clock. Whoever
    /// keeps a fingerprint must not trust it if this was only a moment before.
    pub newest: i128,
}

impl Listing {
    /// The fingerprint of everything that is listed, and of what is only noted.
    pub fn fingerprint(&self) -> Fingerprint {
        let mut hasher = Hasher::default();
        let mut newest = i128::MIN;
        for entry in &self.entries {
            take_text(&mut hasher, &entry.path);
            take_text(&mut hasher, &entry.kind.to_string());
            if let Kind::File(info) = entry.kind {
                newest = newest.max(info.stamp.changed).max(info.stamp.modified);
                hasher.update(&info.size.to_le_bytes());
                hasher.update(&info.stamp.inode.to_le_bytes());
                hasher.update(&info.stamp.modified.to_le_bytes());
                hasher.update(&info.stamp.changed.to_le_bytes());
                hasher.update(&[u8::from(info.executable)]);
            }
        }
        for note in &self.notes {
            take_text(&mut hasher, &note.path);
        }
        Fingerprint {
            digest: hasher.finish(),
            newest,
        }
    }
}

/// With the length in front, so that no two lists of texts look alike.
fn take_text(hasher: &mut Hasher, text: &str) {
    hasher.update(&(text.len() as u64).to_le_bytes());
    hasher.update(text.as_bytes());
}
