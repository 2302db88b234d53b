//! The certainty that a piece of text is a name.

/// The certainty that a piece of text is the name of a skill.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Sureness {
    /// Common words, such as "weather" or "天气".
    Common,
    /// A noun of three or more Chinese characters, such as "日记本".
    Likely,
    /// A name with capitals or joints, one beside "plugin", or one that the search was sure of.
    Sure,
}
