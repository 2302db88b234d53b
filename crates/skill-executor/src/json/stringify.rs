//! `JSON.stringify` without spaces.

use serde_json::Value;

use super::number_text;

/// The compact text: keys in their order, numbers as JavaScript prints them.
pub fn stringify(value: &Value) -> String {
    let mut res = String::new();
    write(value, &mut res);
    res
}

fn write(value: &Value, res: &mut String) {
    match value {
        Value::Null => res.push_str("null"),
        Value::Bool(flag) => res.push_str(if *flag { "true" } else { "false" }),
        Value::Number(number) => match number.as_f64() {
            Some(value) if number.is_f64() => res.push_str(&number_text(value)),
            _ => res.push_str(&number.to_string()),
        },
        Value::String(text) => write_text(text, res),
        Value::Array(items) => {
            res.push('[');
            for (n, item) in items.iter().enumerate() {
                if n > 0 {
                    res.push(',');
                }
                write(item, res);
            }
            res.push(']');
        }
        Value::Object(map) => {
            res.push('{');
            for (n, (key, item)) in map.iter().enumerate() {
                if n > 0 {
                    res.push(',');
                }
                write_text(key, res);
                res.push(':');
                write(item, res);
            }
            res.push('}');
        }
    }
}

fn write_text(text: &str, res: &mut String) {
    res.push_str(&serde_json::to_string(text).expect("a string can be written as JSON"));
}
