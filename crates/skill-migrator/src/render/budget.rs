//! The length limits of a body.
//!
//! Source: specification, "Progressive disclosure": under 500 lines and 5,000 tokens.

use serde_json::Value;
use skill_tokens::upper_bound;

/// Maximum lines of a body.
const MAX_LINES: usize = 480;
/// Maximum tokens of a body, by [`upper_bound`]: an estimate may be too low, and what a migration
/// writes must be within the limit for certain.
const MAX_TOKENS: usize = 4_900;

/// Returns whether the body is within the advice of the specification, with some room for manual
/// edits.
pub(crate) fn fits(body: &str) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_bodies_do_not_fit() {
        assert!(fits("a\n".repeat(480).as_str()));
        assert!(!fits("a\n".repeat(481).as_str()));
        assert!(!fits(&"参".repeat(4_901)));
    }
}
