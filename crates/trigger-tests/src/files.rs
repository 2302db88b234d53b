//! The files of tests.

use std::path::{Path, PathBuf};

use skill_loader::catalog::PROJECT_ROOTS;
use skill_loader::fs::{Kind, PathError, ReadError, Root, WalkLimits, read_named, resolve};
use skill_model::private_directory;

use crate::case::Case;
use crate::read::{FormatError, read};

/// The maximum size of a file of tests, in bytes.
const MAX_BYTES: u64 = 64 << 20;
/// The directory of a skill that has its tests.
const DIRECTORY: &str = "evals";

/// The tests cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// A file or directory cannot be resolved.
    #[error(transparent)]
    Path(#[from] PathError),
    /// A file or directory cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A file is not UTF-8.
    #[error("{0} is not UTF-8; expected JSON")]
    Encoding(String),
    /// A part of a directory cannot be searched.
    #[error("{0}: cannot be searched for tests")]
    Search(String),
    /// A directory has no tests.
    #[error(
        "no tests below {0}; expected files such as SKILL/evals/triggers.json, or the name of a file"
    )]
    Nothing(String),
    /// A row is not a test.
    #[error(transparent)]
    Format(#[from] FormatError),
}

/// Loads the tests of a file, or those of all skills below a directory: the files in a directory
/// `evals` whose names contain `trigger` and end in `.json` or `.jsonl`. A row that names no skill
/// is about the skill whose `evals` it is in.
///
/// # Errors
///
/// A file cannot be read or is not in the form of tests; a directory has none.
pub fn load(path: &Path) -> Result<Vec<Case>, LoadError> {
    let real = resolve(path)?;
    let Ok(root) = Root::open_following(&real) else {
        return file(path, &real);
    };
    let is_closed = |path: &str| private_directory(last(path)).is_some();
    let listing = root.walk("", &WalkLimits::default(), &is_closed)?;
    let missed = listing.notes.iter().find(|note| !is_closed(&note.path));
    if let Some(note) = missed {
        return Err(LoadError::Search(shown(path, &note.path)));
    }
    let mut res = Vec::new();
    for entry in &listing.entries {
        if matches!(entry.kind, Kind::File(_)) && has_tests(&entry.path) {
            res.extend(file(&path.join(&entry.path), &real.join(&entry.path))?);
        }
    }
    if res.is_empty() {
        return Err(LoadError::Nothing(shown(path, "")));
    }
    Ok(res)
}

/// Returns the directories of skills for the tests at a path: those that were given, else the path itself if
/// it is a directory of skills that the project does not have. If there are none, those of the project count.
pub fn catalog(path: &Path, given: &[PathBuf]) -> Vec<PathBuf> {
    let own = resolve(path).ok().and_then(|real| skills_in(&real));
    match own {
        Some(own) if given.is_empty() && !own.is_empty() => {
            let known: Vec<String> = PROJECT_ROOTS
                .iter()
                .filter_map(|root| skills_in(&resolve(Path::new(root)).ok()?))
                .flatten()
                .collect();
            let are_known = own.iter().all(|name| known.contains(name));
            if are_known {
                Vec::new()
            } else {
                vec![path.to_owned()]
            }
        }
        _ => given.to_owned(),
    }
}

/// Returns the names of the skills in a directory; `None` if it is not a directory.
fn skills_in(real: &Path) -> Option<Vec<String>> {
    let root = Root::open_following(real).ok()?;
    let limits = WalkLimits {
        depth: 0,
        ..WalkLimits::default()
    };
    let listing = root.walk("", &limits, &|_| true).ok()?;
    let names = listing.entries.into_iter().map(|entry| entry.path);
    let is_skill = |name: &String| {
        let file = root.kind(&format!("{name}/SKILL.md"));
        matches!(file, Ok(Some(Kind::File(_))))
    };
    Some(names.filter(is_skill).collect())
}

/// Loads a file that is called `path`, and is `real`.
fn file(path: &Path, real: &Path) -> Result<Vec<Case>, LoadError> {
    let name = shown(path, "");
    let bytes = read_named(real, MAX_BYTES)?;
    let text = String::from_utf8(bytes).map_err(|_| LoadError::Encoding(name.clone()))?;
    Ok(read(&text, &name, owner(real).as_deref())?)
}

/// Returns the name of the skill that the file belongs to.
fn owner(file: &Path) -> Option<String> {
    let directory = file.parent()?;
    let skill = directory.parent()?;
    let is_ours = directory.file_name()? == DIRECTORY;
    let name = skill.file_name()?.to_str()?;
    is_ours.then(|| name.to_owned())
}

fn has_tests(path: &str) -> bool {
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
    let name = name.to_lowercase();
    let is_json = name.ends_with(".json") || name.ends_with(".jsonl");
    last(directory) == DIRECTORY && is_json && name.contains("trigger")
}

fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

fn shown(path: &Path, below: &str) -> String {
    let path: PathBuf = if below.is_empty() {
        path.to_owned()
    } else {
        path.join(below)
    };
    path.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tests() {
        for (path, expected) in [
            ("pdf/evals/triggers.json", true),
            ("a/pdf/evals/Trigger-Evals.jsonl", true),
            ("pdf/evals/evals.json", false),
            ("pdf/evals/triggers.md", false),
            ("pdf/triggers.json", false),
            ("evals/triggers.json", true),
        ] {
            assert_eq!(has_tests(path), expected, "{path}");
        }
    }

    #[test]
    fn the_owner_is_the_skill_that_has_the_directory() {
        let owner = |path: &str| owner(Path::new(path));
        assert_eq!(owner("/s/pdf/evals/triggers.json").as_deref(), Some("pdf"));
        assert_eq!(owner("/s/pdf/triggers.json"), None);
        assert_eq!(owner("/evals/triggers.json"), None);
    }
}
