//! Turns postings into candidates.

use std::cmp::Ordering;
use std::sync::LazyLock;

use super::query::{Query, QueryTerm};
use crate::Index;
use crate::index::Hit;

/// The values of [`damped`] for every count that a posting can have.
static DAMPED: LazyLock<[f32; 256]> = LazyLock::new(|| std::array::from_fn(damped));

/// The minimum number of candidates to weigh; more if the request asks for more matches.
pub(super) const N_CANDIDATES: usize = 32;

/// A document that has terms of the request.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Candidate {
    pub(super) document: u32,
    /// The sum of the terms' weights times their saturation.
    pub(super) score: f32,
    /// The same sum over the body alone.
    pub(super) body_score: f32,
    /// The dot product of request and body as vectors.
    pub(super) product: f32,
    /// The terms in short fields, as bits.
    pub(super) head: u128,
    /// The terms in the body, as bits.
    pub(super) body: u128,
    /// The terms that occur only in what the skill is not for, and in no other short field.
    pub(super) exclusion: u128,
}

/// Returns the best documents by score, best first; equal ones in the order of names.
///
/// The postings are read twice. The first pass keeps only one number per document, which fits the
/// processor's cache; the second collects everything for the few candidates.
pub(super) fn scan(
    index: &Index,
    query: &Query,
    limit: usize,
    always: &[u32],
    is_allowed: &dyn Fn(u32) -> bool,
) -> Vec<Candidate> {
    let n_weighed = limit.clamp(N_CANDIDATES, index.len().max(N_CANDIDATES));
    let mut candidates = best(&scores(index, query), n_weighed, always, is_allowed);
    fill(index, query, &mut candidates);
    candidates
}

/// Returns the occurrences of a term in a document, weighted by field.
#[inline]
fn weighted(index: &Index, document: u32, hit: Hit) -> f32 {
    let weights = &index.weights[document as usize];
    let mut res = f32::from(hit.body) * weights[3];
    if hit.name | hit.description | hit.extra != 0 {
        res += f32::from(hit.name) * weights[0]
            + f32::from(hit.description) * weights[1]
            + f32::from(hit.extra) * weights[2];
    } else if hit.exclusion != 0 {
        res += index.model().bm25.exclusion;
    }
    res
}

fn scores(index: &Index, query: &Query) -> Vec<f32> {
    let mut res = vec![0.0; index.len()];
    let k1 = index.model().bm25.k1;
    for term in &query.terms {
        each_hit(index, term, |document, hit| {
            if let Some(score) = res.get_mut(document as usize) {
                let count = weighted(index, document, hit);
                *score += term.weight * count / (count + k1);
            }
        });
    }
    res
}

/// Calls `each` with every document that has a term or its substitutes, and with the counts.
#[inline]
fn each_hit(index: &Index, term: &QueryTerm, mut each: impl FnMut(u32, Hit)) {
    if let Some(number) = term.number {
        for (document, hit) in index.postings(number as usize) {
            each(document, hit);
        }
    } else if !term.substitutes.is_empty() {
        let numbers = term.substitutes.iter();
        let hits = numbers.flat_map(|number| index.postings(*number as usize));
        let mut hits: Vec<(u32, Hit)> = hits.collect();
        hits.sort_unstable_by_key(|(document, _)| *document);
        for same in hits.chunk_by(|a, b| a.0 == b.0) {
            let sum = same
                .iter()
                .fold(Hit::default(), |sum, (_, hit)| sum.plus(*hit));
            each(same[0].0, sum);
        }
    }
}

fn fill(index: &Index, query: &Query, candidates: &mut [Candidate]) {
    let bm25 = &index.model().bm25;
    let logs = &*DAMPED;
    // One more than the position among the candidates.
    let mut places = vec![0_u32; index.len()];
    for (place, candidate) in (1_u32..).zip(candidates.iter()) {
        places[candidate.document as usize] = place;
    }
    for (at, term) in query.terms.iter().enumerate() {
        let bit = 1_u128 << at;
        let first = term.number.or(term.substitutes.first().copied());
        let own = first.map_or(0.0, |number| index.own_idf(number as usize));
        each_hit(index, term, |document, hit| {
            let place = places.get(document as usize).copied().unwrap_or(0);
            let Some(place) = place.checked_sub(1) else {
                return;
            };
            let acc = &mut candidates[place as usize];
            if hit.body > 0 {
                acc.body |= bit;
                let in_body = f32::from(hit.body) * index.weights[document as usize][3];
                acc.body_score += term.weight * in_body / (in_body + bm25.k1 * bm25.body);
                acc.product += term.weight * own * logs[usize::from(hit.body)];
            }
            if hit.name | hit.description | hit.extra != 0 {
                acc.head |= bit;
            } else if hit.exclusion != 0 {
                acc.exclusion |= bit;
            }
        });
    }
}

/// Returns the value of `count` occurrences; each further one adds less.
pub(crate) fn damped(count: usize) -> f32 {
    1.0 + crate::index::as_f32(count.max(1) as u64).ln()
}

fn best(
    scores: &[f32],
    n: usize,
    always: &[u32],
    is_allowed: &dyn Fn(u32) -> bool,
) -> Vec<Candidate> {
    // Only small pairs are moved while the selection is open.
    let mut best: Vec<(f32, u32)> = Vec::with_capacity(4 * n);
    let mut least = 0.0;
    for (document, score) in (0_u32..).zip(scores) {
        if *score > least && is_allowed(document) {
            best.push((*score, document));
            if best.len() == 4 * n {
                let (_, last, _) = best.select_nth_unstable_by(n - 1, |a, b| by_score(*a, *b));
                least = last.0;
                best.truncate(n);
            }
        }
    }
    best.sort_unstable_by(|a, b| by_score(*a, *b));
    best.truncate(n);
    for document in always {
        let is_there = best.iter().any(|(_, known)| known == document);
        if !is_there && is_allowed(*document) {
            best.push((scores[*document as usize], *document));
        }
    }
    let candidates = best.into_iter().map(|(score, document)| Candidate {
        document,
        score,
        ..Candidate::default()
    });
    candidates.collect()
}

fn by_score(a: (f32, u32), b: (f32, u32)) -> Ordering {
    b.0.total_cmp(&a.0).then(a.1.cmp(&b.1))
}
