//! The rows of `zh.txt`.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::template::{Kind, Part, Pattern, parts};

const TEXT: &str = include_str!("zh.txt");
/// The translation of a text that is the same in both languages.
const SAME: &str = "=";
/// The line before the rows whose English text is not in the code as a whole.
const COMPOSED: &str = "# Put together at run time";

/// A row: a text of the code and its translation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The line of the English text, from 1.
    pub line: usize,
    /// The text as it is in the code, with the slots of `format!`.
    pub english: String,
    /// The translation, with numbered slots; `None` if the text is the same in both languages.
    pub chinese: Option<String>,
    /// True if the English text is not in the code as a whole: it is put together at run time, or is
    /// a text of a library.
    pub is_composed: bool,
}

impl Row {
    /// Returns true if the row is for a text of the code, or for a finished text.
    pub fn fits(&self, text: &str) -> bool {
        self.english == text || Pattern::parse(&self.english).slots(text).is_some()
    }
}

/// Returns the rows. An English text begins at the start of a line; the translation follows, indented.
pub fn rows() -> impl Iterator<Item = Row> {
    let lines = || (1..).zip(TEXT.lines());
    let composed = lines().find(|(_, text)| *text == COMPOSED);
    let composed = composed.map_or(usize::MAX, |(line, _)| line);
    let is_english = |text: &str| !text.is_empty() && !text.starts_with(['#', ' ']);
    lines()
        .zip(lines().skip(1))
        .filter(move |((_, text), _)| is_english(text))
        .map(move |((line, english), (_, chinese))| Row {
            line,
            english: unescape(english),
            chinese: Some(unescape(chinese.trim_start())).filter(|text| text != SAME),
            is_composed: line > composed,
        })
}

/// Replaces `\n`, `\s` and `\\`.
fn unescape(text: &str) -> String {
    let mut res = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some('n')) => res.push('\n'),
            ('\\', Some('s')) => res.push(' '),
            ('\\', Some('\\')) => res.push('\\'),
            _ => {
                res.push(c);
                continue;
            }
        }
        chars.next();
    }
    res
}

/// The rows in the form of the search.
struct Table {
    /// Texts without slots.
    literal: BTreeMap<String, Option<String>>,
    /// Texts with slots: first those that begin with a text, and the most specific of these first.
    patterns: Vec<(Pattern, Vec<Part>)>,
}

impl Table {
    fn new() -> Self {
        let mut literal = BTreeMap::new();
        let mut patterns = Vec::new();
        for row in rows() {
            let pattern = Pattern::parse(&row.english);
            match (pattern.literal(), row.chinese) {
                (Some(text), chinese) => {
                    literal.insert(text.to_owned(), chinese);
                }
                (None, Some(chinese)) => patterns.push((pattern, parts(&chinese))),
                (None, None) => {}
            }
        }
        // A slot at the beginning takes a label too: `error: x is y` is for the row of `error: `.
        patterns
            .sort_by_key(|(pattern, _)| (pattern.begins_with_slot(), Reverse(pattern.weight())));
        Self { literal, patterns }
    }

    fn find(&self, text: &str) -> Option<String> {
        if let Some(found) = self.literal.get(text) {
            return found.clone();
        }
        let mut patterns = self.patterns.iter();
        patterns.find_map(|(pattern, parts)| self.fill(parts, &pattern.slots(text)?))
    }

    /// Returns the translation of a list of texts, if each of them has a row.
    fn find_each(&self, texts: &str) -> Option<String> {
        let texts = texts.contains("; ").then(|| texts.split("; "))?;
        let said: Option<Vec<String>> = texts.map(|text| self.find(text)).collect();
        Some(said?.join("；"))
    }

    /// Returns the Chinese text with these slots, unless a word is where a number is expected.
    fn fill(&self, parts: &[Part], slots: &[&str]) -> Option<String> {
        let mut res = String::new();
        for part in parts {
            match part {
                Part::Text(text) => res.push_str(text),
                Part::Slot(at, kind) => {
                    let slot = slots.get(*at)?;
                    match kind {
                        Kind::Kept => res.push_str(slot),
                        Kind::Number if is_number(slot) => res.push_str(slot),
                        Kind::Number => return None,
                        Kind::Said => match self.find(slot).or_else(|| self.find_each(slot)) {
                            Some(said) => res.push_str(&said),
                            None => res.push_str(slot),
                        },
                    }
                }
            }
        }
        Some(res)
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || c == ',')
}

/// Returns the translation of a finished text, if it has a row.
pub(crate) fn chinese(text: &str) -> Option<String> {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(Table::new).find(text)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::Language;

    #[test]
    fn every_row_is_well_formed() {
        let mut seen = BTreeSet::new();
        for row in rows() {
            let Row {
                line,
                english,
                chinese,
                ..
            } = &row;
            assert!(
                seen.insert(english.clone()),
                "zh.txt:{line}: the text has two rows"
            );
            let pattern = Pattern::parse(english);
            let Some(chinese) = chinese else {
                continue;
            };
            assert!(
                !chinese.is_empty(),
                "zh.txt:{line}: there is no translation"
            );
            let mut used: Vec<usize> = parts(chinese)
                .into_iter()
                .filter_map(|part| match part {
                    Part::Slot(at, _) => Some(at),
                    Part::Text(_) => None,
                })
                .collect();
            used.sort_unstable();
            used.dedup();
            let all: Vec<usize> = (0..pattern.n_slots()).collect();
            assert_eq!(used, all, "zh.txt:{line}: the slots of the translation");
            let is_specific = pattern.n_slots() == 0 || pattern.weight() > 2;
            assert!(is_specific, "zh.txt:{line}: the row would match any text");
        }
    }

    /// The table is Chinese, and its punctuation too.
    #[test]
    fn translations_are_chinese() {
        for row in rows() {
            let Some(chinese) = &row.chinese else {
                continue;
            };
            let line = row.line;
            let is_wide = |c: char| ('\u{3000}'..'\u{a000}').contains(&c);
            let after_wide = |sign: char| {
                let before: Vec<char> = chinese.chars().collect();
                before
                    .windows(2)
                    .any(|pair| is_wide(pair[0]) && pair[1] == sign)
            };
            for sign in [',', ';', '(', ')', '?', '!'] {
                assert!(
                    !after_wide(sign),
                    "zh.txt:{line}: `{sign}` after a wide character"
                );
            }
        }
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(Language::Chinese.say(text), expected);
        assert_eq!(Language::English.say(text), text);
    }

    #[test]
    fn texts_are_translated_with_their_slots() {
        check("the directory is empty", "目录为空");
        check(
            "the body names `references/a.md`, which does not exist",
            "正文提到的 `references/a.md` 不存在",
        );
        check(
            "not a plugin manifest: it looks like an empty file",
            "不是插件清单：看起来是空文件",
        );
        check("a text of nobody", "a text of nobody");
        check(
            "caused by: 0.0.0.0:1 is not a loopback address, so a token is needed",
            "原因：0.0.0.0:1 不是回环地址，因此需要令牌",
        );
        check("cannot open x", "无法打开 x");
        check(
            "the skill `x` cannot be run: the directory is empty; no seccomp, a text of nobody",
            "技能 `x` 无法运行：the directory is empty; no seccomp, a text of nobody",
        );
        check(
            "skill `x` cannot run: the directory is empty; 5 of the configuration keys have a default that the old host never applied",
            "技能 `x` 无法运行：目录为空；5 个配置项的默认值从未被旧宿主采用",
        );
    }
}
