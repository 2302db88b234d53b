//! The facts of code on a part of a value, where it is read: its type, default, choices, need.

use serde_json::Value;

use super::super::argument_checks::Check;
use super::super::arguments::Reader;
use super::super::facts::Language;
use super::super::fallback::is_trimming;
use super::super::lexer::Token;
use super::members::{Member, Need};
use super::place::{Of, Place};

impl<'a> Of<'_, '_, 'a> {
    /// Returns what the code says of a part where it reads it, and the other names of it.
    pub(super) fn facts(&self, place: &Place<'a>) -> (Member, Vec<Vec<&'a str>>) {
        let mut res = Member {
            default: place.default.clone(),
            kind: self.kind(place),
            need: self.need(place),
            ..Member::default()
        };
        for check in self.reader.checks(place.at, place.end) {
            match check {
                Check::AtLeast(value) => res.bounds.0 = Some(value),
                Check::AtMost(value) => res.bounds.1 = Some(value),
                Check::Choices(values) => res.choices = values,
                Check::Flag(value, _) => {
                    res.kind = Some("boolean");
                    res.default = res.default.or(Some(Value::Bool(value)));
                }
                _ => {}
            }
        }
        let (default, aliases) = self.replaced(place);
        res.default = res.default.or(default);
        if let Some((choices, default)) = self.chosen(place) {
            res.choices = choices;
            res.default = res.default.or(default);
        }
        (res, aliases)
    }

    fn kind(&self, place: &Place<'a>) -> Option<&'static str> {
        let tokens = self.reader.tokens;
        if tokens[..place.at].ends_with(&[Token::Sign('!'), Token::Sign('!')]) {
            return Some("boolean");
        }
        if let [
            Token::Sign('.'),
            Token::Word("map" | "forEach" | "join" | "filter"),
            ..,
        ] = tokens[place.end..]
        {
            return Some("array");
        }
        match tokens[..place.at] {
            [.., Token::Word("parseInt"), Token::Sign('(')] => Some("integer"),
            [
                ..,
                Token::Word("Number" | "parseFloat" | "float" | "int"),
                Token::Sign('('),
            ] => Some("number"),
            [.., Token::Word("isArray"), Token::Sign('(')] => Some("array"),
            _ => None,
        }
    }

    /// Returns the literal after a part and its other names: `parseInt(x.a, 10) || x.b || 5`.
    fn replaced(&self, place: &Place<'a>) -> (Option<Value>, Vec<Vec<&'a str>>) {
        let tokens = self.reader.tokens;
        let mut aliases = Vec::new();
        let mut at = place.end;
        let mut open = self.reader.index.around(place.at);
        loop {
            at = match tokens[at..] {
                [Token::Sign(','), Token::Word("10"), Token::Sign(')'), ..] => {
                    open = open.and_then(|it| self.reader.index.around(it));
                    at + 3
                }
                [Token::Sign(')'), ..] if open.is_some_and(|it| self.is_plain(it)) => {
                    open = open.and_then(|it| self.reader.index.around(it));
                    at + 1
                }
                [
                    Token::Sign('.'),
                    Token::Word(method),
                    Token::Sign('('),
                    Token::Sign(')'),
                    ..,
                ] if is_trimming(method) => at + 4,
                [Token::Sign('|'), Token::Sign('|'), ..]
                | [Token::Sign('?'), Token::Sign('?'), ..] => {
                    let start = at + 2;
                    if tokens.get(start) == Some(&tokens[place.at]) {
                        let other = self.place(start);
                        at = other.end;
                        if other.path.is_empty() {
                            return (None, aliases);
                        }
                        aliases.push(other.path);
                        continue;
                    }
                    if tokens.get(start) == Some(&Token::Text("")) {
                        // Text is made of it before anything else.
                        at = start + 1;
                        continue;
                    }
                    let length = self.reader.literal_length(&tokens[start..]);
                    return (
                        self.reader.constant(&tokens[start..start + length]),
                        aliases,
                    );
                }
                _ => return (None, aliases),
            };
        }
    }

    /// Returns true for a bracket that only groups or casts.
    fn is_plain(&self, open: usize) -> bool {
        match open.checked_sub(1).map(|before| self.reader.tokens[before]) {
            Some(Token::Word(name)) => matches!(
                name,
                "parseInt" | "parseFloat" | "Number" | "String" | "int" | "float" | "str"
            ),
            Some(Token::Sign(')' | ']')) => false,
            _ => true,
        }
    }

    /// Reads `['a', 'b'].includes(x.kind) ? x.kind : 'a'`.
    fn chosen(&self, place: &Place<'a>) -> Option<(Vec<String>, Option<Value>)> {
        let tokens = self.reader.tokens;
        let [
            before @ ..,
            Token::Sign('.'),
            Token::Word("includes" | "has"),
            Token::Sign('('),
        ] = &tokens[..place.at]
        else {
            return None;
        };
        let [Token::Sign(')'), Token::Sign('?'), value, ..] = tokens[place.end..] else {
            return None;
        };
        (value == tokens[place.at]).then_some(())?;
        let start = match before {
            [.., Token::Sign(']')] => before.len() - Reader::list_length(before)?,
            [.., Token::Word(_)] => before.len() - 1,
            _ => return None,
        };
        let values = self.reader.texts(start)?;
        let second = self.place(place.end + 2);
        let default = match tokens[second.end..] {
            [Token::Sign(':'), value, ..] => self.reader.constant(&[value]),
            _ => None,
        };
        Some((values, default))
    }

    /// Returns when the program ends with an error without a part: `if (!x.name) throw`.
    fn need(&self, place: &Place<'a>) -> Option<Need> {
        let tokens = self.reader.tokens;
        if self.is_looked_up(place) {
            return Some(Need::Always);
        }
        let (start, stop) = self.reader.condition(place.at)?;
        if !self.reader.fails(stop) {
            return None;
        }
        let is_python = self.reader.language == Language::Python;
        let clause = split(
            tokens,
            start..stop,
            if is_python {
                Token::Word("or")
            } else {
                Token::Sign('|')
            },
        )
        .into_iter()
        .find(|it| it.contains(&place.at))?;
        let terms = split(
            tokens,
            clause,
            if is_python {
                Token::Word("and")
            } else {
                Token::Sign('&')
            },
        );
        let (own, others): (Vec<_>, Vec<_>) =
            terms.into_iter().partition(|it| it.contains(&place.at));
        let [own] = &own[..] else { return None };
        let is_missing = matches!(tokens[own.start], Token::Sign('!') | Token::Word("not"));
        let is_cast = |token: &Token<'_>| {
            matches!(
                token,
                Token::Sign('!' | '(' | ')' | '|' | '.')
                    | Token::Word("not" | "String" | "str" | "trim" | "strip" | "length")
                    | Token::Text("")
            )
        };
        let around = (own.start..place.at).chain(place.end..own.end);
        if !is_missing || !around.into_iter().all(|at| is_cast(&tokens[at])) {
            return None;
        }
        match &others[..] {
            [] => Some(Need::Always),
            [other] => {
                let name = tokens.get(other.start)?;
                (*name == tokens[place.at]).then_some(())?;
                let of = self.place(other.start);
                let Some([Token::Sign('='), Token::Sign('='), rest @ ..]) =
                    tokens.get(of.end..other.end)
                else {
                    return None;
                };
                let rest = rest.strip_prefix(&[Token::Sign('=')]).unwrap_or(rest);
                let [Token::Text(value)] = rest else {
                    return None;
                };
                let path = of.path.iter().map(|it| (*it).to_owned()).collect();
                Some(Need::When(path, (*value).to_owned()))
            }
            _ => None,
        }
    }
}

