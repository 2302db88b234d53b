//! The contents of a tree, for a digest that covers all of it.
//!
//! **Invariant:** what is left out is an error, never a gap.

use std::collections::BTreeMap;

use skill_loader::Hasher;
use skill_loader::fs::{Entry, Kind, Note, NoteKind, Root, WalkLimits};

use crate::envelope::{ErrorCode, Failure};

/// The limits of a tree; a larger one has no digest.
const LIMITS: WalkLimits = WalkLimits {
    depth: 256,
    entries: 1_000_000,
};

/// The entry at each path, as a short text: kind, executable bit, digest or target.
#[derive(PartialEq, Eq, Default, Debug)]
pub(crate) struct Contents(pub(crate) BTreeMap<String, String>);

impl Contents {
    /// A digest over all of it, 64 hex digits.
    pub(crate) fn digest(&self) -> String {
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

/// Everything beneath a directory.
pub(crate) fn read(root: &Root) -> Result<Contents, Failure> {
    let mut res = Contents::default();
    for entry in entries(root, "")? {
        let what = described(root, &entry)?;
        res.0.insert(entry.path, what);
    }
    Ok(res)
}

/// Returns everything beneath a directory of a root; an error if anything would be left out.
pub(crate) fn entries(root: &Root, dir: &str) -> Result<Vec<Entry>, Failure> {
    let listing = root.walk(dir, &LIMITS, &|_| false);
    let listing = listing.map_err(|error| Failure::io(&error))?;
    match listing.notes.first() {
        Some(note) => Err(left_out(root, note)),
        None => Ok(listing.entries),
    }
}

/// One entry as a text that differs whenever the entry does.
pub(crate) fn described(root: &Root, entry: &Entry) -> Result<String, Failure> {
    Ok(match &entry.kind {
        Kind::File(info) => {
            let (digest, _) = root
                .entry_digest(entry)
                .map_err(|error| Failure::io(&error))?;
            let mode = if info.executable { "program" } else { "file" };
            format!("{mode} {digest}")
        }
        Kind::Symlink => {
            let target = root.entry_target(entry);
            format!("link {}", target.map_err(|error| Failure::io(&error))?)
        }
        other => other.to_string(),
    })
}

fn left_out(root: &Root, note: &Note) -> Failure {
    let why = match &note.kind {
        NoteKind::NotUtf8 => "its name is not UTF-8".to_owned(),
        NoteKind::Pruned => "it was not entered".to_owned(),
        NoteKind::TooDeep => format!("it lies more than {} directories deep", LIMITS.depth),
        NoteKind::TooMany => format!("there are more than {} entries", LIMITS.entries),
        NoteKind::Unreadable(error) => error.to_string(),
    };
    let place = root.path().join(&note.path);
    let place = place.to_string_lossy();
    let message = format!(
        "cannot look at all of the skill: `{}`: {why}",
        place.escape_debug()
    );
    Failure::new(ErrorCode::Io, message)
}
