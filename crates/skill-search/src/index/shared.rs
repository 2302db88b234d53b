//! Sections of an index that are decoded in place, on demand.
//!
//! **Invariant:** corrupt bytes yield wrong results, never a panic.

use std::ops::Range;
use std::sync::Arc;

use super::blobs::Blobs;
use super::strings::Strings;

/// A range of bytes in a shared allocation.
#[derive(Clone, Debug)]
pub(super) struct SharedBytes {
    all: Arc<Vec<u8>>,
    /// The range within `all`.
    range: Range<usize>,
}

impl SharedBytes {
    /// Returns all bytes of an allocation from `start`.
    pub(super) fn new(all: Arc<Vec<u8>>, start: usize) -> Self {
        let range = start.min(all.len())..all.len();
        Self { all, range }
    }

    pub(super) fn from_vec(bytes: Vec<u8>) -> Self {
        Self::new(Arc::new(bytes), 0)
    }

    #[inline]
    pub(super) fn bytes(&self) -> &[u8] {
        &self.all[self.range.clone()]
    }

    /// Takes bytes from the front; returns `None` if there are fewer.
    pub(super) fn take(&mut self, length: usize) -> Option<Self> {
        let end = self.range.start.checked_add(length)?;
        if end > self.range.end {
            return None;
        }
        let range = self.range.start..end;
        self.range.start = end;
        let all = self.all.clone();
        Some(Self { all, range })
    }
}

/// Little-endian numbers of four bytes each.
#[derive(Clone, Debug)]
pub(crate) struct Numbers(SharedBytes);

impl Numbers {
    pub(super) fn new(numbers: &[u32]) -> Self {
        let bytes = numbers.iter().flat_map(|number| number.to_le_bytes());
        Self(SharedBytes::from_vec(bytes.collect()))
    }

    pub(super) fn read(section: SharedBytes) -> Option<Self> {
        section
            .bytes()
            .len()
            .is_multiple_of(4)
            .then_some(Self(section))
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.0.bytes()
    }

    pub(super) fn len(&self) -> usize {
        self.bytes().len() / 4
    }

    #[inline]
    pub(crate) fn get(&self, at: usize) -> u32 {
        let (numbers, _) = self.bytes().as_chunks::<4>();
        u32::from_le_bytes(numbers[at])
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = u32> {
        let (numbers, _) = self.bytes().as_chunks::<4>();
        numbers.iter().map(|bytes| u32::from_le_bytes(*bytes))
    }
}

/// Byte strings stored one after the other.
#[derive(Clone, Debug)]
pub(super) struct ByteStrings {
    bytes: SharedBytes,
    ends: Numbers,
}

impl ByteStrings {
    pub(super) fn new(blobs: Blobs) -> Self {
        let (bytes, ends) = blobs.into_parts();
        let bytes = SharedBytes::from_vec(bytes);
        let ends = Numbers::new(&ends);
        Self { bytes, ends }
    }

    /// Combines the parts; returns `None` if their sizes are not consistent.
    pub(super) fn read(bytes: SharedBytes, ends: SharedBytes) -> Option<Self> {
        let ends = Numbers::read(ends)?;
        let last = ends.len().checked_sub(1).map_or(0, |last| ends.get(last));
        (last as usize == bytes.bytes().len()).then_some(Self { bytes, ends })
    }

    /// Returns the bytes and the numbers as they are saved.
    pub(super) fn parts(&self) -> [&[u8]; 2] {
        [self.bytes.bytes(), self.ends.bytes()]
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    #[inline]
    pub(super) fn get(&self, at: usize) -> &[u8] {
        let start = at.checked_sub(1).map_or(0, |before| self.ends.get(before));
        let range = start as usize..self.ends.get(at) as usize;
        self.bytes.bytes().get(range).unwrap_or_default()
    }
}

/// Strings stored one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Texts(ByteStrings);

impl Texts {
    pub(super) fn new(strings: Strings) -> Self {
        let (text, ends) = strings.into_parts();
        let bytes = SharedBytes::from_vec(text.into_bytes());
        let ends = Numbers::new(&ends);
        Self(ByteStrings { bytes, ends })
    }

    pub(super) fn read(bytes: SharedBytes, ends: SharedBytes) -> Option<Self> {
        ByteStrings::read(bytes, ends).map(Self)
    }

    pub(super) fn parts(&self) -> [&[u8]; 2] {
        self.0.parts()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the UTF-8 bytes of a string.
    #[inline]
    pub(crate) fn bytes(&self, at: usize) -> &[u8] {
        self.0.get(at)
    }

    /// Returns a string, or an empty one if its bytes are not UTF-8.
    pub(crate) fn get(&self, at: usize) -> &str {
        std::str::from_utf8(self.bytes(at)).unwrap_or_default()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|at| self.get(at))
    }

    /// Returns the position of a string, if the strings are sorted and without repetitions.
    pub(crate) fn find(&self, string: &str) -> Option<usize> {
        let at = self.lower_bound(string);
        (at < self.len() && self.bytes(at) == string.as_bytes()).then_some(at)
    }

    /// Returns the number of strings before `string`, if they are sorted.
    pub(crate) fn lower_bound(&self, string: &str) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.bytes(middle) < string.as_bytes() {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}
