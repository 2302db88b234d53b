//! What would change in a skill, as unified diffs.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use similar::TextDiff;
use skill_loader::{
    fs::{Kind, Root, WalkLimits},
    store::Store,
};
use skill_migrator::Migration;

use super::collect::Collected;

/// Larger files are compared by name only.
const MAX_DIFF_BYTES: u64 = 256 << 10;

/// Every changed, added and removed file of one skill.
pub(super) fn render(
    store: &Store,
    name: &str,
    collected: &Collected,
    migration: &Migration,
) -> String {
    let old = store.root().and_then(|root| root.open_dir(name).ok());
    let mut paths: BTreeSet<String> = old.as_ref().map(files).unwrap_or_default();
    paths.extend(migration.generated.iter().map(|file| file.path.clone()));
    paths.extend(migration.copies.iter().map(|copy| copy.to.clone()));
    let mut res = String::new();
    for path in paths {
        let before = old
            .as_ref()
            .and_then(|root| root.read(&path, MAX_DIFF_BYTES).ok());
        let was_there = old
            .as_ref()
            .is_some_and(|root| matches!(root.kind(&path), Ok(Some(_))));
        let after = new_bytes(collected, migration, &path);
        one_file(
            &format!("{name}/{path}"),
            was_there,
            before.as_deref(),
            after,
            &mut res,
        );
    }
    res
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

/// A file as it will be.
#[derive(Clone, Copy)]
enum After<'a> {
    /// There will be none.
    Absent,
    /// These bytes.
    Bytes(&'a [u8]),
    /// A copy of a file that is too large to be at hand.
    Large,
}

fn new_bytes<'a>(collected: &'a Collected, migration: &'a Migration, path: &str) -> After<'a> {
    let generated = migration.generated.iter().find(|file| file.path == path);
    let copied = migration.copies.iter().find(|copy| copy.to == path);
    match (generated, copied) {
        (Some(file), _) => After::Bytes(file.text.as_bytes()),
        (None, Some(copy)) => collected
            .bytes
            .get(&copy.from)
            .map_or(After::Large, |bytes| After::Bytes(bytes)),
        (None, None) => After::Absent,
    }
}

fn one_file(
    path: &str,
    was_there: bool,
    before: Option<&[u8]>,
    after: After<'_>,
    res: &mut String,
) {
    let name = |prefix: &str, is_there| {
        if is_there {
            format!("{prefix}/{path}")
        } else {
            "/dev/null".to_owned()
        }
    };
    let old_name = name("a", was_there);
    let new_name = name("b", !matches!(after, After::Absent));
    let old = if was_there {
        before.and_then(text)
    } else {
        Some("")
    };
    let new = match after {
        After::Absent => Some(""),
        After::Large => None,
        After::Bytes(bytes) if was_there && before == Some(bytes) => return,
        After::Bytes(bytes) => text(bytes),
    };
    match (old, new) {
        (Some(old), Some(new)) => {
            let diff = TextDiff::from_lines(old, new);
            let _ = write!(res, "{}", diff.unified_diff().header(&old_name, &new_name));
        }
        _ => {
            let _ = writeln!(res, "Binary files {old_name} and {new_name} differ");
        }
    }
}

/// Bytes as a text that can be compared line by line.
fn text(bytes: &[u8]) -> Option<&str> {
    let is_short = bytes.len() as u64 <= MAX_DIFF_BYTES;
    std::str::from_utf8(bytes).ok().filter(|_| is_short)
}
