//! Objects that a function makes of the arguments, with members of the same names: `{ cups: args.cups || args.n }`;
//! and files that a program loads by a name.

use super::arguments::Reader;
use super::functions::items;
use super::lexer::Token;

/// Maximum number of tokens of a function that makes such an object.
const MAX: usize = 600;

impl<'a> Reader<'_, 'a> {
    /// Returns the name that gets the object made of the arguments at a position: `options = read(args)`.
    pub(super) fn options(&self, at: usize) -> Option<&'a str> {
        let [
            ..,
            Token::Word(name),
            Token::Sign('='),
            Token::Word(maker),
            Token::Sign('('),
        ] = self.tokens[..at]
        else {
            return None;
        };
        let is_end = self.tokens.get(at + 1) == Some(&Token::Sign(')'));
        (is_end && self.is_maker(maker)).then_some(name)
    }

    /// Returns true for a function that only returns an object whose members are the arguments of their names.
    pub(super) fn is_maker(&self, name: &str) -> bool {
        let [number] = self.named(name) else {
            return false;
        };
        let body = self.functions[*number].body.clone();
        let start = body.start;
        let [
            Token::Sign('{'),
            Token::Word("return"),
            Token::Sign('{'),
            ..,
        ] = self.tokens[start..]
        else {
            return false;
        };
        let Some(close) = self.index.closing(start + 2).filter(|_| body.len() <= MAX) else {
            return false;
        };
        let mut at = start + 3;
        let mut n_members = 0;
        for item in items(&self.tokens[at..close]) {
            let range = at..at + item.len();
            at = range.end + 1;
            let (Some(Token::Word(member)), Some(Token::Sign(':'))) = (item.first(), item.get(1))
            else {
                return false;
            };
            let mut objects = range.filter(|at| self.is_object(*at));
            if !objects.any(|at| self.read_after(at + 1) == Some(*member)) {
                return false;
            }
            n_members += 1;
        }
        n_members > 0
    }

    /// Returns true for a file that loads another one by a name that is not in the code: `require(place)`.
    pub(super) fn loads_by_name(&self) -> bool {
        let mut calls = self.index.of("require").iter();
        calls.any(|at| {
            matches!(
                self.tokens[*at + 1..],
                [Token::Sign('('), Token::Word(_), Token::Sign(')'), ..]
            )
        })
    }
}
