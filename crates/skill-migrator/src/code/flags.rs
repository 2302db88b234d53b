//! Switches and numbers in code: comparisons with `true` and `false`, also of text that is made of a value, and
//! casts.

use super::argument_checks::Check;
use super::arguments::Reader;
use super::facts::Language;
use super::lexer::Token;

/// Methods that change the case of a text or trim it.
const METHODS: [&str; 6] = [
    "toLowerCase",
    "toUpperCase",
    "trim",
    "lower",
    "upper",
    "strip",
];

impl Reader<'_, '_> {
    /// Returns the value without one of `args.x === 'true'`, `args.x !== false`, `parseBoolean(args.x, true)`,
    /// `['1', 'true'].includes(String(args.x))`, and whether every comparison wants a JSON boolean.
    pub(super) fn flag(&self, at: usize, end: usize) -> Option<(bool, bool)> {
        let rest = &self.tokens[end..];
        if let [.., Token::Word(helper), Token::Sign('(')] = &self.tokens[..at] {
            let is_helper = helper.to_lowercase().contains("bool");
            if let ([Token::Sign(','), value, Token::Sign(')'), ..], true) = (rest, is_helper) {
                return word(Some(value)).map(|value| (value, false));
            }
        }
        let (start, end) = self.as_text(at, end);
        if let Some(value) = self.of_words(start, end) {
            return Some((value, false));
        }
        let rest = &self.tokens[end..];
        let (is_not, rest) = match rest {
            [Token::Sign('='), Token::Sign('='), rest @ ..] => (false, rest),
            [Token::Sign('!'), Token::Sign('='), rest @ ..] => (true, rest),
            _ => return None,
        };
        let rest = rest.strip_prefix(&[Token::Sign('=')]).unwrap_or(rest);
        let is_strict =
            self.language == Language::JavaScript && matches!(rest.first(), Some(Token::Word(_)));
        match (word(rest.first())?, is_not) {
            (true, false) => Some((false, is_strict)),
            (false, true) => Some((true, is_strict)),
            // `args.x !== true` is the same question, with a JSON boolean.
            (true, true) if is_strict => Some((false, true)),
            _ => None,
        }
    }

    /// Returns the range of the text that is made of a value: `String(args.x || '').trim().toLowerCase()`.
    fn as_text(&self, at: usize, end: usize) -> (usize, usize) {
        let (mut start, mut end) = (at, end);
        let is_opened = matches!(self.tokens[..start], [.., Token::Sign('(')]);
        if is_opened {
            let after = match self.tokens[end..] {
                [Token::Sign('|'), Token::Sign('|'), Token::Text(""), ..]
                | [Token::Sign('?'), Token::Sign('?'), Token::Text(""), ..] => end + 3,
                [Token::Word("or"), Token::Text(""), ..] => end + 2,
                _ => end,
            };
            if self.tokens.get(after) == Some(&Token::Sign(')')) {
                match self.tokens[..start] {
                    [.., Token::Word("String" | "str"), Token::Sign('(')] => {
                        (start, end) = (start - 2, after + 1);
                    }
                    [.., Token::Word(word), Token::Sign('(')] if word != "return" => {}
                    _ => (start, end) = (start - 1, after + 1),
                }
            }
        }
        let own = end;
        loop {
            let next = match self.tokens[end..] {
                [Token::Sign('?'), Token::Sign('.'), ..] => end + 1,
                _ => end,
            };
            match self.tokens[next..] {
                [
                    Token::Sign('.'),
                    Token::Word(method),
                    Token::Sign('('),
                    Token::Sign(')'),
                    ..,
                ] if METHODS.contains(&method) => end = next + 4,
                _ => break,
            }
        }
        // A bracket alone groups a condition.
        let is_made =
            end > own || matches!(self.tokens.get(start), Some(Token::Word("String" | "str")));
        if is_made { (start, end) } else { (at, end) }
    }

    /// Returns the value without one of `['true', '1'].includes(x)` and `x in ("true", "yes")`.
    fn of_words(&self, start: usize, end: usize) -> Option<bool> {
        let (list, is_not) = match (&self.tokens[..start], &self.tokens[end..]) {
            (
                [
                    before @ ..,
                    Token::Sign('.'),
                    Token::Word("includes"),
                    Token::Sign('('),
                ],
                [Token::Sign(')'), ..],
            ) if before.ends_with(&[Token::Sign(']')]) => {
                let open = before.len() - Self::list_length(before)?;
                (open, matches!(before[..open], [.., Token::Sign('!')]))
            }
            (_, [Token::Word("not"), Token::Word("in"), ..]) => (end + 2, true),
            (_, [Token::Word("in"), Token::Sign('(' | '[' | '{'), ..]) => (end + 1, false),
            _ => return None,
        };
        let words: Vec<String> = self.texts(list)?;
        let has = |word: &str| words.iter().any(|it| it.eq_ignore_ascii_case(word));
        match (has("true"), has("false"), is_not) {
            (true, false, false) => Some(false),
            (false, true, true) => Some(true),
            _ => None,
        }
    }

