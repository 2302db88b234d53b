//! The pieces of a value that programs send, and the parts of texts in which values are sent.

use std::ops::Range;

use serde_json::Value;

/// The shortest run of digits of base64 that is decoded.
pub(super) const MIN_ENCODED: usize = 8;

/// The shortest piece of a value that counts as a secret of its own.
const MIN_PIECE: usize = 8;

/// Returns a value and the pieces of it that programs send alone: one of several keys, the value of a cookie,
/// the login of an address.
///
/// A value that is percent-encoded is also sent decoded; of JSON, each text is a piece.
pub(super) fn pieces(value: &str) -> Vec<String> {
    let mut res = vec![value.to_owned()];
    if let Some((_, rest)) = value.split_once("://") {
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        if let Some((login, _)) = host.rsplit_once('@') {
            let parts = login.split(':').filter(|part| part.len() >= 4);
            res.extend(parts.map(str::to_owned));
        }
        return res;
    }
    let mut parts: Vec<String> = Vec::new();
    if value.contains('%') {
        parts.push(decoded(value));
    }
    match serde_json::from_str(value) {
        Ok(json @ (Value::Object(_) | Value::Array(_))) => append_texts(&json, &mut parts),
        _ => {
            let split = value.split([',', ';', '|', ':', ' ', '\n', '\t']);
            let split =
                split.flat_map(|part| [Some(part), part.split_once('=').map(|(_, value)| value)]);
            parts.extend(split.flatten().map(|part| part.trim().to_owned()));
        }
    }
    res.extend(
        parts
            .into_iter()
            .filter(|part| part.len() >= MIN_PIECE && part != value),
    );
    res
}

fn append_texts(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| append_texts(item, texts)),
        Value::Object(map) => map.values().for_each(|item| append_texts(item, texts)),
        _ => {}
    }
}

/// Returns a percent-decoded text; `+` is a blank.
pub(super) fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let digit = |at: usize| {
        bytes
            .get(at)
            .and_then(|byte| char::from(*byte).to_digit(16))
    };
    let mut res = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                res.push(u8::try_from(high * 16 + low).unwrap_or_default());
                at += 2;
            }
            (b'+', ..) => res.push(b' '),
            (byte, ..) => res.push(byte),
        }
        at += 1;
    }
    String::from_utf8_lossy(&res).into_owned()
}

/// Returns the runs of digits of base64, with their padding.
pub(super) fn encoded(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || b"+/-_".contains(&byte);
    let mut res = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let digits = bytes[at..].iter().take_while(|byte| is_digit(**byte));
        let size = digits.count();
        let end = at + size;
        let padding = bytes[end..].iter().take_while(|byte| **byte == b'=');
        if size >= MIN_ENCODED {
            res.push(at..end + padding.take(2).count());
        }
        at = end + 1;
    }
    res
}

/// Returns the parts of a text, each mapped, joined as they were.
pub(super) fn joined(text: &str, sign: char, mask: impl Fn(&str) -> String) -> String {
    let parts = text.split(sign).map(mask);
    parts.collect::<Vec<_>>().join(&sign.to_string())
}

/// Returns a pair `name=value` whose value is masked if its name is secret.
pub(super) fn pair(
    part: &str,
    is_secret: impl Fn(&str) -> bool,
    mask: impl Fn(&str) -> String,
) -> String {
    match part.split_once('=') {
        Some((name, value)) if is_secret(name.trim()) => format!("{name}={}", mask(value)),
        _ => part.to_owned(),
    }
}

/// Returns true for the name of a scheme such as `Bearer`.
pub(super) fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphabetic() || c == '-')
}
