//! Documents as numbers into an index.

use std::sync::Arc;

use rayon::prelude::*;

use super::analyse::{Analysed, Batch, Field, Hit};
use super::blobs::Blobs;
use super::shared::{Numbers, Pieces, Texts};
use super::strings::{Strings, offset};
use super::{Index, as_f32, varint};
use crate::background::idf;
use crate::model::Model;
use crate::search::damped;

/// Terms that one thread encodes at a time.
const TERMS: usize = 4096;
/// Greatest counts that a posting holds.
const MAX_NAME: u8 = 3;
const MAX_DESCRIPTION: u8 = 7;
const MAX_EXTRA: u8 = 3;
const MAX_EXCLUSION: u8 = 1;

/// The number of a term that no document has.
const UNUSED: u32 = u32::MAX;

/// Puts documents in order of their names; of several with one name the first counts.
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
    let documents: Vec<Analysed> = documents
        .into_iter()
        .map(|(document, _)| document)
        .collect();
    let (frequencies, postings) = invert(&documents, vocabulary.len());
    let norms = norms(&documents, &frequencies);
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
        names: Texts::of(names),
        records: Pieces::of(records),
        heads: Pieces::of(heads),
        lengths: documents.iter().map(|document| document.lengths).collect(),
        priorities: documents.iter().map(|document| document.priority).collect(),
        vocabulary: Texts::of(vocabulary),
        frequencies: Numbers::of(&frequencies),
        postings: Pieces::of(postings),
        norms: Numbers::of(&norms.iter().map(|norm| norm.to_bits()).collect::<Vec<_>>()),
        keys: Texts::of(keys),
        key_owners: Numbers::of(&key_owners),
        model: Arc::new(Model::shipped().clone()),
        weights: Vec::new(),
    };
    res.weigh();
    res
}

/// One sorted vocabulary of what the documents use, and the numbers of each old term in it.
fn merge(vocabularies: &[Strings], documents: &[(Analysed, usize)]) -> (Strings, Vec<Vec<u32>>) {
    let mut numbers: Vec<Vec<u32>> = vocabularies
        .iter()
        .map(|vocabulary| vec![UNUSED; vocabulary.len()])
        .collect();
    for (document, batch) in documents {
        for (term, _) in &document.hits {
            numbers[*batch][*term as usize] = 0;
        }
    }
    let mut terms: Vec<(&str, usize, usize)> = Vec::new();
    for (batch, vocabulary) in vocabularies.iter().enumerate() {
        let used = vocabulary.iter().enumerate();
        let used = used.filter(|(at, _)| numbers[batch][*at] != UNUSED);
        terms.extend(used.map(|(at, term)| (term, batch, at)));
    }
    terms.par_sort_unstable();
    let mut vocabulary = Strings::default();
    let mut last = None;
    for (term, batch, at) in terms {
        if last != Some(term) {
            vocabulary.push(term);
            last = Some(term);
        }
        numbers[batch][at] = offset(vocabulary.len() - 1);
    }
    (vocabulary, numbers)
}

fn renumber(document: &mut Analysed, numbers: &[u32]) {
    for (term, _) in &mut document.hits {
        *term = numbers[*term as usize];
    }
    document.hits.sort_unstable_by_key(|(term, _)| *term);
    // An index out of forged bytes may name terms that nobody has.
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

/// Lengths of the bodies as vectors.
fn norms(documents: &[Analysed], frequencies: &[u32]) -> Vec<f32> {
    let n_documents = as_f32(documents.len() as u64);
    let squares: Vec<f32> = frequencies
        .par_iter()
        .map(|frequency| idf(n_documents, as_f32(u64::from(*frequency))).powi(2))
        .collect();
    let logs: [f32; 256] = std::array::from_fn(|count| damped(count).powi(2));
    let norm = |document: &Analysed| {
        let hits = document.hits.iter().filter(|(_, hit)| hit.body > 0);
        let parts = hits.map(|(term, hit)| squares[*term as usize] * logs[usize::from(hit.body)]);
        parts.sum::<f32>().sqrt()
    };
    documents.par_iter().map(norm).collect()
}

fn invert(documents: &[Analysed], n_terms: usize) -> (Vec<u32>, Blobs) {
    let mut frequencies = vec![0_u32; n_terms];
    for document in documents {
        for (term, _) in &document.hits {
            frequencies[*term as usize] += 1;
        }
    }
    let mut starts = Vec::with_capacity(n_terms + 1);
    let mut next = 0_usize;
    for frequency in &frequencies {
        starts.push(next);
        next += *frequency as usize;
    }
    starts.push(next);
    let mut lists = vec![(0_u32, Hit::default()); next];
    let mut places = starts.clone();
    for (number, document) in documents.iter().enumerate() {
        for (term, hit) in &document.hits {
            let place = &mut places[*term as usize];
            lists[*place] = (offset(number), *hit);
            *place += 1;
        }
    }
    let terms: Vec<usize> = (0..n_terms).collect();
    let parts: Vec<Blobs> = terms
        .par_chunks(TERMS)
        .map(|terms| {
            let mut blobs = Blobs::default();
            for &term in terms {
                let list = &lists[starts[term]..starts[term + 1]];
                blobs.push_with(|bytes| encode(list, bytes));
            }
            blobs
        })
        .collect();
    let mut postings = Blobs::default();
    for part in &parts {
        postings.append(part);
    }
    (frequencies, postings)
}

/// A posting is the distance from the last document with two bits that say whether a short field
/// has the term and whether the body has it otherwise than once; then the counts of the short
/// fields and the count of the body, each where its bit is set.
fn encode(list: &[(u32, Hit)], acc: &mut Vec<u8>) {
    let mut last = 0;
    for (document, hit) in list {
        let short = hit.name.min(MAX_NAME)
            | hit.description.min(MAX_DESCRIPTION) << 2
            | hit.extra.min(MAX_EXTRA) << 5
            | hit.exclusion.min(MAX_EXCLUSION) << 7;
        let bits = u32::from(short != 0) | u32::from(hit.body != 1) << 1;
        varint::put((document - last) << 2 | bits, acc);
        if short != 0 {
            acc.push(short);
        }
        if hit.body != 1 {
            acc.push(hit.body);
        }
        last = *document;
    }
}

/// The documents that have a term, in order.
pub(crate) struct Postings<'i> {
    bytes: &'i [u8],
    last: u32,
}

impl<'i> Postings<'i> {
    pub(super) fn new(bytes: &'i [u8]) -> Self {
        Self { bytes, last: 0 }
    }
}

impl Iterator for Postings<'_> {
    type Item = (u32, Hit);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let head = varint::take(&mut self.bytes)?;
        self.last = self.last.wrapping_add(head >> 2);
        let mut hit = Hit {
            body: 1,
            ..Hit::default()
        };
        if head & 1 != 0 {
            let (&short, rest) = self.bytes.split_first()?;
            self.bytes = rest;
            hit.name = short & MAX_NAME;
            hit.description = short >> 2 & MAX_DESCRIPTION;
            hit.extra = short >> 5 & MAX_EXTRA;
            hit.exclusion = short >> 7;
        }
        if head & 2 != 0 {
            let (&body, rest) = self.bytes.split_first()?;
            self.bytes = rest;
            hit.body = body;
        }
        Some((self.last, hit))
    }
}

fn keys(documents: &[Analysed]) -> (Strings, Vec<u32>) {
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
