//! The section "How to run it": the exact command for a shell, or the steps of a host.

use serde_json::{Map, Value, json};
use skill_model::{Command, Entry, ExecutorKind, Metadata, Runtime};

use super::Language;

/// Creates `run` for the template: an introduction, a script, the output.
pub(super) fn run(metadata: &Metadata, language: Language) -> Value {
    let Some(entry) = &metadata.entry else {
        let intro = language.pick(
            "It has no program of its own: the legacy host ran it on another node or in itself.",
            "它自身没有程序：旧宿主在其他节点或宿主内部执行它。",
        );
        return json!({ "intro": intro, "script": "", "outcome": "" });
    };
    if !metadata.host_modules.is_empty() || !metadata.host_answered.is_empty() {
        return run_in_host(metadata, entry, language);
    }
    match &entry.module {
        Some(module) => run_module(metadata, entry, module, language),
        None => run_command(metadata, entry, language),
    }
}

/// A skill that uses parts of the legacy host runs where they are laid out around it.
fn run_in_host(metadata: &Metadata, entry: &Entry, language: Language) -> Value {
    let intro = language.pick(
        "It uses parts of the legacy host, which `skills-run` lays out around it. From the directory of this skill:",
        "它用到旧宿主的部分模块，`skills-run` 会在其周围补齐。在此技能的目录中执行：",
    );
    let has = |name: &str| entry.exports.iter().any(|export| export == name);
    let arguments = metadata.commands.first().map(arguments).unwrap_or_default();
    let input = match metadata.executor {
        ExecutorKind::Static => None,
        _ if entry.module.is_none() || has("processToolCall") => Some(Value::Object(arguments)),
        _ if has("processMessages") => Some(json!([{"role": "user", "content": "…"}])),
        _ => None,
    };
    let is_callable = input.is_some() || entry.module.is_none();
    let input = input.map(|input| format!(" --input {}", shell_quote(&input.to_string())));
    let script = is_callable.then(|| format!("skills-run .{}", input.unwrap_or_default()));
    let outcome = language.pick(
        "It prints one JSON object: `{\"ok\": true, \"value\": …}` or `{\"ok\": false, \"error\": …}`.",
        "它输出一个 JSON 对象：`{\"ok\": true, \"value\": …}` 或 `{\"ok\": false, \"error\": …}`。",
    );
    json!({ "intro": intro, "script": script.unwrap_or_default(), "outcome": outcome })
}

fn run_command(metadata: &Metadata, entry: &Entry, language: Language) -> Value {
    let line = command_line(entry);
    let (intro, outcome) = if metadata.executor == ExecutorKind::Static {
        (
            language.pick(
                "From the directory of this skill:",
                "在此技能的目录中执行：",
            ),
            language.pick(
                "It prints the value; standard input stays empty.",
                "标准输出即为占位符的值；标准输入为空。",
            ),
        )
    } else {
        (
            language.pick(
                "From the directory of this skill, with the arguments as one JSON object on standard input (nothing at all when there are none):",
                "在此技能的目录中执行，参数以一个 JSON 对象写入标准输入（没有参数则不写）：",
            ),
            language.pick(
                "It prints one JSON object: `{\"status\": \"success\", \"result\": …}` or `{\"status\": \"error\", \"error\": …}`.",
                "它输出一个 JSON 对象：`{\"status\": \"success\", \"result\": …}` 或 `{\"status\": \"error\", \"error\": …}`。",
            ),
        )
    };
    let arguments = metadata.commands.first().map(arguments).unwrap_or_default();
    let script = if metadata.executor == ExecutorKind::Static || arguments.is_empty() {
        format!("cd {} && {line} < /dev/null", entry.dir)
    } else {
        let input = shell_quote(&Value::Object(arguments).to_string());
        format!("cd {} && printf '%s' {input} | {line}", entry.dir)
    };
    json!({ "intro": intro, "script": script, "outcome": outcome })
}

/// Returns the words of the command quoted for a shell, or the line of the source.
fn command_line(entry: &Entry) -> String {
    match (&entry.argv[..], &entry.shell) {
        ([], Some(line)) => format!("( {line} )"),
        (argv, _) => argv
            .iter()
            .map(|word| shell_word(word))
            .collect::<Vec<_>>()
            .join(" "),
    }
}

fn shell_word(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        shell_quote(word)
    }
}

fn shell_quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn run_module(metadata: &Metadata, entry: &Entry, module: &str, language: Language) -> Value {
    let has = |name: &str| entry.exports.iter().any(|export| export == name);
    let intro = language.pick(
        "It is a module that a host loads and keeps running; `initialize(config, dependencies)` comes first where it exists.",
        "它是由宿主加载并常驻的模块；若有 `initialize(config, dependencies)` 则先调用。",
    );
    let call = if entry.runtime != Runtime::Node {
        None
    } else if has("processToolCall") {
        let arguments = metadata.commands.first().map(arguments).unwrap_or_default();
        Some(format!("m.processToolCall({})", Value::Object(arguments)))
    } else if has("processMessages") {
        Some("m.processMessages([{\"role\":\"user\",\"content\":\"…\"}], {})".to_owned())
    } else {
        None
    };
    let script = call.map(|call| {
        let code = format!(
            "(async () => {{ const m = require(\"./{module}\"); if (m.initialize) await m.initialize({{}}, {{}}); console.log(JSON.stringify(await {call})); process.exit(0); }})()"
        );
        format!("cd {} && node -e {}", entry.dir, shell_quote(&code))
    });
    let outcome = if entry.exports.is_empty() {
        String::new()
    } else {
        format!(
            "{} `{}`",
            language.pick("It exports", "它导出"),
            entry.exports.join("`, `")
        )
    };
    json!({ "intro": intro, "script": script.unwrap_or_default(), "outcome": outcome })
}

/// Returns arguments for a trial: the first example, or a value for each required parameter; with
/// the dispatch argument first.
pub(super) fn arguments(command: &Command) -> Map<String, Value> {
    let mut res = Map::new();
    if let Some(dispatch) = &command.dispatch {
        res.insert(dispatch.key.clone(), json!(dispatch.value));
    }
    match command.examples.first() {
        Some(Value::Object(example)) => res.extend(example.clone()),
        _ => res.extend(required_values(&command.input_schema)),
    }
    res
}

fn required_values(schema: &Value) -> Map<String, Value> {
    let names = schema["required"]
        .as_array()
        .map_or(&[][..], Vec::as_slice)
        .iter();
    let values = names.filter_map(Value::as_str).map(|name| {
        let property = &schema["properties"][name];
        let first = property["enum"].get(0).or_else(|| property.get("default"));
        (
            name.to_owned(),
            first.cloned().unwrap_or_else(|| json!("…")),
        )
    });
    values.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_for_a_shell() {
        assert_eq!(shell_word("a b"), "'a b'");
        assert_eq!(shell_word("x.js"), "x.js");
        assert_eq!(shell_quote("it's"), "'it'\\''s'");
    }
}
