//! Form G: documentation comments: `@param {string} [name=default] text`, `:param int name: text`.

use crate::fact::{Facts, choice, types};
use crate::form::entry::Entry;
use crate::lex::chars::strip_word;
use crate::lex::group;
use crate::lex::names;
use crate::param::{Default, Form, Need, Type};

/// Reads one line of a documentation comment.
pub(crate) fn read(text: &str) -> Option<Entry> {
    let text = text.trim_start_matches(['*', ' ']);
    if let Some(rest) = strip_word(text, "@param ").or_else(|| strip_word(text, "@arg ")) {
        return java(rest.trim_start());
    }
    strip_word(text, ":param ").and_then(|rest| sphinx(rest.trim_start()))
}

/// Reads `{type} name text` and `{type} [name=default] - text`.
fn java(rest: &str) -> Option<Entry> {
    let mut attrs = Facts::default();
    let mut rest = rest;
    if let Some((inner, after)) = group::take(rest).filter(|_| rest.starts_with('{')) {
        let inner = inner.trim();
        if inner.ends_with('=') || inner.starts_with('?') {
            attrs.need = Some(Need::Optional);
        }
        let stated = inner.trim_matches(['=', '?', '!']);
        match types::read(stated) {
            Some(found) => attrs.types = found,
            None => {
                attrs.choices = choice::read_items(stated);
                if stated.starts_with(['"', '\'']) && attrs.choices.len() > 1 {
                    attrs.types = vec![Type::String];
                }
            }
        }
        rest = after.trim_start();
    }
    let (name, after) =
        if let Some((inner, after)) = group::take(rest).filter(|_| rest.starts_with('[')) {
            attrs.need = Some(Need::Optional);
            let (name, default) = inner
                .split_once('=')
                .map_or((inner, None), |(name, default)| (name, Some(default)));
            attrs.default = default
                .map(|text| Default::Bare(text.trim_matches(['"', '\'', '`', ' ']).to_owned()));
            (name.trim(), after)
        } else {
            names::take_ident(rest)?
        };
    let text = after.trim_start_matches([' ', '-', '–', ':']);
    (!name.is_empty() && names::take_ident(name).is_some_and(|(_, rest)| rest.is_empty()))
        .then(|| Entry::single(name, attrs, text, Form::G))
}

/// Reads `name: text` and `int name: text`.
fn sphinx(rest: &str) -> Option<Entry> {
    let (head, text) = rest.split_once(':')?;
    let mut words = head.split_whitespace();
    let (first, second) = (words.next()?, words.next());
    let mut attrs = Facts::default();
    let name = match second {
        Some(name) => {
            attrs.types = types::read(first).unwrap_or_default();
            name
        }
        None => first,
    };
    names::take_ident(name).filter(|(_, rest)| rest.is_empty())?;
    Some(Entry::single(name, attrs, text.trim(), Form::G))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::param::Type;

    #[track_caller]
    fn check(line: &str, name: &str, types: &[Type], need: Option<Need>) {
        let entry = read(line).unwrap();
        assert_eq!(
            (
                entry.names.list[0].as_str(),
                entry.attrs.types.as_slice(),
                entry.attrs.need
            ),
            (name, types, need)
        );
    }

    #[test]
    fn comments_of_both_kinds() {
        check(
            "@param {string} city - The city",
            "city",
            &[Type::String],
            None,
        );
        check(
            "* @param {number} [limit=10] How many",
            "limit",
            &[Type::Number],
            Some(Need::Optional),
        );
        check(":param str city: The city", "city", &[Type::String], None);
        check(":param city: The city", "city", &[], None);
    }

    #[test]
    fn other_lines() {
        assert!(read("@returns {string} text").is_none());
        assert!(read("param city").is_none());
        assert!(read("@param").is_none());
    }
}
