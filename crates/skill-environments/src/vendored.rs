//! Packages in a skill. npm follows links when it copies one, so a link could bring files of the
//! user into an environment, where the program of the skill reads them.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use skill_loader::contents::{self, Contents};
use skill_loader::fs::{Kind, Root, resolve};
use skill_model::Hasher;

/// Hex digits of a digest.
const DIGITS: usize = 32;

/// Returns the digest of the package at an absolute path in the skill in `skill`: a directory or an
/// archive. It covers what links in it lead to.
///
/// # Errors
///
/// It must not be installed, for the reason that is returned: it cannot be read completely, or a
/// link in it leads out of the skill.
pub(crate) fn checked_digest(path: &Path, skill: &Path) -> Result<String, String> {
    let mut waiting = vec![path.to_owned()];
    let mut seen = BTreeSet::new();
    let mut hasher = Hasher::default();
    while let Some(path) = waiting.pop() {
        if !seen.insert(path.clone()) {
            continue;
        }
        let digest = if Root::open_real(&path).is_ok() {
            waiting.extend(linked(&path, skill)?);
            tree_digest(&path)?
        } else {
            archive_digest(&path)?
        };
        hasher.update(digest.as_bytes());
    }
    Ok(short(hasher.finish().hex()))
}

/// Returns what the links in a directory lead to.
fn linked(dir: &Path, skill: &Path) -> Result<Vec<PathBuf>, String> {
    let root = Root::open_real(dir).map_err(|error| error.to_string())?;
    let entries = contents::entries(&root, "").map_err(|error| error.to_string())?;
    let links = entries.iter().filter(|entry| entry.kind == Kind::Symlink);
    let mut res = Vec::new();
    for link in links {
        let target = root.entry_target(link).map_err(|error| error.to_string())?;
        let at = dir.join(&link.path);
        let from = at.parent().unwrap_or(dir);
        let found = resolve(&from.join(&target)).ok();
        let leads = match &found {
            Some(found) => found.clone(),
            None => without_dots(&from.join(&target)),
        };
        if !leads.starts_with(skill) {
            return Err(format!(
                "{} is a link that leads out of the skill, to {}; expected files of the skill only",
                at.display(),
                leads.display()
            ));
        }
        // What is beneath was listed already.
        res.extend(found.filter(|found| !found.starts_with(dir)));
    }
    Ok(res)
}

/// Returns the digest of everything in a directory, or why there is none.
pub(crate) fn tree_digest(dir: &Path) -> Result<String, String> {
    let read = |dir: &Path| -> Result<Contents, String> {
        let root = Root::open_real(dir).map_err(|error| error.to_string())?;
        contents::read(&root).map_err(|error| error.to_string())
    };
    Ok(short(read(dir)?.digest()))
}

fn archive_digest(path: &Path) -> Result<String, String> {
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(format!("{} is not a file", path.display()));
    };
    let root = Root::open_real(parent).map_err(|error| error.to_string())?;
    let digest = root.digest(&name.to_string_lossy());
    Ok(short(digest.map_err(|error| error.to_string())?.0.hex()))
}

fn short(mut digest: String) -> String {
    digest.truncate(DIGITS);
    digest
}

/// Returns a path without `.` and `..`, by its words alone: of a link that leads to nothing.
fn without_dots(path: &Path) -> PathBuf {
    let mut res = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(res.pop()),
            part => res.push(part),
        }
    }
    res
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn links_stay_in_the_skill() {
        let place = tempfile::tempdir().unwrap();
        let dir = resolve(place.path()).unwrap();
        let root = Root::make(&dir).unwrap();
        for path in [
            "secret",
            "skill/shared",
            "skill/more",
            "skill/vendor/x/node_modules",
        ] {
            root.make_dir(path).unwrap();
        }
        assert!(root.link("skill/more/out", "../../secret").unwrap());
        let skill = dir.join("skill");
        let path = skill.join("vendor/x");
        let plain = checked_digest(&path, &skill).unwrap();
        let check = |target: &str, is_refused: bool| {
            const LINK: &str = "skill/vendor/x/node_modules/link";
            assert!(root.link(LINK, target).unwrap());
            match checked_digest(&path, &skill) {
                Ok(digest) => assert_ne!(digest, plain, "{target}"),
                Err(reason) => {
                    assert!(is_refused, "{reason}");
                    assert!(
                        reason.contains(&format!("{}/", skill.display())),
                        "{reason}"
                    );
                }
            }
            root.remove(LINK).unwrap();
        };
        check("../../../shared", false);
        check("missing", false);
        check("../../../more", true);
        check("../..", false);
        check("../../../../secret", true);
        check("../../../../missing", true);
        check("/etc", true);
        check("/missing", true);
        root.write_whole("skill/vendor", "x.tgz", b"archive")
            .unwrap();
        let archive = checked_digest(&skill.join("vendor/x.tgz"), &skill).unwrap();
        assert_eq!(archive.len(), DIGITS);
    }
}
