//! Finds labels of lists inside a sentence: `必需参数:`, `Optional:`.

use crate::lex::chars::{head, strip_word};
use crate::param::Need;

/// Labels that introduce a list, longest first.
const LABELS: [(&str, Label); 45] = [
    ("关键参数", Label::Any),
    ("核心参数", Label::Any),
    ("常用参数", Label::Any),
    ("重要参数", Label::Any),
    ("输入参数", Label::Any),
    ("请求参数", Label::Any),
    ("调用参数", Label::Any),
    ("key parameters", Label::Any),
    ("main parameters", Label::Any),
    ("common parameters", Label::Any),
    ("input parameters", Label::Any),
    ("key arguments", Label::Any),
    ("必需参数", Label::Required),
    ("必填参数", Label::Required),
    ("必选参数", Label::Required),
    ("必须参数", Label::Required),
    ("必填字段", Label::Required),
    ("可选参数", Label::Optional),
    ("可选字段", Label::Optional),
    ("主要参数", Label::Any),
    ("参数说明", Label::Any),
    ("支持参数", Label::Any),
    ("所需参数", Label::Required),
    ("参数", Label::Any),
    ("必需", Label::Required),
    ("必填", Label::Required),
    ("可选", Label::Optional),
    ("选填", Label::Optional),
    ("字段", Label::Any),
    ("required fields", Label::Required),
    ("required field", Label::Required),
    ("required parameters", Label::Required),
    ("required parameter", Label::Required),
    ("required args", Label::Required),
    ("required", Label::Required),
    ("optional fields", Label::Optional),
    ("optional field", Label::Optional),
    ("optional parameters", Label::Optional),
    ("optional parameter", Label::Optional),
    ("optional args", Label::Optional),
    ("optional", Label::Optional),
    ("parameters", Label::Any),
    ("params", Label::Any),
    ("arguments", Label::Any),
    ("args", Label::Any),
];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Label {
    /// The entries are required.
    Required,
    /// The entries are optional.
    Optional,
    /// The label states no need.
    Any,
}

impl Label {
    /// Returns the need that the label states.
    pub(crate) fn need(self) -> Option<Need> {
        match self {
            Self::Required => Some(Need::Required),
            Self::Optional => Some(Need::Optional),
            Self::Any => None,
        }
    }
}

/// Finds the next label with its colon; returns it and the start of its list.
pub(crate) fn next(line: &str, from: usize) -> Option<(Label, usize)> {
    let mut at = from.min(line.len());
    loop {
        let found = line[at..].find([':', '：'])?;
        let colon = at + found;
        let after = colon + line[colon..].chars().next().map_or(1, char::len_utf8);
        let before = line[at..colon].trim_end();
        if let Some(label) = at_end(before) {
            return Some((label, after));
        }
        at = after;
    }
}

/// Returns the label of a need with a word for what is meant: `可选更新字段`.
fn of_kind(text: &str) -> Option<Label> {
    const MAX: usize = 4;
    let start = text.rfind(|c: char| !c.is_alphanumeric());
    let text = start.map_or(text, |at| &text[at..]);
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let kind = text
        .strip_suffix("字段")
        .or_else(|| text.strip_suffix("参数"))?;
    let needs = [
        ("可选", Label::Optional),
        ("选填", Label::Optional),
        ("必填", Label::Required),
        ("必需", Label::Required),
    ];
    let (rest, label) = needs
        .iter()
        .find_map(|(word, label)| Some((kind.strip_prefix(word)?, *label)))?;
    (rest.chars().count() <= MAX).then_some(label)
}

/// Returns a label at the end of a text, if it begins its sentence or a bracket.
fn at_end(text: &str) -> Option<Label> {
    let text = text.trim_end_matches([' ', '*']);
    if let Some(label) = of_kind(text) {
        return Some(label);
    }
    LABELS.iter().find_map(|&(word, label)| {
        let at = text.len().checked_sub(word.len())?;
        let tail = text.get(at..)?;
        if !tail.eq_ignore_ascii_case(word) {
            return None;
        }
        let before = text[..at]
            .trim_end_matches([' ', '*', '_'])
            .chars()
            .next_back();
        let choices = matches!(
            word,
            "可选" | "必需" | "必填" | "选填" | "optional" | "required"
        ) && matches!(before, Some('(' | '（'));
        (before.is_none_or(|c| !c.is_alphanumeric()) && !choices).then_some(label)
    })
}

/// Returns true if another list begins: `可选参数：`.
pub(crate) fn follows(text: &str) -> bool {
    let text = head(text, 60);
    text.find([':', '：']).is_some_and(|colon| {
        let before = text[..colon].trim_start();
        at_end(before).is_some_and(|_| {
            LABELS.iter().any(|(word, _)| {
                before.trim_end_matches([' ', '*']).len() == word.len()
                    && strip_word(before, word).is_some()
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: bool) {
        assert_eq!(follows(text), expected);
    }

    #[test]
    fn lists_that_follow() {
        check("可选参数：cups", true);
        check(" optional: cups", true);
        assert_eq!(next("可选更新字段：`a`", 0), Some((Label::Optional, 21)));
        assert_eq!(next("这些必填参数的值很长很长：`a`", 0), None);
        check("cups: how many", false);
        check("杯数可选：一", false);
    }
}
