//! The arguments of a program in Rust: the fields of the struct that it reads from its input.

use serde_json::{Map, Value, json};
use skill_model::Command;

use crate::also_read::{declared, is_undeclared};
use crate::plugin::Plugin;

/// The maximum number of places that are looked at; a program reads its input in one of the first.
const MAX_READS: usize = 16;

/// A field of the struct, as serde reads it.
#[derive(PartialEq, Debug)]
struct Argument {
    name: String,
    aliases: Vec<String>,
    kind: Option<&'static str>,
    default: Option<Value>,
    text: String,
}

/// Adds to the only command what its program reads: arguments that the texts do not name, and defaults. With
/// several commands it is not known which of them reads a field.
pub(crate) fn apply(plugin: &Plugin<'_>, commands: &mut [Command]) {
    let [command] = commands else { return };
    let mut rust = plugin
        .texts
        .iter()
        .filter(|(path, _)| path.ends_with(".rs"));
    let found = rust.find_map(|(_, text)| input(text));
    for argument in found.into_iter().flatten() {
        add(command, argument);
    }
}

fn add(command: &mut Command, argument: Argument) {
    let known = declared(command).into_iter().collect();
    if let Some(property) = command.input_schema["properties"].get_mut(&argument.name) {
        if let (Some(default), Some(property)) = (argument.default, property.as_object_mut()) {
            property.entry("default").or_insert(default);
        }
        return;
    }
    let aliases = argument.aliases.iter();
    if !aliases
        .chain([&argument.name])
        .all(|name| is_undeclared(name, &known))
    {
        return;
    }
    let mut property = Map::new();
    if let Some(kind) = argument.kind {
        property.insert("type".to_owned(), json!(kind));
    }
    if let Some(default) = argument.default {
        property.insert("default".to_owned(), default);
    }
    if !argument.text.is_empty() {
        property.insert("description".to_owned(), json!(argument.text));
    }
    if !argument.aliases.is_empty() {
        property.insert("x-aliases".to_owned(), json!(argument.aliases));
    }
    let also = &mut command.input_schema["x-also"];
    if also.is_null() {
        *also = json!({});
    }
    if let Some(also) = also.as_object_mut() {
        also.entry(argument.name).or_insert(Value::Object(property));
    }
}

/// Returns the fields of the struct that the code reads from JSON; `None` if it reads none.
fn input(code: &str) -> Option<Vec<Argument>> {
    let lines = code.match_indices("serde_json::from_").take(MAX_READS);
    let mut names = lines.filter_map(|(at, _)| {
        let after = code[at..].split(['(', ';']).next()?;
        let turbofish = after.split_once("::<").map(|(_, rest)| rest);
        let start = code[..at]
            .rfind(['{', ';', '}'])
            .map_or(0, |start| start + 1);
        let before = code[start..at].split_once("let ").map(|(_, rest)| rest);
        let declared = before
            .and_then(|rest| rest.split_once(':'))
            .map(|(_, rest)| rest);
        turbofish.or(declared).map(|text| word(text.trim()))
    });
    names.find_map(|name| fields(code, name))
}

/// Returns the identifier at the beginning of a text.
fn word(text: &str) -> &str {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    &text[..text.find(|c| !is_part(c)).unwrap_or(text.len())]
}

/// Returns the fields of a struct.
fn fields(code: &str, name: &str) -> Option<Vec<Argument>> {
    if name.is_empty() {
        return None;
    }
    let (_, rest) = code.split_once(&format!("struct {name} {{"))?;
    let (block, _) = rest.split_once("\n}")?;
    let mut res = Vec::new();
    let (mut serde, mut text) = (String::new(), String::new());
    let mut is_open = false;
    for line in block.lines().map(str::trim) {
        if let Some(comment) = line.strip_prefix("///") {
            text = format!("{text} {}", comment.trim());
        } else if is_open || line.starts_with("#[") {
            serde.push_str(line);
            is_open = !line.ends_with(']');
        } else if let Some((name, kind)) = line.split_once(": ") {
            let name = name.trim_start_matches("pub ").trim_start_matches("r#");
            if word(name) == name && !name.is_empty() {
                res.push(argument(
                    code,
                    name,
                    kind.trim_end_matches(','),
                    (&serde, &text),
                ));
            }
            serde.clear();
            text.clear();
        }
    }
    (!res.is_empty()).then_some(res)
}

