//! The entry of SEP-2640: every file of a skill with its digest and size.
//!
//! The files that a skill serves are decided here, by walking its directory once: regular files
//! with one link, not hidden, not private by name or content (`skill_model::private_path`).
//! Requests are answered only from this list.

use std::sync::{PoisonError, RwLock};
use std::time::{Duration, Instant};

use rmcp::model::{Skill, SkillFrontmatter, SkillResource, SkillResources};
use serde_json::Value;
use skill_loader::Digest;
use skill_loader::catalog::CatalogSkill;
use skill_loader::fs::{Entry, Fingerprint, Kind, Listing, Note, NoteKind, ReadError, WalkLimits};
use skill_model::{
    PRIVATE_HEAD, decode, is_withheld, parse_skill, private_content, private_directory,
};
use thiserror::Error;

use crate::uri;

/// "Resources per skill", `SKILL.md` included (SEP-2640, Limits).
const MAX_FILES: usize = 512;
/// "Total file size per skill", in bytes (SEP-2640, Limits).
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// The files of one skill at one instant.
#[derive(Debug)]
pub(crate) struct Manifest {
    /// The files that the tools list, sorted by path; not more than an entry may have.
    pub(crate) listed: Vec<ListedFile>,
    /// The number of files that are not listed.
    pub(crate) n_unlisted: usize,
    /// The entry as it is sent, or the reason why there is none.
    pub(crate) entry: Result<Files, NoEntry>,
    /// The fingerprint of the walk that it was made from.
    fingerprint: Fingerprint,
    checked: RwLock<CheckTimes>,
}

/// The times of the last checks of a manifest.
#[derive(Clone, Copy, Debug)]
struct CheckTimes {
    /// The time of the last check that found it correct.
    confirmed: Instant,
    /// The time when the last check began.
    started: Instant,
}

impl CheckTimes {
    fn now() -> Self {
        let now = Instant::now();
        Self {
            confirmed: now,
            started: now,
        }
    }
}

/// The path and size of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ListedFile {
    /// The path in the skill; `SKILL.md` for a skill that is a single file.
    pub(crate) path: String,
    pub(crate) size: u64,
}

/// All files with their digests.
#[derive(Debug)]
pub(crate) struct Files {
    pub(crate) skill: Skill,
    /// The files, sorted by path.
    files: Vec<File>,
}

/// One file of a skill.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) digest: Digest,
    pub(crate) size: u64,
}

/// The reason why a skill has no entry. The tools serve such a skill nevertheless.
#[derive(Debug, Error)]
pub(crate) enum NoEntry {
    #[error("its name does not follow the specification, so it has no address")]
    Name,
    #[error("its frontmatter does not state the name and the description")]
    Frontmatter,
    #[error("it has more than {MAX_FILES} files")]
    TooMany,
    #[error("it has more than {MAX_BYTES} bytes")]
    TooLarge,
    #[error("a directory of it cannot be listed whole")]
    Listing,
    #[error("a file of it cannot be read")]
    Read(#[from] ReadError),
}

impl Manifest {
    /// Reads all files of a skill.
    pub(crate) fn read(skill: &CatalogSkill) -> Result<Self, NoEntry> {
        let (mut listed, fingerprint) = list(skill)?;
        listed.retain(|file| !is_private_inside(skill, &file.path));
        let entry = if listed.len() > MAX_FILES {
            Err(NoEntry::TooMany)
        } else {
            Files::read(skill, &listed)
        };
        let n_unlisted = listed.len().saturating_sub(MAX_FILES);
        listed.truncate(MAX_FILES);
        Ok(Self {
            listed,
            n_unlisted,
            entry,
            fingerprint,
            checked: RwLock::new(CheckTimes::now()),
        })
    }

    /// Returns true if no file was touched since. Walks the directory but reads no file.
    pub(crate) fn is_current(&self, skill: &CatalogSkill) -> bool {
        let is_same = list(skill).is_ok_and(|(_, fingerprint)| fingerprint == self.fingerprint);
        if is_same {
            let checked = self.checked.write();
            *checked.unwrap_or_else(PoisonError::into_inner) = CheckTimes::now();
        }
        is_same
    }

    /// Returns true if it was correct less than `time` ago, or is being checked.
    pub(crate) fn is_fresh(&self, time: Duration) -> bool {
        let checked = *self.checked.read().unwrap_or_else(PoisonError::into_inner);
        checked.confirmed.elapsed() < time || checked.started.elapsed() < time
    }

