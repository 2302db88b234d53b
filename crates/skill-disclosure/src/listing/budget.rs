//! Decides how much of each skill is listed so that all of it fits.

use super::extent::Extent;
use super::item::{Item, Settings};
use super::render::render;
use crate::sentence::is_ideograph;
use skill_tokens::TokenCounter;

/// The minimum number of tokens of a description that is worth listing; below that, only names are
/// listed.
const MIN_TOKENS: usize = 4;

/// Decides for every skill. Pinned ones are shortened only after all others.
pub(super) fn fit_to_budget(
    items: &[&Item],
    settings: &Settings,
    counter: &dyn TokenCounter,
) -> Vec<Extent> {
    let mut extents = vec![Extent::Whole; items.len()];
    let Some(budget) = settings.budget else {
        return extents;
    };
    let fitter = BudgetFitter {
        items,
        settings,
        counter,
        budget,
    };
    for is_pinned in [false, true] {
        if fitter.fits(&extents) {
            break;
        }
        let group = (0..items.len()).filter(|at| items[*at].is_pinned == is_pinned);
        fitter.shorten(&mut extents, &group.collect::<Vec<usize>>());
    }
    extents
}

struct BudgetFitter<'a> {
    items: &'a [&'a Item],
    settings: &'a Settings,
    counter: &'a dyn TokenCounter,
    budget: usize,
}

impl BudgetFitter<'_> {
    fn fits(&self, extents: &[Extent]) -> bool {
        self.counter
            .count(&render(self.items, extents, self.settings))
            <= self.budget
    }

    /// Shortens the skills of a group as little as necessary.
    fn shorten(&self, extents: &mut [Extent], group: &[usize]) {
        let whole = extents.to_vec();
        for at in group {
            extents[*at] = Extent::Until(0);
        }
        if !self.fits(extents) {
            self.omit(extents, group);
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
            extents.copy_from_slice(&at_cap(low));
            self.one_more(extents, group, &words, low);
        } else {
            self.describe_most_used(extents, &whole, group);
        }
    }

    /// Gives the remaining budget to the most used skills, each with the description that it had before.
    fn describe_most_used(&self, extents: &mut [Extent], whole: &[Extent], group: &[usize]) {
        let order = self.by_use(group);
        let with = |n: usize| {
            let mut res = extents.to_vec();
            for at in order.iter().rev().take(n) {
                res[*at] = whole[*at];
            }
            res
        };
        let counts: Vec<usize> = (1..group.len()).collect();
        let described = with(counts.partition_point(|n| self.fits(&with(*n))));
        extents.copy_from_slice(&described);
    }

    /// Returns the skills of a group, those with the fewest uses first, then those of the lowest precedence.
    fn by_use(&self, group: &[usize]) -> Vec<usize> {
        let mut res = group.to_vec();
        res.sort_by(|a, b| {
            let [a, b] = [a, b].map(|at| self.items[*at]);
            let by_precedence = b.precedence.cmp(&a.precedence);
            let by_name = b.name.cmp(&a.name);
            a.n_uses.cmp(&b.n_uses).then(by_precedence).then(by_name)
        });
        res
    }

    /// Gives the remaining budget to the first skills, one token each.
    fn one_more(&self, extents: &mut [Extent], group: &[usize], words: &[Vec<Word>], cap: usize) {
        let with = |n: usize, extents: &[Extent]| {
            let mut res = extents.to_vec();
            for (at, words) in group.iter().zip(words).take(n) {
                res[*at] = until(self.items[*at], words, cap + 1);
            }
            res
        };
        let counts: Vec<usize> = (1..=group.len()).collect();
        let n = counts.partition_point(|n| self.fits(&with(*n, extents)));
        extents.copy_from_slice(&with(n, extents));
    }

    /// Omits as few skills as necessary: those with the fewest uses first, then those of the lowest
    /// precedence.
    fn omit(&self, extents: &mut [Extent], group: &[usize]) {
        let order = self.by_use(group);
        let without = |n: usize, extents: &[Extent]| {
            let mut res = extents.to_vec();
            for at in &order[..n] {
                res[*at] = Extent::Omitted;
            }
            res
        };
        let counts: Vec<usize> = (1..order.len()).collect();
        let n = 1 + counts.partition_point(|n| !self.fits(&without(*n, extents)));
        extents.copy_from_slice(&without(n.min(order.len()), extents));
    }

    /// Returns the positions where the description of a skill may be cut, with the tokens up to
    /// there.
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
    /// The byte after the word.
    end: usize,
    /// The tokens from the start of the text.
    tokens: usize,
}

/// Cuts the description to at most `cap` tokens.
fn until(item: &Item, words: &[Word], cap: usize) -> Extent {
    let n = words.partition_point(|word| word.tokens <= cap);
    match n.checked_sub(1) {
        _ if n == words.len() => Extent::Whole,
        Some(last) => Extent::Until(words[last].end.min(item.description.len())),
        None => Extent::Until(0),
    }
}

/// Returns the positions before each space and after each Chinese character; the last one is the
/// end.
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
