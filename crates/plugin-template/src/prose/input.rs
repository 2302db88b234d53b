//! The section about the arguments.

use std::collections::BTreeSet;

use super::{Language, ProseSettings, Writer};
use crate::argument::WHOLE;
use crate::code::in_code;
use crate::piece::PieceKind;
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
    let takes = template.is_about_arguments();
    if !takes && !template.dialect().appends_arguments() {
        return None;
    }
    let is_whole = |argument: &Argument| argument.name == WHOLE && argument.description.is_empty();
    let printed = printed(template, settings);
    let listed = settings.arguments.iter();
    let mut listed: Vec<String> = listed
        .filter(|argument| !is_whole(argument))
        .map(|argument| row(argument, printed.contains(&argument.name), words))
        .collect();
    if !listed.is_empty() {
        listed.extend(unlisted(printed, settings));
    }
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

/// Returns the names that the prose has.
fn printed(template: &Template, settings: &ProseSettings<'_>) -> BTreeSet<String> {
    let writer = Writer::new(template, settings);
    let sure = template
        .placeholders()
        .filter(|piece| piece.doubt.is_none());
    let taken = sure.filter(|piece| {
        matches!(
            piece.kind,
            PieceKind::Arguments | PieceKind::Argument { .. }
        )
    });
    taken.map(|piece| writer.name(piece)).collect()
}

/// Returns rows for the names in the prose that no argument has: that of everything that the user wrote
/// beside the names of its parts, and numbers that no argument has.
fn unlisted(printed: BTreeSet<String>, settings: &ProseSettings<'_>) -> Vec<String> {
    let is_listed = |name: &str| {
        let mut arguments = settings.arguments.iter();
        arguments.any(|argument| argument.name == name)
    };
    let names = printed.into_iter().filter(|name| !is_listed(name));
    let all = settings
        .language
        .pick("all of it, as one text", "全部内容，作为一段文本");
    let rows = names.map(|name| {
        let mut argument = Argument::new(name, false);
        if argument.name == WHOLE {
            all.clone_into(&mut argument.description);
        }
        row(&argument, true, settings.language)
    });
    rows.collect()
}

/// Returns the row of an argument. A flag that the prose does not have is shown as it is typed.
fn row(argument: &Argument, is_printed: bool, words: Language) -> String {
    let is_typed = argument.name.starts_with('-') && !is_printed;
    let name = if is_typed {
        in_code(&argument.name)
    } else {
        in_code(&format!("<{}>", argument.name))
    };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dialect;

    /// Compares the names in the rows of the section.
    #[track_caller]
    fn check(body: &str, hint: &str, expected: &[&str]) {
        let template = Template::parse(body, Dialect::Claude, &[]);
        let arguments = template.arguments(hint);
        let section = input_section(
            &template,
            &ProseSettings {
                language: Language::English,
                arguments: &arguments,
                first_index: 1,
                replace: &|_| None,
            },
        );
        let section = section.unwrap_or_default();
        let rows = section.lines().filter_map(|line| line.strip_prefix("- `<"));
        let names: Vec<&str> = rows
            .filter_map(|row| Some(row.split_once(">`")?.0))
            .collect();
        assert_eq!(names, expected, "{section}");
    }

    #[test]
    fn each_name_in_the_text_has_a_row() {
        check("Do $ARGUMENTS.", "", &[]);
        check("Do $ARGUMENTS.", "<file>", &["file"]);
        check(
            "Do $ARGUMENTS.",
            "<file> [level]",
            &["file", "level", "arguments"],
        );
        check(
            "Do $1 to $2, or $ARGUMENTS.",
            "",
            &["argument-1", "argument-2", "arguments"],
        );
        check(
            "Run !`go $ARGUMENTS` with $1 and $2.",
            "<a> <b>",
            &["a", "b", "arguments"],
        );
        check("Do $0 and $1.", "<a> <b>", &["a", "b", "argument-0"]);
        check("Do $1 of $2.", "<a> <b>", &["a", "b"]);
        check("First $1 of $ARGUMENTS.", "", &["argument-1", "arguments"]);
    }
}
