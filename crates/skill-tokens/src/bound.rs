//! An upper bound.

/// Returns an upper bound of the o200k tokens of a text, for the kind of texts that a migration
/// writes: a token for each wide character, one for each three letters or digits of a word, one for
/// each other sign.
pub fn upper_bound(text: &str) -> usize {
    let (mut tokens, mut run) = (0, 0);
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            run += 1;
            continue;
        }
        tokens += usize::div_ceil(run, 3);
        run = 0;
        tokens += usize::from(!matches!(c, ' ' | '\n'));
    }
    tokens + usize::div_ceil(run, 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_words_and_wide_characters() {
        assert_eq!(upper_bound("hello 参数, x"), 2 + 2 + 1 + 1);
    }
}
