//! The entry of SEP-2640: every file of a skill with its digest and size.
//!
//! The files that a skill serves are its public files ([`skill_packages::files`]). Requests are
//! answered only from this list.

use std::sync::{PoisonError, RwLock};
use std::time::{Duration, Instant};

use rmcp::model::{Skill, SkillFrontmatter, SkillResource, SkillResources};
use serde_json::Value;
use skill_loader::Digest;
use skill_loader::catalog::CatalogSkill;
use skill_loader::fs::{Fingerprint, ReadError};
use skill_model::{decode, parse_skill};
use skill_packages::files::{self, FilesError, PublicFile, Unlisted};
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
    pub(crate) listed: Vec<PublicFile>,
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
    #[error("{0}")]
    Listing(Unlisted),
    #[error("a file of it cannot be read")]
    Read(#[from] ReadError),
}

impl From<FilesError> for NoEntry {
    fn from(error: FilesError) -> Self {
        match error {
            FilesError::Listing(why) => Self::Listing(why),
            FilesError::Read(error) => Self::Read(error),
        }
    }
}

impl Manifest {
    /// Reads all files of a skill.
    pub(crate) fn read(skill: &CatalogSkill) -> Result<Self, NoEntry> {
        let files::PublicFiles {
            files: mut listed,
            fingerprint,
            ..
        } = files::list(skill)?;
        listed.retain(|file| !files::is_private_inside(skill, &file.path));
        for (path, why) in files::take_unportable(&mut listed) {
            let (skill, file) = (&skill.name, path.escape_debug());
            tracing::warn!(skill, %file, "not served: the file {why}");
        }
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
        let is_same = files::list(skill).is_ok_and(|now| now.fingerprint == self.fingerprint);
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
    fn read(skill: &CatalogSkill, listed: &[PublicFile]) -> Result<Self, NoEntry> {
        if !uri::is_addressable(&skill.name) {
            return Err(NoEntry::Name);
        }
        if listed.iter().map(|file| file.size).sum::<u64>() > MAX_BYTES {
            return Err(NoEntry::TooLarge);
        }
        let mut res = Vec::with_capacity(listed.len());
        let mut header = None;
        for PublicFile { path, size, .. } in listed {
            let bytes = files::read(skill, path, *size)?;
            if path == "SKILL.md" {
                header = frontmatter(&bytes);
            }
            res.push(File {
                digest: Digest::from_content(&bytes),
                size: bytes.len() as u64,
                path: path.clone(),
            });
        }
        let header = header.filter(|header| header.name == skill.name);
        Ok(Self {
            skill: entry(&skill.name, header.ok_or(NoEntry::Frontmatter)?, &res),
            files: res,
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
