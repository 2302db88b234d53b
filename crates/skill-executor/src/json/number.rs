//! Numbers as JavaScript prints and reads them.

use serde_json::{Number, Value};

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

/// Returns the number that a JSON text writes, if a value can keep it: an integer of 64 bits, or a
/// decimal whose digits are those of a double, in its shortest form or with 17 digits.
pub(super) fn number_as_written(text: &str) -> Option<Number> {
    if let Ok(integer) = text.parse::<i64>() {
        return Some(integer.into());
    }
    if let Ok(integer) = text.parse::<u64>() {
        return Some(integer.into());
    }
    let value: f64 = text.parse().ok().filter(|value: &f64| value.is_finite())?;
    let written = digits(text);
    if written != digits(&format!("{value:e}")) && written != digits(&format!("{value:.16e}")) {
        return None;
    }
    let is_decimal = text.contains('.') && !text.contains(['e', 'E']);
    if is_decimal {
        return Number::from_f64(value);
    }
    number_of(value)
}

/// Returns the significant digits of a number and the power of ten that they are multiplied with.
fn digits(text: &str) -> Option<(String, i64)> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent: i64 = exponent.trim_start_matches('+').parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{}{fraction}", whole.trim_start_matches('-'));
    let significant = all.trim_start_matches('0').trim_end_matches('0');
    if significant.is_empty() {
        return Some((String::new(), 0));
    }
    let n_zeros = all.len() - all.trim_end_matches('0').len();
    let power = exponent
        .checked_sub(i64::try_from(fraction.len()).ok()?)?
        .checked_add(i64::try_from(n_zeros).ok()?)?;
    Some((significant.to_owned(), power))
}

/// Makes all numbers of a value those of JavaScript: doubles.
pub(crate) fn make_doubles(value: &mut Value) {
    match value {
        Value::Number(number) => {
            if let Some(double) = number.as_f64().and_then(number_of) {
                *number = double;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(make_doubles),
        Value::Object(members) => members.values_mut().for_each(make_doubles),
        _ => {}
    }
}
