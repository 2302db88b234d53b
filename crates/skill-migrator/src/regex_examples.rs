//! Examples with a regular expression, for a program that takes one only with a switch.

use serde_json::{Value, json};
use skill_model::Command;

use crate::code::spelling;

/// Names of such a switch, in lower case without the signs between their words.
const SWITCHES: [&str; 5] = ["isregex", "useregex", "regex", "regexp", "isregexp"];
/// Signs that are in no plain text.
const SIGNS: [&str; 8] = [r"\s", r"\d", r"\w", r"\b", r"\(", r"\.", ".*", ".+"];

/// Turns the switch on in examples with a regular expression that do not have it.
pub(crate) fn apply(commands: &mut [Command]) {
    for command in commands {
        let Some((name, value)) = switch(&command.input_schema) else {
            continue;
        };
        let examples = command.examples.iter_mut();
        for example in examples.filter_map(Value::as_object_mut) {
            if !example.contains_key(&name) && example.values().any(is_regex) {
                example.insert(name.clone(), value.clone());
            }
        }
    }
}

/// Returns the name of the switch, which is off without it, and the value that turns it on.
fn switch(schema: &Value) -> Option<(String, Value)> {
    let groups = ["properties", "x-also"].into_iter();
    let mut all = groups.filter_map(|key| schema[key].as_object()).flatten();
    let (name, property) = all.find(|(name, property)| {
        let is_flag = property["type"] == "boolean" || property["type"][0] == "boolean";
        SWITCHES.contains(&&*spelling(name)) && is_flag && property["default"] == false
    })?;
    let is_text = property["x-strict"] == "text";
    let on = if is_text { json!("true") } else { json!(true) };
    Some((name.clone(), on))
}

fn is_regex(value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    // A path of Windows.
    let is_path = text.get(1..2) == Some(":");
    !is_path && SIGNS.iter().any(|sign| text.contains(sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_switch_of_a_pattern() {
        let check = |property: Value, example: Value, expected: Value| {
            let mut command = Command {
                input_schema: json!({ "properties": { "leaf": {} }, "x-also": { "is_regex": property } }),
                examples: vec![example],
                ..Command::new("search")
            };
            apply(std::slice::from_mut(&mut command));
            assert_eq!(command.examples[0], expected);
        };
        let off = || json!({ "type": "boolean", "default": false });
        let text = json!({ "type": "boolean", "default": false, "x-strict": "text" });
        let pattern = || json!({ "leaf": r"tea\s+cup" });
        check(
            off(),
            pattern(),
            json!({ "leaf": r"tea\s+cup", "is_regex": true }),
        );
        check(
            text,
            pattern(),
            json!({ "leaf": r"tea\s+cup", "is_regex": "true" }),
        );
        check(
            json!({ "type": "boolean", "default": true }),
            pattern(),
            pattern(),
        );
        let plain = || json!({ "leaf": "tea (hot)" });
        check(off(), plain(), plain());
        let told = || json!({ "leaf": "a.*", "is_regex": "false" });
        check(off(), told(), told());
    }
}
