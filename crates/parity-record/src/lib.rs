//! The record of a verification: `.skills-migrate/parity.json` in the directory of skills.
//!
//! Each entry has the digests of the plugin and the skill that were compared, and of the skills that it
//! requires; it expires when one of them changes. The record contains neither times nor absolute paths.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use skill_loader::contents;
use skill_loader::dir_in;
use skill_loader::fs::{ReadError, Root};
use skill_loader::store::{Store, StoreError};
use skill_model::Lock;

/// The directory in which the migration keeps its own state, next to the skills.
const DIR: &str = ".skills-migrate";
const FILE: &str = "parity.json";
/// The version of the format.
const SCHEMA: u32 = 1;
/// The largest record, in bytes.
const MAX_RECORD: u64 = 64 << 20;

/// The result of comparing a plugin with its skill.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// Every case had the same result on both sides.
    Verified,
    /// At least one case had different results.
    Differs,
    /// Every case had the same result, but the plugin itself failed in all of them.
    FailsAlike,
    /// Every conversation passed unchanged through both.
    Unchanged,
    /// The plugin itself fails now and then.
    Unproven,
    /// Nothing was run, or at least one case could not be run.
    NotRun,
}

impl Verdict {
    /// All verdicts.
    pub const ALL: [Self; 6] = [
        Self::Verified,
        Self::Differs,
        Self::FailsAlike,
        Self::Unchanged,
        Self::Unproven,
        Self::NotRun,
    ];

    /// Returns the word for reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::Differs => "differs",
            Self::FailsAlike => "fails alike",
            Self::Unchanged => "passes unchanged",
            Self::Unproven => "unproven",
            Self::NotRun => "not run",
        }
    }
}

/// The way in which it is known that a skill runs. Each level includes those before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub enum Level {
    /// Its files say so; nothing was run.
    #[default]
    Read,
    /// Its program started and found its modules.
    Loads,
    /// Its program answered with a value.
    Runs,
    /// It was verified: its answers are those of its plugin.
    Proven,
}

impl Level {
    /// All levels, the weakest first.
    pub const ALL: [Self; 4] = [Self::Read, Self::Loads, Self::Runs, Self::Proven];

    /// Returns the word for reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Loads => "loads",
            Self::Runs => "runs",
            Self::Proven => "proven",
        }
    }
}

/// The reason why results cannot be recorded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The directory of skills does not exist.
    #[error("the directory of skills does not exist")]
    Gone,
    /// The directory of skills cannot be locked.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The record cannot be written.
    #[error(transparent)]
    Write(#[from] ReadError),
}

/// The recorded result for one skill.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parity {
    /// The directory of the plugin.
    pub directory: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The reason why it is not verified.
    pub reason: Option<String>,
    /// The number of cases that were run.
    pub cases: usize,
    /// The level that the skill reached.
    level: Level,
    /// The digest of the plugin that was run; `None` if nothing was run.
    pub source: Option<String>,
    /// The skill, the skills that it requires and the locked version of its plugin are still those that
    /// were compared.
    pub is_current: bool,
    /// The first of the skills that it requires that has changed since, if it has not itself.
    pub changed_requirement: Option<String>,
    /// The files of which both sides had the skill's version, without secrets.
    pub without_secrets: Vec<String>,
}

impl Parity {
    /// Returns true if the skill was verified and neither it nor its plugin has changed since.
    pub fn is_verified(&self) -> bool {
        self.is_current && self.verdict == Verdict::Verified
    }

    /// Returns the verdict if nothing has changed since.
    pub fn current_verdict(&self) -> Option<Verdict> {
        self.is_current.then_some(self.verdict)
    }

    /// Returns how it is known that the skill runs: what was recorded, if nothing has changed since.
    pub fn level(&self) -> Level {
        if self.is_current {
            self.level
        } else {
            Level::Read
        }
    }
}

#[derive(Default, Serialize, Deserialize)]
struct File {
    schema: u32,
    skills: BTreeMap<String, Entry>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    directory: String,
    verdict: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    cases: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    level: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    skill: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    requires: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    without_secrets: Vec<String>,
}

/// Returns the recorded results of the skills in a directory, by name. They are empty without a
/// record, or if it cannot be read.
pub fn recorded(skills: &Path) -> BTreeMap<String, Parity> {
    let Ok(root) = Root::open_following(skills) else {
        return BTreeMap::new();
    };
    let file = read(&root);
    if file.skills.is_empty() {
        return BTreeMap::new();
    }
    let lock = lock(&root);
    let entries = file.skills.into_iter();
    let known = entries
        .filter_map(|(name, entry)| Some((name.clone(), entry.into_parity(&root, &lock, &name)?)));
    known.collect()
}

/// Returns the recorded result of one skill.
pub fn recorded_of(skills: &Path, name: &str) -> Option<Parity> {
    let root = Root::open_following(skills).ok()?;
    let entry = read(&root).skills.remove(name)?;
    entry.into_parity(&root, &lock(&root), name)
}

/// Returns how it is known that one skill runs.
pub fn level_of(skills: &Path, name: &str) -> Level {
    let recorded = recorded_of(skills, name);
    recorded.as_ref().map(Parity::level).unwrap_or_default()
}

fn lock(root: &Root) -> Lock {
    let lock = Store::open_read_only(root.path()).map(|store| store.lock().clone());
    lock.unwrap_or_default()
}

