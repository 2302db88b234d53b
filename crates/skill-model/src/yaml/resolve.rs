//! Resolving plain scalars: the YAML 1.2 core schema
//! (<https://yaml.org/spec/1.2.2/#103-core-schema>), with strict booleans.

use serde_json::{Map, Number, Value};

use super::{Content, Node, Style};

impl Node {
    /// Returns the value of this node for a YAML 1.2 reader. Keys become strings.
    ///
    /// Numbers that JSON cannot represent (`.inf`, `.nan`) stay strings.
    pub fn to_value(&self) -> Value {
        match &self.content {
            Content::Scalar { text, style } => match (style, self.tag.as_deref()) {
                (Style::Plain, None) => resolve_plain(text),
                _ => Value::String(text.clone()),
            },
            Content::Sequence { items, .. } => items.iter().map(Node::to_value).collect(),
            Content::Mapping { entries, .. } => {
                let pairs = entries.iter().map(|(k, v)| (key_text(k), v.to_value()));
                Value::Object(pairs.collect::<Map<_, _>>())
            }
        }
    }
}

fn key_text(key: &Node) -> String {
    match &key.content {
        Content::Scalar { text, .. } => text.clone(),
        _ => key.to_value().to_string(),
    }
}

fn resolve_plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => resolve_number(text).map_or_else(|| Value::String(text.to_owned()), Value::Number),
    }
}

fn resolve_number(text: &str) -> Option<Number> {
    let first = text.bytes().next()?;
    if !matches!(first, b'0'..=b'9' | b'+' | b'-' | b'.') {
        return None;
    }
    if let Some(octal) = text.strip_prefix("0o") {
        return u64::from_str_radix(unsigned(octal)?, 8)
            .ok()
            .map(Number::from);
    }
    if let Some(hex) = text.strip_prefix("0x") {
        return u64::from_str_radix(unsigned(hex)?, 16)
            .ok()
            .map(Number::from);
    }
    resolve_integer(text).or_else(|| resolve_float(text))
}

fn unsigned(digits: &str) -> Option<&str> {
    (!digits.starts_with('+')).then_some(digits)
}

fn resolve_integer(text: &str) -> Option<Number> {
    let positive = text.strip_prefix('+').unwrap_or(text);
    if positive.starts_with('+') {
        return None;
    }
    let signed = positive.parse::<i64>().ok().map(Number::from);
    signed.or_else(|| positive.parse::<u64>().ok().map(Number::from))
}

/// Matches `[-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`.
fn resolve_float(text: &str) -> Option<Number> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let shaped = unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && unsigned
            .bytes()
            .all(|b| matches!(b, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'));
    if !shaped || !unsigned.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    text.parse::<f64>().ok().and_then(Number::from_f64)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &Value) {
        assert_eq!(&resolve_plain(text), expected, "{text}");
    }

    #[test]
    fn follows_the_core_schema() {
        check("", &json!(null));
        check("~", &json!(null));
        check("True", &json!(true));
        check("12", &json!(12));
        check("+12", &json!(12));
        check("-7", &json!(-7));
        check("0o17", &json!(15));
        check("0xff", &json!(255));
        check("1.0", &json!(1.0));
        check("1e3", &json!(1000.0));
        check(".5", &json!(0.5));
        check("18446744073709551615", &json!(u64::MAX));
    }

    #[test]
    fn leaves_the_rest_a_string() {
        for text in [
            "yes",
            "no",
            "on",
            "y",
            "tRue",
            "1_000",
            "0b11",
            "1:30",
            "2024-01-02",
            "1.2.3",
            "++1",
            "-",
            ".",
            "0x",
            "0x+f",
            "1e",
            ".inf",
            ".nan",
            "inf",
            "nan",
            "infinity",
        ] {
            check(text, &json!(text));
        }
    }
}
