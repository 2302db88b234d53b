//! How far each plugin is on its way out: not migrated, migrated, verified, safe to remove.

use std::collections::BTreeMap;
use std::io::Write as _;

use serde_json::{Value, json};
use skill_executor::package::SkillPackage;

use super::super::Format;
use super::judge::Verdict;
use super::pairs::{Pair, World};
use super::record::{Parity, recorded};
use crate::{
    ExitStatus,
    output::{Streams, printable},
};

/// Findings of a migration that mean: something of the plugin is nowhere else.
const LOSSES: [&str; 3] = ["file-left-out", "settings-left-out", "user-data-left-out"];

/// How far a plugin is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Stage {
    SwitchedOff,
    NotMigrated,
    Changed,
    Migrated,
    Verified,
    SafeToRemove,
}

impl Stage {
    const ALL: [Self; 6] = [
        Self::SwitchedOff,
        Self::NotMigrated,
        Self::Changed,
        Self::Migrated,
        Self::Verified,
        Self::SafeToRemove,
    ];

    fn word(self) -> &'static str {
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
    fn is_behind(self) -> bool {
        matches!(self, Self::NotMigrated | Self::Changed)
    }
}

/// One plugin.
struct Line<'w> {
    pair: &'w Pair,
    stage: Stage,
    /// Why it is no further, sorted by importance.
    why: Vec<String>,
}

/// Tells how far every plugin is.
pub(super) fn run(
    world: &World,
    format: Format,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let parity = recorded(&world.out);
    let lines: Vec<_> = world
        .pairs
        .iter()
        .map(|pair| line(world, pair, &parity))
        .collect();
    match format {
        Format::Text => text(&lines, streams)?,
        Format::Json => writeln!(streams.stdout, "{:#}", json(&lines))?,
    }
    let is_behind = lines.iter().any(|line| line.stage.is_behind());
    Ok(if is_behind {
        ExitStatus::Findings
    } else {
        ExitStatus::Fine
    })
}

fn line<'w>(world: &World, pair: &'w Pair, parity: &BTreeMap<String, Parity>) -> Line<'w> {
    let (stage, why) = stage(world, pair, parity);
    Line { pair, stage, why }
}

fn stage(world: &World, pair: &Pair, parity: &BTreeMap<String, Parity>) -> (Stage, Vec<String>) {
    if pair.found.is_skipped {
        return (Stage::SwitchedOff, Vec::new());
    }
    let Some(name) = &pair.skill else {
        return (Stage::NotMigrated, Vec::new());
    };
    let skill = match SkillPackage::read(&world.out.join(name)) {
        Ok(skill) => skill,
        Err(failure) => return (Stage::NotMigrated, vec![failure.message]),
    };
    let Some(locked) = world.lock.skills.get(name) else {
        return (
            Stage::Migrated,
            vec!["skills.lock does not know the skill".to_owned()],
        );
    };
    match world.digest(&pair.found) {
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

fn counts(lines: &[Line<'_>]) -> impl Iterator<Item = (Stage, usize)> {
    Stage::ALL.into_iter().map(|stage| {
        let n = lines.iter().filter(|line| line.stage == stage).count();
        (stage, n)
    })
}

fn text(lines: &[Line<'_>], streams: &mut Streams) -> std::io::Result<()> {
    for Line { pair, stage, why } in lines {
        let directory = match pair.found.directory.as_str() {
            "" => ".",
            directory => directory,
        };
        let directory = printable(directory);
        write!(streams.stdout, "{:<14}  {directory}", stage.word())?;
        if let Some(skill) = &pair.skill {
            write!(streams.stdout, " -> {}", printable(skill))?;
        }
        if !why.is_empty() {
            write!(streams.stdout, ": {}", printable(&why.join("; ")))?;
        }
        writeln!(streams.stdout)?;
    }
    let counts: Vec<_> = counts(lines)
        .map(|(stage, n)| format!("{n} {}", stage.word()))
        .collect();
    writeln!(
        streams.stdout,
        "{} plugins: {}",
        lines.len(),
        counts.join(", ")
    )
}

fn json(lines: &[Line<'_>]) -> Value {
    let counts = counts(lines).map(|(stage, n)| (stage.word().replace(' ', "_"), n.into()));
    let plugins = lines.iter().map(|Line { pair, stage, why }| {
        json!({
            "directory": pair.found.directory,
            "skill": pair.skill,
            "status": stage.word(),
            "why": why,
        })
    });
    json!({
        "version": 1,
        "plugins": lines.len(),
        "counts": counts.collect::<serde_json::Map<_, _>>(),
        "results": plugins.collect::<Vec<_>>(),
    })
}
