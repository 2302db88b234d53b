//! Folded text: blocks that a host shows by how near they are to the conversation.
//!
//! Source: `docs/design/legacy-host.md` §1.5 and the recorded folds.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Number, Value, json};

use crate::json::{self, trim};

/// A line that begins a block. A marker without a description has no space before its end.
static MARKER: LazyLock<Regex> = LazyLock::new(|| {
    let space = r"[\t\n\x0B\x0C\r \u{A0}\u{1680}\u{2000}-\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}\u{FEFF}]";
    let pattern = r"^\[===vcp_fold:S*([0-9.]+)(?:S*::desc:S*(.*?)S*)?===\]S*$";
    Regex::new(&pattern.replace("S*", &format!("{space}*"))).expect("a constant pattern")
});

/// The value of a placeholder: an object for folded text, otherwise the text; nothing for none.
pub fn value_of(text: &str, description: &str) -> Option<Value> {
    let text = trim(text);
    if text.is_empty() {
        return None;
    }
    if text.starts_with('{')
        && let Ok(value) = json::parse(text)
    {
        let is_fold = value
            .get("vcp_dynamic_fold")
            .is_some_and(crate::normalise::is_truthy);
        return Some(if is_fold { value } else { text.into() });
    }
    if text.split('\n').any(|line| MARKER.is_match(line)) {
        return Some(folded(text, description));
    }
    Some(text.into())
}

fn folded(text: &str, description: &str) -> Value {
    let mut blocks = Vec::new();
    let mut head = None;
    let mut lines: Vec<&str> = Vec::new();
    for line in text.split('\n') {
        match MARKER.captures(line) {
            Some(found) => {
                if head.is_some() || !lines.is_empty() {
                    blocks.push(block(head.take(), &lines));
                }
                let description = found.get(2).map_or("", |text| text.as_str());
                head = Some((threshold(&found[1]), trim(description).to_owned()));
                lines.clear();
            }
            None => lines.push(line),
        }
    }
    blocks.push(block(head, &lines));
    json!({
        "vcp_dynamic_fold": true,
        "dynamic_fold_strategy": "toolbox_block_similarity",
        "plugin_description": description,
        "fold_blocks": blocks,
    })
}

fn block(head: Option<(f64, String)>, lines: &[&str]) -> Value {
    let (threshold, description) = head.unwrap_or_default();
    let mut res = Map::new();
    let number = json::parse(&json::number_text(threshold)).ok();
    res.insert(
        "threshold".to_owned(),
        number.unwrap_or_else(|| Number::from(0).into()),
    );
    res.insert("description".to_owned(), description.into());
    res.insert("content".to_owned(), trim(&lines.join("\n")).into());
    Value::Object(res)
}

/// `parseFloat` of digits and points: up to the second point, 0 for none.
fn threshold(text: &str) -> f64 {
    let mut points = text.match_indices('.').map(|(at, _)| at);
    let end = points.nth(1).unwrap_or(text.len());
    text[..end].parse().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::value_of;
    use crate::json::stringify;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let res = value_of(text, "D").map_or_else(String::new, |value| stringify(&value));
        let open = r#"{"vcp_dynamic_fold":true,"dynamic_fold_strategy":"toolbox_block_similarity","plugin_description":"D","fold_blocks":"#;
        assert_eq!(res.replace(open, "FOLD "), expected, "{text}");
    }

    #[test]
    fn values() {
        check(" value\n", "\"value\"");
        check("0", "\"0\"");
        check(" \n", "");
        check("{\"a\":1}", "\"{\\\"a\\\":1}\"");
        check(
            "{\"vcp_dynamic_fold\":true,\"x\":1}",
            "{\"vcp_dynamic_fold\":true,\"x\":1}",
        );
        check(
            "{\"vcp_dynamic_fold\":false}",
            "\"{\\\"vcp_dynamic_fold\\\":false}\"",
        );
    }

    #[test]
    fn folds() {
        check(
            "[===vcp_fold: 0.0===]\nbase\n[===vcp_fold: 0.5 ::desc: d ===]\nmore",
            r#"FOLD [{"threshold":0,"description":"","content":"base"},{"threshold":0.5,"description":"d","content":"more"}]}"#,
        );
        check(
            "open\n[===vcp_fold:.25::desc:低潮::second===]\r\n at six\r\nx\n\n",
            r#"FOLD [{"threshold":0,"description":"","content":"open"},{"threshold":0.25,"description":"低潮::second","content":"at six\r\nx"}]}"#,
        );
        // A space before the end of a marker without description: no marker.
        check(
            "[===vcp_fold: 0.0 ===]\nx",
            "\"[===vcp_fold: 0.0 ===]\\nx\"",
        );
        check("say [===vcp_fold: 0.5===]", "\"say [===vcp_fold: 0.5===]\"");
        // JSON that is none, with a marker in it.
        check(
            "{x\n[===vcp_fold: 1.5.2===]\ny",
            r#"FOLD [{"threshold":0,"description":"","content":"{x"},{"threshold":1.5,"description":"","content":"y"}]}"#,
        );
    }
}
