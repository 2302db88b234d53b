//! The answer of a skill, for a person at a terminal.
//!
//! Format of the answer: `docs/running.md`, "The answer".

use std::fmt::Write as _;

use serde_json::Value;

use crate::{Paint, visible};

/// An answer in two texts. Each ends with a line end, or is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerText {
    /// The value: texts as they are, everything else as JSON.
    pub value: String,
    /// The error, the warnings, and the program's standard error if the program failed.
    pub remarks: String,
}

/// Returns the texts of an answer. Characters that could control the terminal are replaced.
pub fn answer(answer: &Value, paint: Paint) -> AnswerText {
    let mut remarks = String::new();
    let warnings = answer["warnings"].as_array().into_iter().flatten();
    for warning in warnings {
        let word = paint.warning(paint.say("warning"));
        finding(&word, warning, paint, &mut remarks);
    }
    if let Some(error) = answer.get("error") {
        let word = paint.error(paint.say("error"));
        finding(&word, error, paint, &mut remarks);
        let details = error["details"].as_object().into_iter().flatten();
        // The message has the suggestions already.
        for (key, value) in details.filter(|(key, _)| *key != "suggestions") {
            let _ = writeln!(remarks, "  {}: {}", visible(key), inline(value));
        }
    }
    let meta = &answer["meta"];
    let has_failed = answer["ok"] != true || meta["exit_code"].as_i64().unwrap_or(0) != 0;
    let printed = meta["stderr"].as_str().unwrap_or_default();
    if has_failed && !printed.trim().is_empty() {
        let _ = writeln!(remarks, "{}", paint.say("standard error of the program:"));
        for line in printed.trim_end().lines() {
            let _ = writeln!(remarks, "  {}", visible(line));
        }
    }
    AnswerText {
        value: value(answer, paint),
        remarks,
    }
}

/// Adds a line with code and message.
fn finding(word: &str, finding: &Value, paint: Paint, acc: &mut String) {
    let code = finding["code"].as_str().unwrap_or_default();
    let message = finding["message"].as_str().unwrap_or_default();
    let _ = writeln!(
        acc,
        "{word}[{}]: {}",
        visible(code),
        visible(&paint.say(message))
    );
}

fn value(answer: &Value, paint: Paint) -> String {
    let parts = answer["content"].as_array().into_iter().flatten();
    let parts: String = parts.map(|it| part(it, paint)).collect();
    match &answer["value"] {
        _ if !parts.is_empty() => parts,
        Value::Null => String::new(),
        Value::String(text) => whole_lines(text),
        other => whole_lines(&format!("{other:#}")),
    }
}

/// Returns a part for a model: its text, or its kind and size.
fn part(part: &Value, paint: Paint) -> String {
    let kind = part["type"].as_str().unwrap_or_default();
    match part["text"].as_str() {
        Some(text) if kind == "text" => whole_lines(text),
        _ => {
            let n_bytes = part.to_string().len();
            whole_lines(&paint.say(&format!("[{kind}: {n_bytes} bytes of JSON]")))
        }
    }
}

/// Returns the fields of an object as lines, with nested objects below their names, and any other
/// value as [`answer`] does. Characters that could control the terminal are replaced.
pub fn facts(value: &Value, paint: Paint) -> String {
    let fields = match value {
        Value::Object(fields) => fields,
        Value::String(text) => return whole_lines(text),
        other => return whole_lines(&format!("{other:#}")),
    };
    let mut res = String::new();
    for (key, value) in fields {
        let key = visible(&paint.say(&key.replace('_', " ")));
        let colon = paint.say(": ");
        let _ = match value {
            Value::Object(_) => {
                let inner = facts(value, paint);
                let inner = inner.trim_end().replace('\n', "\n  ");
                writeln!(res, "{key}{}\n  {inner}", colon.trim_end())
            }
            Value::Array(items) => {
                let is_flat = !items.iter().any(Value::is_object);
                let items: Vec<String> = items.iter().map(|item| one(item, paint)).collect();
                if is_flat {
                    writeln!(res, "{key}{colon}{}", items.join(", "))
                } else {
                    let items = items.join("\n  - ");
                    writeln!(res, "{key}{}\n  - {items}", colon.trim_end())
                }
            }
            Value::Bool(is_so) => {
                let word = paint.say(if *is_so { "yes" } else { "no" });
                writeln!(res, "{key}{colon}{word}")
            }
            value => writeln!(res, "{key}{colon}{}", inline(value)),
        };
    }
    res
}

