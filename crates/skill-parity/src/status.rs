//! How far each plugin is on its way out: not migrated, migrated, verified, safe to remove.

use std::collections::BTreeMap;

use skill_executor::package::SkillPackage;

use crate::judge::Verdict;
use crate::pairs::{Pair, Pairs};
use crate::record::{Parity, recorded};

/// Findings of a migration that mean: something of the plugin is nowhere else.
const LOSSES: [&str; 3] = ["file-left-out", "settings-left-out", "user-data-left-out"];

/// How far a plugin is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// The plugin is switched off.
    SwitchedOff,
    /// There is no skill, or it cannot be read.
    NotMigrated,
    /// The plugin is not the one that was migrated.
    Changed,
    /// It is migrated, and not verified as it is now.
    Migrated,
    /// It is verified, and something of the plugin would be missed.
    Verified,
    /// The plugin is no longer needed.
    SafeToRemove,
}

impl Stage {
    /// All stages, in the order of the work.
    pub const ALL: [Self; 6] = [
        Self::SwitchedOff,
        Self::NotMigrated,
        Self::Changed,
        Self::Migrated,
        Self::Verified,
        Self::SafeToRemove,
    ];

    /// The words for reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::SwitchedOff => "switched off",
            Self::NotMigrated => "not migrated",
            Self::Changed => "changed since",
            Self::Migrated => "migrated",
            Self::Verified => "verified",
            Self::SafeToRemove => "safe to remove",
        }
    }

    /// Whether there is work left that only a migration does.
    pub fn is_behind(self) -> bool {
        matches!(self, Self::NotMigrated | Self::Changed)
    }
}

/// One plugin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PluginStatus {
    /// Directory of the plugin; empty when the input is the plugin.
    pub directory: String,
    /// Name of the skill.
    pub skill: Option<String>,
    /// How far it is.
    pub stage: Stage,
    /// Why it is no further, sorted by importance.
    pub why: Vec<String>,
}

impl Pairs {
    /// How far every plugin is.
    pub fn status(&self) -> Vec<PluginStatus> {
        let parity = recorded(&self.out);
        let status = |pair: &Pair| {
            let (stage, why) = stage(self, pair, &parity);
            PluginStatus {
                directory: pair.found.directory.clone(),
                skill: pair.skill.clone(),
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
        return (Stage::NotMigrated, Vec::new());
    };
    let skill = match SkillPackage::read(&pairs.out.join(name)) {
        Ok(skill) => skill,
        Err(failure) => return (Stage::NotMigrated, vec![failure.message]),
    };
    let Some(locked) = pairs.lock.skills.get(name) else {
        return (
            Stage::Migrated,
            vec!["skills.lock does not know the skill".to_owned()],
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
    match not_verified(parity.get(name)) {
        Some(reason) => {
            why.insert(0, reason);
            (Stage::Migrated, why)
        }
        None if why.is_empty() => (Stage::SafeToRemove, why),
        None => (Stage::Verified, why),
    }
}

/// Why the record is no proof.
fn not_verified(parity: Option<&Parity>) -> Option<String> {
    let Some(parity) = parity else {
        return Some("never verified".to_owned());
    };
    let reason = parity.reason.as_deref().unwrap_or_default();
    match parity.verdict {
        // Without digests nothing was compared, and nothing can expire.
        Verdict::NotRun if parity.source.is_none() => Some(format!("not run: {reason}")),
        _ if !parity.is_current => Some("verified before it changed".to_owned()),
        Verdict::Verified => None,
        Verdict::Differs => Some("the skill differs from the plugin".to_owned()),
        verdict => Some(format!("{}: {reason}", verdict.word())),
    }
}

/// What would be missed if the plugin were gone.
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
