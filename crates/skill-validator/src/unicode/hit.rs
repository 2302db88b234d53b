//! Hidden characters and their kinds.

use std::ops::Range;

/// Hidden characters in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Hit {
    pub(crate) kind: Kind,
    /// Byte range of the first one.
    pub(crate) range: Range<usize>,
    /// The first one.
    pub(crate) c: char,
}

/// Kinds of hidden characters; each has its rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Kind {
    /// Tag characters outside a flag.
    Tag,
    /// Variation selectors that carry data.
    Selector,
    /// Embedding, override and isolate.
    Bidi,
    /// Zero width inside words, or in rows.
    ZeroWidth,
    /// Control characters.
    Control,
    /// Invisible letters, and format characters that no text needs.
    Filler,
    /// Private use in planes 15 and 16.
    PrivateUse,
    /// Code points that are not characters.
    Noncharacter,
    /// Single invisible characters outside words.
    Stray,
}

impl Kind {
    /// Returns the phrase for messages.
    pub(crate) fn what(self) -> &'static str {
        match self {
            Self::Tag => "a tag character",
            Self::Selector => "a variation selector",
            Self::Bidi => "a bidirectional control",
            Self::ZeroWidth => "a zero-width character",
            Self::Control => "a control character",
            Self::Filler => "an invisible letter",
            Self::PrivateUse => "a private character",
            Self::Noncharacter => "a noncharacter",
            Self::Stray => "an invisible character",
        }
    }
}
