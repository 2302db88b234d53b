//! The defaults and bounds that functions of a program give to one value, by the names of their parameters: `toNumber(x, fallback, min, max)`.

use super::argument_checks::Check;
use super::arguments::Reader;
use super::functions::{Parameter, items};
use super::lexer::Token;

/// Words of a parameter with the value in place of a missing one.
const DEFAULTS: [&str; 4] = ["default", "fallback", "def", "dflt"];

/// Words of a function that reads one value as something.
const CASTS: [&str; 9] = [
    "int", "num", "float", "clamp", "parse", "bool", "limit", "bound", "range",
];

impl Reader<'_, '_> {
    /// Returns what a function of the file gives beside a value: `parseInteger(args.n, 5, 1, 9)`.
    pub(super) fn of_helper(&self, at: usize, end: usize) -> Vec<Check> {
        self.helper(at, end).unwrap_or_default()
    }

    fn helper(&self, at: usize, end: usize) -> Option<Vec<Check>> {
        let open = at.checked_sub(1)?;
        // Other names of the value may follow: `parseInteger(args.n ?? args.count, 5)`.
        let end = self.chain(at).map_or(end, |chain| chain.end.max(end));
        if self.tokens[open] != Token::Sign('(') || self.tokens.get(end) != Some(&Token::Sign(','))
        {
            return None;
        }
        let Token::Word(name) = *self.tokens.get(open.checked_sub(1)?)? else {
            return None;
        };
        let lower = name.to_lowercase();
        if !CASTS.iter().any(|word| lower.contains(word)) {
            return None;
        }
        let [number] = self.named(name) else {
            return None;
        };
        let parameters = &self.functions[*number].parameters;
        let close = self.index.closing(open)?;
        let given = items(&self.tokens[open + 1..close]);
        let mut res = Vec::new();
        let pairs = parameters.iter().zip(&given).skip(1);
        for (parameter, given) in pairs {
            let Parameter::Name(parameter) = parameter else {
                continue;
            };
            let parameter = parameter.to_lowercase();
            let Some(value) = self.constant(given) else {
                continue;
            };
            let has = |words: &[&str]| words.iter().any(|word| parameter.starts_with(word));
            if has(&DEFAULTS) {
                res.push(Check::Default(value));
            } else if has(&["min"]) && value.is_number() {
                res.push(Check::AtLeast(value));
            } else if has(&["max"]) && value.is_number() {
                res.push(Check::AtMost(value));
            }
        }
        Some(res)
    }

    /// Returns the arguments of which a chain of conditions wants one: `if (a) … else if (b) … else throw`.
    pub(super) fn one_of_chain(&self, start: usize) -> Option<Vec<&str>> {
        let is_python = self.language == super::facts::Language::Python;
        let column = self.columns.get(start).copied().flatten();
        let mut res = Vec::new();
        let mut at = start;
        loop {
            let opening = at + if is_python { 1 } else { 2 };
            let (names, end) = self.whole(opening)?;
            res.push(*names.first()?);
            let next = if is_python {
                (self.tokens.get(end) == Some(&Token::Sign(':'))).then_some(())?;
                let body = end + 1..self.tokens.len();
                let mut lines =
                    body.filter(|at| self.columns[*at].is_some_and(|it| Some(it) <= column));
                lines.next()?
            } else {
                (self.tokens.get(end) == Some(&Token::Sign(')'))).then_some(())?;
                (self.tokens.get(end + 1) == Some(&Token::Sign('{'))).then_some(())?;
                self.index.closing(end + 1)? + 1
            };
            at = match self.tokens[next..] {
                [Token::Word("elif"), ..] => next,
                [Token::Word("else"), Token::Word("if"), ..] => next + 1,
                [Token::Word("else"), ..] => {
                    return (res.len() > 1 && self.fails(next)).then_some(res);
                }
                _ => return None,
            };
        }
    }
}
