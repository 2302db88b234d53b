//! Detecting changes of a tree without reading its files.

use super::{Kind, Listing};
use skill_model::{Digest, Hasher};

/// A digest over names, sizes, inode numbers and times of everything in a listing. Equal
/// fingerprints mean equal trees, unless a file was changed twice within one tick of the file
/// system's clock: see [`Fingerprint::newest`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fingerprint {
    /// Digest over everything in the listing.
    pub digest: Digest,
    /// Time of the newest change of a file, in nanoseconds since the Unix epoch. Do not trust a
    /// stored fingerprint if this was only a moment before it was taken.
    pub newest: i128,
}

impl Listing {
    /// Returns the fingerprint of everything in the listing, notes included.
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

/// Prefixes the length, so that no two lists of texts hash alike.
fn take_text(hasher: &mut Hasher, text: &str) {
    hasher.update(&(text.len() as u64).to_le_bytes());
    hasher.update(text.as_bytes());
}
