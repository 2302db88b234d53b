//! Serializing a value, in one canonical form.
//!
//! This is not left to the library, because the library writes bidi overrides, zero-width
//! characters and tags raw, where a reviewer cannot see them.

use std::fmt::Write as _;

use serde_json::{Map, Number, Value};

use crate::chars::is_inkless;

/// Longest key that is written before its colon on one line; YAML allows 1024 characters.
pub(crate) const MAX_SIMPLE_KEY: usize = 512;

/// Writes a value: block style, `\n` line ends, a final line end.
pub fn to_string_value(value: &Value) -> String {
    let mut res = String::new();
    write_root(&mut res, value);
    res
}

fn write_root(res: &mut String, value: &Value) {
    match value {
        Value::Object(map) if !map.is_empty() => write_map(res, map, 0),
        Value::Array(items) if !items.is_empty() => write_list(res, items, 0),
        _ => {
            write_scalar(res, value);
            res.push('\n');
        }
    }
}

/// Writes the entries; the indentation of the first one is already written.
fn write_map(res: &mut String, map: &Map<String, Value>, indent: usize) {
    for (n, (key, value)) in map.iter().enumerate() {
        if n > 0 {
            push_indent(res, indent);
        }
        let mark = res.len();
        write_string(res, key);
        if res.len() - mark > MAX_SIMPLE_KEY {
            res.insert_str(mark, "? ");
            res.push('\n');
            push_indent(res, indent);
        }
        res.push(':');
        write_value(res, value, indent);
    }
}

fn write_list(res: &mut String, items: &[Value], indent: usize) {
    for (n, item) in items.iter().enumerate() {
        if n > 0 {
            push_indent(res, indent);
        }
        res.push('-');
        match item {
            Value::Object(map) if !map.is_empty() => {
                res.push(' ');
                write_map(res, map, indent + 2);
            }
            Value::Array(inner) if !inner.is_empty() => {
                res.push(' ');
                write_list(res, inner, indent + 2);
            }
            _ => write_value(res, item, indent),
        }
    }
}

/// Writes the text after a colon or a dash, up to the line end.
fn write_value(res: &mut String, value: &Value, indent: usize) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            res.push('\n');
            push_indent(res, indent + 2);
            write_map(res, map, indent + 2);
        }
        Value::Array(items) if !items.is_empty() => {
            res.push('\n');
            push_indent(res, indent + 2);
            write_list(res, items, indent + 2);
        }
        _ => {
            res.push(' ');
            write_scalar(res, value);
            res.push('\n');
        }
    }
}

fn push_indent(res: &mut String, indent: usize) {
    res.extend(std::iter::repeat_n(' ', indent));
}

fn write_scalar(res: &mut String, value: &Value) {
    match value {
        Value::Null => res.push_str("null"),
        Value::Bool(value) => res.push_str(if *value { "true" } else { "false" }),
        Value::Number(number) => write_number(res, number),
        Value::String(text) => write_string(res, text),
        Value::Array(_) => res.push_str("[]"),
        Value::Object(_) => res.push_str("{}"),
    }
}

/// Writes a number in a form that YAML 1.1 readers also accept: with a dot and a sign if there is
/// an exponent.
fn write_number(res: &mut String, number: &Number) {
    let text = number.to_string();
    let Some((mantissa, exponent)) = text.split_once('e') else {
        res.push_str(&text);
        return;
    };
    res.push_str(mantissa);
    if !mantissa.contains('.') {
        res.push_str(".0");
    }
    res.push('e');
    if !exponent.starts_with(['-', '+']) {
        res.push('+');
    }
    res.push_str(exponent);
}

fn write_string(res: &mut String, text: &str) {
    if is_plain(text) {
        res.push_str(text);
    } else {
        res.push_str(&quoted(text));
    }
}

/// Returns whether every YAML reader reads the bare text as the same string.
fn is_plain(text: &str) -> bool {
    let Some(first) = text.chars().next() else {
        return false;
    };
    (first.is_alphabetic() || matches!(first, '/' | '_'))
        && !text.ends_with([' ', ':'])
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.chars().any(is_inkless)
        && !is_reserved(text)
}

