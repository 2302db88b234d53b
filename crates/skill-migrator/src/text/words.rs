//! The words that the migration adds to a text, in its language.

use crate::render::Language;

/// Returns the heading of the section on what the old host did.
pub(crate) fn old_host(language: Language) -> &'static str {
    language.pick("## From the old host", "## 旧宿主的规定")
}

/// Returns the beginning of the description of a skill that only a user may start.
pub(crate) fn on_request(language: Language) -> &'static str {
    language.pick("Use only when asked for by name.", "仅在点名要求时使用。")
}

/// Returns the sentence about a file that the host always loaded.
pub(crate) fn always_loaded(path: &str, language: Language) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    match language {
        Language::English => {
            format!("Read [{name}]({path}) first: the old host always loaded it.")
        }
        Language::Chinese => format!("先阅读 [{name}]({path})：旧宿主始终会加载它。"),
    }
}

/// Returns the sentence about the agents of the package that are references.
pub(crate) fn agents(paths: &[String], language: Language) -> Option<String> {
    let links = paths.iter().map(|path| {
        let name = path.rsplit('/').next().unwrap_or(path);
        let name = name.split('.').next().unwrap_or(name);
        format!("[{name}]({path})")
    });
    let links: Vec<String> = links.collect();
    let text = match language {
        Language::English => format!("Agents of the package: {}.", links.join(", ")),
        Language::Chinese => format!("同一软件包中的代理：{}。", links.join("、")),
    };
    (!paths.is_empty()).then_some(text)
}

/// Returns the words for an agent that is a reference.
pub(crate) fn agent(name: &str, path: &str, language: Language) -> String {
    let word = language.pick("the agent", "代理");
    format!("{word} [{name}]({path})")
}

/// Returns a description with the name of the part, which the name of the skill does not have.
pub(crate) fn named(name: &str, description: &str, language: Language) -> String {
    format!("{name}{}{description}", language.pick(": ", "："))
}

/// Returns a description for a text that says nothing about itself.
pub(crate) fn nameless(name: &str, language: Language) -> String {
    format!("{} `{name}`.", language.pick("The prompt", "提示词"))
}

/// Returns the name of another skill, in place of a link to it with these words.
pub(crate) fn other_skill(words: &str, skill: &str, language: Language) -> String {
    let named = format!("{} `{skill}`", language.pick("the skill", "技能"));
    if words.is_empty() || words.trim_matches('`') == skill || words.ends_with("SKILL.md") {
        named
    } else {
        format!("{words} ({named})")
    }
}
