//! The words with which texts of failures begin.

use super::super::super::lexer::Token;

/// Maximum length of a beginning, in characters.
const MAX: usize = 40;
/// Minimum length, in characters.
const MIN: usize = 3;
/// The words of a failure anywhere in a beginning.
const ANYWHERE: [&str; 7] = [
    "发生错误",
    "不可用",
    "❌",
    "Failed to",
    "failed",
    "Unable to",
    "Could not",
];
/// The words of a failure at the end of a beginning.
const AT_END: [&str; 4] = ["失败", "出错", "错误", "异常"];
/// The English words of a failure at the end of a beginning, after a space.
const LAST: [&str; 4] = ["Error", "error", "Failed", "Exception"];
/// The signs after the words of a failure.
const ENDS: [char; 12] = [
    ':', '：', ']', '】', ')', '）', '!', '！', ' ', '（', '(', '*',
];
/// The words of a beginning that says something else: advice, sums.
const NOT: [&str; 16] = [
    "成功",
    "未知",
    "Unknown",
    "如果",
    "若",
    "当",
    "请",
    "未失败",
    "避免",
    "时会",
    "将",
    "If ",
    "When ",
    "success",
    "Success",
    "- ",
];

/// Things of which a result may have several.
const PARTS: [&str; 8] = [
    "图片",
    "缩略图",
    "附件",
    "视频",
    "音频",
    "image",
    "Image",
    "picture",
];
/// Steps that a program takes with them beside its work.
const STEPS: [&str; 9] = [
    "迁移", "加载", "下载", "处理", "转换", "load", "download", "convert", "process",
];

/// Returns the beginning of a text that tells a failure, up to what follows it or its first value.
pub(super) fn failure(text: &str, is_python: bool) -> Option<String> {
    let (start, rest) = after_values(text, is_python);
    let rest = rest.trim_start_matches(|c: char| {
        c.is_whitespace() || matches!(c, '*' | '#' | '|' | '.' | '、' | ')')
    });
    let open = if is_python { "{" } else { "${" };
    let line = rest.split("\\n").next()?.split('\n').next()?;
    let (before, value) = match line.find(open) {
        Some(at) => (&line[..at], &line[at..]),
        None => (line, ""),
    };
    let colon = before.char_indices().find(|(_, c)| matches!(c, ':' | '：'));
    let begin = match colon {
        Some((at, c)) => &before[..at + c.len_utf8()],
        None => before,
    };
    // A sentence ends before the next.
    let begin = match begin.find(['。', '，', '；', ';', '(', '（']) {
        Some(at) => &begin[..at],
        None => begin,
    };
    let begin = begin
        .trim()
        .trim_end_matches(['*', '(', '（', '\'', '"', '“', '「']);
    let begin = begin.trim_end();
    let bare = begin.trim_end_matches([':', '：', '*', ']', '】', '!', '！', ' ', '.', '…']);
    let is_end = |it: &&str| {
        let mut rests = begin.split(it).skip(1);
        rests.any(|rest| rest.is_empty() || rest.starts_with(ENDS))
    };
    let word = bare.trim_start_matches(|c: char| !c.is_alphanumeric());
    let is_failure = ANYWHERE.iter().any(|it| begin.contains(it))
        || AT_END.iter().any(is_end)
        || LAST
            .iter()
            .any(|it| word == *it || bare.ends_with(&format!(" {it}")));
    let is_other = NOT.iter().any(|it| begin.contains(it))
        || start && begin.starts_with('-')
        || begin.starts_with(['(', '（', '|']);
    // A word alone needs the error itself: a sum has it as well.
    let is_alone = matches!(
        word,
        "失败" | "错误" | "异常" | "出错" | "failed" | "Failed" | "error"
    );
    let n = begin.chars().count();
    // One picture of a result is not the call.
    let is_part =
        PARTS.iter().any(|it| begin.contains(it)) && STEPS.iter().any(|it| begin.contains(it));
    (is_failure
        && !is_part
        && !is_other
        && (MIN..=MAX).contains(&n)
        && (!is_alone || says_error(value))
        && !begin.contains(['\\', '<', '`', '$']))
    .then(|| begin.to_owned())
}

/// Returns true for a value of an error: `${e.message}`.
fn says_error(value: &str) -> bool {
    let value = value.to_ascii_lowercase();
    !value.contains(".length")
        && ["err", "{e}", "{e.", "message", "reason", "{ex"]
            .iter()
            .any(|it| value.contains(it))
}

