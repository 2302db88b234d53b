//! Numbers as JavaScript prints and reads them.

use serde_json::Number;

/// Largest integer up to which every integer is a double of its own.
const MAX_SAFE: f64 = 9_007_199_254_740_992.0;

/// `Number::toString`: shortest digits, an exponent from 1e21 up and below 1e-6.
pub fn number_text(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    let size = value.abs();
    if (1e-6..1e21).contains(&size) {
        return value.to_string();
    }
    let text = format!("{value:e}");
    match text.split_once('e') {
        Some((digits, exponent)) if !exponent.starts_with('-') => format!("{digits}e+{exponent}"),
        _ => text,
    }
}

/// `parseInt(text, 10)`; `None` for `NaN`.
pub fn parse_int(text: &str) -> Option<f64> {
    let text = text.trim_start_matches(super::is_js_space);
    let (sign, rest) = match text.as_bytes().first() {
        Some(b'-') => (-1.0, &text[1..]),
        Some(b'+') => (1.0, &text[1..]),
        _ => (1.0, text),
    };
    let end = rest
        .find(|char: char| !char.is_ascii_digit())
        .unwrap_or(rest.len());
    let digits: f64 = rest[..end].parse().ok()?;
    Some(sign * digits)
}

/// A double as a JSON value: integers stay integers, what is not finite is `None`.
pub(super) fn number_of(value: f64) -> Option<Number> {
    if value.fract() == 0.0 && value.abs() <= MAX_SAFE {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "an integer of at most 2^53 is exact"
        )]
        return Some((value as i64).into());
    }
    Number::from_f64(value)
}
