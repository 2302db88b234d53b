//! The items of lists.

use std::ops::Range;

use super::super::functions::closing;
use super::super::lexer::Token;
use super::form::{Member, Outcome, Part};
use super::values::Code;

impl Code<'_, '_> {
    /// Returns the names of the members of the first object in a range, which is an item of a list or the
    /// body of a function that makes one.
    pub(super) fn item(&self, range: Range<usize>) -> Vec<String> {
        let tokens = &self.tokens[..range.end.min(self.tokens.len())];
        let is_object = |at: &usize| {
            tokens[*at] == Token::Sign('{')
                && matches!(
                    tokens.get(at + 1..at + 3),
                    Some([
                        Token::Word(_) | Token::Text(_),
                        Token::Sign(':' | ',' | '}')
                    ])
                )
                && !self.is_pattern(*at)
        };
        let open = range.filter(|at| *at < tokens.len()).find(is_object);
        let members = open.map(|open| self.members(open)).unwrap_or_default();
        members
            .into_iter()
            .map(|(name, _)| name.to_owned())
            .collect()
    }

    /// Returns true for `{ a, b } = row` and for the parameter `({ a, b }) =>`.
    fn is_pattern(&self, open: usize) -> bool {
        let Some(end) = closing(self.tokens, open) else {
            return true;
        };
        matches!(
            self.tokens[end + 1..],
            [Token::Sign('='), ..] | [Token::Sign(')'), Token::Sign('='), Token::Sign('>'), ..]
        ) || matches!(self.tokens[end + 1..], [Token::Word("of" | "in"), ..])
    }

    /// Returns a member of an object with what is known of its value.
    pub(super) fn known(&self, name: &str, at: usize, depth: usize) -> Member {
        let parts = self.parts(at);
        let mut res = Member::named(name);
        if !parts.is_empty() {
            res.is_list = true;
            res.parts = parts;
            return res;
        }
        match self.form(at, depth.min(NEAR)) {
            Some(Outcome::List(items)) => {
                res.is_list = true;
                // The parts of a message that a function makes.
                if items.len() == 2
                    && items.contains(&"type".to_owned())
                    && items.contains(&"text".to_owned())
                {
                    res.parts.push(Part::of_kind("text"));
                } else {
                    res.members = items;
                }
            }
            Some(Outcome::Members(members)) => {
                res.members = members.into_iter().map(|it| it.name).collect();
            }
            _ => res.members = self.names(at, depth),
        }
        res
    }
}

/// Number of steps to the value of a member.
const NEAR: usize = 4;