    /// Returns true if the caller has to check it now. Of several concurrent callers only one gets
    /// true, and another one if the check takes longer than `time`.
    pub(crate) fn claim_check(&self, time: Duration) -> bool {
        if self.is_fresh(time) {
            return false;
        }
        let checked = self.checked.write();
        let mut checked = checked.unwrap_or_else(PoisonError::into_inner);
        let is_first = checked.started.elapsed() >= time;
        if is_first {
            checked.started = Instant::now();
        }
        is_first
    }
}

impl Files {
    fn read(skill: &CatalogSkill, listed: &[ListedFile]) -> Result<Self, NoEntry> {
        if !uri::is_addressable(&skill.name) {
            return Err(NoEntry::Name);
        }
        if listed.iter().map(|file| file.size).sum::<u64>() > MAX_BYTES {
            return Err(NoEntry::TooLarge);
        }
        let mut files = Vec::with_capacity(listed.len());
        let mut header = None;
        for ListedFile { path, size } in listed {
            let bytes = read_file(skill, path, *size)?;
            if path == "SKILL.md" {
                header = frontmatter(&bytes);
            }
            files.push(File {
                digest: Digest::from_content(&bytes),
                size: bytes.len() as u64,
                path: path.clone(),
            });
        }
        let header = header.filter(|header| header.name == skill.name);
        Ok(Self {
            skill: entry(&skill.name, header.ok_or(NoEntry::Frontmatter)?, &files),
            files,
        })
    }

    /// Returns all files, sorted by path.
    pub(crate) fn files(&self) -> &[File] {
        &self.files
    }

    /// Returns the file at a path.
    pub(crate) fn file(&self, path: &str) -> Option<&File> {
        let at = self
            .files
            .binary_search_by(|file| file.path.as_str().cmp(path));
        Some(&self.files[at.ok()?])
    }

    /// Returns the direct children of a directory: their names, and the file if the child is one.
    /// Returns `None` if there is no such directory.
    pub(crate) fn children(&self, dir: &str) -> Option<Vec<(&str, Option<&File>)>> {
        let mut res: Vec<(&str, Option<&File>)> = Vec::new();
        for file in &self.files {
            let rest = match dir {
                "" => Some(file.path.as_str()),
                dir => file
                    .path
                    .strip_prefix(dir)
                    .and_then(|rest| rest.strip_prefix('/')),
            };
            let Some(rest) = rest else { continue };
            let child = match rest.split_once('/') {
                None => (rest, Some(file)),
                Some((name, _)) => (name, None),
            };
            if !res.iter().any(|(name, _)| *name == child.0) {
                res.push(child);
            }
        }
        res.sort_unstable_by_key(|(name, _)| *name);
        (!res.is_empty()).then_some(res)
    }
}

/// Reads one file of a skill, by its path in the skill.
pub(crate) fn read_file(
    skill: &CatalogSkill,
    path: &str,
    max_bytes: u64,
) -> Result<Vec<u8>, ReadError> {
    let place = &skill.place;
    match place.dir.as_deref() {
        None => place.root.read(&place.file, max_bytes),
        Some("") => place.root.read(path, max_bytes),
        Some(dir) => place.root.read(&format!("{dir}/{path}"), max_bytes),
    }
}

/// Returns true if a file is private because of its content. Read errors are reported where the
/// whole file is read.
fn is_private_inside(skill: &CatalogSkill, path: &str) -> bool {
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

/// Returns the files that a skill serves, sorted, and the fingerprint of the whole directory.
fn list(skill: &CatalogSkill) -> Result<(Vec<ListedFile>, Fingerprint), NoEntry> {
    let place = &skill.place;
    let Some(dir) = place.dir.as_deref() else {
        return list_single(skill);
    };
    let limits = WalkLimits {
        depth: 32,
        entries: 20_000,
    };
    let listing = place.root.walk(dir, &limits, &is_pruned)?;
    let is_known = |note: &Note| matches!(note.kind, NoteKind::Pruned);
    if !listing.notes.iter().all(is_known) {
        return Err(NoEntry::Listing);
    }
    let beneath = |entry: &Entry| match dir {
        "" => entry.path.clone(),
        dir => entry.path[dir.len() + 1..].to_owned(),
    };
    let served = listing.entries.iter().filter_map(|entry| {
        let path = beneath(entry);
        let size = served_size(&path, entry.kind)?;
        Some(ListedFile { path, size })
    });
    Ok((served.collect(), listing.fingerprint()))
}

/// Lists a skill that is a single file; it has addresses as if it had a directory.
fn list_single(skill: &CatalogSkill) -> Result<(Vec<ListedFile>, Fingerprint), NoEntry> {
    let Some(kind) = skill.place.root.kind(&skill.place.file)? else {
        return Err(NoEntry::Listing);
    };
    let mut listing = Listing::default();
    listing.entries.push(Entry {
        path: skill.place.file.clone(),
        kind,
    });
    let size = served_size("SKILL.md", kind);
    let listed = size.map(|size| ListedFile {
        path: "SKILL.md".to_owned(),
        size,
    });
    Ok((listed.into_iter().collect(), listing.fingerprint()))
}

/// Returns true if nothing at a path is served, be it a file or a directory.
fn is_pruned(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.starts_with('.') || private_directory(name).is_some()
}

/// Returns the size of a file if it is served. `path` is relative to the skill.
fn served_size(path: &str, kind: Kind) -> Option<u64> {
    match kind {
        Kind::File(info) if info.n_links == 1 && !is_withheld(path) => Some(info.size),
        _ => None,
    }
}

/// Returns the frontmatter as it is written; `None` without a name and a description.
fn frontmatter(bytes: &[u8]) -> Option<SkillFrontmatter> {
    let (skill, _) = parse_skill(decode(bytes).ok()?);
    let Value::Object(mut fields) = skill?.header.to_value() else {
        return None;
    };
    let text = |value: Option<Value>| value?.as_str().map(str::to_owned);
    let name = text(fields.shift_remove("name"))?;
    let description = text(fields.shift_remove("description"))?;
    let mut res = SkillFrontmatter::new(name, description);
    res.extra = fields;
    Some(res)
}

fn entry(name: &str, header: SkillFrontmatter, files: &[File]) -> Skill {
    let files = files.iter().map(|file| {
        let digest = file.digest.to_string();
        SkillResource::new(uri::write(name, &file.path), digest, file.size)
    });
    let files = SkillResources::Files(files.collect());
    Skill::new(uri::skill_md(name), header, files)
}

#[cfg(test)]
#[expect(
    clippy::disallowed_methods,
    reason = "what is served must be made by other means"
)]
mod tests {
    use skill_loader::catalog::{Catalog, CatalogSettings, SkillRoot};
    use skill_loader::load::Source;

