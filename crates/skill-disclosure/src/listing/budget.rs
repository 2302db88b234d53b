//! What is shown of each skill so that all of it fits.

use super::render::render;
use super::{Item, Settings};
use crate::sentence::is_ideograph;
use crate::tokens::TokenCounter;

/// Fewest tokens of a description that are worth showing; below that, names alone are shown.
const MIN_TOKENS: usize = 4;

/// What is shown of a skill.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shown {
    Whole,
    /// Its name, and its description up to a byte.
    Until(usize),
    Omitted,
}

impl Shown {
    /// Characters of the description that are missing.
    pub(super) fn n_missing(self, item: &Item) -> usize {
        match self {
            Self::Whole => 0,
            Self::Until(at) => item.description[at..].chars().count(),
            Self::Omitted => item.description.chars().count(),
        }
    }
}

/// Decides for every skill. Pinned ones are touched when all others are gone.
pub(super) fn settle(
    items: &[&Item],
    settings: &Settings,
    counter: &dyn TokenCounter,
) -> Vec<Shown> {
    let mut shown = vec![Shown::Whole; items.len()];
    let Some(budget) = settings.budget else {
        return shown;
    };
    let fitting = Fitting {
        items,
        settings,
        counter,
        budget,
    };
    for is_pinned in [false, true] {
        if fitting.fits(&shown) {
            break;
        }
        let group = (0..items.len()).filter(|at| items[*at].is_pinned == is_pinned);
        fitting.shorten(&mut shown, &group.collect::<Vec<usize>>());
    }
    shown
}

struct Fitting<'a> {
    items: &'a [&'a Item],
    settings: &'a Settings,
    counter: &'a dyn TokenCounter,
    budget: usize,
}

impl Fitting<'_> {
    fn fits(&self, shown: &[Shown]) -> bool {
        self.counter
            .count(&render(self.items, shown, self.settings))
            <= self.budget
    }

    /// Does as little as it must to the skills of a group.
    fn shorten(&self, shown: &mut [Shown], group: &[usize]) {
        let whole = shown.to_vec();
        for at in group {
            shown[*at] = Shown::Until(0);
        }
        if !self.fits(shown) {
            self.omit(shown, group);
            return;
        }
        let words: Vec<Vec<Word>> = group.iter().map(|at| self.words(*at)).collect();
        let most = words
            .iter()
            .filter_map(|it| it.last())
            .map(|it| it.tokens)
            .max();
        let at_cap = |cap: usize| {
            let mut res = whole.clone();
            for (at, words) in group.iter().zip(&words) {
                res[*at] = until(self.items[*at], words, cap);
            }
            res
        };
        let (mut low, mut high) = (0, most.unwrap_or(0) + 1);
        while low + 1 < high {
            let middle = usize::midpoint(low, high);
            if self.fits(&at_cap(middle)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        if low >= MIN_TOKENS {
            shown.copy_from_slice(&at_cap(low));
            self.one_more(shown, group, &words, low);
        }
    }

    /// Gives what is left to the first skills, one token each.
    fn one_more(&self, shown: &mut [Shown], group: &[usize], words: &[Vec<Word>], cap: usize) {
        let with = |n: usize, shown: &[Shown]| {
            let mut res = shown.to_vec();
            for (at, words) in group.iter().zip(words).take(n) {
                res[*at] = until(self.items[*at], words, cap + 1);
            }
            res
        };
        let counts: Vec<usize> = (1..=group.len()).collect();
        let n = counts.partition_point(|n| self.fits(&with(*n, shown)));
        shown.copy_from_slice(&with(n, shown));
    }

    /// Leaves out as few skills as it must: those that were used least, then those of the lowest
    /// precedence.
    fn omit(&self, shown: &mut [Shown], group: &[usize]) {
        let mut order = group.to_vec();
        order.sort_by(|a, b| {
            let key = |at: &usize| {
                (
                    self.items[*at].n_uses,
                    usize::MAX - self.items[*at].precedence,
                )
            };
            key(a)
                .cmp(&key(b))
                .then(self.items[*b].name.cmp(&self.items[*a].name))
        });
        let without = |n: usize, shown: &[Shown]| {
            let mut res = shown.to_vec();
            for at in &order[..n] {
                res[*at] = Shown::Omitted;
            }
            res
        };
        let counts: Vec<usize> = (1..order.len()).collect();
        let n = 1 + counts.partition_point(|n| !self.fits(&without(*n, shown)));
        shown.copy_from_slice(&without(n.min(order.len()), shown));
    }

    /// Where the description of a skill may be cut, and what it costs up to there.
    fn words(&self, at: usize) -> Vec<Word> {
        let text = &*self.items[at].description;
        let mut res: Vec<Word> = Vec::new();
        for end in word_ends(text) {
            let (start, before) = res.last().map_or((0, 0), |last| (last.end, last.tokens));
            let tokens = before + self.counter.count(&text[start..end]);
            res.push(Word { end, tokens });
        }
        res
    }
}

struct Word {
    /// Byte after it.
    end: usize,
    /// Tokens from the start of the text.
    tokens: usize,
}

/// The description of at most `cap` tokens.
fn until(item: &Item, words: &[Word], cap: usize) -> Shown {
    let n = words.partition_point(|word| word.tokens <= cap);
    match n.checked_sub(1) {
        _ if n == words.len() => Shown::Whole,
        Some(last) => Shown::Until(words[last].end.min(item.description.len())),
        None => Shown::Until(0),
    }
}

/// Before each space, and after each Chinese character; the last one is the end.
fn word_ends(text: &str) -> Vec<usize> {
    let mut res: Vec<usize> = text
        .char_indices()
        .filter_map(|(at, c)| match c {
            ' ' => Some(at),
            c if is_ideograph(c) => Some(at + c.len_utf8()),
            _ => None,
        })
        .collect();
    if res.last() != Some(&text.len()) {
        res.push(text.len());
    }
    res
}
