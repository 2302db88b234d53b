//! Names of the caller in examples.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use skill_model::Command;

/// Names of the caller, which the old host wanted in every call.
pub(crate) const SIGNATURES: [&str; 2] = ["maid", "valet"];

/// Takes names of the caller out of the examples of all commands that only the old host read.
pub(crate) fn drop_unread(commands: &mut [Command], spelled: &BTreeSet<String>) {
    for command in commands.iter_mut().filter(|_| !spelled.is_empty()) {
        if let Some(properties) = command.input_schema["properties"].as_object() {
            drop_signatures(&mut command.examples, properties, spelled);
        }
    }
}

/// Takes names of the caller out of examples that only the old host read.
fn drop_signatures(
    examples: &mut [Value],
    properties: &Map<String, Value>,
    spelled: &BTreeSet<String>,
) {
    for example in examples.iter_mut().filter_map(Value::as_object_mut) {
        example.retain(|key, _| {
            let is_signature = SIGNATURES.contains(&key.as_str());
            !is_signature || properties.contains_key(key) || spelled.contains(key)
        });
    }
}

/// Takes names of the caller out of examples that need none: the persons of somebody else's host.
pub(crate) fn drop_optional(commands: &mut [Command]) {
    for command in commands {
        let schema = &command.input_schema;
        let required = schema["required"].as_array().map_or(&[][..], Vec::as_slice);
        let is_free = |name: &str| {
            let property = &schema["properties"][name];
            let text = property["description"].as_str().unwrap_or_default();
            let is_needed = required.iter().any(|it| it == name)
                || ["x-one-of", "x-required-when"]
                    .iter()
                    .any(|key| !property[*key].is_null());
            !property.is_null() && !is_needed && !has_effect(text)
        };
        let key = command.dispatch.as_ref().map(|it| it.key.as_str());
        for example in command.examples.iter_mut().filter_map(Value::as_object_mut) {
            let mut others = example.keys().map(String::as_str);
            let has_others =
                others.any(|it| !SIGNATURES.contains(&it) && Some(it) != key && it != "command");
            if has_others {
                example.retain(|name, _| !(SIGNATURES.contains(&name.as_str()) && is_free(name)));
            }
        }
    }
}

/// Returns true for the text of a name by which the program selects something.
fn has_effect(text: &str) -> bool {
    const EFFECTS: [&str; 10] = [
        "搜索",
        "过滤",
        "定位",
        "文件夹",
        "日记",
        "发布",
        "发帖",
        "filter",
        "search",
        "select",
    ];
    EFFECTS.iter().any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn callers_without_effect() {
        let check = |text: &str, example: Value, expected: Value| {
            let mut command = Command {
                input_schema: json!({ "properties": { "maid": { "description": text } }, "required": [] }),
                examples: vec![example],
                ..Command::new("brew")
            };
            drop_optional(std::slice::from_mut(&mut command));
            assert_eq!(command.examples[0], expected, "{text}");
        };
        let both = || json!({ "maid": "Tea", "leaf": "green" });
        check("调用方名称", both(), json!({ "leaf": "green" }));
        check("按署名过滤", both(), both());
        let alone = || json!({ "maid": "Tea" });
        check("调用方名称", alone(), alone());
    }
}
