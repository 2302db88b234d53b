//! Finds the parts of a request that say what is *not* wanted.
//!
//! "Summarize this page, do not open a browser", "不要打开浏览器": the words after the negation
//! speak against a skill. A complaint ("the tests do not run") is not such a part: in English, a
//! negated verb counts only where a clause begins with it.

use std::sync::OnceLock;

use super::word_lists::list;

/// The lists of `data/intent-words.txt` on negations.
struct Words {
    /// Phrases that negate what follows them, wherever they occur.
    anywhere: Vec<&'static str>,
    /// Phrases that negate what follows them at the beginning of a clause.
    at_start: Vec<&'static str>,
    /// Words after which a clause begins without a punctuation mark.
    joints: Vec<&'static str>,
    /// Verbs that describe the user's trouble after a negation at the beginning of a clause.
    troubles: Vec<&'static str>,
    /// Words that end a negated part.
    ends: Vec<&'static str>,
    /// Negations of scripts without spaces.
    runs: Vec<&'static str>,
}

fn words() -> &'static Words {
    static WORDS: OnceLock<Words> = OnceLock::new();
    WORDS.get_or_init(|| Words {
        anywhere: list("unwanted: ").collect(),
        at_start: list("starts: ").collect(),
        joints: list("joints: ").collect(),
        troubles: list("troubles: ").collect(),
        ends: list("ends: ").collect(),
        runs: list("runs: ").collect(),
    })
}

/// Characters before 别 and 非 that make another word with it: 特别, 识别, 除非.
const BEFORE_OTHER_WORDS: &str = "特分区级类识判性个告离除并无是绝";
/// Characters after 别 and 非 that make another word with it: 别人, 别名, 非常.
const AFTER_OTHER_WORDS: &str = "人名的处常法";

/// Splits a sentence or a part of it; true marks what is not wanted, including the negation itself.
pub(super) fn negations(text: &str) -> Vec<(bool, &str)> {
    let lower = text.to_lowercase();
    // Positions are valid for both texts only if lower case changes no length.
    if lower.len() != text.len() {
        return vec![(false, text)];
    }
    let mut res = Vec::new();
    let mut start = 0;
    let mut from = 0;
    while let Some(at) = next(&lower, from) {
        let end = at + length(&lower[at..]);
        res.extend([(false, &text[start..at]), (true, &text[at..end])]);
        (start, from) = (end, end);
    }
    res.push((false, &text[start..]));
    res.retain(|(_, part)| !part.is_empty());
    res
}

/// Returns the start of the first negation from `from`.
fn next(lower: &str, from: usize) -> Option<usize> {
    let all = |words: &[&'static str], is_one: fn(&str, usize, &str) -> bool| {
        let starts = words.iter().filter_map(|word| {
            let mut found = lower[from..].match_indices(word);
            found.find_map(|(at, _)| is_one(lower, from + at, word).then_some(from + at))
        });
        starts.min()
    };
    let words = words();
    let found = [
        all(&words.anywhere, is_word),
        all(&words.at_start, begins_clause),
        all(&words.runs, is_run_negation),
    ];
    found.into_iter().flatten().min()
}

/// Returns true if a phrase is not a part of longer words.
fn is_word(text: &str, at: usize, phrase: &str) -> bool {
    !text[..at].ends_with(char::is_alphanumeric) && text[at + phrase.len()..].starts_with(' ')
}

fn begins_clause(text: &str, at: usize, negation: &str) -> bool {
    if !is_word(text, at, negation) {
        return false;
    }
    let before = text[..at].trim_end();
    let last = before
        .rsplit(char::is_whitespace)
        .next()
        .unwrap_or_default();
    let is_start = before.is_empty()
        || before.ends_with([',', ';', ':', '.', '!', '?', '(', '—', '–', '，', '。'])
        || text[..at].ends_with(' ') && words().joints.contains(&last);
    let after = text[at + negation.len()..].trim_start();
    let verb = after.split(|c: char| !c.is_alphanumeric()).next();
    is_start && !words().troubles.contains(&verb.unwrap_or_default())
}

fn is_run_negation(text: &str, at: usize, negation: &str) -> bool {
    let before = text[..at].chars().next_back().unwrap_or(' ');
    let after = text[at + negation.len()..].chars().next().unwrap_or(' ');
    let mut own = negation.chars();
    let (first, second) = (own.next(), own.next());
    match (first, second) {
        (Some('别' | '非'), None) => {
            !BEFORE_OTHER_WORDS.contains(before) && !AFTER_OTHER_WORDS.contains(after)
        }
        // 要不要, 是不是 and 用不用 ask whether.
        (Some('不'), Some(verb)) => before != verb,
        _ => true,
    }
}

/// Returns the length of the negated part at the beginning of `text`.
fn length(text: &str) -> usize {
    let is_end = |c: char| "，。；！？、,;:!?()（）\n—–".contains(c);
    let by_mark = text.find(is_end);
    let by_stop = text.find(". ");
    let by_word = words().ends.iter().filter_map(|end| text.find(end)).min();
    let found = [by_mark, by_stop, by_word].into_iter().flatten().min();
    found.unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the parts that are not wanted.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let parts = negations(text);
        let joined: String = parts.iter().map(|(_, part)| *part).collect();
        assert_eq!(joined, text);
        let negated = parts.into_iter().filter(|(is_negated, _)| *is_negated);
        let negated: Vec<&str> = negated.map(|(_, part)| part.trim_end()).collect();
        assert_eq!(negated, expected, "{text}");
    }

    #[test]
    fn what_is_not_wanted_is_marked() {
        check("Do not start a browser.", &["Do not start a browser."]);
        check(
            "Review the plan, but do not change files, please",
            &["do not change files"],
        );
        check("use tabs instead of spaces", &["instead of spaces"]);
        check("a table, not a chart, of sales", &["not a chart"]);
        check("只看配置，不要打开开发者工具。", &["不要打开开发者工具"]);
        check("调试网页，非小程序场景", &["非小程序场景"]);
        check("别总结，直接讲", &["别总结"]);
    }

    #[test]
    fn complaints_and_questions_are_not_negations() {
        for text in [
            "the tests do not run",
            "I don't know how to start",
            "don't understand this error",
            "withoutabox",
            "要不要升级",
            "这是不是漏洞",
            "特别大的文件，识别文字",
            "非常慢",
            "别人的代码",
        ] {
            check(text, &[]);
        }
    }
}
