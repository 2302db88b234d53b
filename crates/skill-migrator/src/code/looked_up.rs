//! Arguments by which a program looks something up, and fails if it finds nothing: `const pot = getPot(id); if (!pot) throw`.

use super::arguments::Reader;
use super::facts::Language;
use super::functions::{Parameter, items};
use super::lexer::Token;

/// Maximum number of tokens of a function that looks something up.
const SHORT: usize = 80;

impl Reader<'_, '_> {
    /// Returns true if a call without the value between two positions finds nothing and fails: directly, or in the
    /// function that gets it.
    pub(super) fn is_looked_up(&self, at: usize, end: usize) -> bool {
        if self.language != Language::JavaScript {
            return false;
        }
        if self.finds(at, end) {
            return true;
        }
        let Some((callee, number)) = self.call_around(at, end) else {
            return false;
        };
        let function = &self.functions[callee];
        let Some(Parameter::Name(name)) = function.parameters.get(number) else {
            return false;
        };
        // The first use decides: what comes before it does not know the value.
        let uses = self.index.of(name).iter();
        let mut uses = uses.filter(|it| function.body.contains(it));
        let Some(&first) = uses.next() else {
            return false;
        };
        let open = function.body.start;
        let is_direct = self
            .index
            .around(first)
            .and_then(|it| self.index.around(it))
            == Some(open);
        is_direct && self.finds(first, first + 1)
    }

    /// Returns the function of the file that gets a value alone, and the number of its parameter.
    fn call_around(&self, at: usize, end: usize) -> Option<(usize, usize)> {
        let open = self.index.around(at)?;
        let is_whole = matches!(self.tokens.get(end), Some(Token::Sign(',' | ')')))
            && matches!(self.tokens[at - 1], Token::Sign('(' | ','));
        let Token::Word(name) = *self.tokens.get(open.checked_sub(1)?)? else {
            return None;
        };
        let [number] = self.named(name) else {
            return None;
        };
        let is_call =
            self.tokens[open] == Token::Sign('(') && self.functions[*number].head != open - 1;
        (is_whole && is_call).then(|| (*number, items(&self.tokens[open + 1..at]).len()))
    }

    /// Returns true for `const pot = getPot(x); if (!pot) throw`, where `getPot` finds an item of a list.
    fn finds(&self, at: usize, end: usize) -> bool {
        let Some((finder, number)) = self.call_around(at, end) else {
            return false;
        };
        let function = &self.functions[finder];
        let Some(Parameter::Name(parameter)) = function.parameters.get(number) else {
            return false;
        };
        let body = &self.tokens[function.body.clone()];
        let has = |words: &[&str]| {
            body.iter()
                .any(|it| matches!(it, Token::Word(word) if words.contains(word)))
        };
        let compares = body.windows(4).any(|it| {
            matches!(it, [Token::Sign('='), Token::Sign('='), Token::Sign('='), Token::Word(word)] if word == parameter)
        });
        if body.len() > SHORT || !has(&["find"]) || !compares || has(&["throw"]) {
            return false;
        }
        let Some(open) = self.index.around(at) else {
            return false;
        };
        let mut start = open - 1;
        if matches!(self.tokens[..start], [.., Token::Word("await")]) {
            start -= 1;
        }
        let [.., Token::Word(name), Token::Sign('=')] = self.tokens[..start] else {
            return false;
        };
        let Some(close) = self.index.closing(open) else {
            return false;
        };
        let rest = &self.tokens[close + 1..];
        let rest = rest.strip_prefix(&[Token::Sign(';')]).unwrap_or(rest);
        let begin = self.tokens.len() - rest.len();
        let is_it = matches!(rest, [Token::Word("if"), Token::Sign('('), Token::Sign('!'), Token::Word(it), Token::Sign(')'), ..] if *it == name);
        is_it && self.fails(begin + 4)
    }
}
