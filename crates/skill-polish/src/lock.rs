//! `polish.lock.json`: the accepted slots of all skills.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use skill_diagnostics::{Code, Diagnostic};
use skill_migrator::Polish;
use skill_model::Digest;

use crate::gate::form;
use crate::slots::Slots;
use crate::sources::Sources;

/// The name of the file, in the directory of skills.
pub const POLISH_LOCK: &str = "polish.lock.json";

/// The version of the file.
const SCHEMA: u32 = 1;

const STALE: Code = Code("polish-stale");
const UNUSABLE: Code = Code("polish-unusable");

/// The accepted slots of all skills.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PolishLock {
    skills: BTreeMap<String, Entry>,
}

/// The accepted slots of one skill.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The digest of each text that they were written for.
    pub sources: BTreeMap<String, String>,
    /// The model that wrote them, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The slots.
    pub slots: Slots,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    schema: u32,
    skills: BTreeMap<String, Entry>,
}

/// The lock cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{POLISH_LOCK} cannot be read: {0}; correct it, or delete it to write the skills without a model"
)]
pub struct BrokenLock(String);

impl PolishLock {
    /// Reads the file.
    ///
    /// # Errors
    ///
    /// The text is not a lock of a known version.
    pub fn read(text: &str) -> Result<Self, BrokenLock> {
        let file: File =
            serde_json::from_str(text).map_err(|error| BrokenLock(error.to_string()))?;
        if file.schema != SCHEMA {
            let found = file.schema;
            return Err(BrokenLock(format!(
                "its schema is {found}, expected {SCHEMA}"
            )));
        }
        Ok(Self {
            skills: file.skills,
        })
    }

    /// Returns the text of the file.
    pub fn to_text(&self) -> String {
        let file = File {
            schema: SCHEMA,
            skills: self.skills.clone(),
        };
        let text = serde_json::to_string_pretty(&file).expect("texts and maps of texts are JSON");
        text + "\n"
    }

    /// Returns true if there is no slot.
    pub fn is_empty(&self) -> bool {
        self.skills.is_empty()
    }

    /// Returns the slots of a skill.
    pub fn get(&self, skill: &str) -> Option<&Entry> {
        self.skills.get(skill)
    }

    /// Returns the names of the skills with slots.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.skills.keys().map(String::as_str)
    }

    /// Sets the slots of a skill. Those that a person wrote are kept in the place of new ones.
    pub fn set(&mut self, skill: &str, mut entry: Entry) {
        if let Some(earlier) = self.skills.get(skill) {
            entry.slots = with_hand_edits(&earlier.slots, &entry.slots);
        }
        self.skills.insert(skill.to_owned(), entry);
    }

    /// Adds the slots of skills that are not here yet, and returns the names of those that differ.
    pub fn merge(&mut self, other: &Self) -> Vec<String> {
        let mut res = Vec::new();
        for (name, entry) in &other.skills {
            let known = self.skills.entry(name.clone());
            if known.or_insert_with(|| entry.clone()) != entry {
                res.push(name.clone());
            }
        }
        res
    }
}

/// Returns new slots, with sentences by hand (which have no quote) in place of those of the same kind.
fn with_hand_edits(earlier: &Slots, new: &Slots) -> Slots {
    let mut res = Slots::default();
    let by_hand = |kind| {
        earlier
            .get(kind)
            .iter()
            .filter(|slot| slot.quote.is_empty())
    };
    for kind in crate::SlotKind::ALL {
        let own: Vec<_> = by_hand(kind).cloned().collect();
        let room = kind.max_items().saturating_sub(own.len());
        let others = new.get(kind).iter().take(room).cloned();
        for slot in own.into_iter().chain(others) {
            res.push(kind, slot);
        }
    }
    res
}

impl Entry {
    /// Returns the digest of the slots and of their sources.
    pub fn digest(&self) -> String {
        let text = serde_json::to_string(self).expect("texts and maps of texts are JSON");
        Digest::from_content(text.as_bytes()).to_string()
    }

    /// Returns true if all slots were written for these texts.
    pub fn is_current(&self, sources: &Sources) -> bool {
        self.sources == sources.digests()
    }

    /// Returns the texts to use, and findings on slots that are not used: those whose source changed, and
    /// those that could not be written to a skill.
    pub fn polish(&self, sources: &Sources) -> (Polish, Vec<Diagnostic>) {
        let digests = sources.digests();
        let mut used = Slots::default();
        let mut findings = Vec::new();
        let mut stale: Vec<&str> = Vec::new();
        for (kind, slot) in self.slots.all() {
            let digest = digests.get(&slot.source);
            let is_same = digest.is_some() && digest == self.sources.get(&slot.source);
            let is_by_hand = slot.source.is_empty();
            if !is_same && !is_by_hand {
                stale.push(kind.key());
            } else if let Err(reason) = form::check(kind, &slot.text) {
                let message = format!("the slot `{}` in {POLISH_LOCK} {reason}", kind.key());
                findings.push(Diagnostic::warning(UNUSABLE, message));
            } else {
                used.push(kind, slot.clone());
            }
        }
        stale.dedup();
        if !stale.is_empty() {
            let message = format!(
                "the plugin changed since these slots in {POLISH_LOCK} were written, so they are not used: {}",
                stale.join(", ")
            );
            let finding = Diagnostic::warning(STALE, message);
            findings
                .push(finding.with_help("run with --polish-export or --polish-url for new ones"));
        }
        (used.to_polish(), findings)
    }
}
