//! Splits Chinese and English texts into sentences, and cuts texts between them.

use skill_tokens::TokenCounter;

/// The mark at the end of a text that was cut.
pub const CUT_MARK: &str = " […]";

/// Words that end with a period within sentences.
const ABBREVIATIONS: [&str; 33] = [
    "e.g", "i.e", "etc", "vs", "cf", "al", "approx", "ca", "dr", "mr", "mrs", "ms", "prof", "sr",
    "jr", "st", "no", "nr", "vol", "fig", "eq", "sec", "ch", "p", "pp", "ed", "eds", "inc", "ltd",
    "co", "corp", "dept", "u.s",
];
/// Signs that may follow the end of a sentence and belong to it.
const CLOSERS: [char; 12] = [
    '"', '\'', ')', ']', '}', '”', '’', '」', '』', '）', '】', '》',
];

/// A text that was cut to a length.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FittedText {
    /// The text, with [`CUT_MARK`] at its end if something was left out.
    pub text: String,
    /// The number of characters that were left out.
    pub n_left_out: usize,
}

impl FittedText {
    /// Returns true if something was left out.
    pub fn is_cut(&self) -> bool {
        self.n_left_out > 0
    }
}

/// Returns as many whole sentences from the start as `max_tokens` allows. If not even the first one
/// fits, it is cut between clauses, or else between words. A text that fits is returned as it is.
pub fn fit(text: &str, max_tokens: usize, counter: &dyn TokenCounter) -> FittedText {
    let text = text.trim();
    if counter.count(text) <= max_tokens {
        return fitted(text, text.len());
    }
    for ends in [sentence_ends(text), clause_ends(text), word_ends(text)] {
        let fits = |end: &usize| {
            counter.count(text[..*end].trim_end()) + counter.count(CUT_MARK) <= max_tokens
        };
        let n_fitting = ends.partition_point(fits);
        if n_fitting > 0 {
            return fitted(text, ends[n_fitting - 1]);
        }
    }
    fitted(text, 0)
}

fn fitted(text: &str, end: usize) -> FittedText {
    let (given, rest) = text.split_at(end);
    let n_left_out = rest.trim().chars().count();
    let given = given.trim_end();
    let mark = if n_left_out == 0 { "" } else { CUT_MARK };
    let text = format!("{given}{mark}").trim_start().to_owned();
    FittedText { text, n_left_out }
}

/// Returns the sentences of a text, trimmed, none of them empty.
///
/// ```
/// let text = "Use v1.2, e.g. now. 然后停止。";
/// assert_eq!(skill_disclosure::sentences(text), ["Use v1.2, e.g. now.", "然后停止。"]);
/// ```
pub fn sentences(text: &str) -> Vec<&str> {
    let mut start = 0;
    let mut res = Vec::new();
    for end in sentence_ends(text) {
        let sentence = text[start..end].trim();
        if !sentence.is_empty() {
            res.push(sentence);
        }
        start = end;
    }
    res
}

/// Joins sentences, with a space between them except after a Chinese one.
pub(crate) fn join(sentences: &[&str]) -> String {
    let mut res = String::new();
    for sentence in sentences {
        if !res.is_empty() && !res.ends_with(['。', '！', '？', '；', '”', '」', '）']) {
            res.push(' ');
        }
        res.push_str(sentence);
    }
    res
}

/// Returns the positions after each sentence; the last one is the end of the text.
fn sentence_ends(text: &str) -> Vec<usize> {
    let mut res = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let after = at + c.len_utf8();
        let end = after + closers(&text[after..]);
        let is_end = match c {
            '。' | '！' | '？' | '；' => true,
            '.' | '!' | '?' => is_latin_end(text, at, end),
            '\n' => is_block_end(&text[after..]),
            _ => false,
        };
        at = after;
        if is_end && !starts_with_end(&text[end..]) {
            at = end;
            res.push(end);
        }
    }
    if res.last() != Some(&text.len()) {
        res.push(text.len());
    }
    res
}

/// Returns the length of the closing quotes and brackets here, in bytes.
fn closers(rest: &str) -> usize {
    let closing = rest.chars().take_while(|c| CLOSERS.contains(c));
    closing.map(char::len_utf8).sum()
}

/// Returns true if another end sign follows: `……` and `?!` are one end.
fn starts_with_end(rest: &str) -> bool {
    rest.starts_with(['。', '！', '？', '!', '?', '.'])
}

/// Returns true if a sign of a Latin text at `at` ends a sentence. White space or a Chinese
/// character must follow, but not a lower-case letter, and the word before a period must not be an
/// abbreviation, an initial or the number of a list item.
fn is_latin_end(text: &str, at: usize, end: usize) -> bool {
    let rest = &text[end..];
    let Some(next) = rest.chars().next() else {
        return true;
    };
    if is_ideograph(next) {
        return text[..at]
            .chars()
            .next_back()
            .is_some_and(|c| is_ideograph(c) || c == ')');
    }
    if !next.is_whitespace() {
        return false;
    }
    let following = rest.trim_start().chars().next();
    if following.is_some_and(char::is_lowercase) {
        return false;
    }
    text.as_bytes()[at] != b'.' || !is_abbreviation(&text[..at])
}

