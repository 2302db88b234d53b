//! A directory of cassettes, one file for each skill.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use emulated_internet::{Cassette, CassetteError};
use skill_loader::fs::{PathError, ReadError, Root, resolve};

/// The largest cassette, in bytes.
const MAX_CASSETTE: u64 = 256 << 20;

/// A directory of cassettes.
#[derive(Debug)]
pub struct Deck {
    root: Root,
    path: PathBuf,
}

/// A cassette cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum DeckError {
    /// The directory cannot be used.
    #[error(transparent)]
    Path(#[from] PathError),
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] ReadError),
    /// The file is not a cassette.
    #[error("{file}: {why}")]
    Form {
        /// The file.
        file: PathBuf,
        /// The fault.
        why: CassetteError,
    },
    /// The file is not UTF-8.
    #[error("{0} is not UTF-8")]
    Text(PathBuf),
}

impl Deck {
    /// Opens a directory for cassettes, and creates it if it does not exist.
    ///
    /// # Errors
    ///
    /// The directory cannot be created or opened.
    pub fn create(path: &Path) -> Result<Self, DeckError> {
        Ok(Self {
            root: Root::make(path)?,
            path: path.to_owned(),
        })
    }

    /// Opens a directory with cassettes.
    ///
    /// # Errors
    ///
    /// The directory cannot be opened.
    pub fn open(path: &Path) -> Result<Self, DeckError> {
        Ok(Self {
            root: Root::open_real(&resolve(path)?)?,
            path: path.to_owned(),
        })
    }

    /// Returns the path of the directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the cassette of a skill; `None` if there is none.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is not a cassette.
    pub fn read(&self, skill: &str) -> Result<Option<Cassette>, DeckError> {
        let name = file(skill);
        if self.root.kind(&name)?.is_none() {
            return Ok(None);
        }
        let path = || self.path.join(&name);
        let text = String::from_utf8(self.root.read(&name, MAX_CASSETTE)?);
        let text = text.map_err(|_| DeckError::Text(path()))?;
        let cassette = Cassette::parse(&text);
        cassette
            .map(Some)
            .map_err(|why| DeckError::Form { file: path(), why })
    }

    /// Keeps the cassette of a skill. Cases that were recorded before and are not in it stay; a file that is not
    /// a cassette of this version is replaced.
    ///
    /// # Errors
    ///
    /// The file cannot be read or written.
    pub fn keep(&self, skill: &str, mut cassette: Cassette) -> Result<(), DeckError> {
        let old = match self.read(skill) {
            Err(DeckError::Form { .. } | DeckError::Text(_)) => None,
            old => old?,
        };
        if let Some(old) = old
            && old.settings == cassette.settings
            && old.secrets == cassette.secrets
        {
            let mut cases = old.cases;
            cases.append(&mut cassette.cases);
            cassette.cases = cases;
        }
        let text = cassette.text();
        self.root.write_whole(".", &file(skill), text.as_bytes())?;
        Ok(())
    }
}

fn file(skill: &str) -> String {
    format!("{skill}.json")
}

/// Returns what a person should see before cassettes are kept: each request, the settings that are in them, and
/// the names of those that were taken out.
pub fn summary(cassettes: &BTreeMap<String, Cassette>) -> String {
    let mut res = String::new();
    for (skill, cassette) in cassettes {
        let _ = writeln!(res, "{skill}");
        for take in cassette.cases.values().flat_map(|case| &case.takes) {
            let request = &take.request;
            let _ = writeln!(
                res,
                "  {} {} {}",
                request.status, request.method, request.url
            );
        }
        for (key, value) in &cassette.settings {
            let _ = writeln!(res, "  {key}={value}");
        }
        for key in &cassette.secrets {
            let _ = writeln!(res, "  {key}: MASKED");
        }
    }
    res.retain(|c| c == '\n' || !c.is_control());
    res
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use emulated_internet::Recording;

    use super::*;

    #[test]
    fn a_file_of_another_version_is_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let deck = Deck::create(dir.path()).unwrap();
        let empty = Cassette::new(BTreeMap::new(), BTreeSet::new());
        for old in [
            r#"{"version":99,"settings":{},"secrets":[],"cases":{}}"#,
            "{",
        ] {
            deck.root
                .write_whole(".", "a.json", old.as_bytes())
                .unwrap();
            assert!(deck.read("a").is_err(), "{old}");
            deck.keep("a", empty.clone()).unwrap();
            assert_eq!(deck.read("a").unwrap(), Some(empty.clone()), "{old}");
        }
    }

    #[test]
    fn cases_are_added() {
        let dir = tempfile::tempdir().unwrap();
        let deck = Deck::create(&dir.path().join("deck")).unwrap();
        assert_eq!(deck.read("a").unwrap(), None);
        let with = |case: &str| {
            let mut res = Cassette::new(BTreeMap::new(), BTreeSet::new());
            res.cases.insert(case.to_owned(), Recording::default());
            res
        };
        deck.keep("a", with("one")).unwrap();
        deck.keep("a", with("two")).unwrap();
        let cases = deck.read("a").unwrap().unwrap().cases;
        assert_eq!(cases.keys().collect::<Vec<_>>(), ["one", "two"]);
        let mut other = with("three");
        other.settings.insert("A".to_owned(), "1".to_owned());
        deck.keep("a", other).unwrap();
        let cases = deck.read("a").unwrap().unwrap().cases;
        assert_eq!(cases.keys().collect::<Vec<_>>(), ["three"]);
    }
}
