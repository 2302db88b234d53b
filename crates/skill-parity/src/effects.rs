//! What a run leaves behind in files: what it added, changed or removed below the directories that it
//! may take for the old host's, and below its home.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value, json};
use skill_executor::view::{self, View};
use skill_loader::Digest;
use skill_loader::fs::{Kind, ReadError, Root, Stamp, WalkLimits};

/// Texts up to this size are compared word by word, in bytes.
const MAX_TEXT: u64 = 256 << 10;
/// Larger files are compared by their size, in bytes.
const MAX_FILE: u64 = 256 << 20;

/// Every file, by path beneath the state directory.
pub(crate) type Files = BTreeMap<String, Stamp>;

/// The directories that are looked at, beneath the state directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Places(Vec<String>);

impl Places {
    /// What a skill may write: its base, its home, and what skills share.
    pub(crate) fn of(state: &Root, view: &View) -> Self {
        let beneath = |path: &Path| {
            let inside = path.strip_prefix(state.path()).unwrap_or(path);
            inside.to_string_lossy().into_owned()
        };
        Self(vec![
            beneath(&view.base),
            beneath(&view.home),
            view::LEGACY.to_owned(),
        ])
    }

    /// What lies there now.
    pub(crate) fn files(&self, state: &Root) -> Result<Files, ReadError> {
        let dirs = self.0.iter();
        let dirs = dirs.filter(|dir| matches!(state.kind(dir), Ok(Some(Kind::Dir))));
        let mut res = Files::new();
        for dir in dirs {
            for entry in state.walk(dir, &WalkLimits::default(), &|_| false)?.entries {
                if let Kind::File(info) = entry.kind {
                    res.insert(entry.path, info.stamp);
                }
            }
        }
        Ok(res)
    }
}

/// What is different since: an object from paths to texts, digests, or null for what is gone.
/// `localise` hides where the state directory lies, and gives the skill's own directories the names that they had in the old host.
pub(crate) fn since(
    state: &Root,
    (places, before): (&Places, &Files),
    localise: &dyn Fn(&str) -> String,
) -> Result<Value, ReadError> {
    let after = places.files(state)?;
    let shown = |path: &str| {
        let path = localise(&state.path().join(path).display().to_string());
        path.trim_start_matches(crate::trial::STATE)
            .trim_start_matches('/')
            .to_owned()
    };
    let mut res = Map::new();
    for path in before.keys().filter(|path| !after.contains_key(*path)) {
        res.insert(shown(path), Value::Null);
    }
    for (path, stamp) in &after {
        if before.get(path) != Some(stamp) {
            res.insert(shown(path), content(state, path, localise)?);
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
    match std::str::from_utf8(&bytes) {
        Ok(text) if info.size <= MAX_TEXT => Ok(localise(text).into()),
        _ => Ok(json!({"bytes": bytes.len(), "sha256": Digest::from_content(&bytes).hex()})),
    }
}
