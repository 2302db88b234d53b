//! Finds words of a request with a meaning near that of a word of a skill.

use super::query::Query;
use crate::likeness::{N_DIRECTIONS, WordVectors};

/// The cosine from which two words are near.
const MIN_COSINE: f32 = 0.3;
/// The number of terms whose nearness is cached: the same ones occur in many skills.
const CACHE_SIZE: usize = 1024;

/// The vector of a word, with one over its length.
type Word = (&'static [u8; N_DIRECTIONS], f32);

/// The words of a request that have a vector. Pairs of characters are left out: many are accidents of the cut.
pub(super) struct NearWords {
    /// The words with their positions in the request.
    words: Vec<(usize, Word)>,
    /// The cached terms, each with a range of `near`.
    cache: Vec<(u32, u32, u32)>,
    /// Words of the request with their nearness to a term, above the minimum.
    near: Vec<(usize, f32)>,
}

impl NearWords {
    pub(super) fn new(query: &Query) -> Self {
        let terms = query.terms.iter().enumerate();
        let terms = terms.filter(|(_, term)| term.is_word);
        let words = terms.filter_map(|(at, term)| Some((at, word(term.text.as_bytes())?)));
        Self {
            words: words.collect(),
            cache: vec![(u32::MAX, 0, 0); CACHE_SIZE],
            near: Vec::new(),
        }
    }

    /// Raises the nearness of each word of the request to its nearness to `text`, the UTF-8 text of the
    /// vocabulary's term number `term`.
    #[inline]
    pub(super) fn compare(&mut self, term: u32, text: &[u8], nearness: &mut [f32]) {
        let slot = term as usize % CACHE_SIZE;
        if self.cache[slot].0 != term {
            let start = offset(self.near.len());
            if let Some(other) = word(text) {
                let near = self
                    .words
                    .iter()
                    .map(|(at, own)| (*at, cosine(own, &other) - MIN_COSINE));
                self.near
                    .extend(near.filter(|(_, nearness)| *nearness > 0.0));
            }
            self.cache[slot] = (term, start, offset(self.near.len()));
        }
        let (_, start, end) = self.cache[slot];
        for (at, near) in &self.near[start as usize..end as usize] {
            let nearness = &mut nearness[*at];
            *nearness = nearness.max(*near);
        }
    }
}

fn word(text: &[u8]) -> Option<Word> {
    let words = WordVectors::shipped();
    let vector = words.vector(words.place(text)? as usize);
    let square = product(vector, vector);
    (square > 0).then(|| (vector, root_of_inverse(square)))
}

#[expect(clippy::cast_precision_loss, reason = "below 2^20")]
fn root_of_inverse(square: i32) -> f32 {
    1.0 / (square as f32).sqrt()
}

#[expect(clippy::cast_precision_loss, reason = "below 2^20")]
fn cosine(a: &Word, b: &Word) -> f32 {
    product(a.0, b.0) as f32 * a.1 * b.1
}

#[inline]
fn product(a: &[u8; N_DIRECTIONS], b: &[u8; N_DIRECTIONS]) -> i32 {
    let pairs = a.iter().zip(b);
    pairs
        .map(|(a, b)| i32::from(i16::from(a.cast_signed()) * i16::from(b.cast_signed())))
        .sum()
}

fn offset(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_near_those_with_a_similar_meaning() {
        let check = |a: &str, b: &str, is_near: bool| {
            let cosine = match (word(a.as_bytes()), word(b.as_bytes())) {
                (Some(a), Some(b)) => cosine(&a, &b),
                _ => 0.0,
            };
            assert_eq!(cosine > MIN_COSINE, is_near, "{a}, {b}: {cosine}");
        };
        check("umbrella", "rain", true);
        check("invoic", "payment", true);
        check("umbrella", "databas", false);
        check("qzxv", "rain", false);
    }
}