impl Of<'_, '_, '_> {
    /// Returns true for `const pot = pots.find((it) => it.id === x.id); if (!pot) throw`.
    fn is_looked_up(&self, place: &Place<'_>) -> bool {
        const NEAR: usize = 24;
        let tokens = self.reader.tokens;
        let equal = [Token::Sign('='); 3];
        if !tokens[..place.at].ends_with(&equal) {
            return false;
        }
        let Some(open) = self.reader.index.around(place.at) else {
            return false;
        };
        let [.., Token::Word("find" | "findIndex")] = tokens[..open] else {
            return false;
        };
        let before = &tokens[open.saturating_sub(NEAR)..open];
        let name = before.windows(3).rev().find_map(|it| match it {
            [
                Token::Word("const" | "let"),
                Token::Word(name),
                Token::Sign('='),
            ] => Some(*name),
            _ => None,
        });
        let (Some(name), Some(close)) = (name, self.reader.index.closing(open)) else {
            return false;
        };
        let rest = &tokens[close + 1..];
        let rest = rest.strip_prefix(&[Token::Sign(';')]).unwrap_or(rest);
        let is_it = match rest {
            [
                Token::Word("if"),
                Token::Sign('('),
                Token::Sign('!'),
                Token::Word(it),
                Token::Sign(')'),
                ..,
            ] => *it == name,
            [
                Token::Word("if"),
                Token::Sign('('),
                Token::Word(it),
                Token::Sign('<' | '='),
                ..,
            ] => *it == name,
            _ => false,
        };
        let open = tokens.len() - rest.len() + 1;
        is_it
            && self
                .reader
                .index
                .closing(open)
                .is_some_and(|stop| self.reader.fails(stop))
    }
}

/// Splits a range at a sign or word outside of brackets; of doubled signs, nothing is between.
fn split(
    tokens: &[Token<'_>],
    range: std::ops::Range<usize>,
    at_sign: Token<'_>,
) -> Vec<std::ops::Range<usize>> {
    let mut res = Vec::new();
    let mut depth = 0_usize;
    let mut start = range.start;
    for at in range.clone() {
        match tokens[at] {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') => depth = depth.saturating_sub(1),
            token if token == at_sign && depth == 0 => {
                res.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
    }
    res.push(start..range.end);
    res.retain(|it| !it.is_empty());
    res
}
