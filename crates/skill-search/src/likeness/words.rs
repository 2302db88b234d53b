//! The table of word vectors.

use std::sync::LazyLock;

use super::{N_DIRECTIONS, Vector};

/// The table: the number of words, their hashes in ascending order as `u32`, their weights in hundredths
/// as `u8`, and their vectors as `i8`. Numbers are little-endian. A word is the term of a text: a stem,
/// or a pair of characters.
static TABLE: &[u8] = include_bytes!("../../data/word-vectors.bin");
/// The number of bits of a hash by which words are found.
const BUCKET_BITS: u32 = 14;

/// The vectors of words.
pub(crate) struct WordVectors {
    hashes: &'static [u8],
    weights: &'static [u8],
    vectors: &'static [u8],
    /// The first word of each bucket of hashes, and the number of words.
    starts: Vec<u32>,
}

impl WordVectors {
    /// Returns the table that is compiled in.
    pub(crate) fn shipped() -> &'static Self {
        static SHIPPED: LazyLock<WordVectors> = LazyLock::new(|| WordVectors::read(TABLE));
        &SHIPPED
    }

    fn read(table: &'static [u8]) -> Self {
        let (n_words, rest) = table.split_at(4);
        let n_words = number(n_words) as usize;
        let (hashes, rest) = rest.split_at(4 * n_words);
        let (weights, vectors) = rest.split_at(n_words);
        let mut starts = vec![0; (1 << BUCKET_BITS) + 1];
        for hash in hashes.chunks_exact(4) {
            starts[bucket(number(hash)) + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        Self {
            hashes,
            weights,
            vectors,
            starts,
        }
    }

    /// Adds the vector of a word, if it is known, to a sum.
    pub(crate) fn add(&self, word: &[u8], factor: f32, sum: &mut Vector) {
        let Some(at) = self.find(hash(word)) else {
            return;
        };
        let factor = factor * f32::from(self.weights[at]);
        for (acc, byte) in sum.iter_mut().zip(self.vector(at)) {
            *acc += factor * f32::from(byte.cast_signed());
        }
    }

    /// Returns the place of a word in the table.
    pub(crate) fn place(&self, word: &[u8]) -> Option<u32> {
        self.find(hash(word)).and_then(|at| u32::try_from(at).ok())
    }

    /// Adds the vector of the word at a place of the table to a sum of whole numbers.
    pub(crate) fn add_whole(&self, place: u32, factor: i32, sum: &mut [i64; N_DIRECTIONS]) {
        let at = place as usize;
        let factor = factor * i32::from(self.weights[at]);
        for (acc, byte) in sum.iter_mut().zip(self.vector(at)) {
            *acc += i64::from(factor * i32::from(byte.cast_signed()));
        }
    }

    /// Returns the numbers of the vector at a place of the table, as signed bytes.
    pub(crate) fn vector(&self, at: usize) -> &'static [u8; N_DIRECTIONS] {
        let (vectors, _) = self.vectors.as_chunks::<N_DIRECTIONS>();
        &vectors[at]
    }

    fn find(&self, hash: u32) -> Option<usize> {
        let bucket = bucket(hash);
        let (start, end) = (self.starts[bucket], self.starts[bucket + 1]);
        (start as usize..end as usize).find(|at| number(&self.hashes[4 * at..]) == hash)
    }
}

fn number(bytes: &[u8]) -> u32 {
    bytes
        .first_chunk()
        .map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

fn bucket(hash: u32) -> usize {
    (hash >> (32 - BUCKET_BITS)) as usize
}

/// Returns the hash of a word: FNV-1a with its bits mixed once more. Two words of the table never share
/// one; a word that is not in the table has the hash of one that is in 6 of a million cases.
fn hash(word: &[u8]) -> u32 {
    let mut res = word.iter().fold(0x811c_9dc5_u32, |acc, byte| {
        (acc ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
    });
    res ^= res >> 16;
    res = res.wrapping_mul(0x85eb_ca6b);
    res ^ res >> 13
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_whole() {
        let words = WordVectors::shipped();
        let n_words = words.weights.len();
        assert_eq!(words.vectors.len(), n_words * N_DIRECTIONS);
        let hashes: Vec<u32> = words.hashes.chunks_exact(4).map(number).collect();
        assert!(hashes.is_sorted_by(|a, b| a < b));
        for (at, hash) in hashes.iter().enumerate() {
            assert_eq!(words.find(*hash), Some(at));
        }
    }
}
