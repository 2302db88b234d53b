//! Summarizes a command in one or two sentences of its text.

use crate::form::section::{self, Section};
use crate::lex::chars::{head, is_cjk};
use crate::lex::line::Line;
use crate::lex::pieces::Piece;

/// The maximum length of a summary, in characters.
const MAX: usize = 240;
/// The maximum number of sentences, and from which all together have to be short.
const MAX_SENTENCES: usize = 4;
const FEW_SENTENCES: usize = 2;
/// The maximum length of a summary of more sentences, in characters.
const MAX_SHORT: usize = 150;

/// Beginnings of sentences about the call rather than the command.
const ABOUT_CALLS: [&str; 8] = [
    "请在您的回复",
    "请使用以下",
    "请按以下",
    "确保所有参数",
    "使用以下精确格式",
    "Use the following format",
    "Please use",
    "调用格式",
];

/// Returns the first sentences of a description that say what the command does. The result is empty
/// only if there are no words outside of calls.
pub(crate) fn read(pieces: &[Piece<'_>]) -> String {
    let mut res = String::new();
    for piece in pieces {
        let Piece::Line(line) = piece else {
            if res.is_empty() {
                continue;
            }
            break;
        };
        let text = plain(head(line.text, 4000));
        if let Some(title) = title(line, &text).filter(|_| res.is_empty()) {
            return title.to_owned();
        }
        let stop = line.bullet || line.text.starts_with('|') || is_label(&text);
        if stop && !res.is_empty() {
            break;
        }
        let words = text.contains(char::is_alphanumeric);
        if stop || !words || line.text.starts_with("```") || line.text.starts_with("---") {
            continue;
        }
        // Signs of code are lost here, so that what has some stays in the text.
        let max = if line.text.contains('`') {
            FEW_SENTENCES
        } else {
            MAX_SENTENCES
        };
        if !res.is_empty() {
            if let Some(deed) = deed(line.text) {
                append(deed, &mut res);
            }
            break;
        }
        take_sentences(&text, max, &mut res);
        if deed(line.text).is_some() {
            break;
        }
    }
    if res.is_empty() {
        any_words(pieces)
    } else {
        res
    }
}

/// Returns what follows the label of what a command does: `**功能**: 泡一壶茶`.
fn deed(text: &str) -> Option<&str> {
    let labels = ["功能", "功能描述", "作用", "What it does"];
    let bare = text.trim().trim_start_matches(['*', '#', ' ']);
    labels.iter().find_map(|label| {
        let rest = bare.strip_prefix(label)?.trim_start_matches(['*', ' ']);
        let rest = rest.strip_prefix([':', '：'])?;
        let rest = rest.trim_start_matches(['*', ' ']).trim_end();
        (!rest.is_empty() && !rest.contains(['`', '*'])).then_some(rest)
    })
}

/// Adds a sentence to a summary, if both are short.
fn append(deed: &str, res: &mut String) {
    let n_chars = res.chars().count() + deed.chars().count();
    if n_chars >= MAX_SHORT {
        return;
    }
    if !res.ends_with(['。', '.', '！', '!', '？', '?', '；', ';']) {
        res.push_str(if res.contains(is_cjk) { "。" } else { "." });
    }
    if res.ends_with(['.', '!', '?', ';']) {
        res.push(' ');
    }
    res.push_str(deed);
}

/// Returns a label that says what is done, such as `添加术语：`, and does not introduce the lines below.
fn title<'a>(line: &Line<'_>, text: &'a str) -> Option<&'a str> {
    let title = text.strip_suffix([':', '：'])?;
    let about = [
        "格式", "参数", "示例", "例子", "说明", "用法", "功能", "描述", "字段", "返回", "注意",
        "步骤", "模式", "输入", "方式",
    ];
    let deed = title.chars().filter(|c| is_cjk(*c)).count() > 3
        && !about.iter().any(|word| title.contains(word));
    (is_label(text) && !line.bullet && deed && !is_about_calls(text)).then_some(title)
}

/// Returns the first line with words, as a last resort: a heading that does not introduce
/// parameters, or else the first line of a list. Rows of tables are not sentences.
fn any_words(pieces: &[Piece<'_>]) -> String {
    let lines = || {
        pieces.iter().filter_map(|piece| match piece {
            Piece::Line(line) if !line.text.starts_with('|') => {
                let text = plain(head(line.text, 4000));
                text.contains(char::is_alphanumeric).then_some((line, text))
            }
            _ => None,
        })
    };
    let titles = |line: &Line<'_>| {
        !line.bullet
            && !section::read(line).is_some_and(|heading| {
                matches!(heading.section, Section::Params(_)) && line.text.chars().count() < 12
            })
    };
    let found = lines().find(|(line, text)| titles(line) && !is_about_calls(text));
    let found =
        found.or_else(|| lines().find(|(_, text)| !is_label(text) && !is_about_calls(text)));
    let found = found.or_else(|| lines().next());
    let text = found.map(|(_, text)| text).unwrap_or_default();
    text.trim_end_matches([':', '：'])
        .chars()
        .take(MAX)
        .collect()
}

/// Returns true if a sentence explains the syntax of calls: `要使用 x，请在回复末尾使用以下格式：`.
pub(crate) fn is_about_calls(sentence: &str) -> bool {
    let asks = [
        "要使用",
        "请",
        "使用",
        "在回复",
        "在您的回复",
        "To use",
        "To call",
        "Call ",
        "Use ",
    ]
    .iter()
    .any(|cue| sentence.starts_with(cue));
    let form = [
        "以下格式",
        "如下格式",
        "格式如下",
        "以下精确格式",
        "发出请求",
        "格式发",
        "回复的末尾",
        "回复中",
        "following format",
        "this format",
    ]
    .iter()
    .any(|cue| sentence.contains(cue));
    (asks && form) || ABOUT_CALLS.iter().any(|cue| sentence.starts_with(cue))
}

fn is_label(text: &str) -> bool {
    text.ends_with([':', '：']) && text.chars().count() < 30 && !text.contains('。')
}

/// Returns a line without marks and labels: `功能:`, `**`, `#`, backticks.
fn plain(text: &str) -> String {
    let text = text.replace("**", "").replace('`', "");
    let mut text = text.trim_start_matches(['#', ' ', '>']).trim();
    for label in [
        "功能：",
        "功能:",
        "功能描述：",
        "描述：",
        "描述:",
        "说明：",
        "说明:",
        "Description:",
        "Summary:",
    ] {
        text = text.strip_prefix(label).unwrap_or(text).trim_start();
    }
    without_quoted_label(text).to_owned()
}

/// Returns what follows the name of a command in quotes: `“新建茶单”: 用于新建一份茶单。` is `新建一份茶单。`
fn without_quoted_label(text: &str) -> &str {
    const MAX_LABEL: usize = 20;
    const MIN: usize = 4;
    let quotes = [('“', '”'), ('「', '」'), ('"', '"')];
    let after = quotes.iter().find_map(|(open, close)| {
        let (label, rest) = text.strip_prefix(*open)?.split_once(*close)?;
        let rest = rest.strip_prefix([':', '：'])?.trim_start();
        (label.chars().count() <= MAX_LABEL && rest.chars().count() >= MIN).then_some(rest)
    });
    let bracketed = text.strip_prefix('[').and_then(|text| text.split_once(']'));
    let bracketed = bracketed.filter(|(label, rest)| {
        let is_kind = label.contains("工具") || label.contains("插件");
        is_kind && label.chars().count() <= MAX_LABEL && rest.chars().count() >= MIN
    });
    let after = after.or(bracketed.map(|(_, rest)| rest.trim_start()));
    after.map_or(text, |rest| rest.strip_prefix("用于").unwrap_or(rest))
}

/// Adds up to two sentences, or four short ones: what is said between a summary and its example belongs to it.
/// Sentences on the syntax of calls are skipped, or end the summary.
fn take_sentences(text: &str, max_sentences: usize, res: &mut String) {
    let mut n_sentences = 0;
    let mut rest = text;
    while !rest.is_empty() && n_sentences < max_sentences {
        let end = sentence_end(rest);
        let sentence = rest[..end].trim();
        if is_about_calls(sentence) {
            if !res.is_empty() {
                return;
            }
            rest = rest[end..].trim_start();
            continue;
        }
        let length = res.chars().count() + sentence.chars().count();
        let max = if n_sentences < FEW_SENTENCES {
            MAX
        } else {
            MAX_SHORT
        };
        let is_label = n_sentences >= FEW_SENTENCES && sentence.ends_with([':', '：']);
        if n_sentences > 0 && length > max || is_label {
            break;
        }
        if res.ends_with(['.', '!', '?']) {
            res.push(' ');
        }
        res.extend(sentence.chars().take(MAX));
        n_sentences += 1;
        rest = rest[end..].trim_start();
    }
}

pub(crate) fn sentence_end(text: &str) -> usize {
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let after = at + c.len_utf8();
        let blank = chars.peek().is_none_or(|(_, next)| next.is_whitespace());
        if matches!(c, '。' | '！' | '？') || (matches!(c, '.' | '!' | '?') && blank) {
            return after;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lex::pieces;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(read(&pieces::read(text)), expected);
    }

    #[test]
    fn short_sentences_stay_together() {
        check(
            "烧水。水要满。否则会干烧。请小心。再倒茶。",
            "烧水。水要满。否则会干烧。请小心。",
        );
        check("烧水。水要满。参数如下：", "烧水。水要满。");
        let long = format!("烧水。{}。否则会干烧。", "慢".repeat(150));
        check(&long, long.strip_suffix("否则会干烧。").unwrap_or_default());
    }

    #[test]
    fn names_in_quotes_go() {
        check(
            "“新建茶单”: 用于新建一份茶单。要写日期。",
            "新建一份茶单。要写日期。",
        );
        check("[茶馆工具] 新建一份茶单。", "新建一份茶单。");
        check("[茶馆] 新建一份茶单。", "[茶馆] 新建一份茶单。");
        check("“新建茶单”是一条命令。", "“新建茶单”是一条命令。");
    }

    #[test]
    fn the_first_sentences() {
        check(
            "查询天气。支持城市名。还有更多。\n参数:\n- a: 甲",
            "查询天气。支持城市名。还有更多。",
        );
        check("功能: 列出文件。\n参数: 无。", "列出文件。");
        check(
            "Find a city. It is fast. And more.",
            "Find a city. It is fast. And more.",
        );
        check("查询天气。请在您的回复中，使用以下格式：", "查询天气。");
        check("请使用以下格式发出请求。泡一壶茶。", "泡一壶茶。");
        check(
            "要使用茶壶，请在回复的末尾使用以下格式：\n泡一壶茶。",
            "泡一壶茶。",
        );
        check("添加茶名：\na -> 甲（必填）", "添加茶名");
        check("参数:\n- a: 甲", "a: 甲");
        check("", "");
    }
}
