//! Headers that a skill sends, with values of its configuration in them.

use serde_json::{Map, Value};

/// Headers that the transport sets itself.
const OWN: [&str; 5] = [
    "host",
    "content-length",
    "transfer-encoding",
    "connection",
    "upgrade",
];

/// The header with credentials, in lower case.
pub(crate) const AUTHORIZATION: &str = "authorization";

/// Returns what in a text no header can carry (RFC 9110 §5.5); the text is a secret and is not named.
pub(crate) fn unsendable(text: &str) -> Option<&'static str> {
    if text.contains(['\r', '\n']) {
        Some("a line end")
    } else if text.chars().any(|c| c.is_control() && c != '\t') {
        Some("a control character")
    } else if !text.is_ascii() {
        Some("a character outside of ASCII")
    } else {
        None
    }
}

/// The headers with each `${KEY}` filled in by `value`; the error names what is missing or wrong,
/// and never a value.
pub fn filled(
    headers: &Map<String, Value>,
    value: impl Fn(&str) -> Option<String>,
) -> Result<Vec<(String, String)>, String> {
    let mut res = Vec::new();
    for (name, text) in headers {
        let is_token =
            |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
        if name.is_empty() || !name.bytes().all(is_token) {
            return Err(format!("`{name}` is not a name of a header"));
        }
        if OWN.contains(&name.to_ascii_lowercase().as_str()) {
            return Err(format!("the header `{name}` is not for a skill to set"));
        }
        let text = match text {
            Value::String(text) => text.clone(),
            Value::Number(_) | Value::Bool(_) => text.to_string(),
            _ => return Err(format!("the header `{name}` is not text")),
        };
        let text = fill(&text, &value)
            .map_err(|key| format!("the header `{name}` needs `{key}`, which is not configured"))?;
        if let Some(what) = unsendable(&text) {
            return Err(format!("the header `{name}` would have {what}"));
        }
        res.push((name.clone(), text));
    }
    Ok(res)
}

/// The text, or the key that has no value. A `${` without an end is text.
fn fill(text: &str, value: impl Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut res = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let Some((key, tail)) = after.split_once('}') else {
            break;
        };
        res.push_str(before);
        res.push_str(&value(key).ok_or_else(|| key.to_owned())?);
        rest = tail;
    }
    res.push_str(rest);
    Ok(res)
}
