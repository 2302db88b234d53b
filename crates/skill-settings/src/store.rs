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

/// The values and the switch that the user stored for a skill.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct StoredSkill {
    /// The values of its keys.
    pub values: Values,
    /// True if the user switched on the skill, whose plugin was switched off.
    pub is_enabled: bool,
}

impl StoredSkill {
    fn is_empty(&self) -> bool {
        self.values.is_empty() && !self.is_enabled
    }
}

/// The result of a change of the values of a skill.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Stored {
    /// The keys that have another value now.
    pub changed: Vec<String>,
    /// All values.
    pub values: Values,
    /// True if the skill was switched on or off.
    pub is_switched: bool,
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

    /// Returns what is stored for a skill; nothing if it has no file.
    ///
    /// # Errors
    ///
    /// Its file cannot be read.
    pub fn read(&self, skill: &SkillId) -> Result<StoredSkill, Error> {
        let path = format!("{DIRECTORY}/{}", skill.file());
        match self.state.read(&path, MAX_STORED) {
            Ok(bytes) => stored(&parse(&bytes)).ok_or_else(|| self.broken(&path)),
            Err(ReadError::Missing { .. }) => Ok(StoredSkill::default()),
            Err(error) => Err(error.into()),
        }
    }

    /// Changes what is stored for a skill, while no other process does. A skill for which nothing is
    /// stored has no file.
    ///
    /// # Errors
    ///
    /// The store cannot be read or written.
    pub fn update(
        &self,
        skill: &SkillId,
        change: impl FnOnce(&mut StoredSkill),
    ) -> Result<Stored, Error> {
        self.settle()?;
        let lock = self.state.open_lock(LOCK)?;
        lock.lock().map_err(|source| Error::Lock {
            path: self.state.path().join(LOCK),
            source,
        })?;
        let old = self.read(skill)?;
        let mut new = old.clone();
        change(&mut new);
        let keys = old.values.keys().chain(new.values.keys());
        let mut changed: Vec<String> = keys
            .filter(|key| old.values.get(*key) != new.values.get(*key))
            .cloned()
            .collect();
        changed.sort();
        changed.dedup();
        if new.is_empty() {
            self.state
                .remove(&format!("{DIRECTORY}/{}", skill.file()))?;
        } else if new != old {
            let text = format!("{:#}\n", record(skill, &new));
            self.state
                .write_whole(DIRECTORY, &skill.file(), text.as_bytes())?;
        }
        Ok(Stored {
            changed,
            is_switched: new.is_enabled != old.is_enabled,
            values: new.values,
        })
    }

    /// Returns what is stored for the same skill in a store of another machine, where its directory
    /// may be in another place.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn read_of_other_machine(&self, skill: &SkillId) -> Result<StoredSkill, Error> {
        let listing = self
            .state
            .walk(DIRECTORY, &WalkLimits::default(), &|_| true)?;
        let mut res = StoredSkill::default();
        for entry in &listing.entries {
            let path = &entry.path;
            if !matches!(entry.kind, Kind::File(_)) || !path.ends_with(".json") {
                continue;
            }
            let record = parse(&self.state.read(path, MAX_STORED)?);
            let found = stored(&record).ok_or_else(|| self.broken(path))?;
            if skill.is_in(&record) {
                res.is_enabled |= found.is_enabled;
                let pairs = found.values.iter();
                res.values
                    .extend(pairs.map(|(key, value)| (key.clone(), value.clone())));
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

fn stored(record: &Value) -> Option<StoredSkill> {
    let pairs = record.get("values")?.as_object()?.iter();
    let values = pairs
        .map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned())))
        .collect::<Option<Values>>()?;
    Some(StoredSkill {
        values,
        is_enabled: record["enabled"] == true,
    })
}

fn record(skill: &SkillId, stored: &StoredSkill) -> Value {
    let mut res = skill.record();
    if stored.is_enabled {
        res["enabled"] = true.into();
    }
    let pairs = stored.values.iter();
    let pairs = pairs.map(|(key, value)| (key.clone(), value.as_str().into()));
    res["values"] = Value::Object(pairs.collect::<Map<_, _>>());
    res
}
