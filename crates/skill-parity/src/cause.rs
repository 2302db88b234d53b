//! The kinds of reasons why a plugin is not verified.

/// The kind of a reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// There is no skill.
    NotMigrated,
    /// The plugin or the skill is switched off.
    SwitchedOff,
    /// The user has not permitted it.
    Permit,
    /// It is made for another system, or its program is elsewhere.
    Machine,
    /// A program that it starts is not installed.
    Program,
    /// A package is not installed.
    Package,
    /// A setting has no value.
    Setting,
    /// A part of the old host is missing.
    HostPart,
    /// There was not enough time.
    Time,
    /// It does not understand the answers of an emulated internet.
    Answer,
    /// No case shows that it works.
    Case,
    /// The skill, or the plugin, cannot be read or started.
    Broken,
}

impl Cause {
    /// All causes, in the order of reports.
    pub const ALL: [Self; 12] = [
        Self::NotMigrated,
        Self::SwitchedOff,
        Self::Permit,
        Self::Machine,
        Self::Program,
        Self::Package,
        Self::Setting,
        Self::HostPart,
        Self::Time,
        Self::Answer,
        Self::Case,
        Self::Broken,
    ];

    /// Returns the word for programs.
    pub fn word(self) -> &'static str {
        match self {
            Self::NotMigrated => "not-migrated",
            Self::SwitchedOff => "switched-off",
            Self::Permit => "permit",
            Self::Machine => "machine",
            Self::Program => "program",
            Self::Package => "package",
            Self::Setting => "setting",
            Self::HostPart => "host-part",
            Self::Time => "time",
            Self::Answer => "answer",
            Self::Case => "case",
            Self::Broken => "broken",
        }
    }

    /// Returns the words for people, after a number of plugins.
    pub fn words(self) -> &'static str {
        match self {
            Self::NotMigrated => "not migrated",
            Self::SwitchedOff => "switched off",
            Self::Permit => "without a permit",
            Self::Machine => "for another machine",
            Self::Program => "without a program",
            Self::Package => "without a package",
            Self::Setting => "without a setting",
            Self::HostPart => "without a part of the old host",
            Self::Time => "without enough time",
            Self::Answer => "without an answer that they understand",
            Self::Case => "without a case that shows their work",
            Self::Broken => "not loaded or started",
        }
    }
}

/// Words of messages about settings without a value.
const OF_SETTINGS: [&str; 11] = [
    "not configured",
    "not set",
    "config.env",
    "api key",
    "apikey",
    "api_key",
    "environment",
    "未配置",
    "未设置",
    "环境变量",
    "密钥",
];

/// Returns the cause of a failure with this message, and the key of the setting that it names. `unset`
/// are the keys without a value.
pub(crate) fn of_failure<'k>(why: &str, unset: &'k [String]) -> (Cause, Option<&'k str>) {
    const LOCAL: [&str; 4] = ["module './", "module '../", "module '/", "module '${"];
    if is_missing_module(why) {
        let is_local = LOCAL.iter().any(|start| why.contains(start));
        let cause = if is_local {
            Cause::HostPart
        } else {
            Cause::Package
        };
        return (cause, None);
    }
    let is_named = |key: &&String| {
        let mut words = why.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|word| word == key.as_str())
    };
    if let Some(key) = unset.iter().find(is_named) {
        return (Cause::Setting, Some(key));
    }
    let lower = why.to_lowercase();
    let is_unbuilt = lower.contains("bindings file");
    if is_unbuilt || lower.contains("npm install") || lower.contains("pip install") {
        return (Cause::Package, None);
    }
    let is_spawn = lower.contains("spawn ") && lower.contains("enoent");
    let is_absent = lower.contains("executable") && lower.contains("not found");
    if is_spawn || is_absent || lower.contains("command not found") {
        return (Cause::Program, None);
    }
    if OF_SETTINGS.iter().any(|words| lower.contains(words)) {
        (Cause::Setting, None)
    } else if lower.contains("timed out") {
        (Cause::Time, None)
    } else {
        (Cause::Case, None)
    }
}

/// Returns true if a program failed because a module could not be found.
pub(crate) fn is_missing_module(why: &str) -> bool {
    const WORDS: [&str; 4] = [
        "Cannot find module",
        "Cannot find package",
        "ModuleNotFoundError",
        "No module named",
    ];
    let is_package = why.contains("the package `") && why.contains(" is not installed: ");
    is_package || WORDS.iter().any(|words| why.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_causes() {
        let unset = ["WeatherKey".to_owned(), "URL".to_owned()];
        for (why, cause, key) in [
            ("Error: Cannot find module 'axios'", Cause::Package, None),
            (
                "Cannot find module '../../modules/x.js'",
                Cause::HostPart,
                None,
            ),
            ("No module named 'numpy'", Cause::Package, None),
            ("WeatherKey is missing", Cause::Setting, Some("WeatherKey")),
            ("Invalid URLs", Cause::Case, None),
            ("错误：未配置搜索引擎", Cause::Setting, None),
            (
                "Could not locate the bindings file. Tried: x",
                Cause::Package,
                None,
            ),
            ("缺少 sdk。请运行 npm install。", Cause::Package, None),
            ("sh: 1: fd: command not found", Cause::Program, None),
            ("spawn fd ENOENT", Cause::Program, None),
            ("the command `x` was not found", Cause::Case, None),
            ("the call timed out", Cause::Time, None),
            ("no such file", Cause::Case, None),
        ] {
            assert_eq!(of_failure(why, &unset), (cause, key), "{why}");
        }
    }
}
