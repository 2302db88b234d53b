//! The block that goes into a prompt.

use skill_loader::catalog::CatalogSkill;
use skill_loader::fs::shown;
use skill_loader::load::LoadedText;

/// The form of existing agents.
pub const TEMPLATE: &str = "[Skill: {name} | source={source}]\n[Skill Path: {path}]\n[Load Report: sha256={sha256} truncated={truncated} bytes_read={bytes_read}]\n\n{text}";

/// Fills a template. What is filled in is not looked at again, so no text fills places of its own.
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

/// The file that was read, by the path that the root was given by.
fn path(skill: &CatalogSkill, loaded: &LoadedText) -> String {
    let file = skill.place.location();
    shown(&file.with_file_name(&loaded.report.path)).to_string()
}