/// Returns true if the last word before a period always has a period.
fn is_abbreviation(before: &str) -> bool {
    let is_edge = |c: char| c.is_whitespace() || matches!(c, '(' | '"' | '[' | '“' | '/');
    let word = before.rsplit(is_edge).next().unwrap_or_default();
    let is_initial = word.len() == 1 && word.chars().all(|c| c.is_ascii_uppercase());
    let starts_line = before[..before.len() - word.len()].trim_end_matches([' ', '\t']);
    let is_list_number = !word.is_empty()
        && word.chars().all(|c| c.is_ascii_digit())
        && (starts_line.is_empty() || starts_line.ends_with('\n'));
    is_initial || is_list_number || ABBREVIATIONS.contains(&&*word.to_lowercase())
}

/// Returns true if a paragraph or a list item ends before `rest`.
fn is_block_end(rest: &str) -> bool {
    let line = rest.trim_start_matches([' ', '\t', '\r']);
    let is_item = |mark: &str| line.strip_prefix(mark).is_some_and(|l| l.starts_with(' '));
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = digits.len() < line.len() && digits.starts_with(['.', ')', '、']);
    line.starts_with(['\n', '#', '|'])
        || ["-", "*", "+", "•"].into_iter().any(is_item)
        || is_numbered
}

/// Returns the ends of clauses: after commas, colons and semicolons of both scripts, but not inside
/// numbers.
fn clause_ends(text: &str) -> Vec<usize> {
    let mut res = Vec::new();
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        let is_end = match c {
            '，' | '；' | '：' | '—' => true,
            ',' | ';' | ':' => text[end..].starts_with(char::is_whitespace),
            _ => false,
        };
        if is_end {
            res.push(end);
        }
    }
    res
}

/// Returns the ends of words; a Chinese character is a word.
fn word_ends(text: &str) -> Vec<usize> {
    let mut res = Vec::new();
    let mut last = None;
    for (at, c) in text.char_indices() {
        let is_end = last.is_some_and(|last| is_ideograph(last) || c.is_whitespace());
        if is_end && at > 0 && !CLOSERS.contains(&c) {
            res.push(at);
        }
        last = Some(c);
    }
    res
}

pub(crate) fn is_ideograph(c: char) -> bool {
    matches!(u32::from(c), 0x3040..=0x30ff | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x2_0000..=0x3_ffff)
}

#[cfg(test)]
mod tests {
    use super::*;
    use skill_tokens::Estimator;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(sentences(text), expected);
    }

    #[test]
    fn sentences_end_where_they_end() {
        check("One. Two! Three?", &["One.", "Two!", "Three?"]);
        check(
            "第一句。第二句！“第三句？”第四",
            &["第一句。", "第二句！", "“第三句？”", "第四"],
        );
        check(
            "Use v1.2.3, e.g. the one at https://a.b/c.d?e=f. Then stop.",
            &[
                "Use v1.2.3, e.g. the one at https://a.b/c.d?e=f.",
                "Then stop.",
            ],
        );
        check(
            "See Dr. Smith, fig. 2, and J. Doe etc. They know.",
            &["See Dr. Smith, fig. 2, and J. Doe etc. They know."],
        );
        check(
            "读取 config.env 中的值。然后 main.py 执行.结束",
            &["读取 config.env 中的值。", "然后 main.py 执行.", "结束"],
        );
        check(
            "What?! Really... yes. Ok",
            &["What?!", "Really... yes.", "Ok"],
        );
        check(
            "Intro:\n- one\n- two\n\nEnd",
            &["Intro:", "- one", "- two", "End"],
        );
        check("1. First thing. 2 more", &["1. First thing.", "2 more"]);
        check("等等……好。", &["等等……好。"]);
        check("", &[]);
    }

    #[track_caller]
    fn check_fit(text: &str, max_tokens: usize, expected: &str) {
        let counter = Estimator::default();
        let found = fit(text, max_tokens, &counter);
        assert_eq!(found.text, expected);
        assert!(counter.count(&found.text) <= max_tokens, "{found:?}");
    }

    #[test]
    fn a_cut_is_marked_and_between_sentences() {
        check_fit(
            "One is here. Two is there.",
            20,
            "One is here. Two is there.",
        );
        check_fit("One is here. Two is there.", 7, "One is here. […]");
        check_fit(
            "这是第一句话。这是第二句话，它比较长。",
            10,
            "这是第一句话。 […]",
        );
        check_fit("One is here, and another one, too", 8, "One is here, […]");
        check_fit("abc def ghi jkl mno pqr", 6, "abc def ghi jkl […]");
    }
}
