//! What a user wants who needs a command: its summary without the words about the tool.

use crate::lex::chars::{head, is_cjk, strip_word};
use crate::source::PluginSource;

/// Longest purpose, in characters.
const MAX_CJK: usize = 30;
const MAX_ENGLISH: usize = 90;

/// Beginnings that speak of the tool and not of what it does.
const ABOUT_TOOL: [&str; 46] = [
    "调用此工具来",
    "调用此工具",
    "使用该工具",
    "使用此工具",
    "此工具用于",
    "该工具用于",
    "本工具用于",
    "本插件用于",
    "该插件用于",
    "此命令用于",
    "该命令用于",
    "一个强大的、",
    "一个用于",
    "一个强大的",
    "一个高性能的",
    "一个简单的",
    "一个",
    "一款",
    "用于",
    "用来",
    "允许ai",
    "允许AI",
    "允许",
    "可以",
    "能够",
    "支持",
    "提供",
    "实现",
    "负责",
    "功能:",
    "功能：",
    "this tool ",
    "this plugin ",
    "this command ",
    "a plugin that ",
    "a plugin to ",
    "a plugin for ",
    "a tool that ",
    "a tool to ",
    "a tool for ",
    "tool to ",
    "tool for ",
    "plugin for ",
    "plugin to ",
    "used to ",
    "allows you to ",
];

/// The purposes of a plugin: of its commands, or of itself where it has none.
pub(crate) fn of_plugin(source: &PluginSource<'_>) -> Vec<String> {
    let mut res: Vec<String> = Vec::new();
    for (_, summary) in source.commands.iter().take(12) {
        push(&mut res, of_text(summary));
    }
    if source.commands.len() < 2 {
        push(&mut res, of_text(source.description));
    }
    for (_, description) in source.placeholders.iter().take(2) {
        push(&mut res, of_text(description));
    }
    res
}

fn push(res: &mut Vec<String>, purpose: String) {
    if purpose.chars().count() > 1 && !res.contains(&purpose) {
        res.push(purpose);
    }
}

/// The first clause of a text, as something that one may need.
pub(crate) fn of_text(text: &str) -> String {
    let text = plain(head(text, 800));
    let mut body = text.as_str();
    while let Some(rest) = label(body) {
        body = rest;
    }
    for _ in 0..3 {
        let Some(rest) = ABOUT_TOOL.iter().find_map(|cue| strip_word(body, cue)) else {
            break;
        };
        body = rest.trim_start();
    }
    clause(body)
}

/// A text on one line without marks and placeholders.
pub(crate) fn plain(text: &str) -> String {
    let text: String = text
        .chars()
        .filter(|c| !matches!(c, '<' | '>' | '{' | '}' | '*' | '`' | '#'))
        .collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Skips a label in brackets: `【查询画师】`, `「列出日记」：`, `[功能已弃用]`.
fn label(text: &str) -> Option<&str> {
    let close = match text.chars().next()? {
        '【' => '】',
        '「' => '」',
        '“' => '”',
        '[' => ']',
        _ => return None,
    };
    let at = text.find(close)?;
    let rest = text[at + close.len_utf8()..].trim_start_matches([':', '：', ' ']);
    (!rest.is_empty()).then_some(rest)
}

/// The first clause; more of the sentence where that clause is very short.
fn clause(text: &str) -> String {
    let cjk = text.chars().take(60).filter(|c| is_cjk(*c)).count() > 4;
    let limit = if cjk { MAX_CJK } else { MAX_ENGLISH };
    let mut res = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let blank = chars.peek().is_none_or(|next| next.is_whitespace());
        let sentence = matches!(c, '。' | '！' | '？' | '；' | ';' | '（' | '：')
            || (matches!(c, '.' | '!' | ':') && blank)
            || (c == '(' && !cjk);
        let comma = matches!(c, '，') || (c == ',' && cjk);
        if sentence || (comma && res.chars().count() >= 6) {
            break;
        }
        res.push(c);
    }
    cut(res.trim(), limit, cjk)
}

/// Cuts at a length, between words where there are any.
fn cut(text: &str, limit: usize, cjk: bool) -> String {
    let Some((at, _)) = text.char_indices().nth(limit) else {
        return text.to_owned();
    };
    let short = &text[..at];
    let end = if cjk {
        short.rfind(['、', '和', '与', '及'])
    } else {
        short.rfind(' ')
    };
    short[..end.filter(|&end| end > at / 2).unwrap_or(at)]
        .trim_end_matches([',', '、', ' '])
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(of_text(text), expected);
    }

    #[test]
    fn words_about_the_tool_are_taken_off() {
        check(
            "调用此工具来查询一个画师的准确标签。更多。",
            "查询一个画师的准确标签",
        );
        check("【随机】列出十个名字，并排序。", "列出十个名字");
        check("一个用于整理书签的工具。", "整理书签的工具");
        check("This tool finds files. Fast.", "finds files");
        check("", "");
    }
}
