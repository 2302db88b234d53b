//! The contents of a tree, for a digest that covers all of it.
//!
//! **Invariant:** what is left out is an error, never a gap.

use std::collections::BTreeMap;

use skill_model::Hasher;

use crate::fs::{Entry, Kind, Note, NoteKind, ReadError, Root, WalkLimits};

/// The limits of a tree; a larger one has no digest.
const LIMITS: WalkLimits = WalkLimits {
    depth: 256,
    entries: 1_000_000,
};

/// The entry at each path, as a short text: kind, executable bit, digest or target.
#[derive(PartialEq, Eq, Default, Debug)]
pub struct Contents(pub BTreeMap<String, String>);

impl Contents {
    /// Returns a digest over all of it, 64 hex digits.
    pub fn digest(&self) -> String {
        let mut hasher = Hasher::default();
        for (path, what) in &self.0 {
            for text in [path, what] {
                hasher.update(&(text.len() as u64).to_le_bytes());
                hasher.update(text.as_bytes());
            }
        }
        hasher.finish().hex()
    }
}

/// The reason why a tree has no digest.
#[derive(Debug, thiserror::Error)]
pub enum ContentsError {
    /// A file or a directory cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Something would be left out.
    #[error("cannot look at all of the skill: `{path}`: {reason}")]
    LeftOut {
        /// The path concerned, escaped.
        path: String,
        /// The reason why it would be left out.
        reason: String,
    },
}

/// Returns everything beneath a directory.
///
/// # Errors
///
/// Anything cannot be read, or would be left out.
pub fn read(root: &Root) -> Result<Contents, ContentsError> {
    let mut res = Contents::default();
    for entry in entries(root, "")? {
        let what = described(root, &entry)?;
        res.0.insert(entry.path, what);
    }
    Ok(res)
}

/// Returns everything beneath a directory of a root.
///
/// # Errors
///
/// Anything cannot be read, or would be left out.
pub fn entries(root: &Root, dir: &str) -> Result<Vec<Entry>, ContentsError> {
    let listing = root.walk(dir, &LIMITS, &|_| false)?;
    match listing.notes.first() {
        Some(note) => Err(left_out(root, note)),
        None => Ok(listing.entries),
    }
}

/// Returns an entry as a text that differs whenever the entry does.
///
/// # Errors
///
/// The entry cannot be read.
pub fn described(root: &Root, entry: &Entry) -> Result<String, ContentsError> {
    Ok(match &entry.kind {
        Kind::File(info) => {
            let (digest, _) = root.entry_digest(entry)?;
            let mode = if info.executable { "program" } else { "file" };
            format!("{mode} {digest}")
        }
        Kind::Symlink => {
            format!("link {}", root.entry_target(entry)?)
        }
        other => other.to_string(),
    })
}

fn left_out(root: &Root, note: &Note) -> ContentsError {
    let reason = match &note.kind {
        NoteKind::NotUtf8 => "its name is not UTF-8".to_owned(),
        NoteKind::Pruned => "it was not entered".to_owned(),
        NoteKind::TooDeep => format!("it lies more than {} directories deep", LIMITS.depth),
        NoteKind::TooMany => format!("there are more than {} entries", LIMITS.entries),
        NoteKind::Unreadable(error) => error.to_string(),
    };
    let place = root.path().join(&note.path);
    let path = place.to_string_lossy().escape_debug().to_string();
    ContentsError::LeftOut { path, reason }
}