/// Returns a text without values and spaces at its beginning, and whether it had none.
fn after_values(text: &str, is_python: bool) -> (bool, &str) {
    let open = if is_python { "{" } else { "${" };
    let mut rest = text.trim_start();
    while let Some(inner) = rest.strip_prefix(open) {
        let Some(end) = inner.find('}') else { break };
        rest = inner[end + 1..].trim_start();
    }
    (rest.len() == text.trim_start().len(), rest)
}

/// Returns the names in the values of a text, with the member that is meant: `${name.length}`.
pub(super) fn names(text: &str, is_python: bool) -> Vec<(&str, Option<&str>)> {
    let open = if is_python { "{" } else { "${" };
    let mut res: Vec<(&str, Option<&str>)> = Vec::new();
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    for part in text.split(open).skip(1) {
        let value = part.split('}').next().unwrap_or(part);
        let mut before = ' ';
        let mut rest = value;
        while let Some(c) = rest.chars().next() {
            // A text in the value: `made['tea']`.
            if matches!(c, '\'' | '"')
                && let Some(end) = rest[1..].find(c)
            {
                rest = &rest[end + 2..];
                before = c;
                continue;
            }
            let is_start = c.is_alphabetic() || c == '_' || c == '$';
            let n = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
            if n == 0 {
                before = c;
                rest = &rest[c.len_utf8()..];
                continue;
            }
            if is_start && before != '.' {
                let member = rest[n..].strip_prefix('.').and_then(|it| {
                    let end = it.find(|c| !is_name(c)).unwrap_or(it.len());
                    (end > 0 && !it[end..].starts_with('(')).then(|| &it[..end])
                });
                res.push((&rest[..n], member));
            }
            before = 'a';
            rest = &rest[n..];
        }
    }
    res
}

/// Returns true for the name of an error: `TypeError`, `HTTPException`.
pub(super) fn is_error_word(name: &str) -> bool {
    name.ends_with("Error") && name.starts_with(|c: char| c.is_ascii_uppercase())
        || name.ends_with("Exception")
}

/// Returns true for the name of a member with an error, which has its own place.
pub(super) fn is_error_key(key: &str) -> bool {
    key == "error" || key.ends_with("Error") || key == "case"
}

/// Returns true for a word before a bracket that is not the name of a function.
pub(super) fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "return" | "in" | "of" | "and" | "or" | "not" | "await" | "else"
    )
}

/// Returns true for a call that makes the answer of a failure: `answer('error', text)`.
pub(super) fn is_of_failure(arguments: &[Token<'_>]) -> bool {
    arguments.iter().any(|it| {
        matches!(it, Token::Text(text) if matches!(*text, "error" | "failed" | "fail" | "failure"))
            || matches!(it, Token::Word("ERROR" | "FAILED" | "FAILURE"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginnings() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(failure(text, false).as_deref(), expected, "{text}");
        };
        check("煮茶失败：${e.message}", Some("煮茶失败："));
        check("${label}煮茶失败：${it.error}${id}", Some("煮茶失败："));
        check("[煮茶失败] 茶: ${tea}。原因: ${e}", Some("[煮茶失败] 茶:"));
        check("Failed to brew tea: ${e}", Some("Failed to brew tea:"));
        check("Error: ${e}", Some("Error:"));
        check("煮茶失败，且没有水。", Some("煮茶失败"));
        check("成功 ${n} 个，失败 ${m} 个", None);
        check("失败: ${n}", None);
        check("失败信号", None);
        check("错误/缺失记录", None);
        check("[煮茶失败 (HTTP ${n})]", Some("[煮茶失败"));
        check("(大失败!)", None);
        check("未知错误", None);
        check("**失败**: ${errors.length}", None);
        check("失败: ${e.message}", Some("失败:"));
        check("如果失败，请重试", None);
        check("[图片下载失败: ${e}]", None);
        check("图片生成失败: ${e}", Some("图片生成失败:"));
        check("茶好了", None);
    }

    #[test]
    fn names_of_values() {
        let all = [("b", Some("c")), ("d", None), ("e", None), ("g", None)];
        assert_eq!(names("a ${b.c + d(e)} f ${g}", false), all);
        assert_eq!(names("a {b.c()} c", true), [("b", None)]);
        let all = [("b", None), ("d", None), ("f", None)];
        assert_eq!(names("a {b['c']} {d[\"e\"]} {f['}", true), all);
    }
}
