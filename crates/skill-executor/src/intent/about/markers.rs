//! The words of a request, and those that mark a name.

/// Words beside the name of a skill that say what it is.
pub(super) const MARKERS: [&str; 6] = ["skill", "plugin", "tool", "skills", "plugins", "extension"];

/// Splits a text into its words.
pub(super) fn words(text: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '\'' || c == '-';
    let words = text.split(|c: char| !is_part(c));
    words.filter(|word| !word.is_empty()).collect()
}