fn argument(code: &str, field: &str, kind: &str, (serde, text): (&str, &str)) -> Argument {
    let value = |key: &str| {
        let (_, rest) = serde.split_once(&format!("{key} = \""))?;
        rest.split('"').next()
    };
    let aliases = serde.match_indices("alias = \"").map(|(at, found)| {
        let rest = &serde[at + found.len()..];
        rest.split('"').next().unwrap_or_default().to_owned()
    });
    let bare = kind
        .strip_prefix("Option<")
        .map(|it| it.trim_end_matches('>'));
    let kind = match bare.unwrap_or(kind) {
        "bool" => Some("boolean"),
        "f32" | "f64" => Some("number"),
        "usize" | "u8" | "u16" | "u32" | "u64" | "i8" | "i16" | "i32" | "i64" | "isize" => {
            Some("integer")
        }
        kind if kind.starts_with("Vec<") => Some("array"),
        _ => None,
    };
    let default = value("default").and_then(|name| literal(code, name));
    let is_off = kind == Some("boolean") && bare.is_none() && serde.contains("default");
    Argument {
        name: value("rename").unwrap_or(field).to_owned(),
        aliases: aliases.collect(),
        kind,
        default: default.or_else(|| is_off.then(|| json!(false))),
        text: text.trim().to_owned(),
    }
}

/// Returns the value of a function that is one literal: `fn cups() -> usize { 2 }`.
fn literal(code: &str, function: &str) -> Option<Value> {
    let (_, rest) = code.split_once(&format!("fn {function}()"))?;
    let (_, body) = rest.split_once('{')?;
    let (body, _) = body.split_once('}')?;
    let body = body.trim();
    let text = ["String::from(", "\""]
        .iter()
        .any(|start| body.starts_with(start));
    if text {
        return body.split('"').nth(1).map(Value::from);
    }
    serde_json::from_str(&body.replace('_', "")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CODE: &str = r#"
#[derive(Deserialize)]
struct Order {
    tea: String,
    /// How many of them.
    #[serde(
        default = "two",
        deserialize_with = "number"
    )]
    cups: usize,
    #[serde(default, alias = "sweet")]
    sugar: bool,
    pots: Option<Vec<String>>,
}
fn two() -> usize { 2 }
struct Other { name: String }
fn main() {
    let order: Order = match serde_json::from_str(&text) { _ => todo!() };
}
"#;

    #[test]
    fn fields_are_arguments() {
        let mut command = Command {
            input_schema: json!({ "properties": { "tea": {} } }),
            ..Command::new("brew")
        };
        for argument in input(CODE).unwrap() {
            add(&mut command, argument);
        }
        let expected = json!({
            "cups": { "type": "integer", "default": 2, "description": "How many of them." },
            "sugar": { "type": "boolean", "default": false, "x-aliases": ["sweet"] },
            "pots": { "type": "array" },
        });
        assert_eq!(command.input_schema["x-also"], expected);
        assert_eq!(command.input_schema["properties"], json!({ "tea": {} }));
    }

    #[test]
    fn code_that_reads_no_struct() {
        let check = |code: &str| assert_eq!(input(code), None, "{code}");
        check("");
        check("let x: Value = serde_json::from_str(&text)?;");
        check("struct A {\n    b: u8,\n}\n");
        check("let a: A = serde_json::from_str(&text)?;");
    }

    #[test]
    fn a_struct_behind_the_call_is_found() {
        let code = "fn f() { serde_json::from_str::<A>(t) }\npub struct A {\n    pub b: f64,\n}\n";
        let found = input(code).unwrap();
        assert_eq!(
            (found[0].name.as_str(), found[0].kind),
            ("b", Some("number"))
        );
    }
}
