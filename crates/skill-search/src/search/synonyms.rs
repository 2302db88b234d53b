//! Terms of the vocabulary that mean the same as terms of a request.

use super::query::Query;
use crate::Index;
use crate::synonym_groups::SynonymGroups;

/// For each term of the vocabulary, the terms of the request that share a synonym group with it, as
/// bits.
pub(super) struct SynonymMasks {
    /// Sorted by term.
    masks: Vec<(u32, u128)>,
    /// A table of bits that rules out most terms that have none.
    filter: [u64; 64],
}

impl SynonymMasks {
    pub(super) fn new(query: &Query, index: &Index) -> Self {
        let groups = SynonymGroups::shipped();
        let mut masks: Vec<(u32, u128)> = Vec::new();
        for (at, term) in query.terms.iter().enumerate() {
            let numbers = groups
                .synonyms(&term.text)
                .filter_map(|synonym| index.vocabulary.find(synonym));
            let numbers = numbers.filter_map(|number| u32::try_from(number).ok());
            masks.extend(numbers.map(|number| (number, 1 << at)));
        }
        masks.sort_unstable();
        masks.dedup_by(|later, known| {
            let is_same = later.0 == known.0;
            known.1 |= if is_same { later.1 } else { 0 };
            is_same
        });
        let mut filter = [0; 64];
        for (number, _) in &masks {
            filter[(number >> 6) as usize & 63] |= 1 << (number & 63);
        }
        Self { masks, filter }
    }

    /// Returns the terms of the request that mean the same as `term`.
    pub(super) fn mask(&self, term: u32) -> u128 {
        if self.filter[(term >> 6) as usize & 63] >> (term & 63) & 1 == 0 {
            return 0;
        }
        let found = self.masks.binary_search_by_key(&term, |pair| pair.0);
        found.map_or(0, |found| self.masks[found].1)
    }
}
