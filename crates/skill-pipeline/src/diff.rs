//! The changes of a skill, as unified diffs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use similar::TextDiff;
use skill_loader::{
    fs::{Kind, Root, WalkLimits},
    store::Store,
};
use skill_migrator::{Migration, redact};
use skill_model::{private_path, skill_file};

use crate::{outcome::Change, plugin_files::PluginFiles};

/// The size limit of a diff, in bytes. Larger files are compared by name only.
const MAX_DIFF_BYTES: u64 = 256 << 10;

/// Renders every changed, added and removed file of one skill; `after` is the planned content.
pub(crate) fn render(store: &Store, name: &str, after: &BTreeMap<&str, After<'_>>) -> String {
    let old = store
        .root()
        .and_then(|root| root.open_dir(&store.path(name)).ok());
    let mut paths: BTreeSet<String> = old.as_ref().map(files).unwrap_or_default();
    paths.extend(after.keys().map(|path| (*path).to_owned()));
    let mut res = String::new();
    for path in paths {
        let before = old
            .as_ref()
            .and_then(|root| root.read(&path, MAX_DIFF_BYTES).ok());
        let was_there = old
            .as_ref()
            .is_some_and(|root| matches!(root.kind(&path), Ok(Some(_))));
        let after = after.get(path.as_str()).copied().unwrap_or(After::Absent);
        one_file(name, &path, was_there, before.as_deref(), after, &mut res);
    }
    res
}

/// Returns the same changes as texts, for a report that shows them side by side.
pub(crate) fn changes(store: &Store, name: &str, after: &BTreeMap<&str, After<'_>>) -> Vec<Change> {
    let old = store
        .root()
        .and_then(|root| root.open_dir(&store.path(name)).ok());
    let mut paths: BTreeSet<String> = old.as_ref().map(files).unwrap_or_default();
    paths.extend(after.keys().map(|path| (*path).to_owned()));
    let one = |path: String| {
        let was_there = old
            .as_ref()
            .is_some_and(|root| matches!(root.kind(&path), Ok(Some(_))));
        let before = old
            .as_ref()
            .and_then(|root| root.read(&path, MAX_DIFF_BYTES).ok());
        let after = after.get(path.as_str()).copied().unwrap_or(After::Absent);
        change(&path, was_there, before.as_deref(), after)
    };
    paths.into_iter().filter_map(one).collect()
}

/// Returns the change of one file, or `None` if it stays as it is.
fn change(path: &str, was_there: bool, before: Option<&[u8]>, after: After<'_>) -> Option<Change> {
    let new = match after {
        After::Kept => return None,
        After::Bytes(bytes) if was_there && before == Some(bytes) => return None,
        After::Absent => Some(String::new()),
        After::Large => None,
        After::Bytes(bytes) => shown(path, bytes),
    };
    let old = if was_there {
        before.and_then(|bytes| shown(path, bytes))
    } else {
        Some(String::new())
    };
    let texts = old.zip(new);
    Some(Change {
        before_name: was_there.then(|| path.to_owned()),
        after_name: (!matches!(after, After::Absent)).then(|| path.to_owned()),
        texts,
        is_version: true,
    })
}

/// Returns a new skill next to the manifest that it was made from.
pub(crate) fn made_of(collected: &PluginFiles, migration: &Migration) -> Vec<Change> {
    let is_skill = |path: &str| [false, true].map(skill_file).contains(&path);
    let skill = migration.generated.iter().find(|it| is_skill(&it.path));
    let texts = text(&collected.manifest).zip(skill.map(|file| redact(&file.text)));
    let change = Change {
        before_name: Some(collected.manifest_file.clone()),
        after_name: Some("SKILL.md".to_owned()),
        texts,
        is_version: false,
    };
    vec![change]
}

/// Returns the files of a planned skill.
pub(crate) fn planned<'a>(
    collected: &'a PluginFiles,
    migration: &'a Migration,
) -> BTreeMap<&'a str, After<'a>> {
    let generated = migration
        .generated
        .iter()
        .map(|file| (file.path.as_str(), After::Bytes(file.text.as_bytes())));
    let copies = migration.copies.iter().map(|copy| {
        let bytes = collected.bytes.get(&copy.from);
        let after = bytes.map_or(After::Large, |bytes| After::Bytes(bytes));
        (copy.to.as_str(), after)
    });
    generated.chain(copies).collect()
}

fn files(root: &Root) -> BTreeSet<String> {
    let listing = root
        .walk("", &WalkLimits::default(), &|_| false)
        .unwrap_or_default();
    let entries = listing
        .entries
        .into_iter()
        .filter(|entry| !matches!(entry.kind, Kind::Dir));
    entries.map(|entry| entry.path).collect()
}

/// The planned content of a file.
#[derive(Clone, Copy)]
pub(crate) enum After<'a> {
    /// The file is removed.
    Absent,
    /// The file has these bytes.
    Bytes(&'a [u8]),
    /// A copy of a file that is too large to be in memory.
    Large,
    /// The file does not change.
    Kept,
}

fn one_file(
    skill: &str,
    path: &str,
    was_there: bool,
    before: Option<&[u8]>,
    after: After<'_>,
    res: &mut String,
) {
    let name = |prefix: &str, is_there| {
        if is_there {
            format!("{prefix}/{skill}/{path}")
        } else {
            "/dev/null".to_owned()
        }
    };
    let old_name = name("a", was_there);
    let new_name = name("b", !matches!(after, After::Absent));
    let old = if was_there {
        before.and_then(|bytes| shown(path, bytes))
    } else {
        Some(String::new())
    };
    let new = match after {
        After::Absent => Some(String::new()),
        After::Kept => return,
        After::Large => None,
        After::Bytes(bytes) if was_there && before == Some(bytes) => return,
        After::Bytes(bytes) => shown(path, bytes),
    };
    match (old, new) {
        (Some(old), Some(new)) if old == new && !old.is_empty() => {
            let _ = writeln!(
                res,
                "Files {old_name} and {new_name} differ in what is not shown"
            );
        }
        (Some(old), Some(new)) => {
            let diff = TextDiff::from_lines(&old, &new);
            let _ = write!(res, "{}", diff.unified_diff().header(&old_name, &new_name));
        }
        _ => {
            let _ = writeln!(res, "Binary files {old_name} and {new_name} differ");
        }
    }
}

/// Returns the bytes as a text that can be compared line by line. Secrets are redacted, including
/// those that an earlier version or a person wrote.
fn text(bytes: &[u8]) -> Option<String> {
    let is_short = bytes.len() as u64 <= MAX_DIFF_BYTES;
    let text = std::str::from_utf8(bytes).ok().filter(|_| is_short)?;
    Some(redact(text))
}

/// Returns the text of a file of a skill, or `None` if it must not be shown.
fn shown(path: &str, bytes: &[u8]) -> Option<String> {
    match private_path(path) {
        Some(_) => None,
        None => text(bytes),
    }
}
