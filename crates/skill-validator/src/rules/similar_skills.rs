//! Two skills have nearly the same description.

use skill_diagnostics::{Code, Diagnostic};
use std::collections::BTreeMap;

use crate::context::Tree;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("similar-skills"),
    group: Group::Quality,
    levels: Levels::ADVICE,
    what: "Two skills have nearly the same description.",
    why: "An agent cannot tell them apart and takes either; one of them is usually a copy.",
    example: "two directories with one description",
    source: "https://agentskills.io/specification#description-field; predecessor and registries, where copies crowd out the original",
    check: Check::Tree(check),
};

fn check(tree: &Tree<'_>) -> Vec<Diagnostic> {
    let descriptions: Vec<&str> = tree
        .skills
        .iter()
        .map(|skill| skill.description.as_str())
        .collect();
    let pairs = pairs(&word_sets(&descriptions), tree.settings.overlap).into_iter();
    pairs
        .map(|(first, second)| {
            let message = format!(
                "the description is nearly that of `{}`",
                tree.skills[first].path
            );
            tree.finding(RULE.code, second, message)
        })
        .collect()
}

/// Converts the words of each description to numbers, rare words first: the number of a word is its
/// rank by frequency.
///
/// Words have at least two bytes; in Chinese and Japanese text, a word is the text between
/// punctuation.
fn word_sets(descriptions: &[&str]) -> Vec<Vec<u32>> {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for word in descriptions.iter().flat_map(|text| words(text)) {
        *counts.entry(word).or_default() += 1;
    }
    let mut order: Vec<(u32, &str)> = counts.iter().map(|(word, n)| (*n, *word)).collect();
    order.sort_unstable();
    for (rank, (_, word)) in (0..).zip(order) {
        counts.insert(word, rank);
    }
    let set = |text: &&str| {
        let mut set: Vec<u32> = words(text).map(|word| counts[word]).collect();
        set.sort_unstable();
        set.dedup();
        set
    };
    descriptions.iter().map(set).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.len() > 1)
}

/// Returns pairs of sets whose shared part of the union is at least `threshold`; each set once,
/// with the first one that is similar.
///
/// Two such sets share two of their rarest words (prefix filtering), so only sets with two rare
/// words in common are compared.
fn pairs(sets: &[Vec<u32>], threshold: f64) -> Vec<(usize, usize)> {
    let n_words = sets
        .iter()
        .filter_map(|set| set.last())
        .max()
        .map_or(0, |last| last + 1);
    let mut by_word: Vec<Vec<usize>> = vec![Vec::new(); n_words as usize];
    let mut shared: Vec<(usize, usize)> = vec![(usize::MAX, 0); sets.len()];
    let mut res = Vec::new();
    for (at, set) in sets.iter().enumerate() {
        let (rare, needed) = prefix(set, threshold);
        let mut first: Option<usize> = None;
        let mut n_compared = 0;
        for other in rare
            .iter()
            .flat_map(|word| &by_word[*word as usize])
            .copied()
        {
            let n_before = if shared[other].0 == at {
                shared[other].1
            } else {
                0
            };
            shared[other] = (at, n_before + 1);
            let is_due = n_before + 1 == needed && first.is_none_or(|first| other < first);
            if is_due && n_compared < MAX_CANDIDATES {
                n_compared += 1;
                if is_similar(&sets[other], set, threshold) {
                    first = Some(other);
                }
            }
        }
        res.extend(first.map(|other| (other, at)));
        for list in rare.iter().map(|word| *word as usize) {
            if by_word[list].len() < MAX_CANDIDATES {
                by_word[list].push(at);
            }
        }
    }
    res
}

/// Maximum number of sets that are remembered per word, and that one set is compared with; larger
/// groups have little more than a word in common.
const MAX_CANDIDATES: usize = 64;
/// Minimum number of words for a comparison.
const MIN_WORDS: usize = 4;

/// Returns the rarest words of a set, and how many of them a similar set shares at least.
fn prefix(set: &[u32], threshold: f64) -> (&[u32], usize) {
    if set.len() < MIN_WORDS {
        return (&[], 1);
    }
    let n_common = ceil_share(set.len(), threshold);
    let needed = n_common.min(2);
    (&set[..set.len() - n_common + needed], needed)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a description has few words"
)]
fn ceil_share(n: usize, share: f64) -> usize {
    ((n as f64 * share.clamp(0.0, 1.0)).ceil() as usize).clamp(1, n)
}

#[expect(clippy::cast_precision_loss, reason = "a description has few words")]
fn is_similar(a: &[u32], b: &[u32], threshold: f64) -> bool {
    let (shorter, longer) = (a.len().min(b.len()), a.len().max(b.len()));
    if (shorter as f64) < threshold * longer as f64 {
        return false;
    }
    let common = n_common(a, b);
    common as f64 >= threshold * (a.len() + b.len() - common) as f64
}

/// Returns how many numbers two sorted lists share.
fn n_common(left: &[u32], right: &[u32]) -> usize {
    let (mut at_left, mut at_right, mut n) = (0, 0, 0);
    while let (Some(l), Some(r)) = (left.get(at_left), right.get(at_right)) {
        n += usize::from(l == r);
        at_left += usize::from(l <= r);
        at_right += usize::from(r <= l);
    }
    n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_pairs(descriptions: &[&str], expected: &[(usize, usize)]) {
        assert_eq!(pairs(&word_sets(descriptions), 0.75), expected);
    }

    #[test]
    fn finds_near_copies() {
        let notes = "Formats meeting notes into Markdown. Use when notes are raw.";
        check_pairs(&[notes, "Rolls dice for games when asked to."], &[]);
        check_pairs(&[notes, "x y", notes], &[(0, 2)]);
        check_pairs(
            &[
                notes,
                "Formats meeting notes into Markdown. Use when notes are very raw.",
            ],
            &[(0, 1)],
        );
        check_pairs(
            &[
                "计算器。执行数学表达式。支持函数。当需要计算时。",
                "计算器。执行数学表达式。支持函数。当需要计算时。",
            ],
            &[(0, 1)],
        );
    }

    #[test]
    fn ten_thousand_skills_are_compared_quickly() {
        let texts: Vec<String> = (0..10_000)
            .map(|n| {
                format!(
                    "Does thing number{n} with tool{} use when needed now",
                    n % 7
                )
            })
            .collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        assert_eq!(pairs(&word_sets(&texts), 0.95), []);
    }
}
