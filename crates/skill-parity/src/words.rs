//! Words of texts, and names without their numbers.

/// Splits a text into words. A word is a run of letters, digits and characters that join them in
/// times and names; every other character is a word of its own.
pub(crate) fn words(text: &str) -> Vec<&str> {
    let joins = |c: char| c.is_alphanumeric() || "._-:+".contains(c);
    let mut res = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let end = end_of(rest, c, joins);
        let (word, tail) = rest.split_at(end);
        res.push(word);
        rest = tail;
    }
    res
}

/// Returns the end of the run of characters that `text` begins with, or of `first` if that character
/// is not part of a run.
fn end_of(text: &str, first: char, belongs: impl Fn(char) -> bool) -> usize {
    if belongs(first) {
        text.find(|c| !belongs(c)).unwrap_or(text.len())
    } else {
        first.len_utf8()
    }
}

/// Returns a name without its numbers: each run of letters and digits that has a digit becomes `#`.
pub(crate) fn shape(name: &str) -> String {
    let mut res = String::new();
    let mut rest = name;
    while let Some(c) = rest.chars().next() {
        let is_part = |c: char| c.is_ascii_alphanumeric();
        let end = end_of(rest, c, is_part);
        let (part, tail) = rest.split_at(end);
        let has_digit = part.bytes().any(|byte| byte.is_ascii_digit());
        res.push_str(if has_digit { "#" } else { part });
        rest = tail;
    }
    res
}
