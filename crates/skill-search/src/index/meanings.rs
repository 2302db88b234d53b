//! The meanings of documents: sums of word vectors, one for the short fields and one for the body.
//!
//! They are calculated once, when an index is built, and take 128 bytes per document.

use rayon::prelude::*;

use super::analyse::DocumentTerms;
use super::shared::SharedBytes;
use super::strings::Strings;
use crate::likeness::{N_DIRECTIONS, Vector, WordVectors, unit};

/// The number of bytes of a document.
const SIZE: usize = 2 * N_DIRECTIONS;
/// The integer that represents the weight of one occurrence in a body.
const ONE: f32 = 16.0;

/// Vectors of documents, each with its greatest number as 127.
#[derive(Clone, Debug)]
pub(crate) struct Meanings(SharedBytes);

impl Meanings {
    /// Calculates the vectors of documents whose terms are numbers of the vocabulary. `damped` is the weight of
    /// a number of occurrences in a body.
    pub(super) fn new(
        documents: &[DocumentTerms],
        vocabulary: &Strings,
        damped: fn(usize) -> f32,
    ) -> Self {
        let words = WordVectors::shipped();
        let terms: Vec<&str> = vocabulary.iter().collect();
        let terms: Vec<Option<u32>> = terms
            .par_iter()
            .map(|term| words.place(term.as_bytes()))
            .collect();
        let damped: [i32; 256] = std::array::from_fn(|count| whole(damped(count) * ONE));
        let vectors = documents.par_iter().map(|document| {
            let (mut head, mut body) = ([0; N_DIRECTIONS], [0; N_DIRECTIONS]);
            for (term, hit) in &document.hits {
                let Some(place) = terms[*term as usize] else {
                    continue;
                };
                if hit.name | hit.description | hit.extra != 0 {
                    words.add_whole(place, 1, &mut head);
                }
                if hit.body > 0 {
                    words.add_whole(place, damped[usize::from(hit.body)], &mut body);
                }
            }
            [bytes(&head), bytes(&body)]
        });
        let vectors: Vec<[[u8; N_DIRECTIONS]; 2]> = vectors.collect();
        Self(SharedBytes::from_vec(
            vectors.into_iter().flatten().flatten().collect(),
        ))
    }

    pub(super) fn read(section: SharedBytes) -> Option<Self> {
        section
            .bytes()
            .len()
            .is_multiple_of(SIZE)
            .then_some(Self(section))
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.0.bytes()
    }

    pub(super) fn len(&self) -> usize {
        self.bytes().len() / SIZE
    }

    /// Returns the vector of the short fields, with length 1. What the skill is not for does not count.
    pub(crate) fn head(&self, document: usize) -> Vector {
        self.vector(2 * document)
    }

    /// Returns the vector of the body, with length 1.
    pub(crate) fn body(&self, document: usize) -> Vector {
        self.vector(2 * document + 1)
    }

    fn vector(&self, at: usize) -> Vector {
        let (vectors, _) = self.bytes().as_chunks::<N_DIRECTIONS>();
        unit(&vectors[at].map(|byte| f32::from(byte.cast_signed())))
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a logarithm of a count")]
fn whole(number: f32) -> i32 {
    number as i32
}

/// Scales a sum so that its greatest number is 127. Sums are whole numbers, because documents have their
/// terms in the order of reading or in that of the vocabulary.
fn bytes(sum: &[i64; N_DIRECTIONS]) -> [u8; N_DIRECTIONS] {
    let greatest = sum.iter().map(|x| x.unsigned_abs()).max().unwrap_or(0);
    let greatest = i64::try_from(greatest).unwrap_or(i64::MAX).max(1);
    let scaled = |x: i64| i8::try_from(x.saturating_mul(127) / greatest).unwrap_or(0);
    sum.map(|x| scaled(x).cast_unsigned())
}
