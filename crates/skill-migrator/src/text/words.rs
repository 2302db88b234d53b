//! The words that the migration adds to a text, in its language.

use skill_model::Config;

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

/// Returns sentences about the settings of a package that a text names: `${user_config.KEY}`.
pub(crate) fn settings(config: &Config, body: &str, language: Language) -> Vec<String> {
    let properties = config.schema.as_ref();
    let properties = properties.and_then(|schema| schema["properties"].as_object());
    let all = properties.into_iter().flatten();
    let named = all.filter(|(key, _)| body.contains(&format!("${{user_config.{key}}}")));
    let sentences = named.map(|(key, about)| {
        let texts = ["title", "description"].map(|key| about[key].as_str().unwrap_or_default());
        let texts: Vec<&str> = texts.into_iter().filter(|text| !text.is_empty()).collect();
        let default = about
            .get("default")
            .filter(|_| !config.secret.contains(key));
        let value = match (default, language) {
            (Some(value), _) => {
                let value = value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_owned);
                format!("{} `{value}`", language.pick("by default", "默认为"))
            }
            (None, Language::English) => "ask the user for its value".to_owned(),
            (None, Language::Chinese) => "请向用户询问其值".to_owned(),
        };
        let about = texts.join(language.pick(", ", "，"));
        let gap = match (about.is_empty(), language) {
            (true, _) => "",
            (false, Language::English) => "; ",
            (false, Language::Chinese) => "；",
        };
        match language {
            Language::English => format!("The setting `{key}`: {about}{gap}{value}."),
            Language::Chinese => format!("配置项 `{key}`：{about}{gap}{value}。"),
        }
    });
    sentences.collect()
}

/// Returns the words for an agent that is a reference.
pub(crate) fn agent(name: &str, path: &str, language: Language) -> String {
    let word = language.pick("the agent", "代理");
    format!("{word} [{name}]({path})")
}

/// Returns the words for a tool of the skill of a server; `*` is all of them.
pub(crate) fn tool_of(tool: &str, skill: &str, language: Language) -> String {
    match (tool, language) {
        ("*", Language::English) => format!("the tools of the skill `{skill}`"),
        ("*", Language::Chinese) => format!("技能 `{skill}` 的工具"),
        (tool, Language::English) => format!("the tool `{tool}` of the skill `{skill}`"),
        (tool, Language::Chinese) => format!("技能 `{skill}` 的工具 `{tool}`"),
    }
}

/// Returns the words for the value of an environment variable.
pub(crate) fn variable(key: &str, language: Language) -> String {
    let words = language.pick("the value of the environment variable", "环境变量的值");
    format!("{words} `{key}`")
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
