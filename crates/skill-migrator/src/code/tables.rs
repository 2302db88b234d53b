//! Tables of functions: `const BREWERS = { green: brewGreen, black: brewBlack }`.

use std::ops::Range;

use super::arguments::Reader;
use super::branch::Branch;
use super::functions::{closing, items};
use super::lexer::Token;

/// Maximum number of tokens of a function that is written in a table.
const MAX_ITEM: usize = 30;

impl<'a> Reader<'_, 'a> {
    /// Returns the items of the table of functions that opens at a position, with their keys. At least two
    /// are functions of the file, or call one.
    fn table(&self, open: usize) -> Vec<(&'a str, Range<usize>)> {
        let is_set = matches!(
            self.tokens[..open],
            [.., Token::Word(_), Token::Sign('=')] | [.., Token::Word("return")]
        );
        let Some(close) = closing(self.tokens, open).filter(|_| is_set) else {
            return Vec::new();
        };
        let mut start = open + 1;
        let mut n_own = 0;
        let mut res = Vec::new();
        for item in items(&self.tokens[start..close]) {
            let (value, end) = (start + 2, start + item.len());
            start = end + 1;
            if let [Token::Word(key) | Token::Text(key), Token::Sign(':'), ..] = item
                && item.len() <= MAX_ITEM
            {
                let is_own = self.names_function(value..end);
                // A function of another file.
                if is_own || matches!(item, [_, _, Token::Word(_)]) {
                    res.push((*key, value..end));
                }
                n_own += usize::from(is_own);
            }
        }
        res.retain(|_| n_own > 1);
        res
    }

    /// Returns true for `brew`, `this.brew`, and for a function that only calls one.
    fn names_function(&self, range: Range<usize>) -> bool {
        let is_function = |token: &Token<'_>| match token {
            Token::Word(name) => self.defines(name),
            _ => false,
        };
        match &self.tokens[range] {
            [name] => is_function(name),
            [Token::Word("this" | "self"), Token::Sign('.'), name] => is_function(name),
            [Token::Word("lambda"), rest @ ..] => rest.iter().any(is_function),
            [first, rest @ ..] => {
                let is_arrow = rest
                    .windows(2)
                    .any(|it| *it == [Token::Sign('='), Token::Sign('>')]);
                let starts = matches!(first, Token::Sign('(') | Token::Word(_));
                starts && is_arrow && rest.iter().any(is_function)
            }
            [] => false,
        }
    }

    /// Returns the functions that a call of a part of a table may run: `BREWERS[kind](args)`, and
    /// `brewer(args)` of `brewer = BREWERS[kind]`; `open` is the bracket of its arguments.
    pub(super) fn of_table(&self, open: usize) -> Vec<&'a str> {
        let table = match self.tokens[..open] {
            [.., Token::Sign(']')] => (0..open)
                .rev()
                .find(|at| {
                    self.tokens[*at] == Token::Sign('[')
                        && closing(self.tokens, *at) == Some(open - 1)
                })
                .and_then(|bracket| self.tokens.get(bracket.checked_sub(1)?)),
            [.., Token::Word(name)] => self.part_of(name),
            _ => None,
        };
        let Some(Token::Word(table)) = table else {
            return Vec::new();
        };
        let place = self
            .tokens
            .windows(3)
            .position(|it| *it == [Token::Word(table), Token::Sign('='), Token::Sign('{')]);
        let items = place.map(|at| self.table(at + 2)).unwrap_or_default();
        let names = items
            .into_iter()
            .filter_map(|(_, range)| match self.tokens[range] {
                [Token::Word(name)] | [_, Token::Sign('.'), Token::Word(name)] => Some(name),
                _ => None,
            });
        names.collect()
    }

    /// Returns the name of the table of which a name is a part: `brewer = BREWERS[kind]`,
    /// `brewer = BREWERS.get(kind)`.
    fn part_of(&self, name: &str) -> Option<&Token<'a>> {
        let place = self.tokens.windows(4).position(|it| match it {
            [
                Token::Word(found),
                Token::Sign('='),
                Token::Word(_),
                Token::Sign('['),
            ] => *found == name,
            _ => false,
        });
        let got = self.tokens.windows(5).position(|it| match it {
            [
                Token::Word(found),
                Token::Sign('='),
                Token::Word(_),
                Token::Sign('.'),
                Token::Word("get"),
            ] => *found == name,
            _ => false,
        });
        self.tokens.get(place.or(got)? + 2)
    }
}

/// Returns the branches of the table of functions that opens at a position.
pub(super) fn branches<'a>(reader: &Reader<'_, 'a>, open: usize) -> Vec<Branch<'a>> {
    let items = reader.table(open);
    if items.len() < 2 {
        return Vec::new();
    }
    let branches = items.into_iter().map(|(key, body)| Branch {
        subject: "",
        values: vec![key],
        body,
        opener: open,
    });
    branches.collect()
}
