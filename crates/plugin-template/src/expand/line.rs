//! The line that a user would type for given values.

use std::collections::BTreeMap;

use crate::argument::WHOLE;
use crate::piece::{PieceKind, Selector};
use crate::{Argument, Dialect, Template};

/// Returns what a user would type after the command's name to give its arguments these values. The
/// value of `arguments`, if it is not the only one, is put behind the others as it is.
///
/// ```
/// use std::collections::BTreeMap;
/// use plugin_template::{Dialect, Template, read_hint, typed_line};
///
/// let template = Template::parse("From $1 to $2.", Dialect::OpenCode, &[]);
/// let values = BTreeMap::from([("to".to_owned(), "the end".to_owned())]);
/// let line = typed_line(&template, &read_hint("<from> <to>"), &values);
/// assert_eq!(line, r#""" "the end""#);
/// ```
pub fn typed_line(
    template: &Template,
    arguments: &[Argument],
    values: &BTreeMap<String, String>,
) -> String {
    let is_named = is_named(template);
    let is_split = is_named || uses_words(template);
    let mut res: Vec<String> = Vec::new();
    let mut n_missing = 0;
    let is_only = matches!(arguments, [only] if only.name == WHOLE);
    let is_rest = |argument: &&Argument| !is_only && argument.name == WHOLE;
    for argument in arguments.iter().filter(|it| !is_rest(it)) {
        match values.get(&argument.name) {
            Some(value) if is_named => {
                res.push(format!("{}={}", argument.name, quoted(value, template)));
            }
            Some(value) => {
                let gap = if is_split { n_missing } else { 0 };
                res.extend(std::iter::repeat_n("\"\"".to_owned(), gap));
                n_missing = 0;
                res.push(if is_split {
                    quoted(value, template)
                } else {
                    value.clone()
                });
            }
            None => n_missing += 1,
        }
    }
    if let Some(rest) = values.get(WHOLE).filter(|_| !is_only) {
        res.push(rest.clone());
    }
    res.join(" ")
}

/// Returns whether the host reads `name=value` words.
fn is_named(template: &Template) -> bool {
    match template.dialect() {
        Dialect::Copilot | Dialect::Mcpb => true,
        Dialect::Codex => !template.used_names().is_empty(),
        _ => false,
    }
}

/// Returns whether any placeholder takes a single word.
fn uses_words(template: &Template) -> bool {
    template.placeholders().any(|piece| match &piece.kind {
        PieceKind::Argument { selector, .. } => {
            matches!(selector, Selector::Name(_)) || piece.doubt.is_none()
        }
        _ => false,
    })
}

/// Returns a value in quotes if it is not a single word.
fn quoted(value: &str, template: &Template) -> String {
    let is_plain = |c: char| !(c.is_whitespace() || "\"'\\#`".contains(c));
    if !value.is_empty() && value.chars().all(is_plain) {
        return value.to_owned();
    }
    if template.dialect() == Dialect::OpenCode {
        let quote = if value.contains('"') { '\'' } else { '"' };
        return format!("{quote}{value}{quote}");
    }
    let mut res = String::from("\"");
    for c in value.chars() {
        if "\"\\$`".contains(c) {
            res.push('\\');
        }
        res.push(c);
    }
    res + "\""
}
