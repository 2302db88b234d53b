//! The place of a text in the objects around it.

use super::super::super::lexer::Token;
use super::super::follow::resolver;
use super::Slice;

impl Slice<'_, '_, '_> {
    /// Returns true for a text that a function returns or prints.
    pub(super) fn is_whole(&self, file: usize, at: usize) -> bool {
        let before = &self.readers[file].tokens[..at];
        let before = match before {
            [head @ .., Token::Word("f" | "rf" | "fr")] => head,
            all => all,
        };
        matches!(
            before,
            [.., Token::Word("return")] | [.., Token::Word("print" | "write"), Token::Sign('(')]
        )
    }

    /// Returns true for the name of a member or argument with an error, which has a place of its own:
    /// `error: text`, `answer(error=text)`.
    pub(super) fn is_error_member(&self, file: usize, at: usize) -> bool {
        let reader = &self.readers[file];
        let tokens = &reader.tokens[at..];
        let (name, opening) = match tokens {
            [Token::Word(name) | Token::Text(name), Token::Sign(':'), ..] => (name, '{'),
            [Token::Word(name), Token::Sign('='), next, ..]
                if !matches!(next, Token::Sign('=' | '>')) =>
            {
                (name, '(')
            }
            // The name and the value are one word.
            [Token::Word(name), Token::Sign(',' | '}'), ..] => (name, '{'),
            _ => return false,
        };
        let is_error = *name == "error" || name.ends_with("Error");
        let open = reader.index.around(at).filter(|_| is_error);
        open.is_some_and(|open| {
            let before = at.checked_sub(1).map(|it| reader.tokens[it]);
            reader.tokens[open] == Token::Sign(opening)
                && matches!(before, Some(Token::Sign('{' | ',' | '(')))
        })
    }

    /// Returns true for a choice in an object with a member that tells which it is: `{ success: made,
    /// message: made ? "Done" : "Brewing failed" }`.
    pub(super) fn is_told(&self, file: usize, at: usize) -> bool {
        let reader = &self.readers[file];
        let open = reader.index.around(at);
        let open = open.filter(|open| reader.tokens[*open] == Token::Sign('{'));
        let Some((open, end)) = open.and_then(|it| Some((it, reader.index.closing(it)?))) else {
            return false;
        };
        let told = ["success", "ok"].map(|name| self.member(file, open, end, name));
        told.into_iter().flatten().any(|value| {
            let is_flag = matches!(reader.tokens[value], Token::Word("true" | "True"));
            !is_flag && self.extent(file, value) <= at
        })
    }

    /// Follows what a promise resolves to; returns its end. What it is rejected with is an error.
    pub(super) fn promise(&mut self, file: usize, at: usize) -> Option<usize> {
        let reader = &self.readers[file];
        let resolve = resolver(reader.tokens, at)?;
        let end = reader.index.closing(at + 2)?;
        let calls = reader.index.of(resolve).iter();
        let calls = calls.filter(|call| (at + 5..end).contains(*call));
        let values = calls.filter_map(|call| {
            let is_call = reader.tokens.get(call + 1) == Some(&Token::Sign('('));
            let close = reader.index.closing(call + 1).filter(|_| is_call)?;
            Some((file, call + 2..close))
        });
        self.work.extend(values);
        Some(end)
    }

    /// Returns true for a text that only calls with some argument give: in a block on the condition that there is
    /// one.
    pub(super) fn is_of_argument(&self, file: usize, at: usize) -> bool {
        let reader = &self.readers[file];
        let tokens = reader.tokens;
        let mut around =
            std::iter::successors(reader.index.around(at), |it| reader.index.around(*it));
        around.any(|open| {
            let Some(close) = open
                .checked_sub(1)
                .filter(|_| tokens[open] == Token::Sign('{'))
            else {
                return false;
            };
            tokens[close] == Token::Sign(')')
                && reader.condition(close - 1).is_some_and(|(start, stop)| {
                    stop == close && reader.whole(start).is_some_and(|(_, end)| end == close)
                })
        })
    }
}
