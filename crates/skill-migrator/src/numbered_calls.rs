//! Several calls in one by numbered arguments (`command1`, `tea1`, `command2`), which only the code shows.

use std::collections::BTreeSet;

use serde_json::Value;
use skill_model::Command;

use crate::plugin::Plugin;

/// The convention in `METADATA.yml`.
pub(crate) const NUMBERED: &str = "numbered-suffix";
/// Patterns of code for a name of any argument with a number at its end.
const ANY: [&str; 6] = [
    r"^(.+)(\d+)$",
    r"^(.+?)(\d+)$",
    r"^(.*?)(\d+)$",
    r"^(\w+?)(\d+)$",
    r"^([a-zA-Z_]+)(\d+)$",
    r"^([A-Za-z_]+)(\d+)$",
];

/// Says of all commands that calls can be numbered, if the code takes numbers behind the argument that
/// selects a command and no text says so.
pub(crate) fn apply(plugin: &Plugin<'_>, commands: &mut [Command]) {
    let is_known = commands.iter().any(|command| command.batch.is_some());
    let mut keys = commands
        .iter()
        .map(|it| it.dispatch.as_ref().map(|it| it.key.clone()));
    // The command that runs by default may have none.
    let first = keys.find_map(|it| it);
    let mut is_one = |key: &String| keys.all(|it| it.is_none_or(|it| it == *key));
    let Some(key) = first.filter(|key| !is_known && is_one(key)) else {
        return;
    };
    if plugin.code_texts().any(|text| takes_numbers(text, &key)) {
        for command in commands {
            command.batch = Some(NUMBERED.to_owned());
        }
    }
}

/// Returns the commands that only explain such calls: a program knows the commands that they number, and
/// none of their own.
pub(crate) fn explanations(commands: &[Command]) -> BTreeSet<String> {
    let is_other = |own: &Command, value: &Value| {
        commands.iter().any(|it| {
            let selector = it.dispatch.as_ref().map(|it| it.value.as_str());
            it.id != own.id && selector.is_some() && value.as_str() == selector
        })
    };
    let all = commands.iter().filter(|command| {
        let keys = commands.iter().filter_map(|it| it.dispatch.as_ref());
        let mut choices = keys.map(|it| &command.input_schema["properties"][&it.key]["enum"]);
        command.batch.is_some()
            && command.dispatch.is_none()
            && choices.any(|all| {
                let all = all.as_array().map_or(&[][..], Vec::as_slice);
                all.len() > 1 && all.iter().all(|value| is_other(command, value))
            })
    });
    all.map(|command| command.id.clone()).collect()
}

/// Returns true for code that reads the argument with a number behind its name.
fn takes_numbers(code: &str, key: &str) -> bool {
    let of_key = [
        format!("`{key}${{"),
        format!("f\"{key}{{"),
        format!("f'{key}{{"),
        format!(r"^{key}(\d+)$"),
    ];
    of_key.iter().any(|part| code.contains(part))
        || ANY.iter().any(|part| code.contains(part))
        || groups_by_end(code)
}

/// Returns true for Python that collects the numbers in all names and groups the arguments by them.
fn groups_by_end(code: &str) -> bool {
    const NUMBERS: [&str; 4] = [
        r"findall(r'\d+', k)",
        r"findall(r'\d+', key)",
        r#"findall(r"\d+", k)"#,
        r#"findall(r"\d+", key)"#,
    ];
    NUMBERS.iter().any(|part| code.contains(part))
        && [" if k.endswith(", " if key.endswith("]
            .iter()
            .any(|part| code.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_that_explain_the_others() {
        let command = |id: &str| Command {
            dispatch: Some(skill_model::Dispatch {
                key: "command".to_owned(),
                value: id.to_owned(),
                source: "example".to_owned(),
            }),
            ..Command::new(id)
        };
        let check = |values: &[&str], is_own: bool, expected: &[&str]| {
            let batch = Command {
                batch: Some(NUMBERED.to_owned()),
                input_schema: serde_json::json!({ "properties": { "command": { "enum": values } } }),
                ..if is_own {
                    command("All")
                } else {
                    Command::new("All")
                }
            };
            let found = explanations(&[command("Brew"), batch, command("Wash")]);
            assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{values:?}");
        };
        check(&["Brew", "Wash"], false, &["All"]);
        check(&["Brew", "Wash"], true, &[]);
        check(&["Brew", "Rinse"], false, &[]);
        check(&["Brew"], false, &[]);
    }

    #[test]
    fn code_that_takes_numbers() {
        for (code, expected) in [
            ("while (args[`command${i}`]) {", true),
            ("input.get(f\"command{n}\")", true),
            (r"key.match(/^command(\d+)$/)", true),
            (r"key.match(/^(.+?)(\d+)$/)", true),
            (r"key.match(/^image_(\d+)$/)", false),
            ("`command ${i}`", false),
            (
                r"n = re.findall(r'\d+', k)[0]; {k: v for k, v in all.items() if k.endswith(n)}",
                true,
            ),
            (r"re.findall(r'\d+', k)", false),
        ] {
            assert_eq!(takes_numbers(code, "command"), expected, "{code}");
        }
    }
}
