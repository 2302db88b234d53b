//! The public files of a skill.
//!
//! A skill's directory is walked once. Regular files with one name are public, unless they are hidden
//! or private by name or content (`skill_model::private_path`, `skill_model::private_content`).

use skill_loader::catalog::CatalogSkill;
use skill_loader::fs::{Entry, Fingerprint, Kind, Listing, Note, NoteKind, ReadError, WalkLimits};
use skill_model::{
    PRIVATE_HEAD, SecretHit, is_withheld, private_content, private_directory, scan_issuers,
    scan_secrets,
};
use thiserror::Error;

use crate::names::Names;

/// A file and its content.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Content {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// True if the file can be executed.
    pub executable: bool,
}

/// A public file of a skill.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublicFile {
    /// The path in the skill; `SKILL.md` for a skill that is a single file.
    pub path: String,
    /// The size in bytes.
    pub size: u64,
    /// True if the file can be executed.
    pub executable: bool,
}

/// The files of a skill at one instant.
#[derive(Debug)]
pub struct PublicFiles {
    /// The public files, sorted by path.
    pub files: Vec<PublicFile>,
    /// The paths of the skill that are private or hidden by their names, sorted; nothing below a
    /// private directory.
    pub withheld: Vec<String>,
    /// The other paths that are not public, sorted: links, files with a second name, pipes,
    /// names that are not UTF-8. Each has the reason, as a phrase.
    pub unusual: Vec<(String, &'static str)>,
    /// The paths of tests for the author, sorted; they are not public.
    pub tests: Vec<String>,
    /// The fingerprint of the whole directory.
    pub fingerprint: Fingerprint,
}

/// The limits of the directory of a skill.
const LIMITS: WalkLimits = WalkLimits {
    depth: 32,
    entries: 20_000,
};

/// The reason why a directory is not listed whole.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Unlisted {
    /// It is below too many others.
    #[error("`{0}` is a directory below {depth} others, expected fewer", depth = LIMITS.depth)]
    Deep(String),
    /// There are too many files and directories.
    #[error("it has more than {n} files and directories", n = LIMITS.entries)]
    Many,
    /// It cannot be read, or was replaced meanwhile.
    #[error("the directory `{0}` cannot be read: {1}")]
    Unreadable(String, String),
    /// Its file is not there any more.
    #[error("its file is not there any more")]
    Missing,
}

impl Unlisted {
    fn new(note: &Note, beneath: &dyn Fn(&str) -> String) -> Self {
        let path = || match &*note.path {
            "" => String::new(),
            path => beneath(path).escape_debug().to_string(),
        };
        match &note.kind {
            NoteKind::TooDeep => Self::Deep(path()),
            NoteKind::TooMany => Self::Many,
            NoteKind::Unreadable(error) => Self::Unreadable(path(), error.to_string()),
            NoteKind::NotUtf8 | NoteKind::Pruned => Self::Missing,
        }
    }
}

