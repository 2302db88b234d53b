//! Prompts in TOML: keys, and the text in `prompt`.

use plugin_model::{Kind, Member, Node};
use skill_diagnostics::{Diagnostic, LineIndex};

use crate::{codes::UNREADABLE_PART, frontmatter::object};

/// Reads a file. The error is a finding with its place.
pub(crate) fn parse(text: &str) -> Result<(Node, String), Box<Diagnostic>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        let at = error.span().map_or(0, |span| span.start.min(text.len()));
        let message = format!("not TOML: {}", error.message());
        let finding = Diagnostic::error(UNREADABLE_PART, message);
        Box::new(finding.at(LineIndex::new(text).span(at..at)))
    })?;
    let Some(body) = table.get("prompt").and_then(toml::Value::as_str) else {
        let finding =
            Diagnostic::error(UNREADABLE_PART, "the file has no `prompt`, expected a text");
        return Err(Box::new(
            finding.with_help("its host does not load it either"),
        ));
    };
    let body = body.to_owned();
    let members = table.into_iter().map(member).collect();
    Ok((object(members, 0..0), body))
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
        assert!(
            parse("description = 1")
                .unwrap_err()
                .message
                .contains("no `prompt`")
        );
    }
}
