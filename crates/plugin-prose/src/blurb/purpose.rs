//! Derives the purposes of a plugin: the summaries of its commands without the words about the
//! tool.

use super::text::begins_with_deed;
use crate::lex::chars::{head, is_cjk, strip_word};
use crate::lex::group;
use crate::source::PluginSource;

/// The maximum width of a purpose; a Chinese character is two wide.
const MAX_WIDTH: usize = 88;

/// The maximum number of commands that are looked at.
const MAX_COMMANDS: usize = 64;

/// Beginnings about the tool rather than its effect.
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

/// Returns the purposes of a plugin: those of its commands, or its own if it has no commands.
pub(crate) fn of_plugin(source: &PluginSource<'_>) -> Vec<String> {
    let mut res: Vec<String> = Vec::new();
    for (_, summary) in source.commands.iter().take(MAX_COMMANDS) {
        push(&mut res, title(summary).unwrap_or_else(|| of_text(summary)));
    }
    if source.commands.len() < 2 {
        for purpose in source.texts.iter().flat_map(|text| listed(text)) {
            push(&mut res, purpose);
        }
        push(&mut res, of_text(source.description));
    }
    // Beside commands, the values are not what a call gives.
    if source.commands.is_empty() {
        for (_, description) in source.placeholders.iter().take(2) {
            push(&mut res, of_text(description));
        }
    }
    res
}

/// Returns the purposes of a list of operations, `1. repo_get — 获取仓库信息`: of names of code, which
/// one argument selects.
fn listed(text: &str) -> Vec<String> {
    const MIN: usize = 4;
    const MAX: usize = 12;
    let item = |line: &str| {
        let bare = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let bare = bare.trim_start_matches(['.', ')', '、', '-', '*', '`', ' ']);
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = bare.find(|c| !is_name(c))?;
        let rest = bare[end..].trim_start_matches(['`', '*', ' ']);
        let marks = ["—", "–", "- ", "：", ": "];
        let purpose = marks.iter().find_map(|mark| rest.strip_prefix(mark))?;
        let is_operation = bare[..end].contains('_') && bare.len() < line.len();
        is_operation.then(|| of_text(purpose.trim_start_matches(['—', ' '])))
    };
    let all = text.lines().filter_map(|line| item(line.trim()));
    // An item on a parameter is a noun.
    let all = all.filter(|it| begins_with_deed(it)).take(MAX);
    let all: Vec<String> = all.collect();
    if all.len() < MIN { Vec::new() } else { all }
}

/// Returns the title in brackets at the start of a summary: `【打开一个表格】…`.
fn title(text: &str) -> Option<String> {
    let (inner, _) = text.trim_start().strip_prefix('【')?.split_once('】')?;
    let said = inner.chars().filter(|c| is_cjk(*c)).count();
    (said > 3 && inner.chars().count() < 30 && !inner.contains(['必', '注'])).then(|| {
        let last = inner.rsplit(['：', ':']).next().unwrap_or(inner);
        plain(last)
    })
}

/// Returns the words of a purpose without names of commands.
fn spoken(text: &str) -> String {
    text.chars().filter(|c| is_cjk(*c)).collect()
}

fn push(res: &mut Vec<String>, purpose: String) {
    let words = spoken(&purpose);
    if words.chars().count() > 3 && res.iter().any(|other| spoken(other) == words) {
        return;
    }
    let said = res
        .iter()
        .any(|other| other.contains(&purpose) || other.starts_with(purpose.trim_end_matches('。')));
    if purpose.chars().count() > 1 && !said {
        res.push(purpose);
    }
}

/// Returns the first clause of a text, as something that one may need.
pub(crate) fn of_text(text: &str) -> String {
    let text = plain(head(text, 800));
    let mut body = text.as_str();
    while let Some(rest) = label(body) {
        body = rest;
    }
    for _ in 0..3 {
        body = after_condition(body);
        let Some(rest) = ABOUT_TOOL.iter().find_map(|cue| strip_word(body, cue)) else {
            break;
        };
        body = rest.trim_start();
    }
    if body.starts_with("要使用") {
        return String::new();
    }
    clause(body)
}

