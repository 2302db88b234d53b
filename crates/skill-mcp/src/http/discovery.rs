//! Skills for installers: the index of a website and an archive of each skill, at
//! [`skill_packages::discovery::PATH`].
//!
//! An archive has the files of the skill's entry, so nothing private. A skill with a file that contains a
//! secret has none, and the log says why. Its address names its digest:
//! what is at an address never changes, and an archive that has changed is at another one.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use hyper::StatusCode;
use hyper::body::Bytes;
use hyper::header::{CACHE_CONTROL, ETAG, HeaderValue};
use skill_loader::Digest;
use skill_loader::catalog::CatalogSkill;
use skill_packages::discovery::{INDEX, Listed, index, parse_archive};
use skill_packages::files::{Content, secret};
use skill_packages::zip;

use super::answer::{Answer, plain, text};
use crate::manifest::Manifest;
use crate::shared::Shared;

/// The digest of the archive of a manifest; `None` for a skill without one.
type Known = (Arc<Manifest>, Option<String>);

/// The digests of the archives of the last manifests, by the name of their skill.
#[derive(Default)]
pub(super) struct Archives(Mutex<BTreeMap<String, Known>>);

/// The reason why a skill has no archive.
enum NoArchive {
    /// It has no entry, for this reason.
    Entry(String),
    /// It has changed since its entry was made, or is too large for an archive.
    Changed,
    /// A file contains a secret.
    Secret { path: String, kind: &'static str },
}

impl Archives {
    /// Answers a request for a path below the directory of the index. `known` is the entity tag that
    /// the client has. Blocks on the disk.
    pub(super) fn answer(
        &self,
        shared: &Shared,
        path: &str,
        known: Option<&str>,
        is_private: bool,
    ) -> Answer {
        let scope = if is_private { "private" } else { "public" };
        if path == INDEX {
            let body = format!("{:#}\n", index(&self.listed(shared)));
            let tag = Digest::from_content(body.as_bytes()).hex();
            let caching = format!("{scope}, no-cache");
            return tagged("application/json", body.into(), (&tag, known), &caching);
        }
        let found = parse_archive(path).and_then(|(name, digest)| {
            let skill = shared.store.skill(name).ok()?;
            let manifest = shared.store.manifest(&skill).ok()?;
            let archive = archive(shared, &skill, &manifest).ok()?;
            let found = Digest::from_content(&archive).to_string();
            (found == digest).then_some((archive, digest))
        });
        let Some((archive, digest)) = found else {
            return text(
                StatusCode::NOT_FOUND,
                "no archive is here; see index.json\n",
            );
        };
        let caching = format!("{scope}, max-age=31536000, immutable");
        let tag = digest.trim_start_matches("sha256:");
        tagged("application/zip", archive.into(), (tag, known), &caching)
    }

    /// Makes the archives of at most `n` skills, so that the log names those that have none.
    pub(super) fn check(&self, shared: &Shared, n: usize) {
        if shared.store.catalog().skills.len() <= n {
            self.listed(shared);
        }
    }

    /// Returns the skills that have an archive.
    fn listed(&self, shared: &Shared) -> Vec<Listed> {
        let catalog = shared.store.catalog();
        let listed = catalog.skills.values().filter_map(|skill| {
            let manifest = shared.store.manifest(skill).ok()?;
            Some(Listed {
                name: skill.name.clone(),
                description: skill.description.clone(),
                digest: self.digest(shared, skill, &manifest)?,
            })
        });
        listed.collect()
    }

    fn digest(
        &self,
        shared: &Shared,
        skill: &Arc<CatalogSkill>,
        manifest: &Arc<Manifest>,
    ) -> Option<String> {
        let all = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, digest)) = all().get(&skill.name)
            && Arc::ptr_eq(known, manifest)
        {
            return digest.clone();
        }
        let digest = match archive(shared, skill, manifest) {
            Ok(archive) => Some(Digest::from_content(&archive).to_string()),
            Err(NoArchive::Changed) => return None,
            Err(NoArchive::Entry(why)) => {
                let skill = &skill.name;
                tracing::warn!(skill, "not offered to installers: {why}");
                None
            }
            Err(NoArchive::Secret { path, kind }) => {
                let skill = &skill.name;
                tracing::warn!(
                    skill,
                    file = path,
                    "not offered to installers: the file contains {kind}"
                );
                None
            }
        };
        let known = (manifest.clone(), digest.clone());
        all().insert(skill.name.clone(), known);
        digest
    }
}

/// Returns the archive of a skill with the bytes that its entry describes.
fn archive(
    shared: &Shared,
    skill: &Arc<CatalogSkill>,
    manifest: &Manifest,
) -> Result<Vec<u8>, NoArchive> {
    if let Err(why) = &manifest.entry {
        return Err(NoArchive::Entry(why.to_string()));
    }
    let mut files = BTreeMap::new();
    for file in &manifest.listed {
        let content = shared.store.content(skill, &file.path);
        let bytes = content.ok_or(NoArchive::Changed)?.bytes;
        if let Some(hit) = secret(&bytes) {
            let (path, kind) = (file.path.clone(), hit.kind);
            return Err(NoArchive::Secret { path, kind });
        }
        let executable = file.executable;
        files.insert(file.path.clone(), Content { bytes, executable });
    }
    zip(&files, "").ok_or(NoArchive::Changed)
}

/// Returns a body with an entity tag, or only the tag if the client has that body.
fn tagged(
    media: &'static str,
    body: Bytes,
    (tag, known): (&str, Option<&str>),
    caching: &str,
) -> Answer {
    let tag = format!("\"{tag}\"");
    let has_it = known.is_some_and(|known| {
        let mut tags = known.split(',').map(str::trim);
        tags.any(|known| known == "*" || known.trim_start_matches("W/") == tag)
    });
    let mut res = if has_it {
        plain(StatusCode::NOT_MODIFIED, media, Bytes::new())
    } else {
        plain(StatusCode::OK, media, body)
    };
    for (name, value) in [(ETAG, tag.as_str()), (CACHE_CONTROL, caching)] {
        if let Ok(value) = HeaderValue::from_str(value) {
            res.headers_mut().insert(name, value);
        }
    }
    res
}
