//! Turns a candidate into features.

use super::grams::Grams;
use super::near_words::NearWords;
use super::query::Query;
use super::scan::Candidate;
use super::synonyms::SynonymMasks;
use crate::Index;
use crate::index::{Field, as_f32};
use crate::likeness::{Likeness, Vector, dot};
use crate::model::{FEATURES, Features, at};
use crate::text::terms;

/// The number of candidates whose triggers are compared with the request.
pub(super) const N_WITH_TRIGGERS: usize = 8;

/// The exponent of a request's length in sums over its terms, which grow with nearly the number of
/// terms.
const LENGTH_POWER: f32 = 0.8;

/// The state that all candidates of a request share.
pub(super) struct Weigher<'s> {
    pub(super) index: &'s Index,
    pub(super) query: &'s Query,
    grams: Grams,
    near_words: NearWords,
    /// The meaning of the request.
    meaning: Vector,
    synonyms: SynonymMasks,
    /// Terms of the vocabulary that the request has, sorted, with their places in it.
    numbers: Vec<(u32, usize)>,
    /// The length of the request as a vector.
    norm: f32,
    /// The greatest weight.
    heaviest: f32,
    /// A table of bits that rules out most terms that the request does not have.
    filter: [u64; 64],
    scratch: Scratch,
}

/// Buffers for reading a head, reused for the next one.
#[derive(Default)]
struct Scratch {
    /// For each term of the request, its likeness to the most similar word of the head.
    likeness: Vec<f32>,
    /// The same for the word with the nearest meaning.
    nearness: Vec<f32>,
    /// Neighbouring terms of the request that are neighbours in the head, too.
    pairs: Vec<(usize, usize)>,
    /// The positions of the name's words in the request.
    name: Vec<Option<usize>>,
    /// The terms of the head.
    distinct: Vec<u32>,
}

impl<'s> Weigher<'s> {
    pub(super) fn new(index: &'s Index, query: &'s Query) -> Self {
        let terms = query.terms.iter().enumerate();
        let mut numbers: Vec<(u32, usize)> = terms
            .flat_map(|(at, term)| {
                let all = term.number.iter().chain(&term.substitutes);
                all.map(move |number| (*number, at))
            })
            .collect();
        numbers.sort_unstable();
        let mut filter = [0; 64];
        for (number, _) in &numbers {
            filter[(number >> 6) as usize & 63] |= 1 << (number & 63);
        }
        let weights = query.terms.iter().map(|term| term.weight);
        let squares = weights.clone().map(|weight| weight * weight);
        Self {
            index,
            query,
            grams: Grams::new(query),
            near_words: NearWords::new(query),
            meaning: Likeness::shipped().turned(&query.vector()),
            synonyms: SynonymMasks::new(query, index),
            numbers,
            norm: squares.sum::<f32>().sqrt(),
            heaviest: weights.fold(0.0, f32::max),
            filter,
            scratch: Scratch::default(),
        }
    }

    /// Returns the position of a term of the vocabulary in the request.
    pub(super) fn place(&self, term: u32) -> Option<usize> {
        if self.filter[(term >> 6) as usize & 63] >> (term & 63) & 1 == 0 {
            return None;
        }
        let found = self.numbers.binary_search_by_key(&term, |pair| pair.0);
        found.ok().map(|found| self.numbers[found].1)
    }

