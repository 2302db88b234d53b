//! The setting by which a user opens directories to a program that works on files of the user.
//!
//! A program sees its own directories. One that is called with a path of this machine (`要分析的项目的绝对路径`)
//! finds nothing there, until the user opens the place: `skills-run configure NAME SKILL_DIRECTORIES=…`.

use serde_json::Value;
use skill_model::{Command, Config, Guard, GuardKind, Unset};

use crate::guards;

/// The key of directories.
pub(crate) const KEY: &str = "SKILL_DIRECTORIES";

/// Adds the setting if a parameter takes a path of the user and no other setting opens directories. A
/// program that runs with the rights of the user needs none.
pub(crate) fn add(config: &mut Config, commands: &[Command], filesystem: &str) {
    let is_other =
        |guard: &Guard| guard.kind == GuardKind::AllowDirectories && !guards::is_place(guard);
    let mut properties = commands.iter().flat_map(properties);
    let takes_path =
        |(name, property): (&String, &Value)| is_path(name, property["description"].as_str());
    if filesystem == "skill" && !config.guards.iter().any(is_other) && properties.any(takes_path) {
        config.guards.push(Guard {
            key: KEY.to_owned(),
            kind: GuardKind::AllowDirectories,
            unset: Unset::Closed,
            evidence: vec!["text".to_owned()],
        });
    }
}

/// Returns true for a program with the setting.
pub(crate) fn is_offered(config: &Config) -> bool {
    config.guards.iter().any(|guard| guard.key == KEY)
}

fn properties(command: &Command) -> impl Iterator<Item = (&String, &Value)> {
    command.input_schema["properties"]
        .as_object()
        .into_iter()
        .flatten()
}

/// Returns true for a parameter whose value is a path of this machine by its text.
fn is_path(name: &str, text: Option<&str>) -> bool {
    const WORDS: [&str; 14] = [
        "绝对路径",
        "本地路径",
        "本地文件",
        "本地图片",
        "file://",
        "file:/",
        "absolute path",
        "local path",
        "local file",
        "file协议",
        "file 协议",
        "本地保存",
        "工作区",
        "如 /",
    ];
    const NAMES: [&str; 8] = [
        "path", "dir", "folder", "file", "image", "video", "audio", "url",
    ];
    let (name, text) = (name.to_lowercase(), text.unwrap_or_default());
    NAMES.iter().any(|word| name.contains(word)) && WORDS.iter().any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_the_user() {
        let check = |name: &str, text: &str, expected: bool| {
            let command = Command {
                input_schema: serde_json::json!({ "properties": { name: { "description": text } } }),
                ..Command::new("brew")
            };
            let mut config = Config::default();
            add(&mut config, &[command], "skill");
            assert_eq!(is_offered(&config), expected, "{text}");
        };
        check("teaPath", "茶单的绝对路径。", true);
        check("image_url", "公网链接或 file:// 路径。", true);
        check("log", "如 /var/log/tea.log", false);
        check("path", "仓库中的路径，省略则列出根目录", false);
    }

    #[test]
    fn a_setting_of_the_program_is_enough() {
        let path = serde_json::json!({ "properties": { "path": { "description": "绝对路径" } } });
        let command = Command {
            input_schema: path,
            ..Command::new("brew")
        };
        let mut config = Config::default();
        add(&mut config, std::slice::from_ref(&command), "any");
        assert!(!is_offered(&config));
        config.guards.push(Guard {
            key: "TEA_ROOTS".to_owned(),
            kind: GuardKind::AllowDirectories,
            unset: Unset::Open,
            evidence: Vec::new(),
        });
        add(&mut config, &[command], "skill");
        assert!(!is_offered(&config));
    }
}
