//! Merges analysed documents into an index.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use super::analyse::{Batch, DocumentTerms, Field, analyse};
use super::blobs::Blobs;
use super::intern::Interner;
use super::meanings::Meanings;
use super::postings::invert;
use super::shared::{ByteStrings, Numbers, Texts};
use super::strings::{Strings, offset};
use super::{Index, as_f32, varint};
use crate::Document;
use crate::background::idf;
use crate::model::Model;
use crate::search::damped;

/// The number of a term that is not in any document.
const UNUSED: u32 = u32::MAX;

impl Index {
    /// Builds an index of all documents, on all cores. If several have the same name, the first one
    /// counts.
    pub fn build(documents: &[Document]) -> Self {
        assemble(analyse(documents))
    }
}

/// Sorts the documents by name and builds their index. If several have the same name, the first one
/// counts.
pub(super) fn assemble(batches: Vec<Batch>) -> Index {
    let mut vocabularies = Vec::with_capacity(batches.len());
    let mut documents = Vec::new();
    for (number, batch) in batches.into_iter().enumerate() {
        vocabularies.push(batch.vocabulary);
        documents.extend(
            batch
                .documents
                .into_iter()
                .map(|document| (document, number)),
        );
    }
    documents.par_sort_by(|a, b| a.0.name.cmp(&b.0.name));
    documents.dedup_by(|b, a| a.0.name == b.0.name);
    let (vocabulary, numbers) = merge(&vocabularies, &documents);
    documents
        .par_iter_mut()
        .for_each(|(document, batch)| renumber(document, &numbers[*batch]));
    let documents: Vec<DocumentTerms> = documents
        .into_iter()
        .map(|(document, _)| document)
        .collect();
    let (frequencies, postings) = invert(&documents, vocabulary.len());
    let norms = norms(&documents, &frequencies);
    let meanings = Meanings::new(&documents, &vocabulary, damped);
    let (keys, key_owners) = keys(&documents);
    let names: Strings = documents.iter().map(|it| &it.name[..]).collect();
    let (mut records, mut heads) = (Blobs::default(), Blobs::default());
    for document in &documents {
        records.push(&document.record);
        heads.push_with(|bytes| {
            for packed in &document.head {
                varint::put(*packed, bytes);
            }
        });
    }
    let mut res = Index {
        names: Texts::new(names),
        records: ByteStrings::new(records),
        heads: ByteStrings::new(heads),
        lengths: documents.iter().map(|document| document.lengths).collect(),
        priorities: documents.iter().map(|document| document.priority).collect(),
        vocabulary: Texts::new(vocabulary),
        frequencies: Numbers::new(&frequencies),
        postings: ByteStrings::new(postings),
        norms: Numbers::new(&norms.iter().map(|norm| norm.to_bits()).collect::<Vec<_>>()),
        meanings,
        keys: Texts::new(keys),
        key_owners: Numbers::new(&key_owners),
        model: Arc::new(Model::shipped().clone()),
        weights: Vec::new(),
    };
    res.weigh();
    res
}

/// Returns one sorted vocabulary of the terms that the documents use, and the new number of each
/// old term.
fn merge(
    vocabularies: &[Strings],
    documents: &[(DocumentTerms, usize)],
) -> (Strings, Vec<Vec<u32>>) {
    let used = used(vocabularies, documents);
    // Each word is sorted once, however many vocabularies have it.
    let mut known = Interner::new();
    let mut numbers: Vec<Vec<u32>> = Vec::with_capacity(vocabularies.len());
    for (vocabulary, used) in vocabularies.iter().zip(&used) {
        let terms = vocabulary.iter().zip(used);
        let own = terms.map(|(term, is_used)| {
            if is_used.load(Relaxed) {
                known.intern(term).0
            } else {
                UNUSED
            }
        });
        numbers.push(own.collect());
    }
    let known = known.into_strings();
    let mut order: Vec<(&str, u32)> = known.iter().zip(0..).collect();
    order.par_sort_unstable();
    let mut ranks = vec![0; order.len()];
    for (rank, (_, number)) in order.iter().enumerate() {
        ranks[*number as usize] = offset(rank);
    }
    for number in numbers.iter_mut().flatten() {
        *number = ranks.get(*number as usize).copied().unwrap_or(UNUSED);
    }
    let vocabulary = order.into_iter().map(|(term, _)| term).collect();
    (vocabulary, numbers)
}

/// Returns the terms of each vocabulary that some document has.
fn used(vocabularies: &[Strings], documents: &[(DocumentTerms, usize)]) -> Vec<Vec<AtomicBool>> {
    let nothing =
        |vocabulary: &Strings| vocabulary.iter().map(|_| AtomicBool::new(false)).collect();
    let res: Vec<Vec<AtomicBool>> = vocabularies.iter().map(nothing).collect();
    documents.par_iter().for_each(|(document, batch)| {
        for (term, _) in &document.hits {
            let is_used = &res[*batch][*term as usize];
            // Most terms are already marked. Reading first leaves the cache line shared among all
            // cores.
            if !is_used.load(Relaxed) {
                is_used.store(true, Relaxed);
            }
        }
    });
    res
}

fn renumber(document: &mut DocumentTerms, numbers: &[u32]) {
    for (term, _) in &mut document.hits {
        *term = numbers[*term as usize];
    }
    // An index from forged bytes may name terms that do not exist.
    document.head.retain_mut(|packed| {
        let (term, field) = Field::unpack(*packed);
        let number = numbers
            .get(term as usize)
            .filter(|number| **number != UNUSED);
        if let (Some(number), true) = (number, field != Field::Break) {
            *packed = field.pack(*number);
        }
        field == Field::Break || number.is_some()
    });
}

/// Returns the lengths of the bodies as vectors.
fn norms(documents: &[DocumentTerms], frequencies: &[u32]) -> Vec<f32> {
    let n_documents = as_f32(documents.len() as u64);
    let squares: Vec<f32> = frequencies
        .par_iter()
        .map(|frequency| idf(n_documents, as_f32(u64::from(*frequency))).powi(2))
        .collect();
    let logs: [f32; 256] = std::array::from_fn(|count| damped(count).powi(2));
    let norm = |document: &DocumentTerms| {
        let hits = document.hits.iter().filter(|(_, hit)| hit.body > 0);
        let parts = hits.map(|(term, hit)| squares[*term as usize] * logs[usize::from(hit.body)]);
        parts.map(fixed).sum::<u64>()
    };
    let roots = documents.par_iter().map(norm);
    roots.map(|sum| as_f32(sum).sqrt() / ROOT_OF_ONE).collect()
}

/// The square root of the integer that represents 1.
const ROOT_OF_ONE: f32 = 1024.0;

/// Converts a number to an integer, so that sums are the same in any order. The terms of a document
/// come in the order of reading or in that of the vocabulary.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a square, of at most a few thousands"
)]
fn fixed(square: f32) -> u64 {
    (square * ROOT_OF_ONE * ROOT_OF_ONE) as u64
}

fn keys(documents: &[DocumentTerms]) -> (Strings, Vec<u32>) {
    let mut keys: Vec<(&str, u32)> = Vec::new();
    for (number, document) in documents.iter().enumerate() {
        let own = document.keys.iter();
        keys.extend(own.map(|(key, kind)| (&key[..], kind.pack(offset(number)))));
    }
    keys.par_sort_unstable();
    let mut strings = Strings::default();
    let mut owners = Vec::with_capacity(keys.len());
    for (key, owner) in keys {
        strings.push(key);
        owners.push(owner);
    }
    (strings, owners)
}
