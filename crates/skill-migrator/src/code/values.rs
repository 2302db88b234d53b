//! Values of arguments in code: what is read from the object of the arguments, the names that hold it, and
//! the alternatives of one value, `args.query || args.q || 'tea'`.

use serde_json::Value;

use super::arguments::{Reader, is_argument};
use super::facts::Language;
use super::fallback::is_trimming;
use super::functions::{closing, innermost, items};
use super::lexer::Token;

/// The member of an argument: the argument, the member, the literal in place of a missing one.
pub(super) type Member<'a> = (&'a str, &'a str, Option<Value>);

/// Alternatives of one value.
#[derive(Debug)]
pub(super) struct Chain<'a> {
    /// The arguments, in the order in which they are tried.
    pub(super) names: Vec<&'a str>,
    /// The literal that replaces them.
    pub(super) default: Option<Value>,
    /// The literal after a setting that replaces them: `args.n || config.n || 5`.
    pub(super) configured: Option<Value>,
    /// The position after the last alternative.
    pub(super) end: usize,
}

/// Returns the value of a literal; an empty text says nothing.
pub(super) fn literal(tokens: &[Token<'_>]) -> Option<Value> {
    const MAX: usize = 60;
    match tokens {
        [Token::Text(text)] => {
            let is_plain =
                !text.is_empty() && text.len() <= MAX && !text.contains(['\\', '$', '{']);
            is_plain.then(|| Value::from(*text))
        }
        [Token::Word("true" | "True")] => Some(Value::Bool(true)),
        [Token::Word("false" | "False")] => Some(Value::Bool(false)),
        [Token::Word(word)] => number(word),
        [Token::Word(whole), Token::Sign('.'), Token::Word(part)] => {
            number(&format!("{whole}.{part}"))
        }
        _ => None,
    }
}

fn number(word: &str) -> Option<Value> {
    word.starts_with(|c: char| c.is_ascii_digit())
        .then(|| serde_json::from_str(&word.replace('_', "")).ok())
        .flatten()
}

impl<'a> Reader<'_, 'a> {
    /// Finds the names that hold arguments: `const q = args.query || args.q`.
    pub(super) fn bind(&mut self) {
        for at in 0..self.tokens.len() {
            // A name that holds an argument passes it on: `let n = parseInt(cups, 10)`.
            let Some(chain) = self.chain(at) else {
                continue;
            };
            let mut start = at;
            while self.is_wrapper(start.wrapping_sub(2)) {
                start -= 2;
            }
            let [before @ .., Token::Word(local), Token::Sign('=')] = &self.tokens[..start] else {
                continue;
            };
            let is_member = before.last() == Some(&Token::Sign('.'));
            if !is_member && self.ends_value(chain.end) {
                let function = innermost(&self.functions, at);
                self.bound.entry((function, local)).or_insert(chain.names);
            }
        }
    }

    /// Returns the argument that a name in a function holds.
    pub(super) fn argument(&self, function: usize, name: &'a str) -> Option<&'a str> {
        let held = self.bound.get(&(function, name));
        held.and_then(|names| names.first()).copied()
    }

    /// Returns true for `Number(`, `String(` and the like at a position.
    fn is_wrapper(&self, at: usize) -> bool {
        matches!(
            self.tokens.get(at..at.wrapping_add(2)),
            Some([
                Token::Word(
                    "parseInt" | "parseFloat" | "Number" | "int" | "float" | "String" | "str"
                ),
                Token::Sign('('),
            ])
        )
    }

    /// Returns true if nothing but the end of a statement follows: no comparison, no part of it.
    fn ends_value(&self, at: usize) -> bool {
        match self.tokens.get(at) {
            None | Some(Token::Sign(';' | '}' | ',' | ')')) => true,
            Some(Token::Word(word)) => {
                self.columns.get(at).is_some_and(Option::is_some)
                    || matches!(*word, "const" | "let" | "var" | "if" | "return")
            }
            Some(_) => false,
        }
    }

    /// Returns the arguments that a name at a position holds.
    fn held(&self, at: usize) -> Option<&[&'a str]> {
        let Token::Word(name) = self.tokens[at] else {
            return None;
        };
        let before = at.checked_sub(1).map(|before| self.tokens[before]);
        if !self.bound.keys().any(|(_, bound)| *bound == name) {
            return None;
        }
        let after = self.tokens.get(at + 1);
        let is_key =
            matches!(before, Some(Token::Sign('{' | ','))) && after == Some(&Token::Sign(':'));
        if before == Some(Token::Sign('.')) || is_key {
            return None;
        }
        let mut around: Vec<usize> = (0..self.functions.len())
            .filter(|number| self.functions[*number].body.contains(&at))
            .collect();
        around.sort_by_key(|number| self.functions[*number].body.len());
        for number in around {
            if let Some(names) = self.bound.get(&(number, name)) {
                return Some(names);
            }
            if super::functions::declares(&self.functions[number], name) {
                return None;
            }
        }
        None
    }

    /// Returns the argument that is read from the object at a position, and the position after it.
    pub(super) fn read(&self, at: usize) -> Option<(&'a str, usize)> {
        if !self.is_object(at) {
            return None;
        }
        let name = self.read_after(at + 1)?;
        let is_name = |token: &Token<'a>| matches!(token, Token::Word(word) | Token::Text(word) if *word == name);
        let found = self.tokens[at + 1..].iter().take(6).position(is_name)?;
        Some((name, at + 1 + found + 1))
    }

    /// Returns the arguments of which one is the value at a position, and the position after it.
    pub(super) fn value(&self, at: usize) -> Option<(Vec<&'a str>, usize)> {
        let mut at = at;
        while self.is_wrapper(at) {
            at += 2;
        }
        match self.read(at) {
            Some((name, end)) => Some((vec![name], end)),
            None if self.member(at).is_some() => None,
            None => Some((self.held(at)?.to_vec(), at + 1)),
        }
    }

    /// Returns the member of an argument that is read at a position, with the argument and the literal in
    /// place of a missing one: `params.get("days", 120)`, `options.days`.
    pub(super) fn member(&self, at: usize) -> Option<Member<'a>> {
        let [argument] = self.held(at)? else {
            return None;
        };
        let (name, default) = match (&self.tokens[at + 1..], self.language) {
            (
                [
                    Token::Sign('.'),
                    Token::Word("get"),
                    Token::Sign('('),
                    Token::Text(name),
                    rest @ ..,
                ],
                Language::Python,
            ) => {
                let default = match rest {
                    [Token::Sign(','), value, Token::Sign(')'), ..] => self.constant(&[*value]),
                    _ => None,
                };
                (name, default)
            }
            ([Token::Sign('['), Token::Text(name), Token::Sign(']'), ..], _) => (name, None),
            ([Token::Sign('.'), Token::Word(name), rest @ ..], Language::JavaScript)
                if rest.first() != Some(&Token::Sign('(')) && is_argument(name) =>
            {
                let default = match rest {
                    [Token::Sign('|'), Token::Sign('|'), value, after, ..]
                    | [Token::Sign('?'), Token::Sign('?'), value, after, ..]
                        if matches!(after, Token::Sign(';' | ',' | ')' | '}')) =>
                    {
                        self.constant(&[*value])
                    }
                    _ => None,
                };
                (name, default)
            }
            _ => return None,
        };
        Some((*argument, *name, default))
    }

    /// Returns the arguments of which one is exactly at a position, and the position after all of it:
    /// `args.get("a").strip()`.
    pub(super) fn whole(&self, at: usize) -> Option<(Vec<&'a str>, usize)> {
        let (names, mut end) = match self.read(at) {
            Some((name, end)) => (vec![name], end),
            None => (self.held(at)?.to_vec(), at + 1),
        };
        if self.language == Language::Python && self.is_in_get(end) {
            end = closing(self.tokens, end - 2)? + 1;
        }
        loop {
            end = match &self.tokens[end..] {
                [Token::Sign(']'), ..]
                    if !self.tokens[at..end].contains(&Token::Sign(']'))
                        && self.tokens[at..end].contains(&Token::Sign('[')) =>
                {
                    end + 1
                }
                [
                    Token::Sign('.'),
                    Token::Word(method),
                    Token::Sign('('),
                    Token::Sign(')'),
                    ..,
                ] if is_trimming(method) => end + 4,
                _ => return Some((names, end)),
            };
        }
    }

    /// Returns the alternatives that begin at a position: `args.a || args.b || 5`, `, 10) || 5`.
    pub(super) fn chain(&self, start: usize) -> Option<Chain<'a>> {
        const WINDOW: usize = 90;
        let Some((names, mut at)) = self.value(start) else {
            return self.after_member(start);
        };
        let mut res = Chain {
            names,
            default: None,
            configured: None,
            end: at,
        };
        let limit = self.tokens.len().min(at + WINDOW);
        while at < limit {
            at = match &self.tokens[at..limit] {
                // `args.get("n", 3)`, `args.get("n", args.get("m"))`
                [Token::Sign(','), rest @ ..]
                    if self.language == Language::Python && self.is_in_get(at) =>
                {
                    if let Some((names, end)) = self.value(at + 1) {
                        res.names.extend(names);
                        end
                    } else {
                        let close = rest.iter().position(|it| *it == Token::Sign(')'));
                        let close = close.unwrap_or(rest.len());
                        res.default = res.default.or_else(|| self.constant(&rest[..close]));
                        at + 1 + close
                    }
                }
                [Token::Sign(')'), ..] => at + 1,
                [Token::Sign(']'), ..] if at == res.end => at + 1,
                [Token::Sign(','), Token::Word("10"), Token::Sign(')'), ..] => at + 3,
                [
                    Token::Sign('.'),
                    Token::Word(method),
                    Token::Sign('('),
                    Token::Sign(')'),
                    ..,
                ] if is_trimming(method) => at + 4,
                [Token::Sign('|'), Token::Sign('|'), rest @ ..]
                | [Token::Sign('?'), Token::Sign('?'), rest @ ..]
                | [Token::Word("or"), rest @ ..] => {
                    let start = limit - rest.len();
                    if let Some((names, end)) = self.value(start) {
                        res.names.extend(names);
                        res.end = end;
                        end
                    } else if let Some((names, end)) = self.text_of_value(start) {
                        res.names.extend(names);
                        res.end = end;
                        end
                    } else {
                        let length = self.literal_length(rest);
                        res.configured = self.configured(&rest[..length]);
                        res.default = self.constant(&rest[..length]).or(res.default);
                        res.end =
                            if Self::is_empty_literal(&rest[..length]) || res.default.is_some() {
                                start + length
                            } else {
                                // Another value replaces it; what follows is not known.
                                at
                            };
                        return Some(res);
                    }
                }
                _ => return Some(Chain { end: at, ..res }),
            };
            res.end = at;
        }
        Some(res)
    }

    /// Returns the arguments in `(args.n ? args.n.toString() : null)`, and the position after it.
    fn text_of_value(&self, open: usize) -> Option<(Vec<&'a str>, usize)> {
        if self.tokens.get(open) != Some(&Token::Sign('(')) {
            return None;
        }
        let (names, end) = self.value(open + 1)?;
        let close = self.index.closing(open)?;
        let is_choice = self.tokens.get(end) == Some(&Token::Sign('?'))
            && matches!(
                self.tokens[..close],
                [
                    ..,
                    Token::Sign(':'),
                    Token::Word("null" | "undefined") | Token::Text("")
                ]
            );
        is_choice.then_some((names, close + 1))
    }

    /// Returns the alternatives after the member of an envelope with the same name:
    /// `params.get("cups") or args.get("cups", 2)`.
    fn after_member(&self, start: usize) -> Option<Chain<'a>> {
        let (_, name, _) = self.member(start)?;
        let end = match self.tokens[start + 1..] {
            [_, Token::Word("get"), ..] if self.language == Language::Python => {
                closing(self.tokens, start + 3)? + 1
            }
            [Token::Sign('['), ..] => start + 4,
            _ => start + 3,
        };
        let next = match &self.tokens[end..] {
            [Token::Sign('|'), Token::Sign('|'), ..] | [Token::Sign('?'), Token::Sign('?'), ..] => {
                end + 2
            }
            [Token::Word("or"), ..] => end + 1,
            _ => return None,
        };
        let chain = self.chain(next)?;
        (chain.names.first() == Some(&name)).then_some(chain)
    }

    /// Returns the literal after a setting: `config.n || 5`.
    fn configured(&self, tokens: &[Token<'_>]) -> Option<Value> {
        let at = tokens.windows(2).rposition(|two| {
            matches!(
                two,
                [Token::Sign('|'), Token::Sign('|')] | [Token::Sign('?'), Token::Sign('?')]
            )
        })?;
        let is_setting = |token: &Token<'_>| match token {
            Token::Word(word) => {
                let word = word.to_lowercase();
                ["setting", "config", "default", "env"]
                    .iter()
                    .any(|it| word.contains(it))
            }
            _ => false,
        };
        let is_path = tokens[..at]
            .iter()
            .all(|it| matches!(it, Token::Word(_) | Token::Sign('.' | '?')));
        let value = self.constant(&tokens[at + 2..])?;
        (is_path && tokens[..at].iter().any(is_setting)).then_some(value)
    }

    fn is_empty_literal(tokens: &[Token<'_>]) -> bool {
        matches!(
            tokens,
            [Token::Text("") | Token::Word("null" | "undefined" | "None")]
                | [Token::Sign('['), Token::Sign(']')]
                | [Token::Sign('{'), Token::Sign('}')]
        )
    }

    /// Returns true if the text before a `,` is the first argument of `.get(`.
    fn is_in_get(&self, at: usize) -> bool {
        matches!(
            self.tokens[..at],
            [
                ..,
                Token::Word("get" | "pop"),
                Token::Sign('('),
                Token::Text(_)
            ]
        )
    }

    pub(super) fn literal_length(&self, rest: &[Token<'_>]) -> usize {
        let ends = |token: &Token<'_>| {
            matches!(token, Token::Sign(')' | ';' | ',' | '}' | ']' | ':'))
                || matches!(
                    token,
                    Token::Word("const" | "let" | "if" | "return" | "var")
                )
        };
        let length = match rest {
            [Token::Sign('['), Token::Sign(']'), ..] | [Token::Sign('{'), Token::Sign('}'), ..] => {
                2
            }
            _ => rest.iter().position(ends).unwrap_or(rest.len()),
        };
        match (self.language, rest) {
            // The next statement has no sign before it.
            (Language::Python, [_, Token::Sign('.'), Token::Word(part), ..])
                if part.starts_with(|c: char| c.is_ascii_digit()) =>
            {
                3
            }
            (Language::Python, _) if length != 2 => length.min(1),
            _ => length,
        }
    }

    /// Returns the groups of arguments that a helper takes for one value: `pick(args, ['a', 'b'])`,
    /// `firstNonEmpty(args.a, args.b)`.
    pub(super) fn helper_groups(&self) -> Vec<(usize, Vec<&'a str>)> {
        let mut res = Vec::new();
        for at in 0..self.tokens.len() {
            if self.is_object(at) {
                let names = self.read_before(at);
                if names.len() > 1 {
                    res.push((at, names));
                }
            }
            let (Token::Word(helper), Some(Token::Sign('('))) =
                (self.tokens[at], self.tokens.get(at + 1))
            else {
                continue;
            };
            let helper = helper.to_ascii_lowercase();
            let is_choice = ["first", "pick", "coalesce"]
                .iter()
                .any(|it| helper.starts_with(it));
            let Some(end) = closing(self.tokens, at + 1).filter(|_| is_choice) else {
                continue;
            };
            let mut start = at + 2;
            let mut names = Vec::new();
            for item in items(&self.tokens[start..end]) {
                if let Some((name, stop)) = self.read(start)
                    && stop == start + item.len()
                {
                    names.push(name);
                }
                start += item.len() + 1;
            }
            if names.len() > 1 {
                res.push((at, names));
            }
        }
        res
    }
}
