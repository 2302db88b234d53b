//! Other plugins that a skill's files reach into: `require('../Other/lib.js')`.
//!
//! In the old host all plugins lay beside each other (`legacy-host.md` §1.6: 21 of 89 load modules
//! with `..`, 36 build such paths). Of a skill that speaks of places outside its directory, the
//! neighbours whose directories it mentions are laid out too, and those that they mention.

use std::collections::BTreeSet;

use skill_loader::fs::{Kind, NoteKind, Root, WalkLimits};

use crate::package::SkillPackage;

/// How a file speaks of another place.
const SIGNS: [&str; 6] = ["../", "..\\", "'..'", "\"..\"", "`..`", "PROJECT_BASE_PATH"];
/// Longer files are data, in bytes.
const MAX_FILE: u64 = 1 << 20;
/// All that is read of one skill, in bytes.
const MAX_ALL: usize = 16 << 20;
/// Where the sidecar of a migrated skill names the directory of its plugin.
const DIRECTORY: &str = "\n  directory: ";

/// Whether the files or the command line of a skill speak of places outside their directory.
pub(super) fn reaches_out(skill: &SkillPackage) -> bool {
    let texts = texts(skill);
    SIGNS.iter().any(|sign| mentions(&texts, sign))
}

/// The neighbours that a skill mentions, and those that they mention.
pub(super) fn of(skill: &SkillPackage) -> Vec<SkillPackage> {
    let Some(parent) = skill.dir.parent() else {
        return Vec::new();
    };
    let Ok(root) = Root::open_real(parent) else {
        return Vec::new();
    };
    let mut others = beside(&root, skill);
    let mut found: Vec<SkillPackage> = Vec::new();
    let mut waiting = vec![texts(skill)];
    while let Some(texts) = waiting.pop() {
        let is_meant = |other: &(String, String)| mentions(&texts, &other.0);
        let (meant, rest): (Vec<_>, Vec<_>) = others.into_iter().partition(is_meant);
        others = rest;
        for (_, dir) in meant {
            if let Ok(other) = SkillPackage::read(&parent.join(dir)) {
                waiting.push(self::texts(&other));
                found.push(other);
            }
        }
    }
    found
}

fn mentions(texts: &[String], word: &str) -> bool {
    texts.iter().any(|text| text.contains(word))
}

/// The directories of the other plugins, each with that of its skill.
fn beside(root: &Root, skill: &SkillPackage) -> Vec<(String, String)> {
    let Ok(listing) = root.walk("", &WalkLimits::default(), &|_| true) else {
        return Vec::new();
    };
    let pruned = listing.notes.iter();
    let pruned = pruned.filter(|note| matches!(note.kind, NoteKind::Pruned));
    let dirs: BTreeSet<&str> = pruned.map(|note| note.path.as_str()).collect();
    let own = skill.dir.file_name().unwrap_or_default();
    dirs.into_iter()
        .filter(|dir| *dir != own)
        .filter_map(|dir| {
            let bytes = root.read(&format!("{dir}/METADATA.yml"), MAX_FILE).ok()?;
            let text = String::from_utf8_lossy(&bytes);
            let at = text.find(DIRECTORY)? + DIRECTORY.len();
            let name = text[at..].lines().next()?.trim().trim_matches(['"', '\'']);
            (!name.is_empty()).then(|| (name.to_owned(), dir.to_owned()))
        })
        .collect()
}

/// The files of a skill that are text, and its command line.
fn texts(skill: &SkillPackage) -> Vec<String> {
    let entry = skill.metadata.entry.iter();
    let words = entry.flat_map(|entry| entry.shell.iter().chain(&entry.argv));
    let mut res: Vec<String> = words.cloned().collect();
    let (source, _) = super::source(skill);
    let Ok(dir) = skill.root.open_dir(source) else {
        return res;
    };
    let linked = |path: &str| super::is_linked(path);
    let Ok(listing) = dir.walk("", &WalkLimits::default(), &linked) else {
        return res;
    };
    let mut n_bytes = 0;
    for entry in listing.entries {
        let Kind::File(_) = entry.kind else { continue };
        let Ok(bytes) = dir.read(&entry.path, MAX_FILE) else {
            continue;
        };
        n_bytes += bytes.len();
        if n_bytes > MAX_ALL {
            break;
        }
        res.extend(String::from_utf8(bytes));
    }
    res
}
