//! The language of headings and fixed sentences.

use std::fmt;
use std::str::FromStr;

use serde_json::{Value, json};

/// The requested language.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum LanguageChoice {
    /// The language of the plugin's own texts.
    #[default]
    Auto,
    /// Always the same language.
    Always(Language),
}

/// A language of headings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// English.
    English,
    /// Simplified Chinese.
    Chinese,
}

impl LanguageChoice {
    /// Every choice.
    pub const ALL: [Self; 3] = [
        Self::Auto,
        Self::Always(Language::English),
        Self::Always(Language::Chinese),
    ];

    /// Returns the language for a text: Chinese if a quarter of its letters are Han characters,
    /// which carry as much meaning as several Latin letters.
    pub(crate) fn language_of(self, text: &str) -> Language {
        let is_han = |c: &char| matches!(c, '\u{3400}'..='\u{9FFF}');
        match self {
            Self::Always(language) => language,
            Self::Auto if text.is_ascii() => Language::English,
            Self::Auto => {
                let n_letters = text.chars().filter(|c| c.is_alphabetic()).count();
                let n_han = text.chars().filter(is_han).count();
                if n_han * 4 > n_letters {
                    Language::Chinese
                } else {
                    Language::English
                }
            }
        }
    }

    /// Returns the word for the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Always(Language::English) => "en",
            Self::Always(Language::Chinese) => "zh",
        }
    }
}

impl FromStr for LanguageChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|choice| choice.word() == text);
        found.ok_or_else(|| "expected auto, en or zh".to_owned())
    }
}

impl fmt::Display for LanguageChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl Language {
    /// Returns one of two texts.
    pub(crate) fn pick<'a>(self, english: &'a str, chinese: &'a str) -> &'a str {
        match self {
            Self::English => english,
            Self::Chinese => chinese,
        }
    }

    /// Returns the headings and sentences of the templates, as `h`.
    pub(crate) fn headings(self) -> Value {
        let mut res = json!({});
        for (key, english, chinese) in HEADINGS {
            res[key] = json!(self.pick(english, chinese));
        }
        res
    }
}

const HEADINGS: [(&str, &str, &str); 39] = [
    ("overview_elsewhere", "The whole description:", "完整描述："),
    ("prepare", "Prepare", "准备"),
    ("run", "Call", "调用"),
    (
        "not_runnable",
        "This skill cannot run as it is:",
        "此技能目前无法直接运行：",
    ),
    ("guards", "Guards", "安全限制"),
    (
        "guards_intro",
        "These settings restrict what the program may do. While one marked as open has no value, nothing is refused: every call needs approval (`skills-run approve .`), or set it with `skills-run configure . KEY=VALUE`.",
        "以下配置项限制程序的权限。标为“未设防”的配置项没有值时，程序不拒绝任何操作：每次调用都需要批准（`skills-run approve .`），或用 `skills-run configure . KEY=VALUE` 设置该项。",
    ),
    ("commands", "Commands", "命令"),
    (
        "commands_elsewhere",
        "All parameters and details:",
        "全部参数与细节：",
    ),
    ("dispatch", "Selected by the argument", "由以下参数选定："),
    ("parameters", "Parameters", "参数"),
    ("parameter", "Parameter", "参数"),
    ("value", "Value", "取值"),
    ("type", "Type", "类型"),
    ("required", "Required", "必需"),
    ("default", "Default", "默认值"),
    ("description", "Description", "说明"),
    (
        "undeclared",
        "Its arguments are not described; any are passed on.",
        "参数未说明；任何参数都会原样传递。",
    ),
    ("nothing", "Takes no arguments.", "无参数。"),
    ("configuration", "Configuration", "配置"),
    ("key", "Key", "配置项"),
    ("legacy_default", "Default", "默认值"),
    ("secret", "secret", "保密"),
    ("placeholders", "Content", "内容"),
    ("placeholders_intro", "The result has:", "结果包含："),
    ("advice", "Advice", "用法要点"),
    ("care", "Be careful", "注意"),
    ("notes", "Notes", "备注"),
    ("lost", "What was not carried over", "未迁移的内容"),
    ("references", "More:", "更多："),
    ("comma", ", ", "、"),
    ("space", " ", ""),
    ("open", " (", "（"),
    ("close", ")", "）"),
    ("colon", ": ", "："),
    ("ref_settings", "all settings", "全部配置项"),
    ("ref_readme", "the old plugin's own text", "原插件的说明"),
    ("ref_manifest", "original definition", "原始定义"),
    ("yes", "yes", "是"),
    ("examples", "Examples", "示例"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_the_texts() {
        let check =
            |text: &str, expected| assert_eq!(LanguageChoice::Auto.language_of(text), expected);
        check("Rolls dice.", Language::English);
        check("执行 SciCalculator 数学表达式计算", Language::Chinese);
        check("", Language::English);
    }
}
