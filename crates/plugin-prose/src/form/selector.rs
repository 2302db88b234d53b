//! Reads running text about the argument that selects an operation.

use crate::fact;
use crate::form::list_line;
use crate::form::section::SELECTORS;
use crate::lex::chars::{ends_sentence, head, in_name, starts_name};
use crate::lex::{group, names};

/// Returns the `action`, `add` of `action=add：…` at the start of a line.
pub(crate) fn selected(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start_matches(['#', '*', ' ']);
    let end = line.find([':', '：', '（', '(', '*']).unwrap_or(line.len());
    if end >= 60 {
        return None;
    }
    let (name, value) = line[..end].split_once('=')?;
    let (name, value) = (
        name.trim().trim_matches('`'),
        value.trim().trim_matches(['`', '"', '\'']),
    );
    let word = !value.is_empty() && value.chars().all(in_name);
    (word && SELECTORS.contains(&name)).then_some((name, value))
}

/// Reads a selector with one value: ``调用时 `operation` 必须为 `list` ``, `请将 action 设为 add`.
pub(crate) fn fixed(line: &str) -> Option<(&'static str, String)> {
    SELECTORS.iter().find_map(|selector| {
        let at = line.find(selector)?;
        let rest = &line[at + selector.len()..];
        let whole = !line[..at].ends_with(in_name) && !rest.starts_with(in_name);
        let rest = rest.trim_start_matches(['`', ' ']);
        let rest = rest
            .strip_prefix("参数")
            .or_else(|| rest.strip_prefix("字段"))
            .unwrap_or(rest)
            .trim_start();
        let set = [
            "设为",
            "设置为",
            "必须设为",
            "必须为",
            "必须是",
            "应为",
            "需设为",
            "传",
            "填",
            "must be ",
            "is always ",
            "to ",
            "should be ",
        ]
        .iter()
        .find_map(|cue| rest.strip_prefix(cue));
        let value = list_line::fixed_value(rest).or_else(|| one_word(set?))?;
        whole.then_some((*selector, value))
    })
}

/// Returns a word of code that ends its clause.
fn one_word(text: &str) -> Option<String> {
    let body = text.trim_start();
    let (word, after) = match group::take_quote(body) {
        Some(found) => found,
        None => names::take_ident(body)?,
    };
    let ended = after.trim_start().is_empty()
        || after
            .trim_start()
            .starts_with(['。', '，', '.', ',', '；', ';', '\n', '）', ')']);
    let http = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD"].contains(&word);
    let plain = !http && !word.is_empty() && word.chars().all(|c| in_name(c) || c == '-');
    (ended
        && plain
        && (word.contains('_') || body.starts_with(['`', '"', '\'']) || text.starts_with(' ')))
    .then(|| word.to_owned())
}

/// Reads a selector that takes several values: `通过 action 参数选择操作`.
pub(crate) fn selects(line: &str) -> Option<&'static str> {
    SELECTORS.iter().copied().find(|selector| {
        line.match_indices(selector).any(|(at, _)| {
            let rest = line[at + selector.len()..].trim_start_matches(['`', ' ', '"']);
            let noun = ["参数", "字段"]
                .iter()
                .find_map(|word| rest.strip_prefix(word))
                .unwrap_or(rest);
            let verb = [
                "选择",
                "指定操作",
                "指定要",
                "决定",
                "区分",
                "切换",
                "控制操作",
                "parameter selects",
                "selects the",
            ]
            .iter()
            .any(|verb| noun.trim_start().starts_with(verb));
            verb && !line[..at].ends_with(in_name)
        })
    })
}

/// Reads the values of a selector: `action 可为 add / list`, `支持 action=add/list`, `command 必须为以下之一：a、b`.
pub(crate) fn selector_values(line: &str) -> Option<(&'static str, Vec<String>)> {
    SELECTORS.iter().find_map(|selector| {
        let at = line.find(selector)?;
        let rest = head(&line[at + selector.len()..], 300).trim_start_matches([' ', '`']);
        let whole = !line[..at].ends_with(in_name);
        if let Some(values) = rest.strip_prefix('=').and_then(assigned).filter(|_| whole) {
            return Some((*selector, values));
        }
        let cue = [
            "可为",
            "必须为以下之一",
            "必须是以下之一",
            "可选值",
            "取值",
            "可以是",
            "支持",
            "must be one of",
            "can be",
            "is one of",
        ]
        .iter()
        .find(|cue| rest.starts_with(**cue))?;
        let list = &rest[cue.len()..];
        let list = &list[..list.find(ends_sentence).unwrap_or(list.len())];
        let values = fact::choice::read(&format!(
            "可选值：{}",
            list.trim_matches([' ', ':', '：', '为'])
        ));
        (whole && values.len() > 1).then_some((*selector, values))
    })
}

