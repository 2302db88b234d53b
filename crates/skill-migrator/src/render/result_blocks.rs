//! Examples of results in an old text: those of failures go, and those of which the sentence on the result
//! says every member; of the others the envelope of the old host goes.

use serde_json::{Map, Value};

use super::items::Item;
use super::told::Before;

/// Words of the label of such an example.
const LABELS: [&str; 11] = [
    "返回", "成功", "失败", "错误", "结果", "响应", "输出", "eturn", "esponse", "esult", "utput",
];
/// Maximum number of lines between the label and the example.
const NEAR: usize = 3;
/// Longer examples stay as they are, in bytes.
const MAX: usize = 700;

/// Drops or shortens the examples of results.
pub(super) fn without_told_results(items: &[Item], before: &Before<'_>) -> Vec<Item> {
    let mut res: Vec<Item> = Vec::new();
    let mut at = 0;
    while at < items.len() {
        match block(&items[at..]) {
            Some((n_lines, text)) if is_labelled(&res) => {
                match shortened(&text, before) {
                    Shortened::Told => res.push(Item::Cut),
                    Shortened::To(text) => res.push(Item::Call(text)),
                    Shortened::Same => res.extend_from_slice(&items[at..at + n_lines]),
                }
                at += n_lines;
            }
            _ => {
                let is_status = matches!(&items[at], Item::Line(line) if is_status(line));
                res.push(if is_status {
                    Item::Cut
                } else {
                    items[at].clone()
                });
                at += 1;
            }
        }
    }
    res
}

/// Returns true for an item on the envelope of the old host: `- status: "success" 或 "error"。`
fn is_status(line: &str) -> bool {
    const MAX: usize = 40;
    let bare = line
        .trim()
        .trim_start_matches(['-', '*', '•', '`', ' ', '"']);
    let rest = bare.strip_prefix("status");
    let rest = rest.map(|rest| rest.trim_start_matches(['`', '*', '"', ' ']));
    bare.len() < line.trim().len()
        && line.chars().count() <= MAX
        && rest.is_some_and(|rest| {
            rest.starts_with([':', '：']) && rest.contains("success") && rest.contains("error")
        })
}

/// Returns a block of code at the beginning of items: the number of its lines, and its text.
fn block(items: &[Item]) -> Option<(usize, String)> {
    let line = |item: &Item| match item {
        Item::Line(line) => Some(line.trim().to_owned()),
        _ => None,
    };
    let first = line(items.first()?)?;
    if !matches!(&*first, "```json" | "```") {
        return None;
    }
    let mut text = String::new();
    for (at, item) in items.iter().enumerate().skip(1) {
        let line = line(item)?;
        if line == "```" {
            return Some((at + 1, text));
        }
        text.push_str(&line);
        text.push('\n');
    }
    None
}

/// Returns true if one of the last lines is a label of a result.
fn is_labelled(before: &[Item]) -> bool {
    let lines = before.iter().rev().filter_map(|item| match item {
        Item::Line(line) => Some(line.trim()),
        _ => None,
    });
    let mut near = lines.filter(|line| !line.is_empty()).take(NEAR);
    near.next().is_some_and(|line| {
        line.trim_end_matches(['*', ' ']).ends_with([':', '：'])
            && LABELS.iter().any(|word| line.contains(word))
    })
}

#[derive(PartialEq, Debug)]
enum Shortened {
    /// Everything is elsewhere.
    Told,
    /// In one line.
    To(String),
    Same,
}

fn shortened(text: &str, before: &Before<'_>) -> Shortened {
    let plain = text.replace("[...]", "[]").replace("{...}", "{}");
    let Ok(Value::Object(mut all)) = serde_json::from_str::<Value>(&plain) else {
        return Shortened::Same;
    };
    let is_failure = all.get("status").is_some_and(|it| it == "error")
        || all.get("success").is_some_and(|it| it == false);
    if is_failure {
        // An error with a code of its own is one that the caller acts on.
        let has_code = all.contains_key("code");
        return if has_code {
            Shortened::Same
        } else {
            Shortened::Told
        };
    }
    let is_envelope = all.get("status").is_some_and(|it| it == "success");
    if !is_envelope {
        return Shortened::Same;
    }
    all.shift_remove("status");
    if let (1, Some(Value::Object(inner))) = (all.len(), all.get_mut("result")) {
        all = std::mem::take(inner);
    }
    let mut value = Value::Object(all);
    first_only(&mut value);
    if tells(&value, before) {
        return Shortened::Told;
    }
    let text = value.to_string();
    if text.len() <= MAX {
        Shortened::To(text)
    } else {
        Shortened::Same
    }
}

/// Keeps the first of the objects in each list.
fn first_only(value: &mut Value) {
    match value {
        Value::Array(all) => {
            if all.iter().all(Value::is_object) {
                all.truncate(1);
            }
            all.iter_mut().for_each(first_only);
        }
        Value::Object(all) => all.values_mut().for_each(first_only),
        _ => {}
    }
}

/// Returns true if the sentence on the result names every member.
fn tells(value: &Value, before: &Before<'_>) -> bool {
    let has = |all: &Map<String, Value>| {
        all.iter().all(|(name, inner)| {
            before.result.contains(&format!("`{name}`"))
                || before.result.contains(&format!("`{name}[]`"))
                || inner.is_null()
        }) && all.values().all(|inner| tells(inner, before))
    };
    match value {
        Value::Object(all) => has(all),
        Value::Array(all) => all.iter().all(|it| tells(it, before)),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_of_results() {
        let mut before = Before::default();
        before.result.push_str("返回：`tea`、`cups[]`：`size`。");
        let check = |text: &str, expected: &str| {
            let lines = text.lines().map(|line| Item::Line(line.to_owned()));
            let found = without_told_results(&lines.collect::<Vec<_>>(), &before);
            let shown = found.iter().map(|item| match item {
                Item::Line(line) => line.as_str(),
                Item::Call(call) => call.as_str(),
                Item::Cut => "(cut)",
            });
            assert_eq!(shown.collect::<Vec<_>>().join("|"), expected, "{text}");
        };
        check(
            "返回示例:\n```json\n{ \"status\": \"success\",\n\"tea\": 1, \"cups\": [{\"size\": 2}] }\n```\nx",
            "返回示例:|(cut)|x",
        );
        check(
            "返回示例:\n```json\n{ \"status\": \"success\", \"tea\": 1, \"milk\": [{\"a\": 1}, {\"a\": 2}], \"cups\": [...] }\n```",
            "返回示例:|{\"tea\":1,\"milk\":[{\"a\":1}],\"cups\":[]}",
        );
        check(
            "失败时返回:\n\n```\n{\"status\": \"error\", \"error\": \"x\"}\n```",
            "失败时返回:||(cut)",
        );
        check(
            "失败时返回:\n```\n{\"status\": \"error\", \"code\": \"COLD\"}\n```",
            "失败时返回:|```|{\"status\": \"error\", \"code\": \"COLD\"}|```",
        );
        check(
            "茶:\n```json\n{\"status\":\"success\"}\n```",
            "茶:|```json|{\"status\":\"success\"}|```",
        );
        check(
            "返回:\n```json\n{\"tea\": 1}\n```",
            "返回:|```json|{\"tea\": 1}|```",
        );
        check(
            "返回:\n```json\n{ not JSON\n```",
            "返回:|```json|{ not JSON|```",
        );
        check("返回:\n```json\n{}", "返回:|```json|{}");
    }
}
