//! Splits a description into text and calls, so that a document can show its calls in another form.

use serde_json::{Map, Value};

use crate::example::with_line_ends;
use crate::form::calls::{self, Argument, PROTOCOL};
use crate::lex::call::Field;
use crate::lex::normal::plain;
use crate::lex::pieces::{self, Call, CallPart, Piece};

/// A part of a description.
#[derive(Clone, PartialEq, Debug)]
pub enum Passage {
    /// A line without a call.
    Line(String),
    /// A call.
    Call(ShownCall),
}

/// A call as its author wrote it.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct ShownCall {
    /// The tool that it names.
    pub tool: Option<String>,
    /// Its arguments without those of the protocol; a batch keeps its numbers.
    pub arguments: Map<String, Value>,
    /// True if a value says what to write (`[prompt] (required)`) instead of being a sample.
    pub is_template: bool,
    /// True if its names carry the numbers of a batch.
    pub is_batch: bool,
}

/// Returns the lines and calls of a description, in order. The marks of the protocol are in no line.
///
/// ```
/// use plugin_prose::{Passage, passages};
///
/// let text = "List:\n<<<[TOOL_REQUEST]>>>\ntool_name:「始」Tea「末」,\ncommand:「始」list「末」\n<<<[END_TOOL_REQUEST]>>>";
/// let found = passages(text);
/// assert_eq!(found[0], Passage::Line("List:".to_owned()));
/// let Passage::Call(call) = &found[1] else { panic!() };
/// assert_eq!(call.tool.as_deref(), Some("Tea"));
/// assert_eq!(call.arguments["command"], "list");
/// ```
pub fn passages(text: &str) -> Vec<Passage> {
    let text = plain(text);
    let mut res = Vec::new();
    for piece in pieces::read(&text) {
        match piece {
            Piece::Line(line) => res.push(Passage::Line(without_marks(line.whole.trim_end()))),
            Piece::Loose(indent, field) => res.extend(item(indent, &field)),
            Piece::Call(call) => {
                res.push(Passage::Call(shown(&call)));
                res.extend(notes(&call));
            }
        }
    }
    res
}

/// Returns a field on a line of a list as an item; none for a field of the protocol.
fn item(indent: usize, field: &Field<'_>) -> Option<Passage> {
    let (key, value) = (field.key, field.value.trim());
    let after = field.after.trim();
    let line = format!("{:indent$}- `{key}`: {value} {after}", "");
    let is_shown = !PROTOCOL.contains(&key);
    is_shown.then(|| Passage::Line(without_marks(line.trim_end())))
}

fn shown(call: &Call<'_>) -> ShownCall {
    let arguments = calls::arguments(call);
    let mut tools = arguments.iter().filter(|it| it.key == "tool_name");
    let tool = tools.next().map(|it| it.value.trim().to_owned());
    let arguments: Vec<Argument> = arguments
        .into_iter()
        .filter(|argument| !PROTOCOL.contains(&&*argument.key))
        .collect();
    ShownCall {
        tool,
        is_template: arguments.iter().any(says_what_to_write),
        is_batch: calls::is_batch(&arguments),
        arguments: arguments
            .into_iter()
            .map(|argument| {
                let value = without_marks(&with_line_ends(argument.value.trim()));
                (argument.key, Value::from(value))
            })
            .collect(),
    }
}

fn says_what_to_write(argument: &Argument) -> bool {
    let value = argument.value.trim();
    calls::is_annotated(value)
        || calls::is_request(value)
        || argument.group.is_some()
        || !calls::alternatives(value).is_empty()
}

/// Returns the notes of a call that say more than what a group of arguments is.
fn notes(call: &Call<'_>) -> impl Iterator<Item = Passage> {
    const MIN: usize = 24;
    let notes = call.parts.iter().filter_map(|part| match part {
        CallPart::Note(note) => Some(*note),
        CallPart::Field(_) => None,
    });
    let notes = notes.filter(|note| note.chars().count() > MIN);
    notes.map(|note| Passage::Line(without_marks(note)))
}

/// Marks at the start of a value.
const STARTS: [&str; 3] = ["「始」", "「始ESCAPE」", "「始exp」"];
/// Other marks of a call.
const OTHERS: [&str; 5] = [
    "「末」",
    "「末ESCAPE」",
    "「末exp」",
    "<<<[TOOL_REQUEST]>>>",
    "<<<[END_TOOL_REQUEST]>>>",
];

/// Returns a text without the marks around values: `a:「始」1「末」` is `a: 1`.
pub fn without_marks(text: &str) -> String {
    if !text.contains(['「', '<']) {
        return text.to_owned();
    }
    let mut res = text.to_owned();
    for mark in STARTS {
        res = res.replace(&format!(":{mark}"), ": ").replace(mark, "");
    }
    for mark in OTHERS {
        res = res.replace(mark, "");
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the passages, one a line; calls are JSON, with `?` for a template and `#` for a batch.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let show = |passage: &Passage| match passage {
            Passage::Line(line) => line.clone(),
            Passage::Call(call) => {
                let json = Value::from(call.arguments.clone());
                let template = if call.is_template { "?" } else { "" };
                let batch = if call.is_batch { "#" } else { "" };
                format!("{template}{batch}{json}")
            }
        };
        let found: Vec<String> = passages(text).iter().map(show).collect();
        assert_eq!(found.join("\n"), expected);
    }

    fn block(fields: &str) -> String {
        format!(
            "<<<[TOOL_REQUEST]>>>\ntool_name:「始」T「末」,\n{fields}\n<<<[END_TOOL_REQUEST]>>>"
        )
    }

    #[test]
    fn calls_are_between_lines() {
        let call = block("a:「始」1「末」,\nb:「始」x y「末」");
        check(
            &format!("Do:\n{call}\n  - end"),
            "Do:\n{\"a\":\"1\",\"b\":\"x y\"}\n  - end",
        );
        check(
            &block("command1:「始」a「末」\ncommand2:「始」b「末」"),
            "#{\"command1\":\"a\",\"command2\":\"b\"}",
        );
        check(
            &block("a:「始」(必需) 茶名「末」"),
            "?{\"a\":\"(必需) 茶名\"}",
        );
    }

    #[test]
    fn fields_of_lists_and_sentences_lose_their_marks() {
        check(
            "1. tool_name:「始」T「末」\n2. tea:「始」[茶名]「末」 (必需)",
            "- `tea`: [茶名] (必需)",
        );
        check("- 例如 b:「始」x「末」 表示", "- 例如 b: x 表示");
        check("甲。\\n- b: 乙", "甲。\n- b: 乙");
    }
}
