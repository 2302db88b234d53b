//! The names that get the values of arguments.

use super::arguments::Reader;
use super::lexer::Token;
use super::spelling::spelling;

impl Reader<'_, '_> {
    /// Returns true if an argument is only given back: `if (args.tea) output.tea = args.tea`, which is at
    /// one of its two places.
    pub(super) fn is_echo(&self, at: usize, end: usize) -> bool {
        const ANSWERS: [&str; 6] = ["output", "result", "res", "response", "answer", "ret"];
        let name = end.checked_sub(1).map(|last| self.tokens[last]);
        let is_set = |tokens: &[Token<'_>]| match tokens {
            [Token::Word(object), Token::Sign('.'), key, Token::Sign('=')] => {
                ANSWERS.contains(object) && Some(*key) == name
            }
            _ => false,
        };
        let before = at.checked_sub(4).map(|start| &self.tokens[start..at]);
        if before.is_some_and(is_set) {
            return true;
        }
        let is_condition = matches!(self.tokens[..at], [.., Token::Word("if"), Token::Sign('(')]);
        let after = &self.tokens[end.min(self.tokens.len())..];
        let Some(after) = after.strip_prefix(&[Token::Sign(')')]) else {
            return false;
        };
        let after = after.strip_prefix(&[Token::Sign('{')]).unwrap_or(after);
        is_condition && is_set(&after[..4.min(after.len())])
    }

    /// Returns whether the value of a chain that begins at a position goes to the argument itself
    /// (`args.n = args.n || 3`) or to a name like it; `None` for neither.
    pub(super) fn is_assigned_to(&self, name: &str, at: usize) -> Option<bool> {
        let (target, is_member) = self.target(at)?;
        let (target, name) = (spelling(target), spelling(name));
        let is_like = target.len() > 3 && (name.ends_with(&target) || target.ends_with(&name));
        (target == name || is_like).then_some(is_member && target == name)
    }

    /// Returns true if the value goes to a name that has nothing in common with the arguments: it is only
    /// a part of something else, `database = args.organism || 'genes'`.
    pub(super) fn is_of_other(&self, names: &[&str], at: usize) -> bool {
        let Some((target, _)) = self.target(at) else {
            return false;
        };
        let target = spelling(target);
        !names.iter().any(|name| {
            let name = spelling(name);
            name.contains(&target)
                || target.contains(&name)
                || name.chars().next() == target.chars().next()
        })
    }

    /// Returns the name that gets the value at a position, and whether it is a member of an object.
    fn target(&self, at: usize) -> Option<(&str, bool)> {
        let mut at = at;
        // `parseInt(args.n)`, `Number(args.n`, `int(args.get(`
        while let [
            ..,
            Token::Word("parseInt" | "parseFloat" | "Number" | "int" | "float" | "String" | "str"),
            Token::Sign('('),
        ] = self.tokens[..at]
        {
            at -= 2;
        }
        match &self.tokens[..at] {
            [
                before @ ..,
                Token::Word(target),
                Token::Sign(sign @ ('=' | ':')),
            ] => Some((
                target,
                *sign == '=' && before.last() == Some(&Token::Sign('.')),
            )),
            _ => None,
        }
    }
}
