//! Examples with a list or an object as text, where the program takes a list or an object.
//!
//! The old host sent every value as text, and most programs take a list from its text. One that does not needs
//! the list itself: `["a","b"]` in place of `"[\"a\",\"b\"]"`.

use serde_json::Value;
use skill_model::Command;

use crate::plugin::Plugin;

/// The maximum number of values for which the code is searched.
const MAX_LISTS: usize = 128;

/// Replaces texts in examples by the lists that they are, for parameters that the code uses as lists and
/// does not parse.
pub(crate) fn apply(plugin: &Plugin<'_>, commands: &mut [Command]) {
    let code: Vec<&str> = plugin.code_texts().collect();
    let mut n_looked = 0;
    for command in commands {
        let schema = &command.input_schema;
        for example in command.examples.iter_mut().filter_map(Value::as_object_mut) {
            for (name, value) in example.iter_mut() {
                let inner: Option<Value> = value
                    .as_str()
                    .and_then(|text| serde_json::from_str(text).ok());
                let takes = match &inner {
                    Some(Value::Array(_)) if says_array(&schema["properties"][name]) => takes_list,
                    Some(Value::Object(_)) => takes_object,
                    _ => continue,
                };
                if n_looked == MAX_LISTS {
                    continue;
                }
                n_looked += 1;
                let aliases = schema["properties"][name]["x-aliases"].as_array();
                let aliases = aliases.into_iter().flatten().filter_map(Value::as_str);
                let names: Vec<&str> = aliases.chain([name.as_str()]).collect();
                if let Some(inner) = inner
                    && code
                        .iter()
                        .any(|text| names.iter().any(|name| takes(text, name)))
                    && !code.iter().any(|text| parses(text, name))
                {
                    *value = inner;
                }
            }
        }
    }
}

fn says_array(property: &Value) -> bool {
    let kind = &property["type"];
    kind == "array"
        || kind
            .as_array()
            .is_some_and(|all| all.iter().any(|it| it == "array"))
}

/// Returns true for code that refuses text in place of an object: `typeof a.tea === 'object'`.
fn takes_object(code: &str, name: &str) -> bool {
    code.match_indices("typeof ").any(|(at, start)| {
        let rest = &code[at + start.len()..];
        let inner = rest.split(['=', '!', ';', '\n']).next().unwrap_or_default();
        let after = rest[inner.len()..].trim_start_matches(['=', '!', ' ']);
        let is_object = after.starts_with("'object'") || after.starts_with("\"object\"");
        is_object && ends_with(inner.trim().trim_end_matches(')'), name)
    })
}

/// Returns true for code that uses a name as a list: `Array.isArray(a.teas)`, `teas.join(',')`.
fn takes_list(code: &str, name: &str) -> bool {
    let uses = [
        format!("{name}.join("),
        format!("{name}.map("),
        format!("{name}.forEach("),
        format!("{name}.slice("),
    ];
    let is_checked = code.match_indices("Array.isArray(").any(|(at, start)| {
        let inner = code[at + start.len()..]
            .split(')')
            .next()
            .unwrap_or_default();
        ends_with(inner, name)
    });
    is_checked || uses.iter().any(|it| code.contains(it.as_str()))
}

/// Returns true for code that may read the list from its text.
fn parses(code: &str, name: &str) -> bool {
    const NEAR: usize = 60;
    let calls = ["JSON.parse(", "json.loads(", ".split("];
    let is_near = |at: usize| {
        let before: String = code[..at].chars().rev().take(NEAR).collect();
        let after: String = code[at..].chars().take(NEAR).collect();
        let name_before = before.chars().rev().collect::<String>().contains(name);
        name_before || after.contains(name)
    };
    calls
        .iter()
        .any(|call| code.match_indices(call).any(|(at, _)| is_near(at)))
}

/// Returns true if an expression is a name, or a member of that name.
fn ends_with(expression: &str, name: &str) -> bool {
    let head = expression.trim().strip_suffix(name);
    head.is_some_and(|head| !head.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_that_takes_an_object() {
        let check = |code: &str, expected: bool| {
            assert_eq!(takes_object(code, "tea"), expected, "{code}");
        };
        check("if (args.tea && typeof args.tea === 'object') {}", true);
        check("if (typeof (args && args.tea) !== \"object\") {}", true);
        check("typeof args.green_tea === 'object'", false);
        check("typeof tea === 'string'", false);
    }

    #[test]
    fn code_that_takes_a_list() {
        for (code, expected) in [
            (
                "if (!Array.isArray(args.teas)) throw new Error('list');",
                true,
            ),
            ("const all = teas.join('+');", true),
            ("Array.isArray(args.other_teas)", false),
            ("const all = JSON.parse(teas); all.join()", false),
        ] {
            assert_eq!(takes_list(code, "teas"), expected, "{code}");
        }
        assert!(parses(
            "if (typeof teas === 'string') teas = JSON.parse(teas);",
            "teas"
        ));
        assert!(parses("teas = args.teas.split(',')", "teas"));
        assert!(!parses("JSON.parse(input)", "teas"));
    }
}
