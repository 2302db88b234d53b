//! A skill before and in the list.

/// A skill as a client lists it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// The name.
    pub name: String,
    /// The description.
    pub description: String,
}

/// The part of a skill that is in the list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Extent {
    /// The name and the whole description.
    Whole,
    /// The name and the beginning of the description.
    Cut,
    /// The name only, although there is a description.
    NameOnly,
    /// Nothing.
    Missing,
}

impl Extent {
    /// All extents, the best first.
    pub const ALL: [Self; 4] = [Self::Whole, Self::Cut, Self::NameOnly, Self::Missing];

    /// Returns the word for reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Cut => "cut",
            Self::NameOnly => "name only",
            Self::Missing => "not listed",
        }
    }
}

/// A skill in the list of a client.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The name.
    pub name: String,
    /// The part of it that is in the list.
    pub extent: Extent,
    /// The characters of the description in the list.
    pub n_shown: usize,
    /// The characters of the description that are not in the list.
    pub n_cut: usize,
}

impl Row {
    /// Returns a row with the first `n_shown` characters of the description.
    pub(crate) fn new(item: &Item, n_shown: usize) -> Self {
        let n_cut = item.description.chars().count().saturating_sub(n_shown);
        let extent = match n_cut {
            0 => Extent::Whole,
            _ if n_shown == 0 => Extent::NameOnly,
            _ => Extent::Cut,
        };
        Self {
            name: item.name.clone(),
            extent,
            n_shown,
            n_cut,
        }
    }

    /// Returns the row of a skill that is not in the list.
    pub(crate) fn missing(item: &Item) -> Self {
        Self {
            extent: Extent::Missing,
            ..Self::new(item, 0)
        }
    }
}
