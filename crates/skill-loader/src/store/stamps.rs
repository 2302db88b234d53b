//! Fingerprints of trees that were found unchanged, so that the next run need not read them again.
//!
//! This is only a cache: if it is missing or unreadable, everything is compared by its bytes. A
//! tree changed less than [`SLACK`] before the file was written is not trusted, because a later
//! change in the same clock tick would not show.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use skill_model::{Hasher, Lock, LockedSkill};

use super::dir;
use crate::fs::sys;
use crate::fs::{Fingerprint, PathError, Root};

const NAME: &str = "stamps";
const NEW: &str = "stamps.new";

/// Longer than one tick of any file system clock with nanosecond resolution, in nanoseconds.
const SLACK: i128 = 20_000_000;

/// The trees of one skill. Each digest binds a fingerprint to the entry that it was recorded for.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
struct SkillStamps {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    skill: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    source: Option<String>,
}

/// The fingerprints of earlier runs and of this one.
#[derive(Default, Debug)]
pub(super) struct Stamps {
    known: BTreeMap<String, SkillStamps>,
    written: i128,
    found: BTreeMap<String, SkillStamps>,
}

impl Stamps {
    /// Reads the file; empty if it is missing or unreadable.
    pub(super) fn read(meta: &Root) -> Self {
        let known = dir::read(meta, NAME).ok().flatten();
        let known = known.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let written = sys::stat(meta.dir(), NAME);
        let written = written.map_or(i128::MIN, |stat| stat.info.stamp.modified);
        Self {
            known: known.unwrap_or_default(),
            written,
            found: BTreeMap::new(),
        }
    }

    /// Returns whether the skill was found unchanged with this fingerprint.
    pub(super) fn is_skill(&self, name: &str, entry: &LockedSkill, print: &Fingerprint) -> bool {
        let known = self.known.get(name).and_then(|known| known.skill.as_ref());
        self.is_reliable(print) && known == Some(&of_skill(entry, print))
    }

    /// Returns whether the source of `entry` had this fingerprint.
    pub(super) fn is_source(&self, name: &str, entry: &LockedSkill, print: &Fingerprint) -> bool {
        let known = self.known.get(name).and_then(|known| known.source.as_ref());
        self.is_reliable(print) && known == Some(&of_source(entry, print))
    }

    fn is_reliable(&self, print: &Fingerprint) -> bool {
        print.newest.saturating_add(SLACK) < self.written
    }

    pub(super) fn found_skill(&mut self, name: &str, entry: &LockedSkill, print: &Fingerprint) {
        let found = self.found.entry(name.to_owned()).or_default();
        found.skill = Some(of_skill(entry, print));
    }

    pub(super) fn found_source(&mut self, name: &str, entry: &LockedSkill, print: &Fingerprint) {
        let found = self.found.entry(name.to_owned()).or_default();
        found.source = Some(of_source(entry, print));
    }

    /// Writes the fingerprints of the skills in `lock`.
    pub(super) fn write(mut self, meta: &Root, lock: &Lock) -> Result<(), PathError> {
        for (name, found) in self.found {
            let known = self.known.entry(name).or_default();
            known.skill = found.skill.or(known.skill.take());
            known.source = found.source.or(known.source.take());
        }
        self.known.retain(|name, _| lock.skills.contains_key(name));
        let bytes = serde_json::to_vec(&self.known).expect("maps and strings");
        dir::write(meta, NEW, &bytes, false)?;
        dir::rename_over((meta, NEW), (meta, NAME))
    }
}

/// Deletes the leftover of a killed [`Stamps::write`].
pub(super) fn sweep(meta: &Root) -> Result<(), PathError> {
    dir::unlink(meta, NEW)
}

fn of_skill(entry: &LockedSkill, print: &Fingerprint) -> String {
    let files = entry.files.iter();
    let texts = files.flat_map(|(path, digest)| [path.as_str(), digest.as_str()]);
    bound(texts, print)
}

fn of_source(entry: &LockedSkill, print: &Fingerprint) -> String {
    let source = &entry.source;
    bound(
        [&*source.directory, &*source.manifest, &*source.digest].into_iter(),
        print,
    )
}

fn bound<'t>(texts: impl Iterator<Item = &'t str>, print: &Fingerprint) -> String {
    let mut hasher = Hasher::default();
    for text in texts {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    hasher.update(print.digest.to_string().as_bytes());
    hasher.finish().to_string()
}
