//! One table for many commands that need few words, in place of a section for each.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::Language;
use crate::markdown::code;

/// Minimum number of commands in the table.
const MIN: usize = 8;
/// Maximum number of parameters of a command in the table.
const MAX_ROWS: usize = 4;
/// Maximum length of an example in the table, in bytes.
const MAX_EXAMPLE: usize = 120;
/// Maximum length of what a row says of parameters, in characters.
const MAX_TEXT: usize = 260;
/// Minimum number of commands that share a parameter.
const MIN_SHARED: usize = 3;

/// Moves commands without further texts into one table, if there are many, with the parameters that they
/// share below it.
pub(super) fn group(data: &mut Value, language: Language) {
    let Some(all) = data["commands"].as_array().cloned() else {
        return;
    };
    let is_selected = data["selector"].as_str().is_some_and(|it| !it.is_empty());
    let all: Vec<Value> = all.iter().map(|it| restored(it, &all)).collect();
    // Parameters that many commands have are below the table.
    let mut all_counts: BTreeMap<String, usize> = BTreeMap::new();
    for row in all.iter().flat_map(parameters) {
        *all_counts.entry(key(row)).or_default() += 1;
    }
    let is_common = |row: &Value| {
        all_counts[&key(row)] >= MIN
            && (!text(row, "description").is_empty() || !text(row, "value").is_empty())
    };
    let n_short = all.iter().filter(|it| is_short(it, &is_common)).count();
    if n_short < MIN || !is_selected {
        return;
    }
    let (short, rest): (Vec<Value>, Vec<Value>) =
        all.into_iter().partition(|it| is_short(it, &is_common));
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let rows = || short.iter().flat_map(parameters);
    for row in rows() {
        *counts.entry(key(row)).or_default() += 1;
    }
    // Of two rows with one name, that of more commands is shared.
    let mut usual: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for row in rows() {
        let (name, own) = (text(row, "label").to_owned(), key(row));
        let n = counts[&own];
        let known = usual.entry(name).or_insert_with(|| (n, own.clone()));
        if n > known.0 {
            *known = (n, own);
        }
    }
    let is_shared = |row: &Value| {
        counts[&key(row)] >= MIN_SHARED
            && usual
                .get(text(row, "label"))
                .is_some_and(|(_, own)| *own == key(row))
            && (!text(row, "description").is_empty() || !text(row, "value").is_empty())
    };
    let mut shared: Vec<Value> = Vec::new();
    for row in rows().filter(|row| is_shared(row)) {
        if !shared.iter().any(|known| key(known) == key(row)) {
            shared.push(row.clone());
        }
    }
    let told: Vec<Value> = short
        .iter()
        .map(|command| told(command, &is_shared, language))
        .collect();
    let comma = language.pick(", ", "、");
    let common = common(&told, comma);
    let mut told = told;
    for row in &mut told {
        let rest = text(row, "result").strip_prefix(&common);
        if let Some(rest) = rest.filter(|_| !common.is_empty()) {
            let rest = format!("…{rest}");
            row["result"] = json!(rest);
        }
    }
    let has = |name: &str| told.iter().any(|row| row[name] != "");
    data["group"] = json!({
        "command": language.pick("Command", "命令"),
        "what": language.pick("What it does", "作用"),
        "parameters": language.pick("Parameters", "参数"),
        "result": language.pick("Returns", "返回"),
        "has_parameters": has("parameters"),
        "has_result": has("result"),
        "shared": shared,
        "common": match language {
            _ if common.is_empty() => String::new(),
            Language::English => format!("… in what they return: {common}."),
            Language::Chinese => format!("返回中的 …：{common}。"),
        },
        "shared_intro": language.pick("The same in all of them:", "各命令中相同的参数："),
    });
    data["group"]["rows"] = json!(told);
    data["commands"] = json!(rest);
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

fn parameters(command: &Value) -> impl Iterator<Item = &Value> {
    command["parameters"].as_array().into_iter().flatten()
}

fn key(row: &Value) -> String {
    format!("{} {} {}", row["label"], row["value"], row["description"])
}

/// Returns a command whose parameters say what they say in the command to which they refer: `同 brew`.
fn restored(command: &Value, all: &[Value]) -> Value {
    let mut res = command.clone();
    let Some(rows) = res["parameters"].as_array_mut() else {
        return res;
    };
    for row in rows {
        let reference = text(row, "description");
        let name = reference
            .strip_prefix("同 `")
            .or_else(|| reference.strip_prefix("as for `"));
        let Some(name) = name.and_then(|it| it.strip_suffix('`')) else {
            continue;
        };
        let named = all.iter().find(|it| text(it, "id") == name);
        let first = named.and_then(|it| parameters(it).find(|it| it["label"] == row["label"]));
        if let Some(first) = first {
            row["description"] = first["description"].clone();
        }
    }
    res
}

/// Returns true for a command that a row of a table can tell, beside the parameters of most of them.
fn is_short(command: &Value, is_common: &dyn Fn(&Value) -> bool) -> bool {
    let example = text(command, "example");
    let own = || parameters(command).filter(|row| !is_common(row));
    let n_chars: usize = own()
        .map(|row| text(row, "description").chars().count())
        .sum();
    text(command, "prose").is_empty()
        && text(command, "dispatch").is_empty()
        && command["undeclared"] != true
        && !text(command, "summary").contains('\n')
        && !text(command, "result").contains('\n')
        && own().count() <= MAX_ROWS
        && parameters(command).all(|row| !text(row, "description").contains('\n'))
        && n_chars <= MAX_TEXT
        && example.len() <= MAX_EXAMPLE
        && !example.contains('\n')
}

/// Returns the arguments in the example of a command, unless the texts of all of them have examples.
fn shown(command: &Value) -> Option<String> {
    const WORDS: [&str; 6] = ["例如", "如 ", "比如", "e.g.", "such as", "('"];
    let example = text(command, "example").trim_matches('`');
    let mut arguments: Map<String, Value> = serde_json::from_str(example).ok()?;
    // The first one selects the command.
    let selector = arguments.keys().next().cloned()?;
    arguments.shift_remove(&selector);
    let has_own = |name: &String| {
        let label = code(name);
        parameters(command).any(|row| {
            let description = text(row, "description");
            text(row, "label") == label && WORDS.iter().any(|word| description.contains(word))
        })
    };
    let is_told = arguments.keys().all(has_own);
    (!is_told).then(|| code(&Value::Object(arguments).to_string()))
}

/// Returns the members with which many results begin, where there are several: `` `query`、`total` ``.
fn common(results: &[Value], comma: &str) -> String {
    const MIN_MEMBERS: usize = 3;
    const MIN_RESULTS: usize = 5;
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for result in results {
        let result = text(result, "result");
        let ends = result.match_indices(comma).map(|(at, _)| at);
        for end in ends.skip(MIN_MEMBERS - 1) {
            *counts.entry(result[..end].to_owned()).or_default() += 1;
        }
    }
    let many = counts.into_iter().filter(|(_, n)| *n >= MIN_RESULTS);
    many.max_by_key(|(head, n)| head.len() * n)
        .map(|(head, _)| head)
        .unwrap_or_default()
}

/// Returns the row of a command.
fn told(command: &Value, is_shared: &dyn Fn(&Value) -> bool, language: Language) -> Value {
    let rows = parameters(command).map(|row| {
        let label = text(row, "label");
        if is_shared(row) {
            return label.to_owned();
        }
        let value = text(row, "value");
        let description = text(row, "description").trim_end_matches(['。', '.']);
        let value = match language {
            _ if value.is_empty() => String::new(),
            Language::English => format!(" ({value})"),
            Language::Chinese => format!("（{value}）"),
        };
        let colon = if description.is_empty() {
            ""
        } else {
            language.pick(": ", "：")
        };
        format!("{label}{value}{colon}{description}")
    });
    let line = text(command, "parameter_line").to_owned();
    let line = Some(line).filter(|it| !it.is_empty());
    let example = shown(command).map(|it| format!("{}{it}", language.pick("such as ", "例 ")));
    let parts: Vec<String> = rows.chain(line).chain(example).collect();
    let result = text(command, "result").trim();
    let result = ["返回：", "返回", "Returns "]
        .iter()
        .find_map(|start| result.strip_prefix(start))
        .unwrap_or(result);
    json!({
        "id": code(text(command, "id")),
        "summary": text(command, "summary").trim_end_matches(['。', '.']),
        "parameters": parts.join(language.pick("; ", "；")),
        "result": result.trim_end_matches(['。', '.']),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(id: usize, more: &str) -> Value {
        json!({
            "id": format!("brew_{id}"),
            "summary": format!("泡第 {id} 种茶。"),
            "dispatch": "",
            "parameters": [
                { "label": "`tea`", "value": "必需", "description": format!("茶名 {id}。") },
                { "label": "`cups`", "value": "默认 1", "description": more },
            ],
            "parameter_line": "",
            "undeclared": false,
            "example": if id == 1 { "`{\"command\":\"brew_1\",\"tea\":\"a\"}`" } else { "" },
            "result": "返回：`pot`。",
            "prose": "",
        })
    }

    #[test]
    fn many_short_commands_are_rows() {
        let commands: Vec<Value> = (1..=8)
            .map(|id| command(id, if id == 2 { "同 `brew_1`" } else { "杯数。" }))
            .collect();
        let mut data = json!({ "commands": commands, "selector": "由 `command` 选定" });
        data["commands"][7]["prose"] = json!("水要热。");
        let before = data.clone();
        group(&mut data, Language::Chinese);
        assert_eq!(data, before, "seven are few");
        let ninth = command(9, "杯数。");
        data["commands"].as_array_mut().unwrap().push(ninth);
        group(&mut data, Language::Chinese);
        assert_eq!(data["commands"].as_array().unwrap().len(), 1);
        let row = |at: usize| data["group"]["rows"][at]["parameters"].clone();
        assert_eq!(
            row(0),
            "`tea`（必需）：茶名 1；`cups`；例 `{\"tea\":\"a\"}`"
        );
        assert_eq!(row(1), "`tea`（必需）：茶名 2；`cups`");
        assert_eq!(data["group"]["rows"][0]["result"], "`pot`");
        assert_eq!(data["group"]["shared"][0]["description"], "杯数。");
        assert_eq!(data["group"]["shared"].as_array().unwrap().len(), 1);
    }
}
