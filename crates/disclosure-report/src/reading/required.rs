//! The text of a skill together with the skills that it builds on.

use serde_json::{Value, json};
use skill_loader::catalog::{CatalogSkill, RequiredText};
use skill_loader::load::LoadedText;

use super::{fill, skill_json};

/// Returns one object for a text, with those of the required skills.
pub fn json_with(skill: &CatalogSkill, loaded: &LoadedText, required: &[RequiredText]) -> Value {
    let mut res = super::json(skill, loaded);
    if !required.is_empty() {
        let each = required.iter().map(|required| match &required.loaded {
            Some(loaded) => super::json(&required.skill, loaded),
            None => json!({"skill": skill_json(&required.skill), "text": null}),
        });
        res["required"] = each.collect::<Vec<_>>().into();
    }
    res
}

/// Returns a text, then those of the required skills, each below a comment with its name and version.
/// With a template, each text is a block. It ends with a line end.
pub fn written(
    skill: &CatalogSkill,
    loaded: &LoadedText,
    required: &[RequiredText],
    template: Option<&str>,
) -> String {
    let mut res = String::new();
    let mut push = |text: &str| {
        res.push_str(text);
        if !text.ends_with('\n') {
            res.push('\n');
        }
    };
    let shown = |skill: &CatalogSkill, loaded: &LoadedText| match template {
        Some(template) => fill(template, skill, loaded),
        None => loaded.text.clone(),
    };
    push(&shown(skill, loaded));
    for one in required {
        let label = [&one.skill.name, one.skill.version()].join(" ");
        let label = label.trim_end().replace("--", "- -");
        match &one.loaded {
            Some(loaded) => {
                push(&format!("\n<!-- required skill: {label} -->"));
                push(&shown(&one.skill, loaded));
            }
            None => {
                let label = label.replace(' ', "@");
                push(&format!(
                    "\n<!-- required skill without room here; read it alone: {label} -->"
                ));
            }
        }
    }
    res
}