    /// Returns the features that depend on this skill alone.
    pub(super) fn weigh(&mut self, candidate: &Candidate, with_triggers: bool) -> Features {
        let query = self.query;
        let head = self.read_head(candidate.document as usize);
        let total = query.total.max(f32::MIN_POSITIVE);
        let mut res = [0.0; FEATURES.len()];
        res[at::BIAS] = 1.0;
        res[at::BM25] = candidate.score / total;
        res[at::HEAD] = query.weight_of(candidate.head) / total;
        res[at::BODY] = query.weight_of(candidate.body) / total;
        res[at::SOFT] = head.soft / total;
        res[at::RAREST] = self.rarest(candidate.head) / self.heaviest.max(f32::MIN_POSITIVE);
        res[at::CONCEPT] = head.synonyms / total;
        res[at::DENSITY] = head.density;
        let meanings = &self.index.meanings;
        res[at::LIKENESS] = self.likeness(&meanings.head(candidate.document as usize));
        res[at::BODY_LIKENESS] = self.likeness(&meanings.body(candidate.document as usize));
        res[at::LONE] = f32::from(u8::from(query.is_lone)) * res[at::HEAD];
        res[at::PAIRS] = (1.0 + head.n_pairs).ln();
        res[at::EXPLICIT] = f32::from(u8::from(head.is_explicit));
        res[at::NAME] = head.name_share;
        res[at::TERMS] = (1.0 + as_f32(query.terms.len() as u64)).ln();
        res[at::SIZE] = (as_f32(self.index.len() as u64) / 100.0).ln().max(0.0);
        res[at::CJK] = query.cjk;
        res[at::UNKNOWN] = query.unknown;
        res[at::HITS] = (1.0 + as_f32(u64::from(candidate.head.count_ones()))).ln();
        res[at::EXCLUSION] = query.weight_of(candidate.exclusion) / total;
        res[at::PRIORITY] = self.index.priority(candidate.document as usize);
        res[at::NEGATED] = head.negated / (total + query.negated_total());
        res[at::PHRASE] = head.phrase / total;
        res[at::COSINE] = self.cosine(candidate);
        res[at::BM25_BODY] = candidate.body_score / total;
        let length = as_f32(query.terms.len() as u64).powf(LENGTH_POWER);
        res[at::BM25_SUM] = res[at::BM25] * length;
        res[at::SOFT_SUM] = res[at::SOFT] * length;
        res[at::PHRASE_SUM] = res[at::PHRASE] * length;
        res[at::COSINE_SUM] = res[at::COSINE] * length;
        res[at::WORD_LIKENESS] = head.near_words / total * length;
        if with_triggers {
            res[at::TRIGGER] = self.trigger(candidate.document as usize).0.powi(3);
        }
        res
    }

    /// Returns the likeness in meaning of the request and a text with this vector.
    fn likeness(&self, text: &Vector) -> f32 {
        dot(&self.meaning, &Likeness::shipped().turned(text))
    }

    /// Returns the cosine of request and body.
    fn cosine(&self, candidate: &Candidate) -> f32 {
        let norm = self.index.norm(candidate.document as usize) * self.norm;
        candidate.product / norm.max(f32::MIN_POSITIVE)
    }

    /// Returns the weight of the rarest term that a short field has.
    fn rarest(&self, mut mask: u128) -> f32 {
        let mut res = 0.0_f32;
        while mask != 0 {
            res = res.max(self.query.terms[mask.trailing_zeros() as usize].weight);
            mask &= mask - 1;
        }
        res
    }

