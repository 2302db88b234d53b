//! The use of a skill without an agent, for the page: what must be there, and the lines for a terminal.

use serde_json::{Map, Value, json};
use skill_loader::catalog::CatalogSkill;
use skill_loader::tree_of;
use skill_model::{ExecutorKind, Metadata};

use crate::settings::Settings;
use crate::tools::absolute;

/// Returns what must be installed or set before a skill works, by kind. Kinds without an entry are left
/// out.
pub(super) fn needs(skill: &CatalogSkill) -> Value {
    let Some(metadata) = skill.metadata.as_deref() else {
        return json!({});
    };
    let requires = &metadata.requires;
    let settings = required_settings(metadata);
    let kinds = [
        ("programs", &requires.bin),
        ("npm", &requires.npm),
        ("python", &requires.pip),
        ("systems", &requires.os),
        ("settings", &settings),
    ];
    let kinds = kinds.into_iter().filter(|(_, names)| !names.is_empty());
    let kinds = kinds.map(|(kind, names)| (kind.to_owned(), json!(names)));
    Value::Object(kinds.collect::<Map<_, _>>())
}

/// Returns the keys without which a call fails.
fn required_settings(metadata: &Metadata) -> Vec<String> {
    let schema = metadata.config.schema.as_ref();
    let required = schema.and_then(|schema| schema["required"].as_array());
    let keys = required.into_iter().flatten().filter_map(Value::as_str);
    keys.map(str::to_owned).collect()
}

/// Returns the lines for a terminal that prepare and run a skill, each with what it is for; none if
/// the skill cannot run. One that is switched off is switched on first.
pub(super) fn lines(settings: &Settings, skill: &CatalogSkill, is_enabled: bool) -> Value {
    let is_prompt = |it: &&Metadata| it.executor == ExecutorKind::Prompt;
    let metadata = skill.metadata.as_deref();
    let Some(metadata) = metadata.filter(|it| it.can_run() || is_prompt(it)) else {
        return json!([]);
    };
    let location = skill.place.location();
    let directory = location.parent().filter(|_| settings.directories);
    let tree = directory.and_then(tree_of);
    let tree = tree.map(|tree| {
        format!(
            " --skills {}",
            quoted(&absolute(tree).display().to_string())
        )
    });
    let tree = tree.unwrap_or_default();
    let name = quoted(&skill.name);
    let line = |what: &str, line: String| json!({"what": what, "line": line});
    if is_prompt(&metadata) {
        return json!([line("", format!("skills-read {name}{tree}"))]);
    }
    let mut res = Vec::new();
    if !is_enabled {
        let on = format!("skills-run configure {name} --enable{tree}");
        res.push(line("enable", on));
    }
    if !metadata.requires.npm.is_empty() || !metadata.requires.pip.is_empty() {
        res.push(line("prepare", format!("skills-run prepare {name}{tree}")));
    }
    if let [first, ..] = &*required_settings(metadata) {
        let key = quoted(&format!("{first}=VALUE"));
        res.push(line(
            "configure",
            format!("skills-run configure {name} {key}{tree}"),
        ));
    }
    for command in &metadata.commands {
        let input = quoted(&command.sample_arguments().to_string());
        let id = quoted(&command.id);
        res.push(line(
            &command.id,
            format!("skills-run {name} --command {id}{tree} --input {input}"),
        ));
    }
    if metadata.commands.is_empty() {
        res.push(line("", format!("skills-run {name}{tree}")));
    }
    res.into()
}

/// Returns a text as one word of a POSIX shell.
fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:@%+,".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_shell() {
        for (text, expected) in [
            ("tea", "tea"),
            ("", "''"),
            ("{\"a\": \"it's\"}", r#"'{"a": "it'\''s"}'"#),
            ("a b", "'a b'"),
            ("茶", "'茶'"),
        ] {
            assert_eq!(quoted(text), expected);
        }
    }
}
