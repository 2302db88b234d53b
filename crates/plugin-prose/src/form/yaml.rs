//! Reads parameters in YAML: a name on its own line, its keys indented below.
//!
//! Only the keys of a schema make such a line a parameter, so no heading is needed.

use crate::fact::{Facts, choice, default, types};
use crate::form::entry::Entry;
use crate::lex::line::Line;
use crate::lex::names;
use crate::lex::pieces::Piece;
use crate::param::{Form, Need};

/// Keys that describe a parameter.
const KEYS: [&str; 8] = [
    "type",
    "required",
    "default",
    "description",
    "enum",
    "desc",
    "optional",
    "options",
];
/// The maximum number of lines of one parameter.
const MAX_LINES: usize = 24;

/// Reads the parameter at the start of `pieces`; returns it and the number of its pieces.
pub(crate) fn read(pieces: &[Piece<'_>]) -> Option<(Entry, usize)> {
    let Piece::Line(head) = pieces.first()? else {
        return None;
    };
    let name = named(head)?;
    let below = pieces[1..]
        .iter()
        .take(MAX_LINES)
        .map_while(|piece| match piece {
            Piece::Line(line) if line.indent > head.indent && !line.is_blank() => Some(line),
            _ => None,
        });
    let mut entry = Entry::single(name, Facts::default(), "", Form::A1);
    let (mut taken, mut stated) = (0, false);
    for line in below {
        match key(line) {
            Some((word, value)) => {
                let states = state(&mut entry, word, value);
                if taken == 0 && !states {
                    return None;
                }
                stated |= states;
            }
            None if taken == 0 => return None,
            None if line.bullet => entry.values.extend(choice::read_items(line.text)),
            None => entry.push_note(line.text),
        }
        taken += 1;
    }
    stated.then_some((entry, taken + 1))
}

/// Reads `name:` or `- name: x`.
fn named<'a>(line: &Line<'a>) -> Option<&'a str> {
    let (first, rest) = names::take_ident(line.text)?;
    let rest = rest.strip_prefix(':')?.trim();
    if rest.is_empty() && !KEYS.contains(&first) {
        return Some(first);
    }
    let (name, after) = names::take_ident(rest)?;
    (first == "name" && line.bullet && after.is_empty()).then_some(name)
}

fn key<'a>(line: &Line<'a>) -> Option<(&'a str, &'a str)> {
    let (word, value) = line.text.split_once(':')?;
    (!line.bullet && KEYS.contains(&word)).then(|| (word, value.trim()))
}

/// Adds one key; returns false if its value is meaningless.
fn state(entry: &mut Entry, word: &str, value: &str) -> bool {
    match (word, value.to_ascii_lowercase().as_str()) {
        ("type", _) => match types::read(value) {
            Some(found) => entry.attrs.types = found,
            None => return false,
        },
        ("required", "true" | "yes") | ("optional", "false" | "no") => {
            entry.attrs.need = Some(Need::Required);
        }
        ("required", "false" | "no") | ("optional", "true" | "yes") => {
            entry.attrs.need = Some(Need::Optional);
        }
        ("default", _) => entry.attrs.default = default::read(&format!("default: {value}")),
        ("enum" | "options", _) => {
            let items = value.trim_matches(['[', ']']);
            entry.values = items
                .split(',')
                .map(|item| item.trim().trim_matches(['"', '\'']))
                .filter(|item| !item.is_empty())
                .map(str::to_owned)
                .collect();
        }
        ("description" | "desc", _) => value.trim_matches(['"', '\'']).clone_into(&mut entry.text),
        _ => return false,
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lex::pieces;

    /// Checks name, need and number of pieces.
    #[track_caller]
    fn check(text: &str, expected: Option<(&str, Option<Need>, usize)>) {
        let pieces = pieces::read(text);
        let found = read(&pieces);
        let found =
            found.map(|(entry, taken)| (entry.names.list[0].clone(), entry.attrs.need, taken));
        assert_eq!(
            found,
            expected.map(|(name, need, taken)| (name.to_owned(), need, taken))
        );
    }

    #[test]
    fn keys_below_a_name() {
        check(
            "  leaf:\n    type: string\n    required: true\n  cup:",
            Some(("leaf", Some(Need::Required), 3)),
        );
        check(
            "- name: leaf\n  type: string\n- name: cup",
            Some(("leaf", None, 2)),
        );
        check("leaf:\n  green and fine", None);
        check("leaf:\ntype: string", None);
        check("type:\n  required: false", None);
    }
}
