//! The part of a skill that is listed.

use super::item::Item;

/// The part of a skill that is listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Extent {
    Whole,
    /// The name, and the description up to a byte.
    Until(usize),
    Omitted,
}

impl Extent {
    /// Returns the number of missing characters of the description.
    pub(super) fn n_missing(self, item: &Item) -> usize {
        match self {
            Self::Whole => 0,
            Self::Until(at) => item.description[at..].chars().count(),
            Self::Omitted => item.description.chars().count(),
        }
    }
}
