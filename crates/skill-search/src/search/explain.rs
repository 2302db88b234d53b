//! The reasons why a skill was found.

use super::mention::Mention;
use super::scan::Candidate;
use super::weigh::Weigher;
use crate::index::Field;
use crate::model::{FEATURES, Features, at};

/// The reasons why a skill was found.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Explanation {
    /// The terms of the request that the skill has, the most important first.
    pub terms: Vec<TermHit>,
    /// The trigger or example nearest to the request.
    pub trigger: Option<String>,
    /// The name of the skill in the request, if the request mentions it.
    pub mention: Option<Mention>,
    /// For the first match, the reasons that decided against the second.
    pub before: Option<Precedence>,
    /// The inputs of the two factors, by name; zeros are omitted.
    pub features: Vec<(&'static str, f32)>,
}

/// The reasons why a skill is before another one.
#[derive(Clone, PartialEq, Debug)]
pub struct Precedence {
    /// The name of the other skill.
    pub skill: String,
    /// The strongest reasons with their weights in the order, at most three. There is none if the
    /// request asks for a skill by name.
    pub reasons: Vec<(&'static str, f32)>,
    /// The most important terms of the request that only the first skill has, at most three.
    pub terms: Vec<String>,
}

/// The words for the features of the order.
const REASONS: [(usize, &str); 15] = [
    (at::BM25_SUM, "more of the words"),
    (at::SOFT_SUM, "similar words"),
    (at::PHRASE_SUM, "a closer phrase"),
    (at::COSINE_SUM, "closer instructions"),
    (at::PAIRS, "words in the same order"),
    (at::EXPLICIT, "the whole name"),
    (at::NAME, "more of the name"),
    (at::CONCEPT, "synonyms"),
    (at::LIKENESS, "a similar meaning"),
    (at::BODY_LIKENESS, "instructions with a similar meaning"),
    (at::WORD_LIKENESS, "words with a similar meaning"),
    (at::DENSITY, "a description more to the point"),
    (at::LONE, "the only word"),
    (at::TRIGGER, "a closer trigger"),
    (at::PRIORITY, "a higher priority"),
];
/// The maximum number of reasons, and of terms.
const N_REASONS: usize = 3;

/// Returns the reasons why one candidate is before another one called `skill`.
pub(super) fn precedence(
    weigher: &Weigher<'_>,
    skill: &str,
    [first, second]: [(&Candidate, &Features); 2],
) -> Precedence {
    let rank = &weigher.index.model().rank;
    let reasons = REASONS
        .iter()
        .map(|(at, word)| (*word, rank[*at] * (first.1[*at] - second.1[*at])));
    let mut reasons: Vec<(&'static str, f32)> =
        reasons.filter(|(_, weight)| *weight > 0.005).collect();
    reasons.sort_by(|a, b| b.1.total_cmp(&a.1));
    reasons.truncate(N_REASONS);
    let own = (first.0.head | first.0.body) & !(second.0.head | second.0.body);
    let terms = weigher.query.terms.iter().enumerate();
    let mut terms: Vec<_> = terms
        .filter(|(at, _)| own >> at & 1 != 0)
        .map(|(_, term)| term)
        .collect();
    terms.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    terms.truncate(N_REASONS);
    Precedence {
        skill: skill.to_owned(),
        reasons,
        terms: terms.into_iter().map(|term| term.text.clone()).collect(),
    }
}

/// A term that a request and a skill have in common.
#[derive(Clone, PartialEq, Debug)]
pub struct TermHit {
    /// The term: a stem, a pair of characters or a character.
    pub term: String,
    /// The weight of the term: its inverse document frequency.
    pub weight: f32,
    /// The fields of the skill that have the term: `name`, `other name`, `description`, `commands`,
    /// `keywords`, `triggers`, `exclusion`, `body`.
    pub fields: Vec<&'static str>,
}

pub(super) fn explain(
    weigher: &Weigher<'_>,
    candidate: &Candidate,
    features: &Features,
    trigger: Option<&str>,
    mention: Option<Mention>,
) -> Explanation {
    let Weigher { index, query, .. } = weigher;
    let mut fields: Vec<Vec<Field>> = vec![Vec::new(); query.terms.len()];
    for (term, field) in index.head(candidate.document as usize) {
        if let Some(at) = weigher.place(term)
            && !fields[at].contains(&field)
        {
            fields[at].push(field);
        }
    }
    let mut terms = Vec::new();
    for (at, term) in query.terms.iter().enumerate() {
        let mut own: Vec<&'static str> = fields[at].iter().map(|field| field.word()).collect();
        if own.is_empty() && candidate.head >> at & 1 != 0 {
            own.push("short fields");
        }
        if candidate.body >> at & 1 != 0 {
            own.push("body");
        }
        if !own.is_empty() {
            terms.push(TermHit {
                term: term.text.clone(),
                weight: term.weight,
                fields: own,
            });
        }
    }
    terms.sort_by(|a, b| {
        b.weight
            .total_cmp(&a.weight)
            .then_with(|| a.term.cmp(&b.term))
    });
    let features = FEATURES.iter().zip(features);
    Explanation {
        terms,
        trigger: trigger.map(str::to_owned),
        mention,
        before: None,
        features: features
            .filter(|(_, value)| **value != 0.0)
            .map(|(name, value)| (*name, *value))
            .collect(),
    }
}