    fn read_head(&mut self, document: usize) -> Head {
        let (index, query) = (self.index, self.query);
        let Scratch {
            mut likeness,
            mut nearness,
            mut pairs,
            mut name,
            mut distinct,
        } = std::mem::take(&mut self.scratch);
        likeness.clear();
        likeness.resize(query.terms.len(), 0.0_f32);
        nearness.clear();
        nearness.resize(query.terms.len(), 0.0_f32);
        pairs.clear();
        name.clear();
        distinct.clear();
        let mut synonyms = 0_u128;
        let mut negated = 0_u128;
        let mut last = None;
        let (mut n_name, mut n_name_found) = (0_u64, 0_u64);
        let (mut n_phrase, mut n_found, mut found, mut phrase) = (0_u64, 0_u64, 0.0, 0.0_f32);
        for (term, field) in index.head(document) {
            if field == Field::Break {
                let share = as_f32(n_found) / as_f32(n_phrase.max(1));
                phrase = phrase.max(found * share * share);
                (n_phrase, n_found, found) = (0, 0, 0.0);
                last = None;
                continue;
            }
            distinct.push(term);
            if field == Field::Exclusion || term as usize >= index.vocabulary.len() {
                last = None;
                continue;
            }
            negated |= query.negation(term);
            let place = self.place(term);
            synonyms |= self.synonyms.mask(term);
            n_phrase += 1;
            if let Some(at) = place {
                n_found += 1;
                found += query.terms[at].weight;
            }
            match place {
                Some(at) => likeness[at] = 1.0,
                None => {
                    let word = index.vocabulary.bytes(term as usize);
                    self.grams.compare(term, word, &mut likeness);
                    self.near_words.compare(term, word, &mut nearness);
                }
            }
            if let (Some((before, last_field)), Some(at)) = (last, place)
                && last_field == field
                && query.pairs.binary_search(&(before, at)).is_ok()
                && !pairs.contains(&(before, at))
            {
                pairs.push((before, at));
            }
            if field == Field::Name {
                n_name += 1;
                n_name_found += u64::from(place.is_some());
                name.push(place);
            }
            last = place.map(|at| (at, field));
        }
        // A term that is in the head itself is not counted as a synonym.
        for (at, likeness) in likeness.iter().enumerate() {
            synonyms &= !(u128::from(*likeness >= 1.0) << at);
        }
        let terms = query.terms.iter().zip(&likeness);
        let near = terms.clone().zip(&nearness);
        let near = near.filter(|((_, likeness), _)| **likeness < 1.0);
        distinct.sort_unstable();
        distinct.dedup();
        let n_found = likeness.iter().filter(|likeness| **likeness >= 1.0);
        let n_found = as_f32(n_found.count() as u64);
        let res = Head {
            density: n_found / (1.0 + as_f32(distinct.len() as u64)).sqrt(),
            synonyms: query.weight_of(synonyms),
            negated: query.negated_weight(negated),
            phrase,
            near_words: near.map(|((term, _), near)| term.weight * near).sum(),
            soft: terms.map(|(term, likeness)| term.weight * likeness).sum(),
            n_pairs: as_f32(pairs.len() as u64),
            is_explicit: self.is_explicit(&name),
            name_share: as_f32(n_name_found) / as_f32(n_name.max(1)),
        };
        self.scratch = Scratch {
            likeness,
            nearness,
            pairs,
            name,
            distinct,
        };
        res
    }

    /// Returns true if the request has all words of the name, one after the other.
    fn is_explicit(&self, name: &[Option<usize>]) -> bool {
        let is_pair = |pair: &[Option<usize>]| match pair {
            [Some(a), Some(b)] => self.query.pairs.binary_search(&(*a, *b)).is_ok(),
            _ => false,
        };
        name.len() > 1 && name.windows(2).all(is_pair)
    }

    /// Returns the greatest share of a trigger or example that the request has, and that trigger.
    pub(super) fn trigger(&self, document: usize) -> (f32, Option<&'s str>) {
        let mut res = (0.0, None);
        for trigger in self.index.record(document).triggers() {
            let terms = terms(trigger);
            let n_terms = as_f32(terms.len() as u64);
            let found = terms
                .iter()
                .filter(|term| self.query.terms.iter().any(|known| known.text == **term));
            let share = as_f32(found.count() as u64) / n_terms.max(1.0);
            if share > res.0 {
                res = (share, Some(trigger));
            }
        }
        res
    }
}

/// Results of comparing the short fields of a skill with a request.
struct Head {
    /// The weights of the terms, each multiplied by its likeness to the most similar word.
    soft: f32,
    /// The weights of the terms that the head does not have, each multiplied by its nearness to the word
    /// with the nearest meaning.
    near_words: f32,
    /// The weights of the terms that the head has only as synonyms.
    synonyms: f32,
    /// The weights of the terms that the request says are not wanted.
    negated: f32,
    n_pairs: f32,
    /// The number of terms of the request that the head has, divided by the root of the number of
    /// its terms.
    density: f32,
    /// The weight of the phrase that the request matches best.
    phrase: f32,
    is_explicit: bool,
    name_share: f32,
}
