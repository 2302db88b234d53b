//! The words that replace placeholders.

/// The language of added words.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Simplified Chinese.
    Chinese,
}

impl Language {
    /// Returns one of two texts.
    pub(crate) fn pick<'a>(self, english: &'a str, chinese: &'a str) -> &'a str {
        match self {
            Self::English => english,
            Self::Chinese => chinese,
        }
    }
}

/// Values of hosts, by name.
const VALUES: [(&str, &str, &str); 16] = [
    ("CLAUDE_PLUGIN_ROOT", "the skill's directory", "技能目录"),
    ("CLAUDE_SKILL_DIR", "the skill's directory", "技能目录"),
    ("CLAUDE_PROJECT_DIR", "the project's directory", "项目目录"),
    (
        "CLAUDE_PLUGIN_DATA",
        "the skill's data directory",
        "技能的数据目录",
    ),
    ("CLAUDE_SESSION_ID", "the id of the session", "会话标识"),
    ("CLAUDE_EFFORT", "the effort level", "推理强度"),
    ("file", "the open file", "当前文件"),
    ("fileBasename", "the name of the open file", "当前文件名"),
    (
        "fileBasenameNoExtension",
        "the name of the open file without its extension",
        "不带扩展名的当前文件名",
    ),
    (
        "fileDirname",
        "the directory of the open file",
        "当前文件所在目录",
    ),
    ("selection", "the selected text", "选中的文本"),
    ("selectedText", "the selected text", "选中的文本"),
    ("workspaceFolder", "the project's directory", "项目目录"),
    ("extensionPath", "the skill's directory", "技能目录"),
    ("userHome", "the user's home directory", "用户主目录"),
    ("workspacePath", "the project's directory", "项目目录"),
];

/// Returns the words for a value of the host.
pub(super) fn value(name: &str, language: Language) -> Option<String> {
    if let Some(key) = name.strip_prefix("user_config.") {
        return Some(format!(
            "{} `{key}`",
            language.pick("the setting", "配置项")
        ));
    }
    if let Some(tool) = name.strip_prefix("tool:") {
        return Some(format!("{} `{tool}`", language.pick("the tool", "工具")));
    }
    if let Some(variable) = name.strip_prefix("env:") {
        let words = language.pick("the environment variable", "环境变量");
        return Some(format!("{words} `{variable}`"));
    }
    if name == "workspaceFolderBasename" {
        let words = language.pick("the name of the project's directory", "项目目录名");
        return Some(words.to_owned());
    }
    let row = VALUES.iter().find(|row| row.0 == name)?;
    Some(language.pick(row.1, row.2).to_owned())
}
