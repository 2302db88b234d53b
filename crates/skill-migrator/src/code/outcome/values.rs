//! The forms of the values in answers of success.

use std::cell::Cell;
use std::ops::Range;

use super::super::functions::{Function, closing, innermost, items, owner};
use super::super::lexer::Token;
use super::expression::{alternatives, end, otherwise, outer, sum};
use super::form::{Member, Outcome, Starts, extend, merged};

/// The tokens of a file.
pub(super) struct Code<'t, 'a> {
    pub(super) tokens: &'t [Token<'a>],
    pub(super) functions: &'t [Function<'a>],
    /// Returns true for the positions that count.
    pub(super) is_reached: &'t dyn Fn(usize) -> bool,
    /// The number of expressions that may still be read: names with many values refer to each other.
    pub(super) budget: Cell<usize>,
}

impl<'a> Code<'_, 'a> {
    /// Returns the positions of the values of `result` in answers of success; `None` for such an answer
    /// without one.
    pub(super) fn results(&self, starts: Starts) -> Vec<Option<usize>> {
        let mut res = Vec::new();
        for at in 0..self.tokens.len() {
            if !starts(&self.tokens[at..]) || !(self.is_reached)(at) {
                continue;
            }
            let open = (0..at).rev().find(|open| {
                self.tokens[*open] == Token::Sign('{')
                    && closing(self.tokens, *open).is_some_and(|end| end > at)
            });
            let value = open.map(|open| self.member(open, "result"));
            res.push(value.flatten());
        }
        res
    }

    /// Returns true for `answer.result`: that answer is elsewhere in the code.
    pub(super) fn is_passed_on(&self, at: usize) -> bool {
        matches!(
            self.tokens[at..],
            [
                Token::Word(_),
                Token::Sign('.'),
                Token::Word("result"),
                Token::Sign(_),
                ..
            ]
        )
    }

    /// Returns the position of the value of a member of an object, or of its name if that is all.
    fn member(&self, open: usize, name: &str) -> Option<usize> {
        self.members(open)
            .into_iter()
            .find(|(found, _)| *found == name)
            .map(|(_, at)| at)
    }

    /// Returns the members of an object with the positions of their values.
    fn members(&self, open: usize) -> Vec<(&'a str, usize)> {
        let Some(end) = closing(self.tokens, open) else {
            return Vec::new();
        };
        let mut start = open + 1;
        let mut res = Vec::new();
        for item in items(&self.tokens[start..end]) {
            match item {
                [Token::Word(name)] => res.push((*name, start)),
                [Token::Word(name) | Token::Text(name), Token::Sign(':'), ..] => {
                    res.push((*name, start + 2));
                }
                _ => {}
            }
            start += item.len() + 1;
        }
        res
    }

    /// Returns the form of the expression at a position.
    pub(super) fn form(&self, at: usize, depth: usize) -> Option<Outcome> {
        let end = end(self.tokens, at);
        let form = self.expression(at..end, depth)?;
        match otherwise(self.tokens, end) {
            Some(other) => merged(form, self.expression(other, depth)?),
            None => Some(form),
        }
    }

    fn expression(&self, range: Range<usize>, depth: usize) -> Option<Outcome> {
        let depth = depth.checked_sub(1)?;
        self.budget.set(self.budget.get().checked_sub(1)?);
        let awaited = matches!(self.tokens.get(range.start), Some(Token::Word("await")));
        let (at, end) = (range.start + usize::from(awaited), range.end);
        if let Some(values) = alternatives(self.tokens, at..end) {
            let mut forms = values
                .into_iter()
                .map(|value| self.expression(value, depth));
            let first = forms.next()??;
            return forms.try_fold(first, |one, other| merged(one, other?));
        }
        if let Some(operands) = sum(self.tokens, at..end) {
            let is_text = |operand| self.expression(operand, depth) == Some(Outcome::Text);
            return operands.into_iter().any(is_text).then_some(Outcome::Text);
        }
        match &self.tokens[at..end] {
            [Token::Sign('('), .., Token::Sign(')')]
                if closing(self.tokens, at) == Some(end - 1) =>
            {
                self.expression(at + 1..end - 1, depth)
            }
            [Token::Text(_)] | [Token::Word("f" | "r"), Token::Text(_)] => Some(Outcome::Text),
            [
                Token::Word("JSON" | "json"),
                Token::Sign('.'),
                Token::Word("stringify" | "dumps"),
                ..,
            ]
            | [Token::Word("String" | "str"), Token::Sign('('), ..] => Some(Outcome::Text),
            [Token::Sign('{'), ..] if closing(self.tokens, at) == Some(end - 1) => {
                self.object(at, depth)
            }
            [Token::Sign('['), ..] if closing(self.tokens, at) == Some(end - 1) => {
                Some(Outcome::List(self.item(at + 1..end)))
            }
            [Token::Word(name), Token::Sign('('), ..]
                if closing(self.tokens, at + 1) == Some(end - 1) =>
            {
                self.returned(name, depth)
            }
            [Token::Word(name)] => self.named(name, at, depth),
            _ => self.called(at, end, depth),
        }
    }

    /// Returns the form of a name: that of all values that it gets.
    fn named(&self, name: &str, at: usize, depth: usize) -> Option<Outcome> {
        let mut forms = self.assigned(name, at).into_iter();
        let mut forms = forms.by_ref().map(|value| self.form(value, depth));
        let first = forms.next()??;
        let form = forms.try_fold(first, |one, other| merged(one, other?))?;
        let Outcome::List(mut names) = form else {
            return Some(form);
        };
        let pushes = (0..at).filter(|at| {
            matches!(
                self.tokens[*at..],
                [Token::Word(list), Token::Sign('.'), Token::Word("push" | "append"), Token::Sign('('), ..]
                    if list == name
            )
        });
        for push in pushes {
            let end = closing(self.tokens, push + 3).unwrap_or(push + 4);
            extend(&mut names, self.item(push + 4..end));
        }
        Some(Outcome::List(names))
    }

    /// Returns the form of a method's result: `rows.map(…)`, `text.trim()`.
    fn called(&self, at: usize, end: usize, depth: usize) -> Option<Outcome> {
        let mut dots = outer(self.tokens, at, end).into_iter().rev();
        let dot = dots.find(|at| self.tokens[*at] == Token::Sign('.'))?;
        let [Token::Word(method), Token::Sign('('), ..] = self.tokens[dot + 1..] else {
            return None;
        };
        if closing(self.tokens, dot + 2) != Some(end - 1) {
            return None;
        }
        match method {
            "join" | "trim" | "trimEnd" | "trimStart" | "strip" | "rstrip" | "toString"
            | "toFixed" | "replace" | "replaceAll" | "padStart" | "padEnd" | "format"
            | "decode" | "substring" => Some(Outcome::Text),
            "filter" | "sort" | "slice" | "reverse" => self.expression(at..dot, depth),
            "map" => Some(Outcome::List(self.item(dot + 3..end - 1))),
            _ => None,
        }
    }

    /// Returns the names of the members of the first object in a range, which is an item of a list or the
    /// body of a function that makes one.
    fn item(&self, range: Range<usize>) -> Vec<String> {
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
        };
        let open = range.filter(|at| *at < tokens.len()).find(is_object);
        let members = open.map(|open| self.members(open)).unwrap_or_default();
        members
            .into_iter()
            .map(|(name, _)| name.to_owned())
            .collect()
    }

    /// Returns the positions of the values that a name gets before a position, last first: those of the
    /// function that declares it there.
    pub(super) fn assigned(&self, name: &str, at: usize) -> Vec<usize> {
        let is_it = |position: &usize| {
            matches!(
                self.tokens[*position..],
                [Token::Word(found), Token::Sign('='), next, ..]
                    if found == name && !matches!(next, Token::Sign('=' | '>'))
            ) && !matches!(
                position.checked_sub(1).map(|it| self.tokens[it]),
                Some(Token::Sign('.'))
            )
        };
        let declares = owner(self.functions, name, at);
        let is_same = |position: &usize| owner(self.functions, name, *position) == declares;
        let found = (0..at).rev().filter(is_it).filter(is_same);
        let found = found.filter(|position| (self.is_reached)(*position));
        found.map(|position| position + 2).collect()
    }

    /// Returns the form of what a function returns, if it is one.
    fn returned(&self, name: &str, depth: usize) -> Option<Outcome> {
        let mut functions = self.functions.iter().enumerate();
        let (number, function) = functions.find(|(_, function)| function.name == name)?;
        // `name = (x) => ({ … })`: the body is the value.
        let start = function.body.start;
        let is_arrow = start > 0 && self.tokens[start - 1] == Token::Sign('>');
        if is_arrow && self.tokens.get(start) != Some(&Token::Sign('{')) {
            return self.form(start, depth);
        }
        let returns = function.body.clone().filter(|at| {
            self.tokens[*at] == Token::Word("return")
                && innermost(self.functions, *at) == number
                && (self.is_reached)(*at)
        });
        let mut forms = returns.map(|at| self.form(at + 1, depth));
        let first = forms.next()??;
        forms.try_fold(first, |one, other| merged(one, other?))
    }

    fn object(&self, open: usize, depth: usize) -> Option<Outcome> {
        let end = closing(self.tokens, open)?;
        let members = self.members(open).into_iter();
        let members = members.map(|(name, at)| Member {
            name: name.to_owned(),
            members: self.names(at, depth),
            parts: self.parts(at),
        });
        let mut res = Outcome::Members(members.collect());
        // `...made`: the members of another object.
        let mut start = open + 1;
        for item in items(&self.tokens[open + 1..end]) {
            let dots = item
                .iter()
                .take_while(|it| **it == Token::Sign('.'))
                .count();
            if dots > 0 {
                res = merged(self.form(start + dots, depth)?, res)?;
            }
            start += item.len() + 1;
        }
        Some(res)
    }

    /// Returns the names of the members of an object.
    fn names(&self, at: usize, depth: usize) -> Vec<String> {
        match self.tokens.get(at) {
            Some(Token::Sign('{')) => {
                let members = self.members(at).into_iter();
                members.map(|(name, _)| name.to_owned()).collect()
            }
            Some(Token::Word(name)) if depth > 0 => {
                let mut res = Vec::new();
                for value in self.assigned(name, at) {
                    extend(&mut res, self.names(value, depth - 1));
                }
                res
            }
            _ => Vec::new(),
        }
    }
}
