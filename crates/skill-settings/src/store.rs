//! The user's store: one file for each skill in the directory `settings` of the state directory.
//!
//! Files have mode 0600 and their directory 0700, and each is replaced as a whole. No skill can read
//! them: its program gets its own keys from the tool that starts it.

use serde_json::{Map, Value};
use skill_loader::fs::{Kind, Others, ReadError, Root, WalkLimits};

use crate::{Error, SkillId, Values};

/// The directory of the store.
const DIRECTORY: &str = "settings";
/// The file that is locked while something is changed.
const LOCK: &str = "settings/lock";
/// The largest file of the store, in bytes.
const MAX_STORED: u64 = 4 << 20;

/// The store in a state directory.
#[derive(Debug)]
pub struct Store<'r> {
    state: &'r Root,
}

/// The result of a change of the values of a skill.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Stored {
    /// The keys that have another value now.
    pub changed: Vec<String>,
    /// All values.
    pub values: Values,
}

impl<'r> Store<'r> {
    /// Takes a state directory.
    pub fn new(state: &'r Root) -> Self {
        Self { state }
    }

    /// Returns the directory of the store, for messages.
    pub fn path(&self) -> std::path::PathBuf {
        self.state.path().join(DIRECTORY)
    }

    /// Creates the directory of the store, or checks that it is the user's own.
    ///
    /// # Errors
    ///
    /// It is a link, belongs to somebody else, or others can use it: a program may have put it there.
    pub fn settle(&self) -> Result<(), Error> {
        Ok(self.state.make_private_dir(DIRECTORY, Others::Nothing)?)
    }

    /// Returns the values of a skill; none if nothing was stored for it.
    ///
    /// # Errors
    ///
    /// Its file cannot be read.
    pub fn read(&self, skill: &SkillId) -> Result<Values, Error> {
        let path = format!("{DIRECTORY}/{}", skill.file());
        match self.state.read(&path, MAX_STORED) {
            Ok(bytes) => values(&parse(&bytes)).ok_or_else(|| self.broken(&path)),
            Err(ReadError::Missing { .. }) => Ok(Values::default()),
            Err(error) => Err(error.into()),
        }
    }

    /// Changes the values of a skill, while no other process does. Without values, the skill has no
    /// file.
    ///
    /// # Errors
    ///
    /// The store cannot be read or written.
    pub fn update(
        &self,
        skill: &SkillId,
        change: impl FnOnce(&mut Values),
    ) -> Result<Stored, Error> {
        self.settle()?;
        let lock = self.state.open_lock(LOCK)?;
        lock.lock().map_err(|source| Error::Lock {
            path: self.state.path().join(LOCK),
            source,
        })?;
        let old = self.read(skill)?;
        let mut values = old.clone();
        change(&mut values);
        let keys = old.keys().chain(values.keys());
        let mut changed: Vec<String> = keys
            .filter(|key| old.get(*key) != values.get(*key))
            .cloned()
            .collect();
        changed.sort();
        changed.dedup();
        if values.is_empty() {
            self.state
                .remove(&format!("{DIRECTORY}/{}", skill.file()))?;
        } else if values != old {
            let text = format!("{:#}\n", record(skill, &values));
            self.state
                .write_whole(DIRECTORY, &skill.file(), text.as_bytes())?;
        }
        Ok(Stored { changed, values })
    }

    /// Returns the values of the same skill in a store of another machine, where its directory may be
    /// in another place.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn read_of_other_machine(&self, skill: &SkillId) -> Result<Values, Error> {
        let listing = self
            .state
            .walk(DIRECTORY, &WalkLimits::default(), &|_| true)?;
        let mut res = Values::default();
        for entry in &listing.entries {
            let path = &entry.path;
            if !matches!(entry.kind, Kind::File(_)) || !path.ends_with(".json") {
                continue;
            }
            let record = parse(&self.state.read(path, MAX_STORED)?);
            let found = values(&record).ok_or_else(|| self.broken(path))?;
            if skill.is_in(&record) {
                res.extend(
                    found
                        .iter()
                        .map(|(key, value)| (key.clone(), value.clone())),
                );
            }
        }
        Ok(res)
    }

    /// Returns true if the directory has a store.
    pub fn exists(&self) -> bool {
        matches!(self.state.kind(DIRECTORY), Ok(Some(Kind::Dir)))
    }

    fn broken(&self, path: &str) -> Error {
        Error::Broken {
            path: self.state.path().join(path),
        }
    }
}

fn parse(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).unwrap_or_default()
}

fn values(record: &Value) -> Option<Values> {
    let pairs = record.get("values")?.as_object()?.iter();
    pairs
        .map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned())))
        .collect::<Option<Values>>()
}

fn record(skill: &SkillId, values: &Values) -> Value {
    let mut res = skill.record();
    let pairs = values.iter();
    let pairs = pairs.map(|(key, value)| (key.clone(), value.as_str().into()));
    res["values"] = Value::Object(pairs.collect::<Map<_, _>>());
    res
}
