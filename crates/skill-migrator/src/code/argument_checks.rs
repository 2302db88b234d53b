//! Conditions of code on the value of an argument: that there is one, its type, its range, its choices.

use serde_json::Value;

use super::arguments::Reader;
use super::facts::Language;
use super::functions::{Parameter, closing, items, keys};
use super::lexer::Token;

/// Maximum number of tokens of a condition.
const WINDOW: usize = 80;

/// A condition on a value.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Check {
    /// An error without it.
    Needed,
    /// A type of JavaScript without which it is refused: `number`, `boolean`.
    Strict(&'static str),
    /// True or false; the value without it, and whether only a JSON boolean is recognised.
    Flag(bool, bool),
    /// Text that is made of it.
    Text,
    /// Handled as text, without a look at its type: `args.x === 'true'`, `args.x.split(',')`.
    OnlyText,
    /// Tested for truth: `if (args.x)`, `args.x ? a : b`, `bool(x)`.
    Tested,
    /// Handled in another type too: `args.x === true`, `Number(args.x)`, `isinstance(x, bool)`.
    OtherType,
    /// An object, whose members are copied.
    Object,
    /// Text, which is parsed as JSON.
    JsonText,
    /// Text, which is parsed as JSON, or its value.
    JsonOrText,
    /// The least value.
    AtLeast(Value),
    /// The greatest value.
    AtMost(Value),
    /// The only values.
    Choices(Vec<String>),
    /// The value in place of a missing one.
    Default(Value),
    /// Something that the program makes is in place of a missing one.
    Made,
    /// The least and the greatest length.
    Lengths(Option<u64>, Option<u64>),
    /// Compared with a text other than `true` and `false`.
    Compared(String),
    /// Made a number: `integer`, `number`.
    Number(&'static str),
}

impl<'a> Reader<'_, 'a> {
    /// Returns what is asked of the value between two positions.
    pub(super) fn checks(&self, at: usize, end: usize) -> Vec<Check> {
        let mut res = Vec::new();
        res.extend(self.is_needed(at, end).then_some(Check::Needed));
        let strict = self.strict(at, end).or_else(|| self.only(at, end));
        res.extend(strict.map(Check::Strict));
        res.extend(
            self.flag(at, end)
                .map(|(value, is_strict)| Check::Flag(value, is_strict)),
        );
        let is_text = matches!(
            self.tokens[..at],
            [.., Token::Word("String"), Token::Sign('(')]
        );
        res.extend(is_text.then_some(Check::Text));
        res.extend(self.handled(at, end));
        res.extend(self.cast(at).map(Check::Number));
        res.extend(self.is_spread(at, end).then_some(Check::Object));
        if self.is_parsed(at) {
            res.push(if self.is_text_for_sure(at, end) {
                Check::JsonOrText
            } else {
                Check::JsonText
            });
        }
        res.extend(self.bounds(at, end));
        res.extend(self.lengths(at, end));
        res.extend(self.of_helper(at, end));
        res.extend(self.choices(at, end));
        res.extend(self.replaced(at, end));
        res
    }

    /// Returns the condition of the `if` around a position, and the position after it.
    pub(super) fn condition(&self, at: usize) -> Option<(usize, usize)> {
        let start = (at.saturating_sub(WINDOW)..at)
            .rev()
            .find(|it| matches!(self.tokens[*it], Token::Word("if" | "elif")))?;
        match self.language {
            Language::JavaScript => {
                let end = closing(self.tokens, start + 1)?;
                (end > at).then_some((start + 2, end))
            }
            Language::Python => {
                let rest = &self.tokens[start..self.tokens.len().min(start + WINDOW)];
                let colon = rest.iter().position(|token| *token == Token::Sign(':'))?;
                (start + colon > at).then_some((start + 1, start + colon))
            }
        }
    }

    /// Returns true if the statement after a condition ends with an error.
    pub(super) fn fails(&self, end: usize) -> bool {
        let block = &self.tokens[(end + 1).min(self.tokens.len())..self.tokens.len().min(end + 16)];
        let first = items(block).first().map_or(0, |item| item.len());
        let block = &block[..first.max(6).min(block.len())];
        let is_error = |token: &Token<'_>| {
            matches!(
                token,
                Token::Word("throw" | "raise" | "error" | "reject" | "exit" | "fail")
                    | Token::Text("error")
            )
        };
        let is_thrower = |two: &[Token<'_>]| match two {
            [Token::Word(name), Token::Sign('(')] => self.is_thrower(name),
            _ => false,
        };
        block.iter().any(is_error) || block.windows(2).any(is_thrower)
    }

    /// Returns true for `if (!args.a || …) { throw`: one clause of the condition is that it is missing.
    fn is_needed(&self, at: usize, end: usize) -> bool {
        let not = |position: usize| {
            matches!(
                self.tokens.get(position),
                Some(Token::Sign('!') | Token::Word("not"))
            )
        };
        let Some(before) = at.checked_sub(1).filter(|before| not(*before)) else {
            return false;
        };
        let Some((start, stop)) = self.condition(at) else {
            return false;
        };
        let is_or = |position: usize| match self.language {
            Language::JavaScript => self.tokens[position] == Token::Sign('|'),
            Language::Python => self.tokens[position] == Token::Word("or"),
        };
        let begins = before == start || is_or(before - 1);
        let ends = end == stop || is_or(end);
        begins && ends && self.fails(stop)
    }

    /// Returns the arguments of which all are missing in a condition: `if (!args.a && !args.b) throw`.
    pub(super) fn needed_of(&self, at: usize) -> Option<Vec<&'a str>> {
        let before = at.checked_sub(1)?;
        let is_not = |token: &Token<'_>| matches!(token, Token::Sign('!') | Token::Word("not"));
        is_not(&self.tokens[before]).then_some(())?;
        let (start, stop) = self.condition(at)?;
        (start == before).then_some(())?;
        let mut res = Vec::new();
        let mut position = start;
        while position < stop {
            is_not(&self.tokens[position]).then_some(())?;
            let (names, end) = self.whole(position + 1)?;
            res.extend(names);
            position = match &self.tokens[end..] {
                [Token::Sign('&'), Token::Sign('&'), ..] => end + 2,
                [Token::Word("and"), ..] => end + 1,
                _ => end,
            };
            (position > end || position == stop).then_some(())?;
        }
        (res.len() > 1 && self.fails(stop)).then_some(res)
    }

    /// Returns the type of `(args.n === undefined || typeof args.n === 'number')`, a condition of a valid call.
    fn only(&self, at: usize, end: usize) -> Option<&'static str> {
        let is_optional = matches!(
            &self.tokens[..at],
            [
                ..,
                Token::Sign('='),
                Token::Word("undefined"),
                Token::Sign('|'),
                Token::Sign('|'),
                Token::Word("typeof"),
            ]
        );
        let [Token::Sign('='), Token::Sign('='), rest @ ..] = &self.tokens[end..] else {
            return None;
        };
        let rest = rest.strip_prefix(&[Token::Sign('=')]).unwrap_or(rest);
        match rest {
            [Token::Text("number"), Token::Sign(')'), ..] if is_optional => Some("number"),
            [Token::Text("boolean"), Token::Sign(')'), ..] if is_optional => Some("boolean"),
            _ => None,
        }
    }

    /// Returns the type of `typeof args.n !== 'number'` before an error or `return false`.
    fn strict(&self, at: usize, end: usize) -> Option<&'static str> {
        const WINDOW: usize = 40;
        let before = at.checked_sub(1).map(|before| self.tokens[before])?;
        let [Token::Sign('!'), Token::Sign('='), rest @ ..] = &self.tokens[end..] else {
            return None;
        };
        let rest = rest.strip_prefix(&[Token::Sign('=')]).unwrap_or(rest);
        let kind = match rest.first() {
            Some(Token::Text("number")) => "number",
            Some(Token::Text("boolean")) => "boolean",
            _ => return None,
        };
        let window = &rest[..rest.len().min(WINDOW)];
        let is_error = window.windows(2).any(|two| {
            matches!(two, [Token::Word("return"), Token::Word("false")])
                || matches!(two, [Token::Word("throw"), _])
        });
        (before == Token::Word("typeof") && is_error).then_some(kind)
    }

    /// Returns true for `JSON.parse(args.x)` and `json.loads(args["x"])`.
    fn is_parsed(&self, at: usize) -> bool {
        matches!(
            self.tokens[..at],
            [
                ..,
                Token::Word("JSON" | "json"),
                Token::Sign('.'),
                Token::Word("parse" | "loads"),
                Token::Sign('(')
            ]
        )
    }

    /// Returns the members that a function takes from the value that it is given: `brew(args.options)` of
    /// `function brew(options) { const { cups = 2 } = options; }`.
    pub(super) fn taken_apart(
        &self,
        at: usize,
        end: usize,
    ) -> Option<Vec<(&'a str, Option<Value>)>> {
        if !matches!(self.tokens.get(end), Some(Token::Sign(',' | ')'))) {
            return None;
        }
        let mut open = at;
        let mut depth = 0_usize;
        loop {
            open = open.checked_sub(1)?;
            match self.tokens[open] {
                Token::Sign(')' | ']' | '}') => depth += 1,
                Token::Sign('(') if depth == 0 => break,
                Token::Sign('[' | '{' | ';') if depth == 0 => return None,
                Token::Sign('(' | '[' | '{') => depth -= 1,
                _ => {}
            }
        }
        let Token::Word(callee) = *self.tokens.get(open.checked_sub(1)?)? else {
            return None;
        };
        let mut named = self.functions.iter().filter(|it| it.name == callee);
        let (Some(function), None) = (named.next(), named.next()) else {
            return None;
        };
        let number = items(&self.tokens[open + 1..at]).len();
        let found = match function.parameters.get(number)? {
            Parameter::Keys(found) => found.clone(),
            Parameter::Name(name) => {
                let mut body = function.body.clone();
                let close = body.find(|at| {
                    matches!(
                        self.tokens[*at..],
                        [Token::Sign('}'), Token::Sign('='), Token::Word(it), Token::Sign(';'), ..]
                            if it == *name
                    )
                })?;
                let open = (0..close).rev().find(|open| {
                    self.tokens[*open] == Token::Sign('{')
                        && closing(self.tokens, *open) == Some(close)
                })?;
                keys(&self.tokens[open + 1..close])
            }
        };
        let default = |name: &str| {
            let tokens = found.defaults.iter().find(|(key, _)| *key == name);
            tokens.and_then(|(_, tokens)| self.constant(tokens))
        };
        Some(
            found
                .names
                .iter()
                .map(|name| (*name, default(name)))
                .collect(),
        )
    }

    /// Returns true for `...args.x` in an object.
    fn is_spread(&self, at: usize, end: usize) -> bool {
        let dots = [Token::Sign('.'); 3];
        let is_object = self.tokens[..at].ends_with(&[Token::Sign('{'), dots[0], dots[1], dots[2]]);
        is_object && matches!(self.tokens.get(end), Some(Token::Sign(',' | '}')))
    }

    /// Returns the bounds of `Math.max(1, Math.min(9, x))` and of `if (x < 1 || x > 9)` before an error or
    /// another value.
    fn bounds(&self, at: usize, end: usize) -> Vec<Check> {
        let mut res = Vec::new();
        let mut depth = 0;
        for open in (at.saturating_sub(24)..at).rev() {
            match self.tokens[open] {
                Token::Sign(';' | '{' | '}') => break,
                Token::Sign(')') => depth += 1,
                Token::Sign('(') if depth > 0 => depth -= 1,
                Token::Sign('(') => {
                    let name = open.checked_sub(1).map(|it| self.tokens[it]);
                    match name {
                        Some(Token::Word(
                            "parseInt" | "parseFloat" | "Number" | "int" | "float" | "floor"
                            | "round" | "trunc" | "ceil",
                        )) => {}
                        Some(Token::Word(name @ ("max" | "min"))) => {
                            let Some(close) = closing(self.tokens, open) else {
                                break;
                            };
                            let both = items(&self.tokens[open + 1..close]);
                            let bound = both.iter().find_map(|item| self.constant(item));
                            let Some(bound) = bound.filter(|it| it.is_number() && both.len() == 2)
                            else {
                                break;
                            };
                            if self.is_of_call(open) {
                                break;
                            }
                            res.push(if name == "max" {
                                Check::AtLeast(bound)
                            } else {
                                Check::AtMost(bound)
                            });
                        }
                        _ => break,
                    }
                }
                _ => {}
            }
        }
        let compared = match &self.tokens[end..] {
            [Token::Sign(sign @ ('<' | '>')), rest @ ..] => Some((*sign, rest)),
            _ => None,
        };
        if let Some((sign, rest)) = compared
            && let Some((_, stop)) = self.condition(at)
        {
            let is_whole = matches!(
                rest.get(1),
                Some(Token::Sign('|' | ')' | ':') | Token::Word("or"))
            );
            let bound = rest.first().and_then(|token| self.constant(&[*token]));
            let has_and = self.tokens[at..stop].contains(&Token::Sign('&'));
            if let Some(bound) =
                bound.filter(|it| it.is_number() && is_whole && !has_and && self.fails(stop))
            {
                res.push(if sign == '<' {
                    Check::AtLeast(bound)
                } else {
                    Check::AtMost(bound)
                });
            }
        }
        res
    }

    /// Returns the values of `if (!['a', 'b'].includes(x)) throw` and `if x not in ("a", "b"): raise`.
    fn choices(&self, at: usize, end: usize) -> Option<Check> {
        let (list, is_not) = match (&self.tokens[..at], &self.tokens[end..]) {
            (
                [
                    before @ ..,
                    Token::Sign('.'),
                    Token::Word("includes" | "has"),
                    Token::Sign('('),
                ],
                [Token::Sign(')'), ..],
            ) => {
                let start = match before {
                    [.., Token::Sign(']')] => before.len() - Self::list_length(before)?,
                    [.., Token::Word(_)] => before.len() - 1,
                    _ => return None,
                };
                let is_not = matches!(before[..start], [.., Token::Sign('!')]);
                (start, is_not)
            }
            // `if (!TEAS[args.tea]) throw`
            (
                [.., Token::Sign('!'), Token::Word(_), Token::Sign('[')],
                [Token::Sign(']'), Token::Sign(')'), ..],
            ) => (at - 2, true),
            (_, [Token::Word("not"), Token::Word("in"), _, ..]) => (end + 2, true),
            _ => return None,
        };
        let (_, stop) = self.condition(at)?;
        (is_not && self.fails(stop)).then_some(())?;
        let found = self.texts(list)?;
        (1..=24)
            .contains(&found.len())
            .then_some(Check::Choices(found))
    }

    pub(super) fn list_length(before: &[Token<'_>]) -> Option<usize> {
        let open = before
            .iter()
            .rposition(|token| *token == Token::Sign('['))?;
        Some(before.len() - open)
    }

    /// Returns the texts of a list, or of the list that a name stands for.
    pub(super) fn texts(&self, at: usize) -> Option<Vec<String>> {
        let open = match self.tokens.get(at)? {
            Token::Sign('[' | '(' | '{') => at,
            Token::Word(name) => {
                let is_it = |it: &usize| matches!(self.tokens[*it..], [Token::Word(found), Token::Sign('='), ..] if found == *name);
                let start = (0..self.tokens.len()).find(is_it)? + 2;
                match self.tokens[start..] {
                    [
                        Token::Word("new"),
                        Token::Word("Set"),
                        Token::Sign('('),
                        Token::Sign('['),
                        ..,
                    ] => start + 3,
                    [Token::Sign('[' | '(' | '{'), ..] => start,
                    _ => return None,
                }
            }
            _ => return None,
        };
        let close = closing(self.tokens, open)?;
        let found = items(&self.tokens[open + 1..close]);
        let texts = found.iter().map(|item| match item {
            [Token::Text(text)] => Some((*text).to_owned()),
            // The keys of an object.
            [Token::Word(text) | Token::Text(text), Token::Sign(':'), ..]
                if self.tokens[open] == Token::Sign('{') =>
            {
                Some((*text).to_owned())
            }
            _ => None,
        });
        texts.collect()
    }

    /// Returns the literal of `if (isNaN(x)) x = 5`, `if (!x) { x = 'tea' }`.
    fn replaced(&self, at: usize, end: usize) -> Option<Check> {
        let Token::Word(name) = self.tokens[at] else {
            return None;
        };
        let (start, stop) = self.condition(at)?;
        let is_missing = match &self.tokens[start..at] {
            [Token::Sign('!') | Token::Word("not")] => end == stop,
            [Token::Word("isNaN"), Token::Sign('(')]
            | [
                Token::Word("Number"),
                Token::Sign('.'),
                Token::Word("isNaN"),
                Token::Sign('('),
            ] => true,
            [] => {
                let compared = &self.tokens[end..stop];
                matches!(
                    compared,
                    [
                        Token::Sign('='),
                        Token::Sign('='),
                        ..,
                        Token::Word("undefined" | "null")
                    ]
                ) || matches!(compared, [Token::Word("is"), Token::Word("None")])
            }
            _ => false,
        };
        let block =
            &self.tokens[(stop + 1).min(self.tokens.len())..self.tokens.len().min(stop + 24)];
        let is_end = |token: &Token<'_>| matches!(token, Token::Sign('}'));
        let block = block.split(is_end).next().unwrap_or_default();
        let set = block
            .windows(2)
            .position(|two| *two == [Token::Word(name), Token::Sign('=')])?;
        let is_own = set == 0
            || !matches!(
                block[set - 1],
                Token::Sign('.') | Token::Word("const" | "let")
            );
        let value = &block[set + 2..];
        let value = match self.language {
            Language::JavaScript => value.split(|it| *it == Token::Sign(';')).next()?,
            Language::Python => &value[..1.min(value.len())],
        };
        (is_missing && is_own).then(|| self.constant(value).map_or(Check::Made, Check::Default))
    }
}
