//! Literals, also those behind the names of constants: `args.cups || DEFAULTS.cups`.

use serde_json::Value;

use super::arguments::Reader;
use super::facts::Language;
use super::functions::{closing, items};
use super::lexer::Token;
use super::values::literal;

impl Reader<'_, '_> {
    /// Returns the value of a literal, or of a constant of the file that is one.
    pub(super) fn constant(&self, tokens: &[Token<'_>]) -> Option<Value> {
        literal(tokens).or_else(|| match tokens {
            [Token::Word(name)] => literal(self.value_of(name)?),
            [Token::Word(object), Token::Sign('.'), Token::Word(key)]
            | [
                Token::Word(object),
                Token::Sign('['),
                Token::Text(key),
                Token::Sign(']'),
            ] => self.member_of_constant(object, key),
            _ => None,
        })
    }

    /// Returns the tokens of the only value that a name gets, if nothing computes with them.
    fn value_of(&self, name: &str) -> Option<&[Token<'_>]> {
        let start = self.only_value(name)?;
        let is_number = |at: usize| matches!(self.tokens.get(at), Some(Token::Word(word)) if word.starts_with(|c: char| c.is_ascii_digit()));
        let is_part = is_number(start)
            && self.tokens.get(start + 1) == Some(&Token::Sign('.'))
            && is_number(start + 2);
        let end = start + if is_part { 3 } else { 1 };
        let is_whole = matches!(
            self.tokens.get(end),
            None | Some(Token::Sign(';' | ',' | '}') | Token::Word(_))
        );
        is_whole.then(|| self.tokens.get(start..end))?
    }

    /// Returns the position of the value of a name that gets only one, outside of functions.
    fn only_value(&self, name: &str) -> Option<usize> {
        let is_set = |at: &usize| {
            matches!(
                self.tokens[*at..],
                [Token::Word(found), Token::Sign('='), next, ..]
                    if found == name && !matches!(next, Token::Sign('=' | '>'))
            )
        };
        let mut all = self.index.of(name).iter().copied().filter(is_set);
        let (Some(at), None) = (all.next(), all.next()) else {
            return None;
        };
        let is_constant = match self.language {
            Language::JavaScript => {
                matches!(self.tokens[..at], [.., Token::Word("const")])
            }
            Language::Python => self.columns[at] == Some(0),
        };
        is_constant.then_some(at + 2)
    }

    fn member_of_constant(&self, object: &str, key: &str) -> Option<Value> {
        let open = self.only_value(object)?;
        if self.tokens.get(open) != Some(&Token::Sign('{')) {
            return None;
        }
        let close = closing(self.tokens, open)?;
        let all = items(&self.tokens[open + 1..close]);
        let mut found = all.iter().filter_map(|item| match item {
            [
                Token::Word(name) | Token::Text(name),
                Token::Sign(':'),
                value @ ..,
            ] if *name == key => Some(literal(value)),
            _ => None,
        });
        found.next()?
    }
}
