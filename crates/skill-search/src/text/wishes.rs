//! Splits a request into its wishes: "merge these PDFs and then translate the result" has two.
//!
//! The parts are only candidates: a search treats them as wishes if different skills answer them
//! (`search/several.rs`). So a part must begin like a wish, and nothing else is decided here.

use super::intent_words::{begins_wish, sentences};
use super::patterns::Patterns;
use super::word_lists::list;
use std::sync::OnceLock;

/// The maximum number of wishes of a request; a request with more is a document.
const MAX_WISHES: usize = 6;
/// The minimum number of characters of a wish, without blanks.
const MIN_WISH: usize = 4;

/// Returns the parts of a request that may be separate wishes, in order. The result is empty if there
/// are not at least two.
pub(crate) fn wishes(text: &str) -> Vec<&str> {
    let items = items(text);
    let parts = if items.len() > 1 {
        items
    } else {
        let clauses = sentences(text).into_iter().flat_map(clauses);
        clauses.filter(|part| begins_wish(part)).collect()
    };
    let is_long = |part: &&str| part.chars().filter(|c| c.is_alphanumeric()).count() >= MIN_WISH;
    let res: Vec<&str> = parts.into_iter().map(trimmed).filter(is_long).collect();
    if (2..=MAX_WISHES).contains(&res.len()) {
        res
    } else {
        Vec::new()
    }
}

/// Returns the items of a list, each on its own line.
fn items(text: &str) -> Vec<&str> {
    text.lines().filter_map(item).collect()
}

fn item(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = if number.len() < line.len() {
        number.strip_prefix(['.', ')', '、', '）'])
    } else {
        line.strip_prefix(['-', '*', '•', '·'])
    };
    rest.filter(|rest| rest.starts_with(' ') || !line.is_ascii())
}

/// Splits a sentence at the words that join two wishes.
fn clauses(sentence: &str) -> Vec<&str> {
    static JOINTS: OnceLock<Patterns> = OnceLock::new();
    let joints = JOINTS.get_or_init(|| Patterns::new(list("wishes:")));
    let lower = sentence.to_lowercase();
    // Positions are valid for both texts only if lower case changes no length.
    if lower.len() != sentence.len() {
        return vec![sentence];
    }
    let mut res = Vec::new();
    let (mut start, mut from) = (0, 0);
    while let Some((at, joint)) = joints.find(&lower, from) {
        from = at + joint.len();
        if begins_wish(trimmed(&sentence[from..])) {
            res.push(&sentence[start..at]);
            start = from;
        }
    }
    res.push(&sentence[start..]);
    res
}

fn trimmed(part: &str) -> &str {
    part.trim_matches(|c: char| c.is_whitespace() || ",.;:!?，。；：、！？".contains(c))
}
