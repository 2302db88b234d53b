//! The answers of the old host in texts: `{"status": "success", "result": {…}}`, of which `skills-run`
//! prints the result alone.

use serde_json::Value;

use crate::markdown::code;

use super::Language;

/// Maximum number of members that are named.
const MAX: usize = 12;

/// Returns a text in which an answer of success is the list of its members, as `skills-run` prints them.
pub(super) fn in_value(text: &str, language: Language) -> String {
    let mut res = String::with_capacity(text.len());
    let mut is_code = false;
    for line in text.split_inclusive('\n') {
        is_code ^= line.trim_start().starts_with("```");
        match told(line, language).filter(|_| !is_code) {
            Some(told) => res.push_str(&told),
            None => res.push_str(line),
        }
    }
    res
}

/// Returns a line with the members of the answer in it; `None` for a line without one.
fn told(line: &str, language: Language) -> Option<String> {
    let start = line.find('{')?;
    let end = line.rfind('}')?;
    let answer: Value = serde_json::from_str(line.get(start..=end)?).ok()?;
    let is_success = answer["status"] == "success";
    let result = answer
        .get("result")
        .filter(|it| is_success && it.is_object())?;
    let mut members = Vec::new();
    paths(result, "value", &mut members);
    let is_more = members.len() > MAX;
    members.truncate(MAX);
    let list = members.join(language.pick(", ", "、"));
    let more = if is_more {
        language.pick(", …", "等")
    } else {
        ""
    };
    let head = line[..start].trim_end().trim_end_matches([':', '：']);
    let head = head
        .trim_end_matches(['`', ' '])
        .trim_end_matches("JSON")
        .trim_end();
    let rest = line[end + 1..].trim_start_matches('`');
    let blank = if head.is_empty() { "" } else { " " };
    Some(format!("{head}{blank}{list}{more}{rest}"))
}

/// Adds the paths of the values in a value, with the choices that a text lists.
fn paths(value: &Value, path: &str, res: &mut Vec<String>) {
    match value {
        Value::Object(all) if !all.is_empty() => {
            for (name, value) in all {
                paths(value, &format!("{path}.{name}"), res);
            }
        }
        Value::Array(all) if all.first().is_some_and(Value::is_object) => {
            paths(&all[0], &format!("{path}[]"), res);
        }
        Value::String(text) if text.contains('|') => {
            let choices = text.split('|').map(|it| code(it.trim()));
            let choices: Vec<String> = choices.collect();
            res.push(format!("{}（{}）", code(path), choices.join("/")));
        }
        _ => res.push(code(path)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_their_results() {
        let check = |text: &str, expected: &str| {
            assert_eq!(in_value(text, Language::Chinese), expected);
        };
        check(
            "成功时返回 JSON: { \"status\": \"success\", \"result\": { \"state\": \"Hot|Cold\", \"teas\": [{ \"url\": \"...\" }] } }\n",
            "成功时返回 `value.state`（`Hot`/`Cold`）、`value.teas[].url`\n",
        );
        check("{ \"status\": \"error\" }", "{ \"status\": \"error\" }");
        check("{ \"a\": 1 } 与 {b}", "{ \"a\": 1 } 与 {b}");
    }
}
