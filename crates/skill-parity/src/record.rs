//! What is remembered of a verification: `.skills-migrate/parity.json` beside the skills.
//!
//! Each entry names the digests of the plugin and the skill that it holds for; when either changes, it
//! has expired. No clock and no absolute path stands in it.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use skill_executor::package::SkillPackage;
use skill_loader::fs::Root;
use skill_loader::store::Store;
use skill_model::Lock;

use crate::Error;
use crate::judge::{Account, Verdict};

/// Where the migration keeps its own state, beside the skills.
const DIR: &str = ".skills-migrate";
const FILE: &str = "parity.json";
/// Version of the format.
const SCHEMA: u32 = 1;
/// Largest record, in bytes.
const MAX_RECORD: u64 = 64 << 20;

/// What was found of one skill.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parity {
    /// Directory of the plugin.
    pub directory: String,
    /// What was found.
    pub verdict: Verdict,
    /// Why it is not verified.
    pub reason: Option<String>,
    /// How many cases were run.
    pub cases: usize,
    /// Digest of the plugin that was run; none when nothing was.
    pub source: Option<String>,
    /// Whether the skill, and what the lock says of its plugin, are still those that were compared.
    pub is_current: bool,
}

impl Parity {
    /// Whether the skill does what its plugin did, as far as is known today.
    pub fn is_verified(&self) -> bool {
        self.is_current && self.verdict == Verdict::Verified
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
    source: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    skill: Option<String>,
}

/// What is recorded of the skills in a directory, by name. Without a record, or with one that cannot
/// be read, nothing is.
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
    let known =
        entries.filter_map(|(name, entry)| Some((name.clone(), entry.now(&root, &lock, &name)?)));
    known.collect()
}

/// What is recorded of one skill.
pub fn recorded_of(skills: &Path, name: &str) -> Option<Parity> {
    let root = Root::open_following(skills).ok()?;
    let entry = read(&root).skills.remove(name)?;
    entry.now(&root, &lock(&root), name)
}

fn lock(root: &Root) -> Lock {
    let lock = Store::open_read_only(root.path()).map(|store| store.lock().clone());
    lock.unwrap_or_default()
}

impl Entry {
    /// What it says today. Nothing for a skill that cannot be read, or a verdict that nobody knows.
    fn now(self, root: &Root, lock: &Lock, name: &str) -> Option<Parity> {
        let verdict = Verdict::ALL
            .into_iter()
            .find(|it| it.word() == self.verdict)?;
        let now = SkillPackage::read(&root.path().join(name))
            .ok()?
            .digest()
            .ok();
        let locked = lock.skills.get(name).map(|locked| &locked.source.digest);
        let is_same_source = locked.is_none() || locked == self.source.as_ref();
        Some(Parity {
            verdict,
            is_current: self.skill.is_some() && self.skill == now && is_same_source,
            directory: self.directory,
            reason: self.reason,
            cases: self.cases,
            source: self.source,
        })
    }
}

fn read(root: &Root) -> File {
    let bytes = root.read(&format!("{DIR}/{FILE}"), MAX_RECORD).ok();
    let file = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    file.filter(|file: &File| file.schema == SCHEMA)
        .unwrap_or_default()
}

/// Records what was found; what is known of other skills that are still there stays.
pub(crate) fn write(skills: &Path, accounts: &[Account]) -> Result<(), Error> {
    // Held while the record is renewed, so that no other process does the same.
    let store = Store::open(skills)?;
    let root = store.root().ok_or(Error::Gone)?;
    let mut file = read(root);
    file.schema = SCHEMA;
    file.skills
        .retain(|name, _| matches!(root.kind(name), Ok(Some(_))));
    for account in accounts {
        let Some(name) = &account.skill else { continue };
        let (source, skill) = account.digests.clone().unzip();
        let entry = Entry {
            directory: account.directory.clone(),
            verdict: account.verdict.word().to_owned(),
            reason: account.reason.clone(),
            cases: account.cases.len(),
            source,
            skill,
        };
        file.skills.insert(name.clone(), entry);
    }
    let mut text = serde_json::to_string_pretty(&file).expect("texts and numbers are JSON");
    text.push('\n');
    root.write_whole(DIR, FILE, text.as_bytes())?;
    Ok(())
}
