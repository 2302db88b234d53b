//! The section about the arguments.

use super::{Language, ProseSettings};
use crate::code::in_code;
use crate::{Argument, Template};

/// Returns the section *Input* of SKILL.md, or `None` if the host drops what the user types behind
/// this prompt.
///
/// ```
/// use plugin_template::{Dialect, Language, ProseSettings, Template, input_section};
///
/// let template = Template::parse("Move to $1.", Dialect::Codex, &[]);
/// let section = input_section(&template, &ProseSettings {
///     language: Language::English,
///     arguments: &template.arguments("<branch>"),
///     first_index: 1,
///     replace: &|_| None,
/// });
/// assert!(section.unwrap().ends_with("- `<branch>` (required)\n"));
/// ```
pub fn input_section(template: &Template, settings: &ProseSettings<'_>) -> Option<String> {
    let words = settings.language;
    let title = words.pick("## Input", "## 输入");
    let takes = template.takes_arguments();
    if !takes && !template.dialect().appends_arguments() {
        return None;
    }
    let is_whole =
        |argument: &Argument| argument.name == "arguments" && argument.description.is_empty();
    let listed: Vec<String> = settings
        .arguments
        .iter()
        .filter(|argument| !is_whole(argument))
        .map(|argument| row(argument, words))
        .collect();
    let sentence = match (takes, listed.is_empty()) {
        (false, true) => words.pick(
            "What the user wrote after the name of this skill is part of the request.",
            "用户在技能名之后写的内容是请求的一部分。",
        ),
        (true, true) => words.pick(
            "`<arguments>` is what the user wrote after the name of this skill, or asks for.",
            "`<arguments>` 是用户在技能名之后写的内容，或用户的要求。",
        ),
        (_, false) => words.pick(
            "What the user wrote after the name of this skill, or asks for:",
            "用户在技能名之后写的内容，或用户的要求：",
        ),
    };
    let mut res = format!("{title}\n\n{sentence}\n");
    if !listed.is_empty() {
        res += "\n";
        res.extend(listed);
    }
    Some(res)
}

fn row(argument: &Argument, words: Language) -> String {
    let name = in_code(&format!("<{}>", argument.name));
    let need = if argument.required {
        words.pick("required", "必需")
    } else {
        words.pick("optional", "可选")
    };
    let mut res = match words {
        Language::English => format!("- {name} ({need})"),
        Language::Chinese => format!("- {name}（{need}）"),
    };
    let colon = words.pick(": ", "：");
    let mut details = Vec::new();
    if !argument.description.is_empty() {
        details.push(argument.description.clone());
    }
    if !argument.choices.is_empty() {
        let choices: Vec<String> = argument
            .choices
            .iter()
            .map(|choice| in_code(choice))
            .collect();
        let one_of = words.pick("one of ", "可取值 ");
        details.push(format!("{one_of}{}", choices.join(words.pick(", ", "、"))));
    }
    if !details.is_empty() {
        res += colon;
        res += &details.join(words.pick("; ", "；"));
    }
    res + "\n"
}
