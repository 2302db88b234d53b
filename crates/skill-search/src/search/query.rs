//! Turns a request into weighted terms.

use crate::Index;
use crate::background::{Background, idf};
use crate::index::as_f32;
use crate::likeness::{N_DIRECTIONS, Vector, WordVectors, unit};
use crate::synonym_groups::{self, SynonymGroups};
use crate::text::{
    Porter2, Term, Topic, each_term, other_names, pieces, shapes, terms, without_fillers,
};

/// The maximum number of different terms of a request. A request that contains a pasted document
/// states its goal at the beginning.
pub(super) const MAX_TERMS: usize = 128;

/// The maximum number of substitutes of a term.
const MAX_SUBSTITUTES: usize = 12;
/// The maximum number of pairs and characters of a run of four.
const MAX_LONE: usize = 7;
/// The fraction of the weight that remains for a term with substitutes, which are less exact.
const SUBSTITUTED: f32 = 0.6;

/// Returns the terms of the vocabulary that mean the same in another script as a term that it does
/// not have. Other words of the same script are less exact than that: they cost more right first
/// matches than they find.
fn substitutes_of(text: &str, index: &Index) -> Vec<u32> {
    let synonyms = SynonymGroups::shipped().synonyms(text);
    let synonyms = synonyms.filter(|synonym| synonym.is_ascii() != text.is_ascii());
    let numbers = synonyms.filter_map(|synonym| index.vocabulary.find(synonym));
    let mut res: Vec<u32> = numbers
        .filter_map(|number| u32::try_from(number).ok())
        .collect();
    res.sort_unstable();
    res.dedup();
    res.truncate(MAX_SUBSTITUTES);
    res
}

/// A term of a request.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct QueryTerm {
    pub(super) text: String,
    /// The number of the term in the vocabulary.
    pub(super) number: Option<u32>,
    /// The terms of the vocabulary that count in its place if the vocabulary does not have it:
    /// other words with its meaning, often of another language.
    pub(super) substitutes: Vec<u32>,
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
    /// True for a single word, or a single run of at most four characters: the name of a product or of a
    /// file, a subject. Beside the name of a file, one more word is allowed: "open report.pdf".
    pub(super) is_lone: bool,
    /// True if the request has the name of a file, an address or an error.
    has_topic: bool,
    /// Terms of the vocabulary that the request says are not wanted, with their inverse document
    /// frequencies; sorted by term.
    pub(super) negated: Vec<(u32, f32)>,
}

impl Query {
    pub(super) fn new(text: &str, index: &Index) -> Self {
        let mut res = Self::default();
        let knows = |word: &str| {
            let own = terms(word).into_iter();
            own.map(|term| index.vocabulary.find(&term))
                .any(|found| found.is_some())
        };
        let shaped = shapes(text, &knows);
        let pieces = pieces(&shaped.prose);
        for piece in pieces.iter().filter(|piece| !piece.is_negated) {
            res.read(&without_fillers(piece.text), piece.weight, index);
            res.read_other_names(piece.text, piece.weight, index);
        }
        for (weight, words) in &shaped.asides {
            res.read(words, *weight, index);
        }
        res.has_topic = !shaped.topics.is_empty();
        for (weight, topic) in &shaped.topics {
            res.take_topic(topic, *weight, index);
        }
        for piece in pieces.iter().filter(|piece| piece.is_negated) {
            res.negate(piece.text, index);
        }
        res.pairs.sort_unstable();
        res.pairs.dedup();
        res.negated.sort_unstable_by_key(|(term, _)| *term);
        res.negated.dedup_by_key(|(term, _)| *term);
        res.sum_up();
        res
    }

