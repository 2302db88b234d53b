//! The reasons why a skill was found.

use super::mention::Mention;
use super::scan::Candidate;
use super::weigh::Weigher;
use crate::index::Field;
use crate::model::{FEATURES, Features};

/// The reasons why a skill was found.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Explanation {
    /// The terms of the request that the skill has, the most important first.
    pub terms: Vec<TermHit>,
    /// The trigger or example nearest to the request.
    pub trigger: Option<String>,
    /// The name of the skill in the request, if the request mentions it.
    pub mention: Option<Mention>,
    /// The inputs of the two factors, by name; zeros are omitted.
    pub features: Vec<(&'static str, f32)>,
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
        features: features
            .filter(|(_, value)| **value != 0.0)
            .map(|(name, value)| (*name, *value))
            .collect(),
    }
}
