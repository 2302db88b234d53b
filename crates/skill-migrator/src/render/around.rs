//! The surroundings that a program needs and `skills-run` provides.

use skill_model::Metadata;

use super::Language;

/// The surroundings that the code of a program needs.
#[derive(Clone, Default, Debug)]
pub(crate) struct Around {
    /// The variables of the old host that it needs.
    pub(crate) host_values: Vec<String>,
    /// The settings without which it ends.
    pub(crate) needed: Vec<String>,
    /// True if it writes files.
    pub(crate) writes: bool,
}

/// Returns what a program needs around it, as phrases; none for one that a shell can start as it is.
pub(super) fn phrases(metadata: &Metadata, around: &Around, language: Language) -> Vec<String> {
    let list = |names: &[String]| {
        let names = names.iter().map(|name| format!("`{name}`"));
        names.collect::<Vec<_>>().join(language.pick(", ", "、"))
    };
    let mut res = Vec::new();
    if !metadata.host_modules.is_empty() || !metadata.host_answered.is_empty() {
        let modules = language.pick("parts of the legacy host", "旧宿主的部分模块");
        res.push(modules.to_owned());
    }
    let neighbours = &metadata.requires.skills;
    if !neighbours.is_empty() {
        let skills = language.pick(
            "files of these skills beside it: ",
            "同目录下这些技能的文件：",
        );
        res.push(format!("{skills}{}", list(neighbours)));
    }
    if !around.host_values.is_empty() {
        let values = language.pick("variables of the legacy host: ", "旧宿主的变量：");
        res.push(format!("{values}{}", list(&around.host_values)));
    }
    let is_line = metadata
        .entry
        .as_ref()
        .is_some_and(|entry| entry.argv.is_empty() && entry.module.is_none());
    let requires = &metadata.requires;
    if !requires.npm.is_empty() || !requires.pip.is_empty() {
        let packages = language.pick("installed packages", "已安装的依赖包");
        res.push(packages.to_owned());
    }
    // A line that only a shell can read is refused there without a permission.
    if !is_line {
        res.extend(of_tool(metadata, around, language));
    }
    res
}

fn of_tool(metadata: &Metadata, around: &Around, language: Language) -> Vec<String> {
    let rows = [
        (
            has_settings(metadata),
            language.pick("your settings", "所存的配置"),
        ),
        (
            around.writes,
            language.pick(
                "a directory outside of this skill for the files that it writes",
                "此技能之外用于写入文件的目录",
            ),
        ),
    ];
    let rows = rows.into_iter().filter(|(is_needed, _)| *is_needed);
    rows.map(|(_, phrase)| phrase.to_owned()).collect()
}

/// Returns true if the user may have stored a setting for it: one that is declared, restricts the
/// program, or is a secret.
pub(super) fn has_settings(metadata: &Metadata) -> bool {
    let config = &metadata.config;
    config.schema.is_some() || !config.guards.is_empty() || !config.secret.is_empty()
}