    /// Returns the bound of `if (args.pots.length < 2) throw` and `if len(pots) > 9: raise`.
    pub(super) fn lengths(&self, at: usize, end: usize) -> Option<Check> {
        let (begin, rest) = match (&self.tokens[..at], &self.tokens[end..]) {
            (_, [Token::Sign('.'), Token::Word("length"), rest @ ..]) => (at, rest),
            ([.., Token::Word("len"), Token::Sign('(')], [Token::Sign(')'), rest @ ..]) => {
                (at - 2, rest)
            }
            _ => return None,
        };
        let [Token::Sign(sign @ ('<' | '>')), bound @ Token::Word(_), ..] = rest else {
            return None;
        };
        let bound = self.constant(&[*bound])?.as_u64()?;
        let (start, stop) = self.condition(begin)?;
        let is_whole = start == begin && self.tokens.len() - rest.len() + 2 == stop;
        (is_whole && self.fails(stop)).then(|| {
            if *sign == '<' {
                Check::Lengths(Some(bound), None)
            } else {
                Check::Lengths(None, Some(bound))
            }
        })
    }

    /// Returns true for `Math.min(…)` that another function gets for its own purpose: `cut(text, Math.min(n, 9))`.
    pub(super) fn is_of_call(&self, open: usize) -> bool {
        const OWN: [&str; 14] = [
            "max", "min", "floor", "round", "ceil", "trunc", "Number", "parseInt", "int", "float",
            "slice", "splice", "if", "return",
        ];
        let start = match self.tokens[..open] {
            [.., Token::Word("Math"), Token::Sign('.'), Token::Word(_)] => open - 3,
            _ => open - 1,
        };
        let around = self.index.around(start);
        let around = around.filter(|at| self.tokens[*at] == Token::Sign('('));
        let callee = around.and_then(|at| at.checked_sub(1));
        matches!(callee.map(|at| self.tokens[at]), Some(Token::Word(name)) if !OWN.contains(&name))
    }

    /// Returns true if a value was found to be text just before: `if (typeof args.x === 'string') … JSON.parse(args.x)`.
    pub(super) fn is_text_for_sure(&self, at: usize, end: usize) -> bool {
        const NEAR: usize = 40;
        let own = &self.tokens[at..end];
        (at.saturating_sub(NEAR)..at).any(|start| match self.tokens[start..] {
            [Token::Word("typeof"), ..] => {
                let rest = &self.tokens[start + 1..];
                rest.starts_with(own)
                    && matches!(
                        rest[own.len()..],
                        [
                            Token::Sign('='),
                            Token::Sign('='),
                            Token::Sign('='),
                            Token::Text("string"),
                            ..
                        ] | [
                            Token::Sign('='),
                            Token::Sign('='),
                            Token::Text("string"),
                            ..
                        ]
                    )
            }
            [Token::Word("isinstance"), Token::Sign('('), ..] => {
                let rest = &self.tokens[start + 2..];
                rest.starts_with(own)
                    && matches!(
                        rest[own.len()..],
                        [Token::Sign(','), Token::Word("str"), Token::Sign(')'), ..]
                    )
            }
            _ => false,
        })
    }

    /// Returns the type of the number that is made of a value: `parseInt(args.n, 10)`, `float(args["n"])`.
    pub(super) fn cast(&self, at: usize) -> Option<&'static str> {
        match self.tokens[..at] {
            [.., Token::Word("parseInt" | "int"), Token::Sign('(')] => Some("integer"),
            [
                ..,
                Token::Word("Number" | "parseFloat" | "float"),
                Token::Sign('('),
            ] => Some("number"),
            _ => None,
        }
    }
}

/// Returns the truth value of a word or text.
fn word(token: Option<&Token<'_>>) -> Option<bool> {
    match token {
        Some(Token::Text(text) | Token::Word(text)) => match text.to_lowercase().as_str() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        },
        _ => None,
    }
}