/// The reason why the files of a skill are not known.
#[derive(Debug, Error)]
pub enum FilesError {
    /// A part of the directory cannot be listed.
    #[error("{0}")]
    Listing(Unlisted),
    /// A file cannot be read.
    #[error("a file of it cannot be read")]
    Read(#[from] ReadError),
}

/// Lists the files of a skill that are public by their names. [`is_private_inside`] has to be asked
/// about their contents.
///
/// # Errors
///
/// The directory cannot be listed whole.
pub fn list(skill: &CatalogSkill) -> Result<PublicFiles, FilesError> {
    let place = &skill.place;
    let Some(dir) = place.dir.as_deref() else {
        return list_single(skill);
    };
    let listing = place.root.walk(dir, &LIMITS, &is_pruned)?;
    let is_known = |note: &Note| matches!(note.kind, NoteKind::Pruned | NoteKind::NotUtf8);
    let beneath = |path: &str| match dir {
        "" => path.to_owned(),
        // A note may be about the directory itself.
        dir => path
            .strip_prefix(dir)
            .map_or(path, |inside| inside.trim_start_matches('/'))
            .to_owned(),
    };
    if let Some(note) = listing.notes.iter().find(|note| !is_known(note)) {
        return Err(FilesError::Listing(Unlisted::new(note, &beneath)));
    }
    let (mut files, mut withheld) = (Vec::new(), Vec::new());
    let (mut unusual, mut tests) = (Vec::new(), Vec::new());
    for entry in &listing.entries {
        let path = beneath(&entry.path);
        match entry.kind {
            Kind::Dir if is_pruned(&path) => withheld.push(path),
            Kind::Dir => {}
            Kind::File(_) if is_trigger_tests(&path) => tests.push(path),
            _ if is_withheld(&path) => withheld.push(path),
            kind => match public(&path, kind) {
                Ok(file) => files.push(file),
                Err(why) => unusual.push((path, why)),
            },
        }
    }
    // No address has such a name; the skill is one without that file.
    let nameless = listing.notes.iter();
    let nameless = nameless.filter(|note| matches!(note.kind, NoteKind::NotUtf8));
    unusual.extend(nameless.map(|note| (beneath(&note.path), "has a name that is not UTF-8")));
    unusual.sort();
    Ok(PublicFiles {
        files,
        withheld,
        unusual,
        tests,
        fingerprint: listing.fingerprint(),
    })
}

/// Lists a skill that is a single file; it has paths as if it had a directory.
fn list_single(skill: &CatalogSkill) -> Result<PublicFiles, FilesError> {
    let Some(kind) = skill.place.root.kind(&skill.place.file)? else {
        return Err(FilesError::Listing(Unlisted::Missing));
    };
    let mut listing = Listing::default();
    listing.entries.push(Entry {
        path: skill.place.file.clone(),
        kind,
    });
    let file = public("SKILL.md", kind);
    let why = file.as_ref().err().copied();
    Ok(PublicFiles {
        files: file.into_iter().collect(),
        withheld: Vec::new(),
        unusual: why
            .map(|why| ("SKILL.md".to_owned(), why))
            .into_iter()
            .collect(),
        tests: Vec::new(),
        fingerprint: listing.fingerprint(),
    })
}

/// Takes the files out that some system cannot store, or not beside the other ones, and returns their
/// paths, each with the reason as a phrase.
pub fn take_unportable(files: &mut Vec<PublicFile>) -> Vec<(String, String)> {
    let (mut names, mut res) = (Names::default(), Vec::new());
    files.retain(|file| match names.add(&file.path) {
        Ok(()) => true,
        Err(why) => {
            res.push((file.path.clone(), why));
            false
        }
    });
    res
}

/// Reads one file of a skill, by its path in the skill.
///
/// # Errors
///
/// The file cannot be read, or has more than `max_bytes`.
pub fn read(skill: &CatalogSkill, path: &str, max_bytes: u64) -> Result<Vec<u8>, ReadError> {
    let place = &skill.place;
    match place.dir.as_deref() {
        None => place.root.read(&place.file, max_bytes),
        Some("") => place.root.read(path, max_bytes),
        Some(dir) => place.root.read(&format!("{dir}/{path}"), max_bytes),
    }
}

/// Returns true if a file is private because of its content. A file that cannot be read is not: its
/// reader reports that.
pub fn is_private_inside(skill: &CatalogSkill, path: &str) -> bool {
    let place = &skill.place;
    let head = match place.dir.as_deref() {
        None => return false,
        Some("") => place.root.read_start(path, PRIVATE_HEAD),
        Some(dir) => place
            .root
            .read_start(&format!("{dir}/{path}"), PRIVATE_HEAD),
    };
    head.is_ok_and(|head| private_content(&head).is_some())
}

/// Returns true for the tests of which requests trigger a skill, `evals/*trigger*.json`: they are for its
/// author, and no agent needs them. The packager of the skill `skill-creator` of
/// github.com/anthropics/skills leaves out the whole directory.
pub fn is_trigger_tests(path: &str) -> bool {
    let name = path
        .strip_prefix("evals/")
        .unwrap_or_default()
        .to_lowercase();
    let is_json = name.ends_with(".json") || name.ends_with(".jsonl");
    is_json && name.contains("trigger") && !name.contains('/')
}

/// Returns true if nothing at a path is public, be it a file or a directory.
fn is_pruned(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.starts_with('.') || private_directory(name).is_some()
}

/// Returns the file if it is a regular one with a single name, else the reason why it is not public.
fn public(path: &str, kind: Kind) -> Result<PublicFile, &'static str> {
    match kind {
        Kind::File(info) if info.n_links == 1 => Ok(PublicFile {
            path: path.to_owned(),
            size: info.size,
            executable: info.executable,
        }),
        Kind::File(_) => Err("has a second name, a hard link"),
        Kind::Symlink => Err("is a symbolic link"),
        _ => Err("is not a regular file"),
    }
}

/// Returns the first secret in a file, if there is one; its place is that in the text. In a binary only tokens of known issuers count.
pub fn secret(bytes: &[u8]) -> Option<SecretHit> {
    let hits = match std::str::from_utf8(bytes) {
        Ok(text) => scan_secrets(text),
        Err(_) => scan_issuers(&String::from_utf8_lossy(bytes)),
    };
    hits.into_iter().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_that_is_not_listed_whole_says_why() {
        for (kind, expected) in [
            (
                NoteKind::TooDeep,
                "`a/b` is a directory below 32 others, expected fewer",
            ),
            (
                NoteKind::TooMany,
                "it has more than 20000 files and directories",
            ),
            (
                NoteKind::Unreadable(std::io::ErrorKind::PermissionDenied.into()),
                "the directory `a/b` cannot be read: permission denied",
            ),
        ] {
            let path = "tea/a/b".to_owned();
            let beneath = |path: &str| path.trim_start_matches("tea/").to_owned();
            let found = Unlisted::new(&Note { path, kind }, &beneath);
            assert_eq!(FilesError::Listing(found).to_string(), expected);
        }
    }

    #[test]
    fn tests_of_triggers_are_those_of_skills_describe() {
        for (path, expected) in [
            ("evals/triggers.json", true),
            ("evals/Trigger-tests.jsonl", true),
            ("evals/evals.json", false),
            ("evals/deep/triggers.json", false),
            ("triggers.json", false),
            ("scripts/evals/triggers.json", false),
        ] {
            assert_eq!(is_trigger_tests(path), expected, "{path}");
        }
    }
}
