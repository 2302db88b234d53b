//! The texts that a body has already, so that nothing is in it twice.
//!
//! Texts are compared by pairs of neighbouring words, or of characters in Chinese: two tellings of one
//! fact share nearly all of them, whatever is between the sentences.

use std::collections::BTreeSet;

use super::protocol;

/// Words of types and needs, which the columns of a table have.
const COLUMNS: [&str; 37] = [
    "json对象",
    "json 对象",
    "json 数组",
    "must be",
    "如果不需要请省略此行",
    "如不需要可省略",
    "值必须是",
    "固定为",
    "fixed as",
    "fixed to",
    "参数：",
    "或",
    "必需参数",
    "可选参数",
    "必需",
    "必须",
    "必填",
    "可选值",
    "可选",
    "选填",
    "字符串",
    "整数",
    "数字",
    "布尔值",
    "布尔",
    "数组",
    "默认值",
    "默认",
    "required",
    "optional",
    "string",
    "integer",
    "boolean",
    "number",
    "array",
    "对象",
    "default",
];

/// Texts that are in the body.
#[derive(Clone, Default, Debug)]
pub(super) struct Known {
    units: BTreeSet<String>,
    /// Sentences, letter by letter.
    sentences: BTreeSet<String>,
}

impl Known {
    /// Adds a text.
    pub(super) fn add(&mut self, text: &str) {
        let sentences = text.lines().flat_map(protocol::sentences);
        self.sentences.extend(sentences.map(letters));
        for segment in segments(text) {
            self.units
                .extend(segment.windows(2).map(<[String]>::concat));
            self.units.extend(segment);
        }
    }

    /// Returns the share of a text that is known, in percent; 0 for a text without words.
    pub(super) fn share(&self, text: &str) -> usize {
        let units = units(text);
        let n_known = units
            .iter()
            .filter(|unit| self.units.contains(*unit))
            .count();
        (n_known * 100).checked_div(units.len()).unwrap_or(0)
    }

    /// Returns true if a sentence is known letter by letter.
    pub(super) fn has_exactly(&self, sentence: &str) -> bool {
        self.sentences.contains(&letters(sentence))
    }

    /// Returns true if a sentence is known: a short one letter by letter.
    pub(super) fn has(&self, sentence: &str) -> bool {
        const MIN_SHARE: usize = 92;
        const MIN_UNITS: usize = 5;
        let is_long = units(sentence).len() >= MIN_UNITS;
        self.has_exactly(sentence) || is_long && self.share(sentence) >= MIN_SHARE
    }
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Returns the pairs of words, and words that are alone.
fn units(text: &str) -> Vec<String> {
    let segments = segments(text).into_iter();
    segments
        .flat_map(|segment| match &segment[..] {
            [word] => vec![word.clone()],
            _ => segment.windows(2).map(<[String]>::concat).collect(),
        })
        .collect()
}

/// Returns a text without the words that columns of a table say.
pub(super) fn without_columns(text: &str) -> String {
    let lower = text.to_lowercase();
    COLUMNS
        .iter()
        .fold(lower, |text, word| without_word(&text, word))
}

/// Replaces a word by a mark; one of Latin letters is none within a longer one: `getstring`.
fn without_word(text: &str, word: &str) -> String {
    let is_letter =
        |c: Option<char>| word.is_ascii() && c.is_some_and(|c| c.is_ascii_alphanumeric());
    let mut res = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(word) {
        let (head, tail) = rest.split_at(at);
        res.push_str(head);
        rest = &tail[word.len()..];
        let is_within = is_letter(res.chars().next_back()) || is_letter(rest.chars().next());
        res.push_str(if is_within { word } else { "，" });
    }
    res.push_str(rest);
    res
}

/// Returns the words between marks of punctuation; a Chinese character is a word.
fn segments(text: &str) -> Vec<Vec<String>> {
    let mut res = vec![Vec::new()];
    let mut word = String::new();
    for c in text.chars() {
        let is_latin = c.is_ascii_alphanumeric() || c == '_';
        if is_latin {
            word.extend(c.to_lowercase());
            continue;
        }
        let segment = res.last_mut().expect("it begins with one");
        if !word.is_empty() {
            segment.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            segment.push(c.to_lowercase().collect());
        } else if !c.is_whitespace() {
            res.push(Vec::new());
        }
    }
    if !word.is_empty() {
        res.last_mut().expect("it begins with one").push(word);
    }
    res.retain(|segment| !segment.is_empty());
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(before: &str, text: &str, expected: usize) {
        let mut known = Known::default();
        known.add(before);
        assert_eq!(known.share(text), expected);
    }

    #[test]
    fn words_of_columns_go() {
        let check = |text: &str, expected: &str| assert_eq!(without_columns(text), expected);
        check("(字符串, 必需) String", "(，, ，) ，");
        check("GetString strings", "getstring strings");
        check("", "");
    }

    #[test]
    fn the_share_of_pairs() {
        check("查询天气，支持城市名。", "支持城市名", 100);
        check("查询天气。", "查询城市", 33);
        check("Boil the water first.", "boil the water", 100);
        check("the water, boil", "boil the water", 50);
        check("默认 5", "5", 100);
        check("x", "…", 0);
    }
}
