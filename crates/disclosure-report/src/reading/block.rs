//! The text of a skill as a block of a prompt.

use skill_loader::catalog::CatalogSkill;
use skill_loader::fs::shown;
use skill_loader::load::LoadedText;

/// The template that existing agents use.
pub const TEMPLATE: &str = "[Skill: {name} | source={source}]\n[Skill Path: {path}]\n[Load Report: sha256={sha256} truncated={truncated} bytes_read={bytes_read}]\n\n{text}";

/// Fills in a template. Values are not searched for placeholders.
pub fn fill(template: &str, skill: &CatalogSkill, loaded: &LoadedText) -> String {
    let mut res = String::with_capacity(template.len() + loaded.text.len() + 200);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        res.push_str(before);
        let filled = after.split_once('}');
        match filled.and_then(|(key, tail)| Some((value(key, skill, loaded)?, tail))) {
            Some((value, tail)) => {
                res.push_str(&value);
                rest = tail;
            }
            None => {
                res.push('{');
                rest = after;
            }
        }
    }
    res.push_str(rest);
    res
}

fn value(key: &str, skill: &CatalogSkill, loaded: &LoadedText) -> Option<String> {
    let report = &loaded.report;
    Some(match key {
        "name" => skill.name.clone(),
        "source" => skill.source.word().to_owned(),
        "path" => path(skill, loaded),
        "sha256" => report.sha256.hex(),
        "truncated" => report.truncated.to_string(),
        "bytes_read" => report.bytes_read.to_string(),
        "text" => loaded.text.clone(),
        _ => return None,
    })
}

/// Returns the path of the file that was read, below the root as the user wrote it.
fn path(skill: &CatalogSkill, loaded: &LoadedText) -> String {
    let file = skill.place.location();
    shown(&file.with_file_name(&loaded.report.path)).to_string()
}