/// Returns an item of a list on one line.
fn one(item: &Value, paint: Paint) -> String {
    match item {
        Value::Object(_) => facts(item, paint).trim_end().replace('\n', ", "),
        item => inline(item),
    }
}

/// Returns a detail within a line.
fn inline(value: &Value) -> String {
    match value {
        Value::String(text) => visible(text).replace('\n', "\n    "),
        other => visible(&other.to_string()),
    }
}

fn whole_lines(text: &str) -> String {
    let text = visible(text);
    match text.trim_end_matches('\n') {
        "" => String::new(),
        text => format!("{text}\n"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(envelope: &Value, value: &str, remarks: &str) {
        let found = answer(envelope, Paint::NONE);
        assert_eq!(
            (found.value.as_str(), found.remarks.as_str()),
            (value, remarks)
        );
    }

    #[test]
    fn values() {
        let of = |value: Value| json!({"ok": true, "value": value, "content": [], "warnings": [], "meta": {}});
        check(&of(json!("two\nlines\n\n")), "two\nlines\n", "");
        check(&of(json!(null)), "", "");
        check(&of(json!({"a": [1]})), "{\n  \"a\": [\n    1\n  ]\n}\n", "");
    }

    #[test]
    fn objects_are_lines() {
        let value = json!({
            "code_in_state": ["a\u{1b}", 2],
            "is": true,
            "list": [{"a": 1, "b": "c"}, {"a": 2}],
            "rates": {"of": {"x": 0.5}, "ok": false},
        });
        let text = "code in state: a?, 2\nis: yes\nlist:\n  - a: 1, b: c\n  - a: 2\nrates:\n  of:\n    x: 0.5\n  ok: no\n";
        assert_eq!(facts(&value, Paint::NONE), text);
        assert_eq!(facts(&json!({}), Paint::NONE), "");
        assert_eq!(facts(&json!([1]), Paint::NONE), "[\n  1\n]\n");
        assert_eq!(facts(&json!("a"), Paint::NONE), "a\n");
    }

    #[test]
    fn parts_for_models_are_printed_once() {
        let parts = json!([{"type": "text", "text": "a map"}, {"type": "image_url", "image_url": {"url": "data:"}}]);
        let envelope = json!({"ok": true, "value": {"content": parts.clone()}, "content": parts});
        check(&envelope, "a map\n[image_url: 48 bytes of JSON]\n", "");
    }

    #[test]
    fn failures() {
        let envelope = json!({
            "ok": false,
            "error": {
                "code": "exit-code",
                "message": "ended with 1",
                "details": {"code": "E7", "suggestions": ["x"]},
            },
            "warnings": [{"code": "weaker", "message": "no network"}],
            "meta": {"exit_code": 1, "stderr": "Traceback\nno scipy\n"},
        });
        let remarks = "warning[weaker]: no network\nerror[exit-code]: ended with 1\n  code: E7\n\
                       standard error of the program:\n  Traceback\n  no scipy\n";
        check(&envelope, "", remarks);
    }

    #[test]
    fn an_answer_cannot_control_the_terminal() {
        let evil = "a\u{1b}]0;x\u{7}b";
        let envelope = json!({
            "ok": true,
            "value": evil,
            "warnings": [{"code": "c", "message": evil}],
            "meta": {"exit_code": 3, "stderr": evil},
        });
        let found = answer(&envelope, Paint::NONE);
        assert_eq!(found.value, "a?]0;x?b\n");
        assert!(!found.remarks.contains('\u{1b}'), "{}", found.remarks);
    }
}
