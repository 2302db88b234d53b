//! Names in one spelling: `cupSize` and `cup_size`.

/// Returns a name in lower case without the signs between its words.
pub(crate) fn spelling(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|c| c.to_ascii_lowercase()).collect()
}