/// Returns the words with strokes between them at the start of a text: `boil/pour（…`.
fn assigned(text: &str) -> Option<Vec<String>> {
    let end = text.find(|c: char| !in_name(c) && !matches!(c, '/' | '|'));
    let list = &text[..end.unwrap_or(text.len())];
    let words = list.split(['/', '|']).map(str::to_owned);
    let words: Vec<String> = words.filter(|word| !word.is_empty()).collect();
    (words.len() > 1).then_some(words)
}

/// Returns true if only blanks separate the operation and the word for parameters: `upload 参数`.
pub(crate) fn names_section(text: &str, operation: &str) -> bool {
    let text = text.trim_matches(|c: char| !c.is_alphanumeric() && c != '_');
    let rest = text
        .strip_prefix(operation)
        .map(|rest| rest.trim_start_matches(['`', ' ']));
    rest.is_some_and(|rest| rest.starts_with("参数") || rest.starts_with("字段"))
}

/// Returns the operation that a heading names: `### 1. 上传 (upload)`, ``### `upload` ``.
pub(crate) fn operation(text: &str) -> Option<String> {
    let text = text.trim_end_matches(['*', ' ', ':', '：', '】']);
    let inner = match text.rfind(['(', '（']) {
        Some(open) => {
            group::take(&text[open..])
                .filter(|(_, rest)| rest.is_empty())?
                .0
        }
        None => text
            .trim_start_matches(['#', '*', '【', ' ', '.', ')', '、'])
            .trim_start_matches(|c: char| c.is_ascii_digit())
            .trim_matches(['`', '.', ' ']),
    };
    let inner = inner.trim().trim_matches('`');
    let word = inner.len() > 1
        && inner.len() <= 64
        && inner.chars().all(in_name)
        && inner.starts_with(starts_name);
    word.then(|| inner.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_fixed(line: &str, expected: Option<(&str, &str)>) {
        let found = fixed(line);
        assert_eq!(
            found.as_ref().map(|(name, value)| (*name, value.as_str())),
            expected
        );
    }

    #[test]
    fn fixed_in_a_sentence() {
        check_fixed(
            "调用时 `operation` 必须为 `boil_water`。",
            Some(("operation", "boil_water")),
        );
        check_fixed("请将 action 设为 boil。", Some(("action", "boil")));
        check_fixed("参数 action 固定为 boil。", Some(("action", "boil")));
        check_fixed("Use a method to boil water", None);
        check_fixed("请将 method 设为 POST。", None);
    }

    #[test]
    fn values_of_selectors() {
        assert_eq!(
            selector_values("action 可为 add / list：").unwrap().1,
            ["add", "list"]
        );
        assert_eq!(
            selector_values("支持 command=Boil/Pour（兼容 boil/pour）。")
                .unwrap()
                .1,
            ["Boil", "Pour"]
        );
        assert!(selector_values("如 command=Boil, n=1/2").is_none());
        assert_eq!(
            selector_values("command 必须为以下之一：on、off。")
                .unwrap()
                .1,
            ["on", "off"]
        );
        assert_eq!(
            selected("### action=boil（烧水）"),
            Some(("action", "boil"))
        );
        assert_eq!(selects("通过 action 参数选择操作。"), Some("action"));
        assert_eq!(selects("通过 transaction 参数选择"), None);
    }

    #[test]
    fn operations_that_headings_name() {
        assert_eq!(operation("### 1. 上传 (upload)").as_deref(), Some("upload"));
        assert_eq!(operation("### `upload`").as_deref(), Some("upload"));
        assert_eq!(operation("## 使用说明"), None);
    }
}
