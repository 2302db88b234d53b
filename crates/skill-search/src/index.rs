//! The index: many documents, ready to be searched.
//!
//! - `analyse`: splits documents into terms; `assemble`: merges them into an [`Index`].
//! - `bytes`: the binary form of an index; `update`: changes documents without reading the others.
//!
//! **Invariant:** equal documents give equal indexes, in whatever order they were added.

mod analyse;
mod assemble;
mod blobs;
mod bytes;
mod intern;
mod meanings;
mod mention_kind;
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
pub use mention_kind::MentionKind;
pub(crate) use record::{Record, folded};
pub use update::Change;

use crate::background::idf;
use crate::model::Model;
use meanings::Meanings;
use shared::{ByteStrings, Numbers, Texts};

/// Documents that can be searched. It is created by [`Index::build`], changed by [`Index::update`]
/// and saved by [`Index::to_bytes`].
#[derive(Clone, Debug)]
pub struct Index {
    /// The names of the documents, sorted; documents are numbered in this order.
    pub(crate) names: Texts,
    /// The values of each document that matches report and filters check.
    records: ByteStrings,
    /// The terms of the short fields in order.
    heads: ByteStrings,
    /// The lengths in terms: name, description, extra, body.
    lengths: Vec<[u16; 4]>,
    /// The priorities in 255ths.
    priorities: Vec<u8>,
    /// All terms, sorted.
    pub(crate) vocabulary: Texts,
    /// The number of documents with each term.
    pub(crate) frequencies: Numbers,
    postings: ByteStrings,
    /// The lengths of the bodies as vectors, stored as the bits of `f32` values.
    norms: Numbers,
    pub(crate) meanings: Meanings,
    /// The folded names, aliases and commands by which a request can mention a document, sorted;
    /// may repeat.
    pub(crate) keys: Texts,
    /// The document and the kind of each key.
    pub(crate) key_owners: Numbers,
    model: Arc<Model>,
    /// The weight of one occurrence by field, derived from lengths and model.
    pub(crate) weights: Vec<[f32; 4]>,
}

impl Index {
    /// Returns the number of documents.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Returns true if the index has no documents.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the names of all documents, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter()
    }

    /// Returns the number of different terms.
    pub fn n_terms(&self) -> usize {
        self.vocabulary.len()
    }

    /// Replaces the coefficients for the searches that follow.
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

    /// Returns the terms of the short fields of a document in order, with their fields.
    pub(crate) fn head(&self, document: usize) -> impl Iterator<Item = (u32, Field)> {
        let mut bytes = self.heads.get(document);
        std::iter::from_fn(move || varint::take(&mut bytes)).map(Field::unpack)
    }

    pub(crate) fn postings(&self, term: usize) -> postings::Postings<'_> {
        postings::Postings::new(self.postings.get(term))
    }

    /// Returns the length of a body as a vector.
    pub(crate) fn norm(&self, document: usize) -> f32 {
        f32::from_bits(self.norms.get(document))
    }

    /// Returns the inverse document frequency of a term among the documents.
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

/// Converts a count; counts of documents and terms are far below 2^24.
#[expect(clippy::cast_precision_loss, reason = "a mean needs no more")]
pub(crate) fn as_f32(number: u64) -> f32 {
    number as f32
}
