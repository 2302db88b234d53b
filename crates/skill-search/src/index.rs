//! Many documents, ready to be asked.
//!
//! - `analyse`: a document into terms; `assemble`: many of them into an [`Index`].
//! - `bytes`: an index as it is kept; `update`: other documents without reading the old ones again.
//!
//! **Invariant:** equal documents give equal indexes, however they came in.

mod analyse;
mod assemble;
mod blobs;
mod bytes;
mod intern;
mod postings;
mod record;
mod shared;
mod strings;
mod update;
mod varint;

#[cfg(test)]
pub(crate) mod tests;

use std::sync::Arc;

pub(crate) use analyse::{Field, Hit};
pub use bytes::{IndexError, checksum};
pub(crate) use record::{Record, folded};
pub use update::Change;

use crate::Document;
use crate::background::idf;
use crate::model::Model;
use shared::{Numbers, Pieces, Texts};

/// Documents that can be searched. Made by [`Index::build`], changed by [`Index::update`], kept by
/// [`Index::to_bytes`].
#[derive(Clone, Debug)]
pub struct Index {
    /// Names of the documents, sorted; their order is that of the documents.
    pub(crate) names: Texts,
    /// What is told of a document, and asked of it by filters.
    records: Pieces,
    /// Terms of the short fields in order.
    heads: Pieces,
    /// Lengths in terms: name, description, extra, body.
    lengths: Vec<[u16; 4]>,
    /// Priorities in 255ths.
    priorities: Vec<u8>,
    /// All terms, sorted.
    pub(crate) vocabulary: Texts,
    /// How many documents have a term.
    pub(crate) frequencies: Numbers,
    postings: Pieces,
    /// Lengths of the bodies as vectors, as the bits of their numbers.
    norms: Numbers,
    /// What a document can be mentioned by, sorted; may repeat.
    pub(crate) keys: Texts,
    /// Whose key it is, and of which kind.
    pub(crate) key_owners: Numbers,
    model: Arc<Model>,
    /// Weight of one occurrence by field, derived from lengths and model.
    pub(crate) weights: Vec<[f32; 4]>,
}

impl Index {
    /// Reads all documents, on all cores. Of several with one name the first counts.
    pub fn build(documents: &[Document]) -> Self {
        assemble::assemble(analyse::analyse(documents))
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The names of all documents, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter()
    }

    /// How many different terms there are.
    pub fn n_terms(&self) -> usize {
        self.vocabulary.len()
    }

    /// Searches with other coefficients from now on.
    pub fn set_model(&mut self, model: Arc<Model>) {
        self.model = model;
        self.weigh();
    }

    pub(crate) fn model(&self) -> &Model {
        &self.model
    }

    pub(crate) fn record(&self, document: usize) -> Record<'_> {
        Record::new(self.records.get(document))
    }

    pub(crate) fn priority(&self, document: usize) -> f32 {
        f32::from(self.priorities[document]) / 255.0
    }

    /// The terms of the short fields of a document in order, with their fields.
    pub(crate) fn head(&self, document: usize) -> impl Iterator<Item = (u32, Field)> {
        let mut bytes = self.heads.get(document);
        std::iter::from_fn(move || varint::take(&mut bytes)).map(Field::unpack)
    }

    pub(crate) fn postings(&self, term: usize) -> postings::Postings<'_> {
        postings::Postings::new(self.postings.get(term))
    }

    /// The length of a body as a vector.
    pub(crate) fn norm(&self, document: usize) -> f32 {
        f32::from_bits(self.norms.get(document))
    }

    /// Inverse document frequency of a term among the documents.
    pub(crate) fn own_idf(&self, term: usize) -> f32 {
        idf(
            as_f32(self.len() as u64),
            as_f32(u64::from(self.frequencies.get(term))),
        )
    }

    fn weigh(&mut self) {
        let mut sums = [0_u64; 4];
        let mut counts = [0_u64; 4];
        for lengths in &self.lengths {
            for field in 0..4 {
                sums[field] += u64::from(lengths[field]);
                counts[field] += u64::from(lengths[field] > 0);
            }
        }
        let averages = std::array::from_fn::<f32, 4, _>(|field| {
            as_f32(sums[field]) / as_f32(counts[field].max(1))
        });
        let bm25 = &self.model.bm25;
        let weights = [bm25.name, bm25.description, bm25.extra, bm25.body];
        self.weights.clear();
        self.weights.extend(self.lengths.iter().map(|lengths| {
            std::array::from_fn::<f32, 4, _>(|field| {
                let relative = f32::from(lengths[field]) / averages[field].max(1.0);
                weights[field] / (1.0 - bm25.b + bm25.b * relative)
            })
        }));
    }
}

/// A count as a number to calculate with; counts of documents and terms are far below 2^24.
#[expect(clippy::cast_precision_loss, reason = "a mean needs no more")]
pub(crate) fn as_f32(number: u64) -> f32 {
    number as f32
}
