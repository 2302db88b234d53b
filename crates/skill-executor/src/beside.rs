//! The skills in the directory of a skill: the plugins of the old host's plugin manager.

use serde_json::{Value, json};
use skill_loader::catalog::{Catalog, CatalogSettings, CatalogSkill, SkillRoot};
use skill_loader::load::Source;
use skill_loader::tree_of;

use crate::configure;
use crate::package::SkillPackage;
use crate::state::State;

/// Returns the skills in the directory of a skill, as the registry of the old host's plugin manager.
pub(crate) fn registry(skill: &SkillPackage, state: &State) -> Vec<Value> {
    let catalog = beside(skill);
    let skills = catalog.all().filter_map(|skill| {
        let metadata = skill.metadata.as_ref()?;
        let legacy = metadata.legacy.as_ref();
        let name = legacy.map_or(&skill.name, |legacy| &legacy.name);
        let commands = metadata.commands.iter();
        let commands = commands.map(|it| json!({"id": it.id, "description": it.description}));
        Some(json!({
            "name": name,
            "displayName": metadata.display_name.as_ref().unwrap_or(name),
            "description": metadata.description,
            "version": metadata.version,
            "pluginType": legacy.map_or("", |legacy| legacy.plugin_type.as_str()),
            "timeoutMs": metadata.timeout_ms,
            "enabled": metadata.runnable && is_enabled(skill, state),
            "commands": commands.collect::<Vec<_>>(),
            "invocations": invocations(skill),
        }))
    });
    skills.collect()
}

/// Returns the commands of the plugin's own manifest, from which the old host made its description;
/// null for a skill that comes from elsewhere.
fn invocations(skill: &CatalogSkill) -> Value {
    let package = SkillPackage::from_place(&skill.place).ok();
    let manifest = package.and_then(|package| package.manifest);
    manifest.map_or(Value::Null, |manifest| {
        let commands = &manifest["capabilities"]["invocationCommands"];
        let commands = commands.as_array().into_iter().flatten();
        commands.filter(|it| it.is_object()).cloned().collect()
    })
}

fn is_enabled(skill: &CatalogSkill, state: &State) -> bool {
    let by_user = |package: &SkillPackage| configure::is_enabled(package, state).unwrap_or(false);
    skill.metadata.as_ref().is_some_and(|it| it.enabled)
        || SkillPackage::from_place(&skill.place).is_ok_and(|it| by_user(&it))
}

/// Returns the skills in the directory of a skill.
pub(crate) fn beside(skill: &SkillPackage) -> Catalog {
    let tree = skill.tree.as_deref().or_else(|| tree_of(&skill.dir));
    Catalog::read(&CatalogSettings {
        roots: vec![SkillRoot {
            path: tree.unwrap_or(&skill.dir).to_owned(),
            source: Source::Project,
        }],
        ..CatalogSettings::default()
    })
}