/// Returns true for words that are not strings in YAML 1.1 or 1.2.
pub(crate) fn is_reserved(text: &str) -> bool {
    const WORDS: [&str; 9] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"];
    WORDS.iter().any(|word| word.eq_ignore_ascii_case(text))
}

/// Returns a string in double quotes: every invisible character is escaped, and three hyphens never
/// follow each other, because simple readers of `SKILL.md` take them for its delimiter.
pub fn quoted(text: &str) -> String {
    let mut res = String::with_capacity(text.len() + 2);
    let mut n_hyphens = 0;
    res.push('"');
    for c in text.chars() {
        n_hyphens = if c == '-' { n_hyphens + 1 } else { 0 };
        if n_hyphens == 3 {
            res.push_str("\\x2d");
            n_hyphens = 0;
        } else {
            push_escaped(&mut res, c);
        }
    }
    res.push('"');
    res
}

fn push_escaped(res: &mut String, c: char) {
    let code = u32::from(c);
    let written = match c {
        '"' => res.write_str("\\\""),
        '\\' => res.write_str("\\\\"),
        '\n' => res.write_str("\\n"),
        '\r' => res.write_str("\\r"),
        '\t' => res.write_str("\\t"),
        _ if !is_inkless(c) => res.write_char(c),
        _ if code <= 0xFF => write!(res, "\\x{code:02X}"),
        _ if code <= 0xFFFF => write!(res, "\\u{code:04X}"),
        _ => write!(res, "\\U{code:08X}"),
    };
    written.expect("writing to a String does not fail");
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(value: &Value, expected: &str) {
        assert_eq!(to_string_value(value), expected);
        assert_eq!(&super::super::from_str(expected).unwrap(), value);
    }

    #[test]
    fn writes_block_style() {
        check(
            &json!({ "a": { "b": [1, { "c": "x", "d": [] }, [["y z"]]] }, "e": {} }),
            "a:\n  b:\n    - 1\n    - c: x\n      d: []\n    - - - y z\ne: {}\n",
        );
        check(&json!([]), "[]\n");
        check(&json!("x"), "x\n");
    }

    #[test]
    fn quotes_what_a_reader_could_mistake() {
        check(&json!({ "a": "yes" }), "a: \"yes\"\n");
        check(&json!({ "y": "1:30" }), "\"y\": \"1:30\"\n");
        check(&json!({ "a": "x: y" }), "a: \"x: y\"\n");
        check(&json!({ "a": "计算 #1" }), "a: \"计算 #1\"\n");
        check(&json!({ "a": "计算。(x)" }), "a: 计算。(x)\n");
        check(
            &json!({ "a": "l\nm\u{85}\u{202e}\u{e0041}" }),
            "a: \"l\\nm\\x85\\u202E\\U000E0041\"\n",
        );
        check(&json!({ "a": "" }), "a: \"\"\n");
    }

    #[test]
    fn numbers_read_back_in_yaml_1_1() {
        check(
            &json!({ "a": 1e30, "b": 1.5, "c": -3 }),
            "a: 1.0e+30\nb: 1.5\nc: -3\n",
        );
    }

    #[test]
    fn long_keys_are_explicit() {
        let key = "k".repeat(600);
        check(
            &json!({ &key: { "a": 1 } }),
            &format!("? {key}\n:\n  a: 1\n"),
        );
    }

    fn json_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<f64>().prop_filter_map("finite", |f| Number::from_f64(f).map(Value::Number)),
            any::<String>().prop_map(Value::from),
            "[a-zA-Z0-9:# \\-.,'\"~!?&*|>\\[\\]{}%@`=]{0,8}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 40, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::btree_map(any::<String>(), inner, 0..5)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn reads_back_as_written(value in json_value()) {
            let text = to_string_value(&value);
            prop_assert_eq!(super::super::from_str(&text).unwrap(), value.clone());
            let theirs: Value = serde_yaml::from_str_with_options(
                &text,
                serde_yaml::options! { strict_booleans: true },
            ).unwrap();
            prop_assert_eq!(theirs, value);
        }

        #[test]
        fn leaves_nothing_invisible(text in any::<String>()) {
            let yaml = to_string_value(&Value::from(text));
            prop_assert!(!yaml.trim_end_matches('\n').chars().any(is_inkless));
        }
    }
}