    use super::*;

    /// Returns the files that are served of a skill with these files besides `SKILL.md`.
    fn served(paths: &[(&str, &[u8])]) -> Vec<String> {
        let dir = tempfile::tempdir().unwrap();
        let header = "---\nname: probe\ndescription: Does it.\n---\nx\n";
        for (path, bytes) in [("SKILL.md", header.as_bytes())].iter().chain(paths) {
            let file = dir.path().join("probe").join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, bytes).unwrap();
        }
        let catalog = Catalog::read(&CatalogSettings {
            roots: vec![SkillRoot {
                path: dir.path().to_owned(),
                source: Source::Project,
            }],
            ..CatalogSettings::default()
        });
        let manifest = Manifest::read(catalog.find("probe").unwrap()).unwrap();
        let listed = manifest.listed.into_iter().map(|file| file.path);
        listed.filter(|path| path != "SKILL.md").collect()
    }

    /// The migrator, the nodes and the validator have the same test.
    #[test]
    fn what_is_private_or_hidden_is_not_served_and_all_else_is() {
        for cases in skill_model::private_cases().chunks(500) {
            let files: Vec<(&str, &[u8])> = cases
                .iter()
                .map(|(path, _)| (&path[..], &b"x"[..]))
                .collect();
            let is_served = |path: &str| !path.split('/').any(|part| part.starts_with('.'));
            let open = cases.iter().filter(|(_, private)| private.is_none());
            let mut expected: Vec<&str> = open.map(|(path, _)| &path[..]).collect();
            expected.retain(|path| is_served(path));
            expected.sort_unstable();
            let mut found = served(&files);
            found.sort();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn hidden_files_and_private_contents_are_not_served() {
        let files: [(&str, &[u8]); 4] = [
            (".hidden", b"x"),
            ("assets/config.env.example", b"A="),
            ("assets/table.bin", b"SQLite format 3\0"),
            ("scripts/environment.py", b"x"),
        ];
        assert_eq!(
            served(&files),
            ["assets/config.env.example", "scripts/environment.py"]
        );
    }
}
