//! The help and the errors of a command line: finished English text in, Chinese text out.
//!
//! The English text must not be wrapped, so that each of its lines has a whole text of the table,
//! perhaps after the name of an option. The Chinese text is wrapped here, where it is known how wide
//! its characters are.

use crate::Language;
use crate::width::{columns, wrap};

/// The labels at the beginning of a line.
const LABELS: [(&str, &str); 4] = [
    ("Usage:", "用法："),
    ("error:", "错误："),
    ("warning:", "警告："),
    ("tip:", "建议："),
];
/// The least room for a text beside the name of an option, in columns.
const MIN_ROOM: usize = 24;
/// The indentation of texts that do not fit beside a name, in columns.
const INDENT: usize = 10;

/// Returns a help text in a language, wrapped at `width` columns. English is returned as it is.
pub fn translated(text: &str, language: Language, width: usize) -> String {
    if language == Language::English {
        return text.to_owned();
    }
    let mut res = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let end = if line.ends_with('\n') { "\n" } else { "" };
        let (start, said) = in_chinese(line.trim_end_matches('\n').trim_end());
        push_wrapped(&start, &said, width, &mut res);
        res.push_str(end);
    }
    res
}

fn push_wrapped(start: &str, text: &str, width: usize, res: &mut String) {
    let mut indent = columns(start);
    res.push_str(start);
    if indent > 0 && indent + MIN_ROOM > width && !text.is_empty() {
        indent = INDENT;
        res.truncate(res.trim_end().len());
        res.push('\n');
        res.push_str(&" ".repeat(indent));
    }
    let room = width.saturating_sub(indent).max(MIN_ROOM);
    let lines = wrap(text, room);
    res.push_str(&lines.join(&format!("\n{}", " ".repeat(indent))));
}

/// Returns the part of a line before its text, and the text in Chinese.
fn in_chinese(line: &str) -> (String, String) {
    let text = line.trim_start();
    let indent = &line[..line.len() - text.len()];
    let (before, inner, after) = without_style(text);
    if let Some(labelled) = labelled(text) {
        return (indent.to_owned(), labelled);
    }
    if let Some(said) = said(inner) {
        return (indent.to_owned(), format!("{before}{said}{after}"));
    }
    if let Some(said) = said(text) {
        return (indent.to_owned(), said);
    }
    if let Some(title) = inner.strip_suffix(':').filter(|_| indent.is_empty()) {
        let title = Language::Chinese.say(title);
        return (String::new(), format!("{before}{title}：{after}"));
    }
    let at = match text.strip_prefix("- ") {
        Some(item) => item.find(": ").map(|at| at + "- ".len() + ": ".len()),
        None => text.find("  "),
    };
    let Some(at) = at else {
        return (indent.to_owned(), with_remarks(text));
    };
    let right = text[at..].trim_start();
    let left = &line[..line.len() - right.len()];
    (left.to_owned(), with_remarks(right))
}

/// Returns a line with its label in Chinese, and what follows it.
fn labelled(text: &str) -> Option<String> {
    let (_, inner, _) = without_style(text);
    let (label, chinese) = LABELS.iter().find(|(label, _)| inner.starts_with(label))?;
    let (before, rest) = text.split_once(label)?;
    let message = rest.trim_start_matches(|c| c != ' ').trim_start();
    let style = rest.strip_suffix(message)?.trim_end();
    let message = said(message).unwrap_or_else(|| message.to_owned());
    Some(format!("{before}{chinese}{style}{message}"))
}

/// Returns a text whose last remarks in brackets, such as `[default: 2]`, have rows of their own.
fn with_remarks(text: &str) -> String {
    if let Some(said) = said(text) {
        return said;
    }
    let remark = text.ends_with(']').then(|| text.rfind(" [")).flatten();
    let Some(at) = remark else {
        return text.to_owned();
    };
    let remark = Language::Chinese.say(&text[at + 1..]);
    format!("{} {remark}", with_remarks(text[..at].trim_end()))
}

/// Returns the translation of a text that has one.
fn said(text: &str) -> Option<String> {
    let said = Language::Chinese.say(text);
    (said != text).then(|| said.into_owned())
}

/// Splits off the codes for colours at both ends.
fn without_style(text: &str) -> (&str, &str, &str) {
    let mut inner = text;
    while let Some((code, rest)) = inner
        .strip_prefix('\u{1b}')
        .and_then(|it| it.split_once('m'))
    {
        if code.contains(' ') {
            break;
        }
        inner = rest;
    }
    let before = &text[..text.len() - inner.len()];
    let mut end = inner.len();
    while let Some(at) = inner[..end].rfind('\u{1b}') {
        let is_code = inner[at..end].ends_with('m') && !inner[at..end - 1].contains('m');
        if !is_code {
            break;
        }
        end = at;
    }
    (before, &inner[..end], &inner[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, width: usize, expected: &str) {
        assert_eq!(translated(text, Language::Chinese, width), expected);
        assert_eq!(translated(text, Language::English, width), text);
    }

    #[test]
    fn the_names_of_options_stay() {
        check(
            "Usage: skills-validate [OPTIONS] [PATH]\n\nOptions:\n  -q, --quiet  Report only errors\n      --lang <LANG>\n          Name of the skill [default: auto] [possible values: auto, en]\n",
            80,
            "用法：skills-validate [OPTIONS] [PATH]\n\n选项：\n  -q, --quiet  只报告错误\n      --lang <LANG>\n          技能名称 [默认：auto] [可选值：auto, en]\n",
        );
        check(
            "          - full: Nothing runs unless all restrictions apply\n",
            80,
            "          - full: 除非全部限制都生效，否则不运行\n",
        );
    }

    #[test]
    fn a_text_is_wrapped_beside_its_name() {
        check(
            "  -q, --quiet   Write a prompt: the list of skills, and the instructions of some [default: progressive]\n",
            48,
            "  -q, --quiet   输出提示词：技能列表以及其中一些\n                技能的指令 [默认：progressive]\n",
        );
    }

    #[test]
    fn colours_stay() {
        check(
            "\u{1b}[1m\u{1b}[4mOptions:\u{1b}[0m\n\u{1b}[1m\u{1b}[31merror:\u{1b}[0m unexpected argument '\u{1b}[33m--x\u{1b}[0m' found\n",
            80,
            "\u{1b}[1m\u{1b}[4m选项：\u{1b}[0m\n\u{1b}[1m\u{1b}[31m错误：\u{1b}[0m未知的参数 '\u{1b}[33m--x\u{1b}[0m'\n",
        );
    }
}
