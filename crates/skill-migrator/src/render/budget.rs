//! The length limits of a body.
//!
//! Source: specification, "Progressive disclosure": under 500 lines and 5,000 tokens.

use serde_json::Value;

/// Maximum lines of a body.
const MAX_LINES: usize = 480;
/// Maximum tokens of a body, by [`upper_bound`].
const MAX_TOKENS: usize = 4_900;

/// Returns whether the body is within the advice of the specification, with some room for manual
/// edits.
pub(super) fn fits(body: &str) -> bool {
    body.lines().count() <= MAX_LINES && upper_bound(body) <= MAX_TOKENS
}

/// Returns whether a body with all texts of `data` is certainly too long, so that it need not be
/// rendered.
pub(super) fn is_hopeless(data: &Value) -> bool {
    fn weigh(data: &Value) -> usize {
        match data {
            Value::String(text) => upper_bound(text),
            Value::Array(items) => items.iter().map(weigh).sum(),
            Value::Object(map) => map.values().map(weigh).sum(),
            Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        }
    }
    weigh(data) > MAX_TOKENS
}

/// Returns an upper bound of the o200k tokens of a text, for the kind of texts that a migration
/// writes: a token for each wide character, one for each three letters or digits of a word, one for
/// each other sign.
fn upper_bound(text: &str) -> usize {
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
        assert!(fits("a\n".repeat(480).as_str()));
        assert!(!fits("a\n".repeat(481).as_str()));
        assert!(!fits(&"参".repeat(4_901)));
    }
}
