//! Normalises line breaks.
//!
//! Some manifests were escaped twice: their text has a backslash and an `n` in place of a line
//! break. A Windows path has the same two characters, so the context decides.

use std::borrow::Cow;

use crate::lex::chars::starts_name;
use crate::lex::plain_call;
use crate::lex::variant;

/// Returns a plain text (see [`plain`]) with the words of the grammar in one script.
pub(crate) fn normalise(text: &str) -> Cow<'_, str> {
    variant::fold(plain(text))
}

/// Returns the text with `\n` as its only line break and with one form of calls.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    plain_call::marked(one_break(text))
}

/// Returns the text with `\n` as its only line break.
fn one_break(text: &str) -> Cow<'_, str> {
    if !text.contains('\r') && !text.contains("\\n") {
        return Cow::Borrowed(text);
    }
    let mut res = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\r', '\\']) {
        res.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(after) = rest.strip_prefix('\r') {
            res.push('\n');
            rest = after.strip_prefix('\n').unwrap_or(after);
            continue;
        }
        // Twice escaped, it has two strokes.
        let broken = rest
            .strip_prefix("\\\\n")
            .or_else(|| rest.strip_prefix("\\n"))
            .filter(|after| !is_named(&res, after))
            .filter(|after| ends_label(&res) || is_break(res.chars().next_back(), after));
        if let Some(after) = broken {
            res.push('\n');
            rest = after;
        } else {
            res.push('\\');
            rest = &rest[1..];
        }
    }
    res.push_str(rest);
    Cow::Owned(res)
}

/// Returns true if the sentence is about the sign: `支持字面量\n换行`.
fn is_named(before: &str, after: &str) -> bool {
    let names = ["字面量", "字面", "转义", "使用", "用", "以"];
    let names = names.iter().any(|word| before.ends_with(word));
    names
        || ["换行", "表示", "分隔", "转义"]
            .iter()
            .any(|word| after.starts_with(word))
}

/// Returns true if a text ends in a label, `Kinds:`, which is not the letter of a drive.
fn ends_label(before: &str) -> bool {
    let label = before.strip_suffix([':', '：']);
    label.is_some_and(|label| {
        let mut chars = label.chars().rev();
        chars.next().is_some_and(char::is_alphanumeric)
            && chars.next().is_some_and(char::is_alphanumeric)
    })
}

/// Returns true if a literal `\n` between these two stands for a line break.
fn is_break(before: Option<char>, after: &str) -> bool {
    let next = after.chars().next();
    let word_follows = next.is_some_and(starts_name);
    let sentence_ended = before.is_none_or(|c| matches!(c, ',' | '，' | '。' | '；' | '>' | '\n'));
    let block_follows = after.starts_with("<<<[");
    // Two of them are an empty line; a path has one.
    let is_double = after.starts_with("\\n") || before == Some('\n');
    let bullet_follows = matches!(next, Some('-' | '*' | '#' | '•'));
    (sentence_ended && next != Some('\\'))
        || block_follows
        || is_double
        || bullet_follows
        || (!word_follows && before.is_some_and(|c| !c.is_ascii()))
        || is_label_line(before, after)
        || (matches!(before, Some(')' | ']' | '"')) && next.is_some_and(|c| !c.is_ascii()))
}

/// Returns true if a line that begins with a label follows a word: `a: 1\nB: 2`.
fn is_label_line(before: Option<char>, after: &str) -> bool {
    const MAX: usize = 24;
    let is_label = after.split_once(": ").is_some_and(|(label, _)| {
        label.len() <= MAX
            && label.starts_with(|c: char| c.is_ascii_uppercase())
            && label.chars().all(|c| c.is_ascii_alphanumeric())
    });
    is_label && before.is_some_and(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(normalise(text), expected);
    }

    #[test]
    fn every_break_is_one_line_feed() {
        check("a\r\nb\rc\nd", "a\nb\nc\nd");
    }

    #[test]
    fn doubly_escaped_breaks_are_breaks() {
        check("说明。\\n参数:\\n- a: 甲", "说明。\n参数:\n- a: 甲");
        check("x 或 y\\n\\n示例。", "x 或 y\n\n示例。");
        check("- a (可选)\\n示例", "- a (可选)\n示例");
        check(
            "a:「始」1「末」,\\nb:「始」2「末」",
            "a:「始」1「末」,\nb:「始」2「末」",
        );
    }

    #[test]
    fn paths_keep_their_backslash() {
        check("D:\\new\\names", "D:\\new\\names");
        check("days: 30。\\\\nKinds", "days: 30。\nKinds");
        check("正文支持字面量\\n换行。", "正文支持字面量\\n换行。");
        check("Kinds:\\ngreen, black", "Kinds:\ngreen, black");
        check("H:\\MCP\\note.md", "H:\\MCP\\note.md");
        check("Heat: 80\\nTea0: green", "Heat: 80\nTea0: green");
        check("D:\\tea\\nTea.md: x", "D:\\tea\\nTea.md: x");
    }
}
