//! The binary form of an index.
//!
//! A head (magic, version, checksum) and then sections, each with its length in front. Numbers are
//! little-endian.

use std::sync::Arc;

use thiserror::Error;

use super::Index;
use super::meanings::Meanings;
use super::shared::{ByteStrings, Numbers, SharedBytes, Texts};
use crate::model::Model;

/// The magic number of the format.
const MAGIC: [u8; 8] = *b"skillidx";
/// The version of the format and of the way texts become terms.
const VERSION: u32 = 5;
/// The length of the head: magic, version, four zeros, checksum.
pub(super) const HEAD: usize = 24;

/// The reason why bytes are not an index. The caller should build the index again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum IndexError {
    /// The bytes have another format.
    #[error("not an index of skills")]
    NotAnIndex,
    /// The index was written by another version.
    #[error("the index has version {found}, expected {VERSION}")]
    Version {
        /// The version in the bytes.
        found: u32,
    },
    /// Bytes are missing or changed.
    #[error("the index is damaged")]
    Damaged,
}

impl Index {
    /// Returns the index as bytes; equal indexes give equal bytes. The model is not included.
    ///
    /// ```
    /// use skill_search::{Document, Index};
    ///
    /// let index = Index::build(&[Document { name: "tea".to_owned(), ..Document::default() }]);
    /// let copy = Index::from_bytes(&index.to_bytes())?;
    /// assert_eq!(copy.len(), 1);
    /// # Ok::<(), skill_search::IndexError>(())
    /// ```
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut res = Vec::new();
        res.extend_from_slice(&MAGIC);
        res.extend_from_slice(&VERSION.to_le_bytes());
        res.extend_from_slice(&[0; HEAD - 12]);
        let texts = [&self.names, &self.vocabulary, &self.keys].map(Texts::parts);
        let blobs = [&self.records, &self.heads, &self.postings].map(ByteStrings::parts);
        for section in texts.into_iter().chain(blobs).flatten() {
            put(section, &mut res);
        }
        put(self.frequencies.bytes(), &mut res);
        put(self.key_owners.bytes(), &mut res);
        put(&self.priorities, &mut res);
        let lengths = self.lengths.iter().flatten();
        let lengths: Vec<u8> = lengths.flat_map(|length| length.to_le_bytes()).collect();
        put(&lengths, &mut res);
        put(self.norms.bytes(), &mut res);
        put(self.meanings.bytes(), &mut res);
        sign(&mut res);
        res
    }

    /// Reads the bytes that [`Index::to_bytes`] returned.
    ///
    /// # Errors
    ///
    /// Returns an [`IndexError`] if the bytes are not an index, have another version or are
    /// damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, IndexError> {
        Self::from_shared(Arc::new(bytes.to_vec()), 0)
    }

    /// Reads an index that begins at `start`. The bytes are kept and used in place.
    ///
    /// # Errors
    ///
    /// Returns an [`IndexError`] like [`Index::from_bytes`].
    pub fn from_shared(bytes: Arc<Vec<u8>>, start: usize) -> Result<Self, IndexError> {
        let mut rest = SharedBytes::new(bytes, start);
        let head = rest.take(HEAD).ok_or(IndexError::NotAnIndex)?;
        let head = head.bytes();
        if head[..8] != MAGIC {
            return Err(IndexError::NotAnIndex);
        }
        let found = u32::from_le_bytes([head[8], head[9], head[10], head[11]]);
        if found != VERSION {
            return Err(IndexError::Version { found });
        }
        if head[12..16] != [0; 4] || head[16..] != checksum(rest.bytes()).to_le_bytes() {
            return Err(IndexError::Damaged);
        }
        let res = read(rest).ok_or(IndexError::Damaged)?;
        if res.is_whole() {
            Ok(res)
        } else {
            Err(IndexError::Damaged)
        }
    }

    /// Returns true if the sizes of the parts are consistent.
    fn is_whole(&self) -> bool {
        let n_documents = self.names.len();
        let n_terms = self.vocabulary.len();
        let counts = [
            (self.records.len(), n_documents),
            (self.heads.len(), n_documents),
            (self.priorities.len(), n_documents),
            (self.lengths.len(), n_documents),
            (self.norms.len(), n_documents),
            (self.meanings.len(), n_documents),
            (self.postings.len(), n_terms),
            (self.frequencies.len(), n_terms),
            (self.key_owners.len(), self.keys.len()),
        ];
        counts.iter().all(|(found, expected)| found == expected)
    }
}

/// Writes the checksum of the bytes after the head.
pub(super) fn sign(bytes: &mut [u8]) {
    let checksum = checksum(&bytes[HEAD..]);
    bytes[16..HEAD].copy_from_slice(&checksum.to_le_bytes());
}

fn read(mut rest: SharedBytes) -> Option<Index> {
    let rest = &mut rest;
    let res = Index {
        names: Texts::read(take(rest)?, take(rest)?)?,
        vocabulary: Texts::read(take(rest)?, take(rest)?)?,
        keys: Texts::read(take(rest)?, take(rest)?)?,
        records: ByteStrings::read(take(rest)?, take(rest)?)?,
        heads: ByteStrings::read(take(rest)?, take(rest)?)?,
        postings: ByteStrings::read(take(rest)?, take(rest)?)?,
        frequencies: Numbers::read(take(rest)?)?,
        key_owners: Numbers::read(take(rest)?)?,
        priorities: take(rest)?.bytes().to_vec(),
        lengths: lengths(take(rest)?.bytes())?,
        norms: Numbers::read(take(rest)?)?,
        meanings: Meanings::read(take(rest)?)?,
        model: Arc::new(Model::shipped().clone()),
        weights: Vec::new(),
    };
    rest.bytes().is_empty().then_some(res).map(|mut res| {
        res.weigh();
        res
    })
}

fn put(section: &[u8], acc: &mut Vec<u8>) {
    acc.extend_from_slice(&(section.len() as u64).to_le_bytes());
    acc.extend_from_slice(section);
}

fn take(rest: &mut SharedBytes) -> Option<SharedBytes> {
    let length = rest.take(8)?;
    let length = u64::from_le_bytes(*length.bytes().first_chunk()?);
    rest.take(usize::try_from(length).ok()?)
}

fn lengths(section: &[u8]) -> Option<Vec<[u16; 4]>> {
    let (lengths, rest) = section.as_chunks::<8>();
    let lengths = lengths.iter().map(|bytes| {
        std::array::from_fn(|field| u16::from_le_bytes([bytes[2 * field], bytes[2 * field + 1]]))
    });
    rest.is_empty().then(|| lengths.collect())
}

/// Returns a checksum that detects accidental changes. It uses four lanes and is as fast as memory,
/// but it gives no protection against intent.
pub fn checksum(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |lane: u64, word: u64| (lane ^ word).wrapping_mul(FACTOR).rotate_left(29);
    let mut lanes = [1_u64, 2, 3, bytes.len() as u64];
    let (pieces, rest) = bytes.as_chunks::<32>();
    for piece in pieces {
        let (words, _) = piece.as_chunks::<8>();
        for (lane, word) in lanes.iter_mut().zip(words) {
            *lane = mix(*lane, u64::from_le_bytes(*word));
        }
    }
    let mut res = lanes.into_iter().fold(0, mix);
    for byte in rest {
        res = mix(res, u64::from(*byte));
    }
    res ^ res >> 31
}
