//! The last values of static skills, for the skills that require them.

use serde_json::Value;
use skill_model::ExecutorKind;

use crate::call::Host;
use crate::configure;
use crate::package::SkillPackage;
use crate::view;

/// The directory of the last values, beneath the state directory.
pub(super) const STORE: &str = "placeholders";

/// Returns the last values that the skills which a skill requires gave, by placeholder.
pub(crate) fn values(skill: &SkillPackage, host: &Host) -> Vec<(String, Value)> {
    let of_skill = |skill: SkillPackage| {
        let value = record(&skill, host, "json")?.get("value")?.clone();
        let keys = skill.metadata.placeholders.into_iter();
        let pair = move |key: &str| (bare(key).to_owned(), value.clone());
        Some(keys.map(move |placeholder| pair(&placeholder.key)))
    };
    let feeders = feeders(skill, host).into_iter();
    feeders.filter_map(of_skill).flatten().collect()
}

/// Returns the static skills that a skill requires.
pub(super) fn feeders(skill: &SkillPackage, host: &Host) -> Vec<SkillPackage> {
    if skill.metadata.requires.skills.is_empty() {
        return Vec::new();
    }
    let mut res = view::required(skill);
    let is_enabled = |other: &SkillPackage| configure::is_enabled(other, &host.state);
    res.retain(|other| {
        other.metadata.executor == ExecutorKind::Static && is_enabled(other).unwrap_or(false)
    });
    res
}

/// A key without its braces; one that is braced on one side loses those.
pub(super) fn bare(key: &str) -> &str {
    let key = key.strip_prefix("{{").unwrap_or(key);
    key.strip_suffix("}}").unwrap_or(key)
}

/// Returns a record of the runs of a skill: `json` for the last value, `tried` for a later failure.
pub(super) fn record(skill: &SkillPackage, host: &Host, kind: &str) -> Option<Value> {
    let key = view::key(skill, &host.state)?;
    host.state.read(&format!("{STORE}/{key}.{kind}"))
}
