//! The share of a text that another text has too.

use std::collections::BTreeSet;

/// English words that carry no meaning of their own.
const EMPTY: [&str; 48] = [
    "the", "and", "for", "with", "from", "into", "that", "this", "use", "used", "using", "user",
    "users", "when", "whenever", "wants", "want", "needs", "need", "asks", "ask", "task", "tasks",
    "skill", "you", "your", "are", "has", "have", "can", "via", "its", "their", "any", "all",
    "new", "should", "also", "other", "about", "such", "which", "these", "those", "them", "not",
    "out", "one",
];

/// Returns the share of the words of `text` that `within` has too, in percent, and the number of words.
/// Pairs of Chinese characters count as words.
pub fn overlap(text: &str, within: &str) -> (usize, usize) {
    let (own, others) = (words(text), words(within));
    if own.is_empty() {
        return (0, 0);
    }
    let n_common = own.intersection(&others).count();
    (n_common * 100 / own.len(), own.len())
}

fn words(text: &str) -> BTreeSet<String> {
    let is_han = |c: char| matches!(c, '\u{3400}'..='\u{9FFF}');
    let mut res = BTreeSet::new();
    let lower = text.to_lowercase();
    for word in lower.split(|c: char| !c.is_alphanumeric() || is_han(c)) {
        if word.chars().count() > 2 && !EMPTY.contains(&word) {
            res.insert(stem(word).to_owned());
        }
    }
    for run in lower.split(|c: char| !is_han(c)) {
        let chars: Vec<char> = run.chars().collect();
        res.extend(chars.windows(2).map(|pair| pair.iter().collect()));
    }
    res
}

/// Returns an English word without the commonest endings, so that forms of one word are equal.
fn stem(word: &str) -> &str {
    let endings = ["ing", "es", "ed", "s"];
    let stem = endings.iter().find_map(|ending| word.strip_suffix(ending));
    let stem = stem.filter(|stem| stem.len() > 2).unwrap_or(word);
    stem.strip_suffix('e')
        .filter(|short| short.len() > 2)
        .unwrap_or(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_words_and_pairs() {
        let check = |text, within, expected| assert_eq!(overlap(text, within), expected);
        check("roll the dice", "Rolls dice of any size.", (100, 2));
        check("roll the coins", "Rolls dice of any size.", (50, 2));
        check("查询天气", "查询实时天气。", (66, 3));
        check("查询天气", "按城市查询天气和预警。", (100, 3));
        check("", "a", (0, 0));
    }
}
