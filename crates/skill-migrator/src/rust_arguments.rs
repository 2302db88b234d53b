//! The arguments of a program in Rust: the fields of the struct that it reads from its input.

use serde_json::{Map, Value, json};
use skill_model::Command;

use crate::also_read::{declared, is_undeclared};
use crate::code::{self, RustField as Field};
use crate::plugin::Plugin;
use crate::program_facts;

/// The maximum number of places that are looked at; a program reads its input in one of the first.
const MAX_READS: usize = 16;

/// The maximum number of characters of a comment that describes an argument.
const MAX_COMMENT: usize = 120;

/// A field of the struct, as serde reads it.
#[derive(PartialEq, Debug)]
struct Argument {
    name: String,
    aliases: Vec<String>,
    kind: Option<&'static str>,
    default: Option<Value>,
    /// True if only a text is read, of which the program makes a number or a switch.
    is_text: bool,
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
        if let Some(default) = argument.default {
            program_facts::settle(property, &default);
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
    if argument.is_text && argument.kind.is_some() {
        property.insert("x-strict".to_owned(), json!("text"));
    }
    if !argument.text.is_empty() && argument.text.chars().count() <= MAX_COMMENT {
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
        turbofish
            .or(declared)
            .map(|text| code::rust_word(text.trim()))
    });
    names.find_map(|name| fields(code, name))
}

/// Returns the fields of a struct as arguments.
fn fields(code: &str, name: &str) -> Option<Vec<Argument>> {
    let all = code::rust_fields(code, name)?;
    Some(all.iter().map(|field| argument(code, field)).collect())
}

fn argument(code: &str, field: &Field) -> Argument {
    let aliases = field.serde.match_indices("alias = \"").map(|(at, found)| {
        let rest = &field.serde[at + found.len()..];
        rest.split('"').next().unwrap_or_default().to_owned()
    });
    let kind = match field.inner() {
        "bool" => Some("boolean"),
        "f32" | "f64" => Some("number"),
        "usize" | "u8" | "u16" | "u32" | "u64" | "i8" | "i16" | "i32" | "i64" | "isize" => {
            Some("integer")
        }
        kind if kind.starts_with("Vec<") => Some("array"),
        _ => None,
    };
    let default = field
        .attribute("default")
        .and_then(|name| literal(code, name));
    let is_off =
        kind == Some("boolean") && field.inner() == field.kind && field.serde.contains("default");
    let reader = field.attribute("deserialize_with");
    Argument {
        name: field.key().to_owned(),
        aliases: aliases.collect(),
        kind,
        default: default
            .or_else(|| is_off.then(|| json!(false)))
            .or_else(|| replacement(code, &field.name)),
        is_text: reader.is_some_and(|name| reads_text(code, name)),
        text: field.comment.clone(),
    }
}

/// Returns the value that replaces an argument which is missing:
/// `args.leaf.clone().or_else(…).unwrap_or_else(|| "green".to_string())`.
fn replacement(code: &str, field: &str) -> Option<Value> {
    const MAX: usize = 400;
    let flat = |text: &str| -> String { text.split_whitespace().collect() };
    let mut found: Vec<Value> = Vec::new();
    for (at, _) in code.match_indices(&format!(".{field}")).take(MAX_READS) {
        let rest: String = code[at + 1 + field.len()..].chars().take(MAX).collect();
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if rest.starts_with(is_name) {
            continue;
        }
        // What is parsed or compared is another value.
        let Some(end) = rest.find([';', '{', '}']) else {
            continue;
        };
        let rest = rest[..end].to_owned();
        let Some(call) = rest.find(".unwrap_or") else {
            continue;
        };
        let before = flat(&rest[..call]);
        let steps = ["", ".clone()", ".as_deref()", ".as_ref()"];
        let is_plain = |text: &str| steps.contains(&text);
        let is_same = match before.split_once(".or_else(||env::var(") {
            Some((start, _)) => is_plain(start),
            None => is_plain(&before),
        };
        let inside = rest[call..].split_once('(').map(|(_, it)| it);
        let inside = inside.unwrap_or_default().trim();
        let inside = inside.strip_prefix("||").unwrap_or(inside).trim();
        match value(code, inside) {
            Some(value) if is_same => found.push(value),
            _ => {}
        }
    }
    found.dedup();
    match &found[..] {
        [value] => Some(value.clone()),
        _ => None,
    }
}

/// Returns the literal at the beginning of a text, also that of a constant.
fn value(code: &str, text: &str) -> Option<Value> {
    if let Some(text) = text
        .strip_prefix("String::from(")
        .unwrap_or(text)
        .strip_prefix('"')
    {
        let text = text.split('"').next()?;
        return (!text.is_empty()).then(|| json!(text));
    }
    let name = code::rust_word(text);
    if name.starts_with(|c: char| c.is_ascii_uppercase()) {
        let (_, rest) = code.split_once(&format!("const {name}:"))?;
        let (_, rest) = rest.split_once('=')?;
        let (rest, _) = rest.split_once(';')?;
        let rest = rest.trim();
        let is_literal = rest.starts_with(|c: char| c.is_ascii_digit() || c == '"');
        return is_literal.then(|| value(code, rest))?;
    }
    let end = text.find([')', ',', ';']).unwrap_or(text.len());
    serde_json::from_str(&text[..end].trim().replace('_', "")).ok()
}

/// Returns true for a function that reads a text only, and makes something else of it.
fn reads_text(code: &str, function: &str) -> bool {
    let Some((_, rest)) = code.split_once(&format!("fn {function}<")) else {
        return false;
    };
    let body = rest.split("\n}").next().unwrap_or_default();
    body.contains("String::deserialize(") && !body.contains("deserialize_any")
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
    fn values_in_place_of_missing_ones() {
        let check = |code: &str, expected: Option<Value>| {
            let code = format!("const MOST: usize = 1_000;\n{code}");
            assert_eq!(replacement(&code, "tea"), expected, "{code}");
        };
        let green = || Some(json!("green"));
        check(
            "args.tea.clone().unwrap_or_else(|| \"green\".to_string());",
            green(),
        );
        check(
            "args\n  .tea\n  .as_deref()\n  .unwrap_or(\"green\");",
            green(),
        );
        check(
            "args.tea.or_else(|| env::var(\"TEA\").ok().and_then(|v| v.parse().ok())).unwrap_or(MOST);",
            Some(json!(1000)),
        );
        check("args.tea.unwrap_or(2); args.tea.unwrap_or(3);", None);
        check("args.tea.map(|it| it.len()).unwrap_or(2);", None);
        check("args.teapot.unwrap_or(2);", None);
        check("args.tea.unwrap_or_default();", None);
    }

    #[test]
    fn texts_of_switches() {
        let code = "struct A {\n    #[serde(deserialize_with = \"switch\")]\n    hot: bool,\n}\nfn switch<'de, D>(d: D) -> R {\n    String::deserialize(d)\n}\nlet a: A = serde_json::from_str(&t);";
        assert!(input(code).unwrap()[0].is_text);
        let any = code.replace("String::deserialize(d)", "d.deserialize_any(V)");
        assert!(!input(&any).unwrap()[0].is_text);
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
