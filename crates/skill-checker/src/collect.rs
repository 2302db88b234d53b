//! One skill directory as values.

use skill_loader::fs::{
    Entry as Listed, FileInfo, Kind as ListedKind, NoteKind, ReadError, Root, WalkLimits,
};
use skill_model::{INSTALLED, PRIVATE_HEAD};
use skill_validator::{Content, Entry, Kind, SkillFiles};

use crate::Target;
use crate::discover::{Found, Tree};

/// The largest file that is read whole, in bytes; of a larger one, only the beginning is checked.
const MAX_BYTES: u64 = 4 << 20;
/// Endings of files that are never text.
const BINARY: [&str; 18] = [
    "png", "jpg", "jpeg", "gif", "webp", "ico", "pdf", "woff", "woff2", "ttf", "otf", "mp3", "mp4",
    "zip", "gz", "xlsx", "docx", "pptx",
];
/// The maximum number of entries of one skill; a larger skill gets a finding.
const MAX_ENTRIES: usize = 200_000;

/// Lists and reads a skill.
pub(crate) fn collect(
    target: &Target,
    tree: &Tree,
    found: &Found,
) -> Result<SkillFiles, ReadError> {
    let (entries, mut hard_links) = match &found.listing {
        Some(entries) => flat(target, found, entries),
        None => deep(target, tree, found)?,
    };
    hard_links.sort();
    let name = found
        .path
        .rsplit('/')
        .next()
        .filter(|name| !name.is_empty());
    Ok(SkillFiles {
        path: found.path.clone(),
        directory: name.unwrap_or(&target.name).to_owned(),
        entries,
        hard_links,
    })
}

/// Returns whether a file has another name.
fn is_hard_link(entry: &Listed) -> bool {
    matches!(entry.kind, ListedKind::File(info) if info.n_links > 1)
}

/// A skill without directories, which discovery has listed; and its files with another name.
fn flat(target: &Target, found: &Found, entries: &[Listed]) -> (Vec<Entry>, Vec<String>) {
    let skip = if found.path.is_empty() {
        0
    } else {
        found.path.len() + 1
    };
    let hard_links = entries.iter().filter(|entry| is_hard_link(entry));
    let hard_links = hard_links.map(|entry| entry.path[skip..].to_owned());
    let hard_links = hard_links.collect();
    let entries = entries.iter().map(|entry| {
        let kind = kind(&target.root, &entry.path, entry.kind, false);
        let path = entry.path[skip..].to_owned();
        Entry { path, kind }
    });
    (entries.collect(), hard_links)
}

fn deep(
    target: &Target,
    tree: &Tree,
    found: &Found,
) -> Result<(Vec<Entry>, Vec<String>), ReadError> {
    let root = target.root.open_dir(&found.path)?;
    let limits = WalkLimits {
        depth: 64,
        entries: MAX_ENTRIES,
    };
    // Packages that the user installed are not the skill's files.
    let is_pruned = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or_default();
        path == ".git" || INSTALLED.contains(&name)
    };
    let listing = root.walk("", &limits, &is_pruned)?;
    let read = |entry: Listed| {
        let kind = kind(
            &root,
            &entry.path,
            entry.kind,
            is_elsewhere(tree, found, &entry.path),
        );
        let path = entry.path;
        Entry { path, kind }
    };
    let hard_links = listing.entries.iter().filter(|entry| is_hard_link(entry));
    let hard_links = hard_links.map(|entry| entry.path.clone()).collect();
    let mut entries: Vec<Entry> = listing.entries.into_iter().map(read).collect();
    let notes = listing
        .notes
        .into_iter()
        .filter(|note| !matches!(note.kind, NoteKind::Pruned));
    entries.extend(notes.map(|note| left_out(note.path, &note.kind)));
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    Ok((entries, hard_links))
}

/// Returns true if a file belongs to a skill inside this one.
fn is_elsewhere(tree: &Tree, found: &Found, path: &str) -> bool {
    let whole = if found.path.is_empty() {
        path.to_owned()
    } else {
        format!("{}/{path}", found.path)
    };
    path.contains('/') && tree.is_inner(&found.path, &whole)
}

fn kind(root: &Root, path: &str, kind: ListedKind, is_elsewhere: bool) -> Kind {
    match kind {
        ListedKind::Dir => Kind::Directory,
        ListedKind::Symlink => Kind::Link {
            target: root.link_target(path).unwrap_or_default(),
        },
        ListedKind::File(info) if is_elsewhere => Kind::File {
            size: info.size,
            content: Content::Elsewhere,
        },
        ListedKind::File(info) => Kind::File {
            size: info.size,
            content: content(root, path, info),
        },
        ListedKind::Fifo | ListedKind::Socket | ListedKind::Device => Kind::Special,
    }
}

fn content(root: &Root, path: &str, info: FileInfo) -> Content {
    let read = || {
        if info.size > MAX_BYTES || is_binary(path) {
            let head = root.read_start(path, PRIVATE_HEAD)?;
            if info.size > MAX_BYTES || !is_text(&head) {
                return Ok(Content::TooLarge(head));
            }
        }
        root.read(path, MAX_BYTES).map(Content::Read)
    };
    read().unwrap_or_else(|error: ReadError| Content::Unreadable(why(&error)))
}

/// Returns true if the beginning of a file is text, whatever its name says.
fn is_text(head: &[u8]) -> bool {
    let is_utf8 = match std::str::from_utf8(head) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    is_utf8 && !head.contains(&0)
}

fn is_binary(path: &str) -> bool {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    BINARY
        .iter()
        .any(|known| ending.eq_ignore_ascii_case(known))
}

/// The reason without the path, which differs from machine to machine.
fn why(error: &ReadError) -> String {
    match error {
        ReadError::Io(error) => error.source.to_string(),
        ReadError::Link { .. } => "it became a symbolic link".to_owned(),
        ReadError::Missing { .. } => "it was removed meanwhile".to_owned(),
        ReadError::NotPortable { flaw, .. } => {
            format!("its name {flaw}, expected a name that every system can store")
        }
        _ => "it is not a regular file any more".to_owned(),
    }
}

fn left_out(path: String, kind: &NoteKind) -> Entry {
    let why = match kind {
        NoteKind::NotUtf8 => "its name is not UTF-8".to_owned(),
        NoteKind::TooDeep => "it lies too deep".to_owned(),
        NoteKind::Unreadable(error) => error.to_string(),
        _ => format!("the skill has more than {MAX_ENTRIES} entries"),
    };
    let content = Content::Unreadable(why);
    Entry {
        path,
        kind: Kind::File { size: 0, content },
    }
}
