//! Turns a request into weighted terms.

use crate::Index;
use crate::background::{Background, idf};
use crate::index::as_f32;
use crate::text::{Porter2, Term, each_term, pieces, without_fillers};

/// The maximum number of different terms of a request. A request that contains a pasted document
/// states its goal at the beginning.
pub(super) const MAX_TERMS: usize = 128;

/// A term of a request.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct QueryTerm {
    pub(super) text: String,
    /// The number of the term in the vocabulary.
    pub(super) number: Option<u32>,
    /// The inverse document frequency times the factor.
    pub(super) weight: f32,
    /// The weight of the term's kind times the weight of the piece that has it.
    factor: f32,
    pub(super) is_word: bool,
}

/// A request as terms.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Query {
    pub(super) terms: Vec<QueryTerm>,
    /// Neighbours in the request, as positions in `terms`; sorted.
    pub(super) pairs: Vec<(usize, usize)>,
    /// The sum of all weights.
    pub(super) total: f32,
    /// The share of the weights of terms that neither the index nor the background has.
    pub(super) unknown: f32,
    /// The share of the terms that are pairs or characters of runs.
    pub(super) cjk: f32,
}

impl Query {
    pub(super) fn new(text: &str, index: &Index) -> Self {
        let mut res = Self::default();
        for (share, text) in pieces(text) {
            res.read(&without_fillers(text), share, index);
        }
        res.pairs.sort_unstable();
        res.pairs.dedup();
        res.sum_up();
        res
    }

    /// Adds the terms of a piece with their weights multiplied by `share`.
    fn read(&mut self, text: &str, share: f32, index: &Index) {
        let mut last = None;
        each_term(text, false, &Porter2, |term| {
            let (text, factor) = match term {
                Term::Word(text) | Term::Pair(text) | Term::Lone(text) => (text, 1.0),
                Term::Single(text) => (text, index.model().single),
                Term::Skipped | Term::Break => {
                    last = None;
                    return;
                }
            };
            let is_word = matches!(term, Term::Word(_));
            let at = self.take(text, factor * share, is_word, index);
            if let (Some(last), Some(at), true) = (last, at, is_word) {
                self.pairs.push((last, at));
            }
            last = at.filter(|_| is_word);
        });
    }

    /// Computes the values over all terms.
    fn sum_up(&mut self) {
        self.total = self.terms.iter().map(|term| term.weight).sum();
        let n_words = self.terms.iter().filter(|term| term.is_word).count();
        let n_terms = self.terms.len().max(1);
        self.cjk = 1.0 - as_f32(n_words as u64) / as_f32(n_terms as u64);
        if self.terms.is_empty() {
            self.cjk = 0.0;
        }
        self.unknown = self.unknown_weight() / self.total.max(f32::MIN_POSITIVE);
    }

    /// Returns the position of a term; a new one is added if there is room.
    fn take(&mut self, text: &str, factor: f32, is_word: bool, index: &Index) -> Option<usize> {
        let found = self.terms.iter().position(|term| term.text == text);
        if let Some(at) = found {
            let term = &mut self.terms[at];
            if factor > term.factor {
                term.weight *= factor / term.factor;
                term.factor = factor;
            }
            return found;
        }
        if self.terms.len() == MAX_TERMS {
            return None;
        }
        let number = index.vocabulary.find(text);
        let frequency = number.map_or(0, |at| index.frequencies.get(at));
        let own = idf(as_f32(index.len() as u64), as_f32(u64::from(frequency)));
        let share = index.model().background;
        let idf = (1.0 - share) * own + share * Background::shipped().idf(text);
        self.terms.push(QueryTerm {
            text: text.to_owned(),
            number: number.and_then(|number| u32::try_from(number).ok()),
            weight: idf * factor,
            factor,
            is_word,
        });
        Some(self.terms.len() - 1)
    }

    fn unknown_weight(&self) -> f32 {
        let background = Background::shipped();
        let unknown = self.terms.iter().filter(|term| term.number.is_none());
        let unknown = unknown.filter(|term| !background.knows(&term.text));
        unknown.map(|term| term.weight).sum()
    }

    /// Returns the sum of the weights of the terms in `mask`.
    pub(super) fn weight_of(&self, mut mask: u128) -> f32 {
        let mut res = 0.0;
        while mask != 0 {
            res += self.terms[mask.trailing_zeros() as usize].weight;
            mask &= mask - 1;
        }
        res
    }
}
