//! The postings: the documents of each term.
//!
//! A posting is the distance from the previous document with two bits. The first bit says that a
//! short field has the term, the second that the body does not have it exactly once. The counts of
//! the short fields and the count of the body follow, each if its bit is set.

use rayon::prelude::*;

use super::analyse::{DocumentTerms, Hit};
use super::blobs::Blobs;
use super::strings::offset;
use super::varint;

/// The number of documents that one thread inverts at a time: few enough for the processor's cache,
/// many enough that joining the parts is cheap.
const DOCUMENTS: std::ops::RangeInclusive<usize> = 256..=2048;
/// The number of parts of the vocabulary into which entries are divided before they are sorted.
const BUCKETS: usize = 2048;
/// The number of terms that one thread joins at a time.
const TERMS: usize = 4096;
/// The greatest count of the name in a posting; the other limits follow.
const MAX_NAME: u8 = 3;
const MAX_DESCRIPTION: u8 = 7;
const MAX_EXTRA: u8 = 3;
const MAX_EXCLUSION: u8 = 1;

/// Returns the number of documents of each term, and its postings.
pub(super) fn invert(documents: &[DocumentTerms], n_terms: usize) -> (Vec<u32>, Blobs) {
    let even = documents.len().div_ceil(2 * rayon::current_num_threads());
    let n_documents = even.clamp(*DOCUMENTS.start(), *DOCUMENTS.end());
    let parts = documents.par_chunks(n_documents).enumerate();
    let parts: Vec<Part> = parts
        .map_init(Buffers::default, |buffers, (at, documents)| {
            Part::new(at * n_documents, documents, n_terms, buffers)
        })
        .collect();
    let starts: Vec<usize> = (0..n_terms).step_by(TERMS).collect();
    let joined: Vec<(Vec<u32>, Blobs)> = starts
        .into_par_iter()
        .map(|start| join(&parts, start, (start + TERMS).min(n_terms)))
        .collect();
    let mut frequencies = Vec::with_capacity(n_terms);
    let mut postings = Blobs::default();
    for (counts, blobs) in &joined {
        frequencies.extend(counts);
        postings.append(blobs);
    }
    (frequencies, postings)
}

/// The postings of consecutive documents.
struct Part {
    /// The runs, by term; terms that no document has are omitted.
    runs: Vec<Run>,
    /// The postings without the distances of the first ones, which depend on the parts before.
    bytes: Vec<u8>,
}

/// A term, a document that has it, and the counts.
type Entry = (u32, u32, Hit);

/// The postings of one term in a part.
struct Run {
    term: u32,
    n_documents: u32,
    first: u32,
    last: u32,
    /// The bits of the first posting.
    bits: u32,
    end: u32,
}

/// The buffers of a thread, reused for the next part.
#[derive(Default)]
struct Buffers {
    /// The start of each bucket's entries, and later their end.
    places: Vec<usize>,
    /// The entries, bucket by bucket.
    entries: Vec<Entry>,
}

impl Part {
    fn new(
        first: usize,
        documents: &[DocumentTerms],
        n_terms: usize,
        buffers: &mut Buffers,
    ) -> Self {
        let Buffers { places, entries } = buffers;
        // Terms that are close to each other share a bucket, so that each sort is short.
        let width = n_terms.div_ceil(BUCKETS).max(1);
        let bucket = |term: u32| term as usize / width;
        places.clear();
        places.resize(BUCKETS + 1, 0);
        for (term, _) in documents.iter().flat_map(|document| &document.hits) {
            places[bucket(*term) + 1] += 1;
        }
        for at in 1..places.len() {
            places[at] += places[at - 1];
        }
        entries.resize(places[BUCKETS], (0, 0, Hit::default()));
        for (document, number) in documents.iter().zip(offset(first)..) {
            for (term, hit) in &document.hits {
                let place = &mut places[bucket(*term)];
                entries[*place] = (*term, number, *hit);
                *place += 1;
            }
        }
        let mut res = Self {
            runs: Vec::new(),
            bytes: Vec::with_capacity(entries.len() * 2),
        };
        let mut start = 0;
        for end in &places[..BUCKETS] {
            let entries = &mut entries[start..*end];
            entries.sort_unstable_by_key(|(term, document, _)| (*term, *document));
            for list in entries.chunk_by(|a, b| a.0 == b.0) {
                res.push(list);
            }
            start = *end;
        }
        res
    }

    fn push(&mut self, list: &[Entry]) {
        let [(term, first, hit), others @ ..] = list else {
            return;
        };
        let bits = bits(*hit);
        put_counts(*hit, bits, &mut self.bytes);
        let mut last = *first;
        for (_, document, hit) in others {
            let bits = self::bits(*hit);
            varint::put((document - last) << 2 | bits, &mut self.bytes);
            put_counts(*hit, bits, &mut self.bytes);
            last = *document;
        }
        self.runs.push(Run {
            term: *term,
            n_documents: offset(list.len()),
            first: *first,
            last,
            bits,
            end: offset(self.bytes.len()),
        });
    }

    /// Returns the bytes of a run after the distance of its first posting.
    fn bytes(&self, run: usize) -> &[u8] {
        let start = run.checked_sub(1).map_or(0, |before| self.runs[before].end);
        &self.bytes[start as usize..self.runs[run].end as usize]
    }
}

/// Joins the postings of some terms from all parts.
fn join(parts: &[Part], start: usize, end: usize) -> (Vec<u32>, Blobs) {
    let begins = |part: &Part| part.runs.partition_point(|run| (run.term as usize) < start);
    let mut cursors: Vec<usize> = parts.iter().map(begins).collect();
    let mut counts = Vec::with_capacity(end - start);
    let mut res = Blobs::default();
    for term in start..end {
        let (mut last, mut count) = (0, 0);
        res.push_with(|bytes| {
            for (part, cursor) in parts.iter().zip(&mut cursors) {
                let run = part.runs.get(*cursor);
                let Some(run) = run.filter(|run| run.term as usize == term) else {
                    continue;
                };
                varint::put((run.first - last) << 2 | run.bits, bytes);
                bytes.extend_from_slice(part.bytes(*cursor));
                last = run.last;
                count += run.n_documents;
                *cursor += 1;
            }
        });
        counts.push(count);
    }
    (counts, res)
}

fn short(hit: Hit) -> u8 {
    hit.name.min(MAX_NAME)
        | hit.description.min(MAX_DESCRIPTION) << 2
        | hit.extra.min(MAX_EXTRA) << 5
        | hit.exclusion.min(MAX_EXCLUSION) << 7
}

fn bits(hit: Hit) -> u32 {
    u32::from(short(hit) != 0) | u32::from(hit.body != 1) << 1
}

fn put_counts(hit: Hit, bits: u32, acc: &mut Vec<u8>) {
    if bits & 1 != 0 {
        acc.push(short(hit));
    }
    if bits & 2 != 0 {
        acc.push(hit.body);
    }
}

/// An iterator over the documents that have a term, in order.
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
