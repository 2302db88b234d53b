//! Reads signatures: `brew(leaf: string, cups?: number = 1)` on a line of its own.

use crate::fact::{Facts, choice, default, types};
use crate::form::entry::Entry;
use crate::lex::chars::strip_word;
use crate::lex::{group, names};
use crate::param::{Form, Need};

/// Returns the parameters of a signature; every one of them must have a type.
pub(crate) fn read(line: &str) -> Vec<Entry> {
    signature(line).unwrap_or_default()
}

fn signature(line: &str) -> Option<Vec<Entry>> {
    let line = line.trim().trim_matches('`');
    let line = ["async function ", "function ", "async def ", "def ", "fn "]
        .iter()
        .find_map(|word| strip_word(line, word))
        .unwrap_or(line);
    let (_, rest) = names::take_ident(line)?;
    let (inner, after) = group::take(rest).filter(|_| rest.starts_with('('))?;
    let after = after.trim();
    let whole = after.is_empty()
        || after.starts_with([':', '{', ';', '`'])
        || after.starts_with("->")
        || after.starts_with("=>");
    if !whole || inner.trim().is_empty() {
        return None;
    }
    group::split(inner, |c| c == ',')
        .into_iter()
        .map(parameter)
        .collect()
}

/// Reads `name?: type = default`.
fn parameter(text: &str) -> Option<Entry> {
    let (name, rest) = names::take_ident(text)?;
    let optional = rest.strip_prefix('?');
    let stated = optional.unwrap_or(rest).trim_start().strip_prefix(':')?;
    let (kind, value) = stated
        .split_once('=')
        .map_or((stated, None), |(kind, value)| (kind, Some(value)));
    let mut attrs = Facts::default();
    match types::read(kind) {
        Some(found) => attrs.types = found,
        None => attrs.choices = choice::read_items(kind.trim()),
    }
    if attrs.types.is_empty() && attrs.choices.len() < 2 {
        return None;
    }
    attrs.default = value.and_then(|value| default::read(&format!("default: {}", value.trim())));
    let may_lack = optional.is_some() || value.is_some();
    attrs.need = Some(if may_lack {
        Need::Optional
    } else {
        Need::Required
    });
    Some(Entry::single(name, attrs, "", Form::A1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks each name with `!` or `?`.
    #[track_caller]
    fn check(line: &str, expected: &str) {
        let mark = |entry: &Entry| {
            if entry.attrs.need == Some(Need::Required) {
                "!"
            } else {
                "?"
            }
        };
        let found: Vec<_> = read(line)
            .iter()
            .map(|entry| format!("{}{}", entry.names.list[0], mark(entry)))
            .collect();
        assert_eq!(found.join(" "), expected);
    }

    #[test]
    fn signatures() {
        check("brew(leaf: string, cups?: number = 1)", "leaf! cups?");
        check(
            "def brew(leaf: str, hot: bool = True) -> str:",
            "leaf! hot?",
        );
        check("brew(leaf, cups)", "");
        check("brew(leaf: string) makes tea", "");
        check("root(x: 3)", "");
    }
}
