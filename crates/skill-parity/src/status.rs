//! The stage of each plugin: not migrated, migrated, verified, safe to remove.

use std::collections::BTreeMap;

use skill_executor::package::SkillPackage;
use skill_executor::view;
use skill_loader::dir_in;

use crate::pairs::{Pair, Pairs};
use parity_record::{Level, Parity, Verdict, recorded};

/// Findings of a migration which mean that something of the plugin exists nowhere else.
const LOSSES: [&str; 3] = ["file-left-out", "settings-left-out", "user-data-left-out"];

/// The stage of a plugin.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// The plugin is switched off.
    SwitchedOff,
    /// The plugin has only parts that no skill can have, such as hooks and language servers.
    Nothing,
    /// There is no skill, or it cannot be read.
    NotMigrated,
    /// The plugin is not the one that was migrated.
    Changed,
    /// It is migrated, but not verified in its present state.
    Migrated,
    /// It is verified, but something would be lost without the plugin.
    Verified,
    /// The plugin is no longer needed.
    SafeToRemove,
}

impl Stage {
    /// All stages, in the order of the work.
    pub const ALL: [Self; 7] = [
        Self::SwitchedOff,
        Self::Nothing,
        Self::NotMigrated,
        Self::Changed,
        Self::Migrated,
        Self::Verified,
        Self::SafeToRemove,
    ];

    /// Returns the words for reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::SwitchedOff => "switched off",
            Self::Nothing => "nothing to migrate",
            Self::NotMigrated => "not migrated",
            Self::Changed => "changed since",
            Self::Migrated => "migrated",
            Self::Verified => "verified",
            Self::SafeToRemove => "safe to remove",
        }
    }

    /// Returns true if the plugin has to be migrated.
    pub fn is_behind(self) -> bool {
        matches!(self, Self::NotMigrated | Self::Changed)
    }
}

/// The status of one plugin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PluginStatus {
    /// The directory of the plugin; empty if the input itself is the plugin.
    pub directory: String,
    /// The name of the skill.
    pub skill: Option<String>,
    /// The stage.
    pub stage: Stage,
    /// The way in which it is known that the skill runs; `None` if it cannot.
    pub level: Option<Level>,
    /// The reasons why it is not further, the most important first.
    pub why: Vec<String>,
    /// The files that were compared in the skill's version, without secrets, when it was verified.
    pub without_secrets: Vec<String>,
}

impl Pairs {
    /// Returns the status of every plugin.
    pub fn status(&self) -> Vec<PluginStatus> {
        let parity = recorded(&self.out);
        let status = |pair: &Pair| {
            let (stage, why) = stage(self, pair, &parity);
            let can_run = |name: &String| {
                let skill = SkillPackage::read(&dir_in(&self.out, name));
                skill.is_ok_and(|skill| skill.metadata.runnable)
            };
            let name = pair.skill.as_ref().filter(|name| can_run(name));
            let known = pair.skill.as_ref().and_then(|name| parity.get(name));
            let proof = known.filter(|known| known.is_verified());
            PluginStatus {
                directory: pair.found.directory.clone(),
                skill: pair.skill.clone(),
                level: name.map(|_| known.map(Parity::level).unwrap_or_default()),
                without_secrets: proof.map_or_else(Vec::new, |it| it.without_secrets.clone()),
                stage,
                why,
            }
        };
        self.pairs.iter().map(status).collect()
    }
}

fn stage(pairs: &Pairs, pair: &Pair, parity: &BTreeMap<String, Parity>) -> (Stage, Vec<String>) {
    if pair.found.is_skipped {
        return (Stage::SwitchedOff, Vec::new());
    }
    let Some(name) = &pair.skill else {
        let stage = if pairs.has_nothing(&pair.found) {
            Stage::Nothing
        } else {
            Stage::NotMigrated
        };
        return (stage, Vec::new());
    };
    let skill = match SkillPackage::read(&dir_in(&pairs.out, name)) {
        Ok(skill) => skill,
        Err(failure) => return (Stage::NotMigrated, vec![failure.message]),
    };
    let Some(locked) = pairs.lock.skills.get(name) else {
        return (
            Stage::Migrated,
            vec!["the skill is not in skills.lock".to_owned()],
        );
    };
    match pairs.digest(&pair.found) {
        Err(why) => return (Stage::Changed, vec![why]),
        Ok(now) if now != locked.source.digest => {
            return (
                Stage::Changed,
                vec!["the plugin has changed since it was migrated".to_owned()],
            );
        }
        Ok(_) => {}
    }
    let mut why = obstacles(&skill);
    if !locked.conflicts.is_empty() {
        why.push(format!("conflicts in {}", locked.conflicts.join(", ")));
    }
    why.extend(changed_neighbours(pairs, &skill));
    match not_verified(parity.get(name)) {
        Some(reason) => {
            why.insert(0, reason);
            (Stage::Migrated, why)
        }
        None if why.is_empty() => (Stage::SafeToRemove, why),
        None => (Stage::Verified, why),
    }
}

/// Returns the reason why the record does not prove the skill; `None` if it does.
fn not_verified(parity: Option<&Parity>) -> Option<String> {
    let Some(parity) = parity else {
        return Some("never verified".to_owned());
    };
    let reason = parity.reason.as_deref().unwrap_or_default();
    match parity.verdict {
        // Without digests nothing was compared, and nothing can expire.
        Verdict::NotRun if parity.source.is_none() => Some(format!("not run: {reason}")),
        _ if !parity.is_current => Some(match &parity.changed_requirement {
            Some(other) => format!("verified before `{other}` changed, which it requires"),
            None => "verified before it changed".to_owned(),
        }),
        Verdict::Verified => None,
        Verdict::Differs => Some("the skill differs from the plugin".to_owned()),
        verdict => Some(format!("{}: {reason}", verdict.word())),
    }
}

/// Returns a sentence for each skill that this one requires whose plugin is not the one that was migrated.
fn changed_neighbours(pairs: &Pairs, skill: &SkillPackage) -> Vec<String> {
    let others = view::neighbours(skill).into_iter();
    let changed = others.filter(|other| {
        let name = other.dir.file_name().unwrap_or_default().to_string_lossy();
        let locked = pairs.lock.skills.get(&*name);
        let pair = pairs
            .all
            .iter()
            .find(|pair| pair.skill.as_deref() == Some(&name));
        let (Some(locked), Some(pair)) = (locked, pair) else {
            return false;
        };
        pairs.digest(&pair.found).as_ref() != Ok(&locked.source.digest)
    });
    let sentence = |other: SkillPackage| {
        let name = &other.metadata.name;
        format!("the plugin of `{name}`, which it requires, has changed since it was migrated")
    };
    changed.map(sentence).collect()
}

/// Returns what would be lost without the plugin.
fn obstacles(skill: &SkillPackage) -> Vec<String> {
    let metadata = &skill.metadata;
    let mut res = Vec::new();
    if !metadata.enabled {
        res.push("the skill is switched off".to_owned());
    }
    if !metadata.runnable {
        res.push("the skill cannot run".to_owned());
    }
    let lost = metadata
        .findings
        .iter()
        .filter(|it| LOSSES.contains(&it.code.as_str()));
    res.extend(lost.map(|finding| finding.message.clone()));
    res
}
