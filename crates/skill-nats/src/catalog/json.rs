//! The shared catalog and its mirror, for programs.

use serde_json::{Value, json};

use super::malformed::MalformedEntry;
use super::mirror::Mirrored;
use super::{Shadowed, Union};

/// The version of the answers.
const SCHEMA: u32 = 1;

impl Union {
    /// Returns true if no skill was refused and no entry is malformed.
    pub fn is_whole(&self) -> bool {
        self.refused.is_empty() && self.malformed.is_empty()
    }

    /// Returns one object with all skills.
    pub fn to_json(&self) -> Value {
        let skills = self.skills.values().map(|skill| {
            json!({
                "name": skill.name,
                "version": skill.version,
                "description": skill.description,
                "digest": skill.digest,
                "nodes": skill.nodes,
                "idempotent": skill.idempotent,
                "metadata": skill.metadata,
            })
        });
        let refused = self.refused.iter();
        let refused = refused.map(|(name, error)| (name.clone(), error.to_string().into()));
        json!({
            "schema": SCHEMA,
            "skills": skills.collect::<Vec<_>>(),
            "shadowed": shadowed(&self.shadowed),
            "refused": refused.collect::<serde_json::Map<_, _>>(),
            "malformed": malformed(&self.malformed),
        })
    }
}

impl Mirrored {
    /// Returns true if no skill was refused and no entry is malformed.
    pub fn is_whole(&self) -> bool {
        self.refused.is_empty() && self.malformed.is_empty()
    }

    /// Returns one object with the names of the skills that were written, removed or refused.
    pub fn to_json(&self) -> Value {
        json!({
            "schema": SCHEMA,
            "written": self.written,
            "unchanged": self.unchanged,
            "removed": self.removed,
            "refused": self.refused,
            "shadowed": shadowed(&self.shadowed),
            "malformed": malformed(&self.malformed),
        })
    }
}

fn malformed(entries: &[MalformedEntry]) -> Vec<Value> {
    let one = |entry: &MalformedEntry| {
        json!({
            "node": entry.node,
            "subject": entry.subject,
            "problem": entry.problem,
        })
    };
    entries.iter().map(one).collect()
}

fn shadowed(skills: &[Shadowed]) -> Vec<Value> {
    let one = |skill: &Shadowed| {
        json!({
            "name": skill.name,
            "digest": skill.digest,
            "nodes": skill.nodes,
            "by": if skill.by_local { "local" } else { "node" },
        })
    };
    skills.iter().map(one).collect()
}
