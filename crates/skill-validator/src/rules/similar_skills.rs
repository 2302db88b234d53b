//! Two skills have nearly the same description.

use skill_diagnostics::{Code, Diagnostic};
use std::collections::{BTreeMap, BTreeSet};

use crate::context::Tree;
use crate::rule::{Check, Group, Levels, Rule};

/// The rule.
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
    let words: Vec<BTreeSet<&str>> = tree
        .skills
        .iter()
        .map(|skill| words(&skill.description))
        .collect();
    let pairs = pairs(&words, tree.settings.overlap).into_iter();
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

/// Words of at least two letters; of Chinese and Japanese text, its sentences.
fn words(description: &str) -> BTreeSet<&str> {
    let parts = description.split(|c: char| !c.is_alphanumeric());
    parts.filter(|part| part.len() > 1).collect()
}

/// Pairs of sets that share at least so much of their union; each set once, with the first that
/// it resembles. Only sets with a common rare word are compared.
fn pairs(sets: &[BTreeSet<&str>], threshold: f64) -> Vec<(usize, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for word in sets.iter().flatten() {
        *counts.entry(word).or_default() += 1;
    }
    let mut by_word: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut res = Vec::new();
    for (at, set) in sets.iter().enumerate() {
        let rare = rarest(set, &counts, threshold);
        let candidates: BTreeSet<usize> = rare
            .iter()
            .filter_map(|word| by_word.get(word))
            .flatten()
            .copied()
            .collect();
        let similar = candidates
            .into_iter()
            .find(|other| is_similar(&sets[*other], set, threshold));
        res.extend(similar.map(|other| (other, at)));
        for word in rare {
            let list = by_word.entry(word).or_default();
            if list.len() < MAX_CANDIDATES {
                list.push(at);
            }
        }
    }
    res
}

/// Most sets that are remembered for one word; more have nothing but that word in common.
const MAX_CANDIDATES: usize = 64;
/// Fewest words that say anything.
const MIN_WORDS: usize = 4;

/// The rarest words of a set: as many as two similar sets cannot both lack (prefix filtering).
fn rarest<'a>(
    set: &BTreeSet<&'a str>,
    counts: &BTreeMap<&str, usize>,
    threshold: f64,
) -> Vec<&'a str> {
    if set.len() < MIN_WORDS {
        return Vec::new();
    }
    let mut words: Vec<&str> = set.iter().copied().collect();
    words.sort_by_key(|word| (counts.get(word), *word));
    let n = words.len() - ceil_share(words.len(), threshold) + 1;
    words.truncate(n);
    words
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
fn is_similar(a: &BTreeSet<&str>, b: &BTreeSet<&str>, threshold: f64) -> bool {
    let common = a.intersection(b).count();
    let union = a.len() + b.len() - common;
    common as f64 >= threshold * union as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_pairs(descriptions: &[&str], expected: &[(usize, usize)]) {
        let sets: Vec<_> = descriptions.iter().map(|text| words(text)).collect();
        assert_eq!(pairs(&sets, 0.75), expected);
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
        let sets: Vec<_> = texts.iter().map(|text| words(text)).collect();
        assert_eq!(pairs(&sets, 0.95), []);
    }
}
