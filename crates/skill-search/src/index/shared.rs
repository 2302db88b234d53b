//! Parts of an index as they lie in its bytes: nothing is read before it is asked for.
//!
//! **Invariant:** bytes that lie give wrong answers, never a panic.

use std::ops::Range;
use std::sync::Arc;

use super::blobs::Blobs;
use super::strings::Strings;

/// Bytes in an allocation that several share.
#[derive(Clone, Debug)]
pub(super) struct Shared {
    all: Arc<Vec<u8>>,
    /// Within `all`.
    range: Range<usize>,
}

impl Shared {
    /// All bytes of an allocation from `start`.
    pub(super) fn new(all: Arc<Vec<u8>>, start: usize) -> Self {
        let range = start.min(all.len())..all.len();
        Self { all, range }
    }

    fn of(bytes: Vec<u8>) -> Self {
        Self::new(Arc::new(bytes), 0)
    }

    #[inline]
    pub(super) fn bytes(&self) -> &[u8] {
        &self.all[self.range.clone()]
    }

    /// Takes bytes from the front; nothing if there are fewer.
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

/// Numbers of four bytes, little-endian.
#[derive(Clone, Debug)]
pub(crate) struct Numbers(Shared);

impl Numbers {
    pub(super) fn of(numbers: &[u32]) -> Self {
        let bytes = numbers.iter().flat_map(|number| number.to_le_bytes());
        Self(Shared::of(bytes.collect()))
    }

    pub(super) fn read(section: Shared) -> Option<Self> {
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

/// Byte strings one after the other.
#[derive(Clone, Debug)]
pub(super) struct Pieces {
    bytes: Shared,
    ends: Numbers,
}

impl Pieces {
    pub(super) fn of(blobs: Blobs) -> Self {
        let (bytes, ends) = blobs.into_parts();
        let bytes = Shared::of(bytes);
        let ends = Numbers::of(&ends);
        Self { bytes, ends }
    }

    /// Puts the parts together again; nothing if they do not fit each other.
    pub(super) fn read(bytes: Shared, ends: Shared) -> Option<Self> {
        let ends = Numbers::read(ends)?;
        let last = ends.len().checked_sub(1).map_or(0, |last| ends.get(last));
        (last as usize == bytes.bytes().len()).then_some(Self { bytes, ends })
    }

    /// The bytes and the numbers, as they are kept.
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

/// Strings one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Texts(Pieces);

impl Texts {
    pub(super) fn of(strings: Strings) -> Self {
        let (text, ends) = strings.into_parts();
        let bytes = Shared::of(text.into_bytes());
        let ends = Numbers::of(&ends);
        Self(Pieces { bytes, ends })
    }

    pub(super) fn read(bytes: Shared, ends: Shared) -> Option<Self> {
        Pieces::read(bytes, ends).map(Self)
    }

    pub(super) fn parts(&self) -> [&[u8]; 2] {
        self.0.parts()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The UTF-8 of a string.
    #[inline]
    pub(crate) fn bytes(&self, at: usize) -> &[u8] {
        self.0.get(at)
    }

    /// A string; an empty one for bytes that are no UTF-8.
    pub(crate) fn get(&self, at: usize) -> &str {
        std::str::from_utf8(self.bytes(at)).unwrap_or_default()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|at| self.get(at))
    }

    /// Where a string stands, if the strings are sorted and without repetitions.
    pub(crate) fn find(&self, string: &str) -> Option<usize> {
        let at = self.lower_bound(string);
        (at < self.len() && self.bytes(at) == string.as_bytes()).then_some(at)
    }

    /// How many strings come before `string`, if they are sorted.
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