    /// Adds the terms of a negated piece, except for those that are also wanted.
    fn negate(&mut self, text: &str, index: &Index) {
        for term in terms(text) {
            let is_wanted = self.terms.iter().any(|known| known.text == term);
            let number = index.vocabulary.find(&term);
            if let (Some(number), false) = (number, is_wanted)
                && let Ok(term) = u32::try_from(number)
                && self.negated.len() < MAX_TERMS
            {
                self.negated.push((term, index.own_idf(number)));
            }
        }
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

    /// Adds another name of each product that a piece names, if the vocabulary has it: skills say
    /// Bilibili where people say B站.
    fn read_other_names(&mut self, text: &str, share: f32, index: &Index) {
        let is_known = |name: &&str| {
            let terms = terms(name).into_iter();
            let mut terms = terms.filter(|term| term.is_ascii() || term.chars().count() == 2);
            terms.all(|term| index.vocabulary.find(&term).is_some())
        };
        for names in other_names(text) {
            if let Some(name) = names.into_iter().find(is_known) {
                self.read(name, share, index);
            }
        }
    }

    /// Adds a topic as one term, which every skill has that has one of its words. A topic of which the
    /// index has no word is omitted: that no skill is about it says nothing about the request.
    fn take_topic(&mut self, topic: &Topic, share: f32, index: &Index) {
        let numbers = topic.words().filter_map(synonym_groups::term);
        let numbers = numbers.filter_map(|term| index.vocabulary.find(&term));
        let mut substitutes: Vec<u32> = numbers
            .filter_map(|number| u32::try_from(number).ok())
            .filter(|number| !self.terms.iter().any(|known| known.number == Some(*number)))
            .collect();
        substitutes.sort_unstable();
        substitutes.dedup();
        let text = topic.words().next().unwrap_or_default();
        if substitutes.is_empty() || self.terms.len() == MAX_TERMS {
            return;
        }
        let frequencies = substitutes
            .iter()
            .map(|number| u64::from(index.frequencies.get(*number as usize)));
        let frequency = frequencies.sum::<u64>().min(index.len() as u64);
        self.terms.push(QueryTerm {
            text: text.to_owned(),
            number: None,
            substitutes,
            weight: idf(as_f32(index.len() as u64), as_f32(frequency)) * share,
            factor: share,
            is_word: false,
        });
    }

    /// Computes the values over all terms.
    fn sum_up(&mut self) {
        self.drop_remnants();
        self.total = self.terms.iter().map(|term| term.weight).sum();
        let is_word = |term: &&QueryTerm| term.is_word || !term.substitutes.is_empty();
        let n_words = self.terms.iter().filter(is_word).count();
        let n_single = self.terms.iter().filter(|term| term.is_word).count();
        let n_pairs = self.terms.len() - n_words;
        let n_beside = 1 + usize::from(self.has_topic);
        self.is_lone =
            n_single <= n_beside && (n_pairs == 0 || n_single == 0 && n_pairs <= MAX_LONE);
        let n_terms = self.terms.len().max(1);
        self.cjk = 1.0 - as_f32(n_words as u64) / as_f32(n_terms as u64);
        if self.terms.is_empty() {
            self.cjk = 0.0;
        }
        self.unknown = self.unknown_weight() / self.total.max(f32::MIN_POSITIVE);
    }

    /// Takes the weight of pairs and characters that overlap a substituted pair and are unknown
    /// themselves: in 压缩图片, 缩图 is an accident of the cut.
    fn drop_remnants(&mut self) {
        let substituted = self
            .terms
            .iter()
            .filter(|term| !term.substitutes.is_empty());
        let chars: Vec<char> = substituted.flat_map(|term| term.text.chars()).collect();
        for term in &mut self.terms {
            let is_unknown = term.number.is_none() && term.substitutes.is_empty();
            if is_unknown && !term.is_word && term.text.chars().any(|c| chars.contains(&c)) {
                term.weight = 0.0;
            }
        }
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
        let number = number.and_then(|number| u32::try_from(number).ok());
        let mut substitutes = Vec::new();
        if number.is_none() {
            substitutes = substitutes_of(text, index);
        }
        let (background, certainty) = if substitutes.is_empty() {
            (index.model().background, 1.0)
        } else {
            (0.0, SUBSTITUTED)
        };
        let factor = factor * certainty;
        let all = number.iter().chain(&substitutes);
        let frequencies = all.map(|number| u64::from(index.frequencies.get(*number as usize)));
        let frequency = frequencies.sum::<u64>().min(index.len() as u64);
        let own = idf(as_f32(index.len() as u64), as_f32(frequency));
        let idf = (1.0 - background) * own + background * Background::shipped().idf(text);
        self.terms.push(QueryTerm {
            text: text.to_owned(),
            number,
            substitutes,
            weight: idf * factor,
            factor,
            is_word,
        });
        Some(self.terms.len() - 1)
    }

    /// Returns the sum of the vectors of the words, with length 1.
    pub(super) fn vector(&self) -> Vector {
        let mut sum = [0.0; N_DIRECTIONS];
        for term in &self.terms {
            WordVectors::shipped().add(term.text.as_bytes(), term.factor, &mut sum);
        }
        unit(&sum)
    }

    fn unknown_weight(&self) -> f32 {
        let background = Background::shipped();
        let is_unknown = |term: &&QueryTerm| term.number.is_none() && term.substitutes.is_empty();
        let unknown = self.terms.iter().filter(is_unknown);
        let unknown = unknown.filter(|term| !background.knows(&term.text));
        unknown.map(|term| term.weight).sum()
    }

    /// Returns the bit of a term of the vocabulary among the negated ones, or 0.
    #[inline]
    pub(super) fn negation(&self, term: u32) -> u128 {
        if self.negated.is_empty() {
            return 0;
        }
        let found = self.negated.binary_search_by_key(&term, |pair| pair.0);
        found.map_or(0, |at| 1 << at)
    }

    /// Returns the sum of the weights of the negated terms in `mask`.
    pub(super) fn negated_weight(&self, mask: u128) -> f32 {
        let terms = self.negated.iter().enumerate();
        let own = terms.filter(|(at, _)| mask >> at & 1 != 0);
        own.map(|(_, (_, weight))| weight).sum()
    }

    /// Returns the sum of the weights of all negated terms.
    pub(super) fn negated_total(&self) -> f32 {
        self.negated.iter().map(|(_, weight)| weight).sum()
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
