//! Ends of functions that come before the rest of them: `if (args.query) { return find(args.query); }`, and
//! functions that only throw.

use std::ops::Range;

use super::arguments::Reader;
use super::branches::Branch;
use super::facts::Language;
use super::functions::{closing, innermost};
use super::lexer::Token;

/// Maximum number of tokens of a function that only throws.
const SHORT: usize = 60;

/// A block that ends its function in calls with an argument.
pub(super) struct Exit<'a> {
    /// The argument.
    pub(super) name: &'a str,
    /// The position of its condition.
    pub(super) at: usize,
    /// The rest of the function, which such calls do not run.
    pub(super) rest: Range<usize>,
}

impl<'a> Reader<'_, 'a> {
    /// Returns true for a function of the file that ends with an error in every call.
    pub(super) fn is_thrower(&self, name: &str) -> bool {
        let [number] = self.named(name) else {
            return false;
        };
        let body = self.functions[*number].body.clone();
        if body.len() > SHORT {
            return false;
        }
        match self.language {
            Language::JavaScript => {
                let open = body.start;
                self.tokens.get(open) == Some(&Token::Sign('{'))
                    && body.clone().any(|at| {
                        self.tokens[at] == Token::Word("throw")
                            && self.index.around(at) == Some(open)
                            && !matches!(
                                self.tokens[at - 1],
                                Token::Sign(')') | Token::Word("else")
                            )
                    })
            }
            Language::Python => {
                let mut lines = body.clone().filter(|at| self.columns[*at].is_some());
                let Some(first) = lines.next() else {
                    return false;
                };
                let column = self.columns[first];
                body.clone()
                    .any(|at| self.columns[at] == column && self.tokens[at] == Token::Word("raise"))
            }
        }
    }

    /// Returns the blocks that end their function, each on the condition that one argument is given.
    pub(super) fn exits(&self) -> Vec<Exit<'a>> {
        let starts = self.index.of("if").iter();
        starts.filter_map(|at| self.exit(*at)).collect()
    }

    fn exit(&self, at: usize) -> Option<Exit<'a>> {
        let is_python = self.language == Language::Python;
        let (names, end) = self.whole(at + if is_python { 1 } else { 2 })?;
        let [name] = names[..] else { return None };
        let function = innermost(&self.functions, at);
        let body = self.functions[function].body.clone();
        let last = if is_python {
            (self.tokens.get(end) == Some(&Token::Sign(':'))).then_some(())?;
            let column = self.columns[at]?;
            let lines = end + 1..body.end;
            let mut lines = lines.filter(|at| self.columns[*at].is_some());
            let first = lines.clone().next()?;
            let stop = lines.find(|at| self.columns[*at].is_some_and(|it| it <= column))?;
            let inner = self.columns[first];
            let is_end = |at: usize| {
                self.columns[at] == inner
                    && matches!(self.tokens[at], Token::Word("return" | "raise"))
            };
            (first..stop).any(is_end).then_some(stop)?
        } else {
            (self.tokens.get(end) == Some(&Token::Sign(')'))).then_some(())?;
            (self.tokens.get(end + 1) == Some(&Token::Sign('{'))).then_some(())?;
            let close = self.index.closing(end + 1)?;
            self.ends_always(end + 1..close, 0).then_some(close)?
        };
        Some(Exit {
            name,
            at,
            rest: last..body.end,
        })
    }

    /// Returns true for a block of JavaScript of which every way ends the function.
    fn ends_always(&self, block: Range<usize>, depth: usize) -> bool {
        const MAX: usize = 4;
        let (open, close) = (block.start, block.end);
        let mut at = open + 1;
        while at < close {
            // A condition alone, `if (x) return;`, has a bracket before it.
            let is_alone = matches!(self.tokens[at - 1], Token::Sign(')') | Token::Word("else"));
            match self.tokens[at..] {
                [Token::Word("return" | "throw"), ..] if !is_alone => return true,
                [Token::Word(name), Token::Sign('('), ..] if !is_alone && self.is_thrower(name) => {
                    return true;
                }
                [Token::Word("else"), Token::Sign('{'), ..] if depth < MAX => {
                    // Both the block before it and its own end.
                    let own = closing(self.tokens, at + 1);
                    let before = self.block_before(open, at);
                    if let (Some(own), Some(before)) = (own, before)
                        && self.ends_always(before..at - 1, depth + 1)
                        && self.ends_always(at + 1..own, depth + 1)
                    {
                        return true;
                    }
                    at = own.unwrap_or(at) + 1;
                }
                [Token::Sign('(' | '[' | '{'), ..] => {
                    at = self.index.closing(at).unwrap_or(at) + 1;
                }
                _ => at += 1,
            }
        }
        false
    }

    /// Returns the brace that opens the block before an `else`.
    fn block_before(&self, open: usize, at: usize) -> Option<usize> {
        (self.tokens[at - 1] == Token::Sign('}')).then_some(())?;
        let all = (open + 1..at - 1).rev();
        let mut all = all.filter(|it| self.tokens[*it] == Token::Sign('{'));
        all.find(|it| self.index.closing(*it) == Some(at - 1))
    }
}

impl Reader<'_, '_> {
    /// Returns true for a branch whose last statement ends the function.
    pub(super) fn ends_function(&self, branch: &Branch<'_>) -> bool {
        let is_end = |at: usize| {
            // `if (x) return;` is a condition.
            let is_after = !matches!(
                at.checked_sub(1).map(|before| self.tokens[before]),
                Some(Token::Sign(')') | Token::Word("else"))
            );
            let is_word = matches!(self.tokens[at], Token::Word("return" | "throw" | "raise"));
            is_word && (is_after || self.language == Language::Python)
        };
        match self.language {
            Language::Python => {
                let mut lines = branch.body.clone().filter(|at| self.columns[*at].is_some());
                let Some(first) = lines.next() else {
                    return false;
                };
                let column = self.columns[first];
                branch
                    .body
                    .clone()
                    .any(|at| self.columns[at] == column && is_end(at))
            }
            Language::JavaScript => {
                let mut at = branch.body.start;
                // The block of an `if`; the statements of a `case`.
                let is_block = self.tokens.get(at) == Some(&Token::Sign('{'));
                at += usize::from(is_block);
                while at < branch.body.end {
                    if is_end(at) {
                        return true;
                    }
                    at = match self.tokens[at] {
                        Token::Sign('(' | '[') => closing(self.tokens, at).unwrap_or(at),
                        // A block of its own in a `case`.
                        Token::Sign('{') if self.tokens[at - 1] == Token::Sign(':') => at,
                        Token::Sign('{') => closing(self.tokens, at).unwrap_or(at),
                        _ => at,
                    } + 1;
                }
                false
            }
        }
    }
}