impl Entry {
    /// Returns true for a proof of the same plugin and skill that another run, with other settings or another
    /// network, neither repeats nor refutes.
    fn is_proof_for(&self, record: &Record) -> bool {
        let digests = self.source.clone().zip(self.skill.clone());
        self.verdict == Verdict::Verified.word()
            && !matches!(record.verdict, Verdict::Verified | Verdict::Differs)
            && digests == record.digests
            && self.requires == record.requires
    }

    /// Compares the entry with the skill as it is now. `None` if the skill cannot be read or the
    /// verdict is unknown.
    fn into_parity(self, root: &Root, lock: &Lock, name: &str) -> Option<Parity> {
        let verdict = Verdict::ALL
            .into_iter()
            .find(|it| it.word() == self.verdict)?;
        let digest = |name: &str| {
            let skill = Root::open(&dir_in(root.path(), name)).ok()?;
            Some(contents::read(&skill).ok()?.digest())
        };
        Root::open(&dir_in(root.path(), name)).ok()?;
        let is_same_skill = self.skill.is_some() && self.skill == digest(name);
        let mut requires = self.requires.into_iter();
        let changed = requires.find(|(name, known)| digest(name).as_ref() != Some(known));
        let locked = lock.skills.get(name).map(|locked| &locked.source.digest);
        let word = self.level.as_deref();
        let level = Level::ALL.into_iter().find(|it| Some(it.word()) == word);
        let is_same_source = locked.is_none() || locked == self.source.as_ref();
        Some(Parity {
            verdict,
            is_current: is_same_skill && is_same_source && changed.is_none(),
            changed_requirement: changed.map(|(name, _)| name).filter(|_| is_same_skill),
            directory: self.directory,
            reason: self.reason,
            cases: self.cases,
            // Records of earlier versions have no level.
            level: level.unwrap_or(match verdict {
                Verdict::Verified => Level::Proven,
                _ => Level::Read,
            }),
            source: self.source,
            without_secrets: self.without_secrets,
        })
    }
}

fn read(root: &Root) -> File {
    let bytes = root.read(&format!("{DIR}/{FILE}"), MAX_RECORD).ok();
    let file = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    file.filter(|file: &File| file.schema == SCHEMA)
        .unwrap_or_default()
}

/// One result to record.
#[derive(Clone, Debug)]
pub struct Record {
    /// The name of the skill.
    pub skill: String,
    /// The directory of the plugin.
    pub directory: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The reason why it is not verified.
    pub reason: Option<String>,
    /// The number of cases that were run.
    pub cases: usize,
    /// The level that the skill reached.
    pub level: Level,
    /// The digests of the plugin and of the skill that were run.
    pub digests: Option<(String, String)>,
    /// The digests of the skills that it requires, by name.
    pub requires: BTreeMap<String, String>,
    /// The files of which both sides had the skill's version, without secrets.
    pub without_secrets: Vec<String>,
}

/// Records results. Entries of other skills that still exist are not changed.
///
/// # Errors
///
/// The directory of skills does not exist or cannot be written.
pub fn record(skills: &Path, records: impl IntoIterator<Item = Record>) -> Result<(), Error> {
    // The store is locked while the record is written, so that no other process writes it.
    let store = Store::open(skills)?;
    let root = store.root().ok_or(Error::Gone)?;
    let mut file = read(root);
    file.schema = SCHEMA;
    file.skills
        .retain(|name, _| matches!(root.kind(name), Ok(Some(_))));
    for record in records {
        if record.digests.is_none() && file.skills.contains_key(&record.skill) {
            // Nothing was run, so what was recorded still holds; it expires by its digests.
            continue;
        }
        let known = file.skills.get(&record.skill);
        if known.is_some_and(|known| known.is_proof_for(&record)) {
            continue;
        }
        let (source, skill) = record.digests.unzip();
        let entry = Entry {
            directory: record.directory,
            verdict: record.verdict.word().to_owned(),
            reason: record.reason,
            cases: record.cases,
            level: Some(record.level.word().to_owned()),
            source,
            skill,
            requires: record.requires,
            without_secrets: record.without_secrets,
        };
        file.skills.insert(record.skill, entry);
    }
    let mut text = serde_json::to_string_pretty(&file).expect("texts and numbers are JSON");
    text.push('\n');
    root.write_whole(DIR, FILE, text.as_bytes())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records these verdicts one after the other, and returns the one that is kept.
    fn kept(verdicts: &[(Verdict, &str)]) -> String {
        let dir = tempfile::tempdir().unwrap();
        let skills = dir.path();
        Root::open(skills)
            .unwrap()
            .write_whole("a", "SKILL.md", b"---\nname: a\n---\n")
            .unwrap();
        for (verdict, digest) in verdicts {
            let result = Record {
                skill: "a".to_owned(),
                directory: "A".to_owned(),
                verdict: *verdict,
                reason: None,
                cases: 1,
                level: Level::Runs,
                digests: Some(("plugin".to_owned(), (*digest).to_owned())),
                requires: BTreeMap::new(),
                without_secrets: Vec::new(),
            };
            record(skills, [result]).unwrap();
        }
        let root = Root::open(skills).unwrap();
        read(&root).skills.remove("a").unwrap().verdict
    }

    #[test]
    fn a_proof_holds_until_it_is_refuted_or_something_changes() {
        let proof = (Verdict::Verified, "1");
        for (next, expected) in [
            ((Verdict::FailsAlike, "1"), "verified"),
            ((Verdict::Unproven, "1"), "verified"),
            ((Verdict::NotRun, "1"), "verified"),
            ((Verdict::Differs, "1"), "differs"),
            ((Verdict::FailsAlike, "2"), "fails alike"),
        ] {
            assert_eq!(kept(&[proof, next]), expected, "{next:?}");
        }
    }
}