/// Skips a condition at the beginning: `当你犹豫时，`.
fn after_condition(text: &str) -> &str {
    match text.split_once(['，', ',']) {
        Some((first, rest)) if first.ends_with('时') && first.chars().count() < 20 => {
            rest.trim_start()
        }
        _ => text,
    }
}

/// Returns a text on one line without marks and placeholders.
pub(crate) fn plain(text: &str) -> String {
    // An arrow is a sign of its own: `.eml -> .md`.
    let text = text.replace("->", "→").replace("=>", "⇒");
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

/// Returns the first clause, without remarks in brackets.
fn clause(text: &str) -> String {
    let mut res = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some((_, after)) = group::take(rest).filter(|_| matches!(c, '(' | '（')) {
            rest = after;
            continue;
        }
        rest = &rest[c.len_utf8()..];
        let cjk = res.chars().any(is_cjk);
        if ends_sentence(c, rest) {
            break;
        }
        let comma = c == '，' || (c == ',' && cjk);
        if comma && res.chars().count() >= 6 {
            break;
        }
        res.push(c);
    }
    let kind = ["的插件", "的工具", "的系统"]
        .iter()
        .find_map(|kind| res.trim().strip_suffix(kind));
    cut(kind
        .filter(|stem| stem.chars().count() > 3)
        .unwrap_or(&res)
        .trim())
}

fn ends_sentence(c: char, rest: &str) -> bool {
    let blank = rest.chars().next().is_none_or(char::is_whitespace);
    matches!(c, '。' | '！' | '？' | '；' | ';' | '：') || (matches!(c, '.' | '!' | ':') && blank)
}

/// The minimum length of an English deed without its manner, in bytes.
const MIN_DEED: usize = 12;

/// Cuts at a width, after a part of a list; a clause without parts that is too long is not a purpose.
fn cut(text: &str) -> String {
    if super::text::width(text) <= MAX_WIDTH {
        return text.to_owned();
    }
    let mut width = 0;
    let end = text.char_indices().find(|(_, c)| {
        width += if c.is_ascii() { 1 } else { 2 };
        width > MAX_WIDTH
    });
    let short = &text[..end.map_or(text.len(), |(at, _)| at)];
    // A list behind `with` is not cut inside.
    let manner = [" with ", " using ", " including ", " such as "].iter();
    let manner = manner.filter_map(|word| short.find(word)).min();
    let manner = manner.filter(|at| *at >= MIN_DEED && !text.chars().any(is_cjk));
    let commas = ["、", ", ", "，"].iter();
    let end = commas.filter_map(|comma| short.rfind(comma)).max();
    let end = manner.or_else(|| end.filter(|end| end * 2 > short.len()));
    end.map_or("", |end| &short[..end]).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(of_text(text), expected);
    }

    #[test]
    fn operations_of_a_list() {
        let text = "支持以下命令：\n1. tea_get — 获取茶叶信息\n2. tea_list — 列出茶叶\n3. pot_search — 搜索茶壶（仅限本店）\n- `pot_open`: 打开茶壶\n";
        let expected = ["获取茶叶信息", "列出茶叶", "搜索茶壶", "打开茶壶"];
        assert_eq!(listed(text), expected);
        assert_eq!(
            listed("- tea_kind: 茶的种类\n- pot_size: 壶的大小\n"),
            [""; 0]
        );
    }

    #[test]
    fn words_about_the_tool_are_taken_off() {
        check(
            "调用此工具来查询一个画师的准确标签。更多。",
            "查询一个画师的准确标签",
        );
        check("【随机】列出十个名字，并排序。", "列出十个名字");
        check("一个用于整理书签的工具。", "整理书签");
        check(
            "当你犹豫时，调用此工具会随机返回三个建议。",
            "会随机返回三个建议",
        );
        check("在书签（本地）中搜索。", "在书签中搜索");
        check("把 .eml -> .md 转换后保存。", "把 .eml → .md 转换后保存");
        check("This tool finds files. Fast.", "finds files");
        check(
            "Brew a single cup of tea with water of the right hardness, temperature, minerals and a clean kettle.",
            "Brew a single cup of tea",
        );
        check("", "");
    }
}
