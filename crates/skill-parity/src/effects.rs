//! The effects of a run on files: those that it added, changed or removed below its home and below
//! the directories that replace the old host's.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value, json};
use skill_executor::view::{self, View};
use skill_loader::Digest;
use skill_loader::fs::{Kind, ReadError, Root, Stamp, WalkLimits};

use crate::{journal, markers};

/// The largest text that is compared word by word, in bytes.
const MAX_TEXT: u64 = 256 << 10;
/// The largest file that is compared by its content, in bytes; larger ones are compared by size.
const MAX_FILE: u64 = 256 << 20;

/// The stamps of files, by path below the state directory.
pub(crate) type Files = BTreeMap<String, Stamp>;

/// The directories that a run may write, by path below the state directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct WritableDirs(Vec<String>);

impl WritableDirs {
    /// Collects the base directory of a skill, its home, its copies of other skills, and the directories that
    /// skills share.
    pub(crate) fn new(state: &Root, view: &View) -> Self {
        let mut dirs = vec![
            beneath(state, &view.base),
            beneath(state, &view.home),
            view::LEGACY.to_owned(),
        ];
        // The skill's copies of its neighbours, which the plugin finds in the base directory.
        dirs.extend(view.beside.iter().map(|dir| beneath(state, dir)));
        Self(dirs)
    }

    /// Returns the files that are there now.
    pub(crate) fn files(&self, state: &Root) -> Result<Files, ReadError> {
        let dirs = self.0.iter();
        let dirs = dirs.filter(|dir| matches!(state.kind(dir), Ok(Some(Kind::Dir))));
        let mut res = Files::new();
        for dir in dirs {
            let walk = state.walk(dir, &WalkLimits::default(), &is_byte_code)?;
            for entry in walk.entries {
                if let Kind::File(info) = entry.kind {
                    res.insert(entry.path, info.stamp);
                }
            }
        }
        Ok(res)
    }
}

/// Returns true for the directories in which Python keeps compiled modules, with the times of their
/// sources.
fn is_byte_code(path: &str) -> bool {
    path.rsplit('/').next() == Some("__pycache__")
}

/// Returns a path as it is beneath the state directory.
pub(crate) fn beneath(state: &Root, path: &Path) -> String {
    let inside = path.strip_prefix(state.path()).unwrap_or(path);
    inside.to_string_lossy().into_owned()
}

/// Returns the changes since `before`: an object from paths to texts or digests, with null for a
/// removed file. `localise` replaces the paths of this run by markers.
pub(crate) fn changes_since(
    state: &Root,
    (dirs, before): (&WritableDirs, &Files),
    localise: &dyn Fn(&str) -> String,
) -> Result<Value, ReadError> {
    let after = dirs.files(state)?;
    let reported = |path: &str| {
        let path = localise(&state.path().join(path).display().to_string());
        path.trim_start_matches(markers::STATE)
            .trim_start_matches('/')
            .to_owned()
    };
    let mut res = Map::new();
    for path in before.keys().filter(|path| !after.contains_key(*path)) {
        res.insert(reported(path), Value::Null);
    }
    for (path, stamp) in &after {
        if before.get(path) != Some(stamp) {
            res.insert(reported(path), content(state, path, localise)?);
        }
    }
    Ok(Value::Object(res))
}

fn content(
    state: &Root,
    path: &str,
    localise: &dyn Fn(&str) -> String,
) -> Result<Value, ReadError> {
    let Ok(Some(Kind::File(info))) = state.kind(path) else {
        return Ok(json!("gone while it was looked at"));
    };
    if info.size > MAX_FILE {
        return Ok(json!({"bytes": info.size}));
    }
    let bytes = state.read(path, MAX_FILE)?;
    if let Some(content) = journal::content(path, &bytes) {
        return Ok(content);
    }
    match std::str::from_utf8(&bytes) {
        Ok(text) if info.size <= MAX_TEXT => Ok(localise(text).into()),
        _ => Ok(json!({"bytes": bytes.len(), "sha256": Digest::from_content(&bytes).hex()})),
    }
}
