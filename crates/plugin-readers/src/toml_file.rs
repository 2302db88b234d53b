//! Documents in TOML: prompts with their text in `prompt`, and settings.

use std::ops::Range;

use plugin_model::{Kind, Member, Node};
use skill_diagnostics::{Diagnostic, LineIndex};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::{codes::UNREADABLE_PART, frontmatter::object};

/// Reads a file. The error is a finding with its place.
pub(crate) fn parse(text: &str) -> Result<(Node, String), Box<Diagnostic>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let table: toml::Table = text.parse().map_err(|error| not_toml(text, &error))?;
    let Some(body) = table.get("prompt").and_then(toml::Value::as_str) else {
        return Err(Box::new(no_prompt(&table)));
    };
    let body = body.to_owned();
    let members = table.into_iter().map(member).collect();
    Ok((object(members, 0..0), body))
}

/// Returns the finding about a command without a text, with what it has instead.
///
/// Source: `FileCommandLoader.ts` of Gemini CLI, which loads no file without a `prompt` that is a text.
fn no_prompt(table: &toml::Table) -> Diagnostic {
    let found = match table.get("prompt") {
        Some(value) => format!(
            "the `prompt` is of the type {}, expected a text",
            value.type_str()
        ),
        None if table.is_empty() => "the file is empty, expected a `prompt`".to_owned(),
        None => {
            let keys = table.keys().take(MAX_KEYS);
            let keys: Vec<String> = keys.map(|it| format!("`{}`", it.escape_debug())).collect();
            format!(
                "the file has no `prompt` with a text, only {}",
                keys.join(", ")
            )
        }
    };
    let finding = Diagnostic::error(UNREADABLE_PART, found);
    finding.with_help(match table.get("run").and_then(toml::Value::as_str) {
        Some(_) => "its host does not load it; a prompt runs a command with `!{…}`",
        None => "its host does not load it either",
    })
}

/// The most keys that a finding names.
const MAX_KEYS: usize = 6;

fn not_toml(text: &str, error: &toml::de::Error) -> Box<Diagnostic> {
    let at = error.span().map_or(0, |span| span.start.min(text.len()));
    let message = format!("not TOML: {}", error.message());
    let finding = Diagnostic::error(UNREADABLE_PART, message);
    Box::new(finding.at(LineIndex::new(text).span(at..at)))
}

/// Reads settings. Values have their places in the text.
pub(crate) fn settings(text: &str) -> Result<Node, Box<Diagnostic>> {
    let table = DeTable::parse(text).map_err(|error| not_toml(text, &error))?;
    let span = table.span();
    Ok(table_of(table.into_inner(), span))
}

/// Returns a table. Its place has that of everything in it, because the parts of a table can be apart.
fn table_of(table: DeTable<'_>, span: Range<usize>) -> Node {
    let members = table.into_iter().map(|(key, value)| Member {
        key: key.into_inner().into_owned(),
        value: placed(value),
    });
    let members: Vec<Member> = members.collect();
    let places = members.iter().map(|it| it.value.span.clone());
    let span = places.fold(span, |all, it| match (all.is_empty(), it.is_empty()) {
        (true, _) => it,
        (_, true) => all,
        _ => all.start.min(it.start)..all.end.max(it.end),
    });
    object(members, span)
}

fn placed(value: Spanned<DeValue<'_>>) -> Node {
    let span = value.span();
    let kind = match value.into_inner() {
        DeValue::String(text) => Kind::String(text.into_owned()),
        DeValue::Integer(number) => match number.to_string().parse::<i64>() {
            Ok(number) => Kind::Number(number.to_string()),
            Err(_) => Kind::String(number.to_string()),
        },
        DeValue::Float(number) => match number.to_string().parse() {
            Ok(number) => number_or_text(number),
            Err(_) => Kind::String(number.to_string()),
        },
        DeValue::Boolean(bool) => Kind::Bool(bool),
        DeValue::Datetime(time) => Kind::String(time.to_string()),
        DeValue::Array(items) => Kind::Array(items.into_iter().map(placed).collect()),
        DeValue::Table(table) => return table_of(table, span),
    };
    Node { span, kind }
}

fn member((key, value): (String, toml::Value)) -> Member {
    Member {
        key,
        value: node(value),
    }
}

fn node(value: toml::Value) -> Node {
    let kind = match value {
        toml::Value::String(text) => Kind::String(text),
        toml::Value::Integer(number) => Kind::Number(number.to_string()),
        toml::Value::Float(number) => number_or_text(number),
        toml::Value::Boolean(bool) => Kind::Bool(bool),
        toml::Value::Datetime(time) => Kind::String(time.to_string()),
        toml::Value::Array(items) => Kind::Array(items.into_iter().map(node).collect()),
        toml::Value::Table(table) => Kind::Object(table.into_iter().map(member).collect()),
    };
    Node { span: 0..0, kind }
}

/// JSON has no infinity.
fn number_or_text(number: f64) -> Kind {
    if number.is_finite() {
        Kind::Number(number.to_string())
    } else {
        Kind::String(number.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_have_places() {
        let text = "a = 0x10\n[s.x]\ncommand = \"npx\"\n[t]\n[s.x.env]\nK = \"v\"\n";
        let root = settings(text).unwrap();
        assert_eq!(
            root.to_value().to_string(),
            r#"{"a":"0x10","s":{"x":{"command":"npx","env":{"K":"v"}}},"t":{}}"#
        );
        let span = root.at("/s/x").unwrap().span.clone();
        assert!(text[span.clone()].contains("npx") && text[span].contains("\"v\""));
        let flaw = settings("[s\nx = 1").unwrap_err();
        assert!(flaw.message.starts_with("not TOML: "), "{flaw:?}");
    }

    #[test]
    fn reads_prompts_and_says_what_is_wrong() {
        let (root, body) =
            parse("description = \"x\"\nprompt = \"\"\"\nDo {{args}}\"\"\"\nn = 1.5\n").unwrap();
        assert_eq!(body, "Do {{args}}");
        assert_eq!(root.get("n").unwrap().kind, Kind::Number("1.5".to_owned()));
        let finding = parse("prompt = 1x").unwrap_err();
        assert!(
            finding.message.starts_with("not TOML: "),
            "{}",
            finding.message
        );
        assert_eq!(finding.place.span.unwrap().position.line, 1);
        let flaws = [
            (
                "run = \"git status\"\ndescription = \"x\"",
                "the file has no `prompt` with a text, only `description`, `run`",
                "its host does not load it; a prompt runs a command with `!{…}`",
            ),
            (
                "prompt = 1",
                "the `prompt` is of the type integer, expected a text",
                "its host does not load it either",
            ),
            (
                "",
                "the file is empty, expected a `prompt`",
                "its host does not load it either",
            ),
        ];
        for (text, message, help) in flaws {
            let finding = parse(text).unwrap_err();
            assert_eq!(finding.message, message);
            assert_eq!(finding.help.as_deref(), Some(help));
        }
    }
}
