//! The forms of the values in answers of success.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ops::Range;

use super::super::facts::Language;
use super::super::functions::{Function, closing, innermost, items, owner};
use super::super::lexer::Token;
use super::super::word_index::WordIndex;
use super::expression::{alternatives, end, otherwise, outer, sum};
use super::files::Files;
use super::form::{Answers, Member, Outcome, REST, extend, merged};

/// The tokens of a file.
pub(super) struct Code<'t, 'a> {
    pub(super) tokens: &'t [Token<'a>],
    pub(super) functions: &'t [Function<'a>],
    /// The numbers of the functions of each name.
    pub(super) named: &'t BTreeMap<&'a str, Vec<usize>>,
    /// The places of words and brackets.
    pub(super) index: &'t WordIndex<'a>,
    pub(super) language: Language,
    /// The column of each word that begins a statement of Python.
    pub(super) columns: &'t [Option<usize>],
    /// Returns true for the positions that count.
    pub(super) is_reached: &'t dyn Fn(usize) -> bool,
    /// The way in which the program answers.
    pub(super) answers: Answers,
    /// All files of the program and the number of this one; `None` for a text alone.
    pub(super) files: Option<(&'t Files<'t, 'a>, usize)>,
    /// The number of expressions that may still be read: names with many values refer to each other.
    pub(super) budget: Cell<usize>,
    /// The forms of what functions return, by their names.
    pub(super) returned: RefCell<BTreeMap<&'a str, Option<Outcome>>>,
    /// True once an answer of a module has an object around its result.
    pub(super) has_result: Cell<bool>,
}

impl<'a> Code<'_, 'a> {
    /// Returns the numbers of the functions with a name, in order.
    pub(super) fn numbers(&self, name: &str) -> &[usize] {
        self.named.get(name).map_or(&[], Vec::as_slice)
    }

    /// Returns the places of a word before a position.
    pub(super) fn places(&self, word: &str, before: usize) -> &[usize] {
        let all = self.index.of(word);
        &all[..all.partition_point(|at| *at < before)]
    }

    /// Returns the position of the value of a member of an object, or of its name if that is all.
    pub(super) fn member(&self, open: usize, name: &str) -> Option<usize> {
        self.members(open)
            .into_iter()
            .find(|(found, _)| *found == name)
            .map(|(_, at)| at)
    }

    /// Returns the members of an object with the positions of their values.
    pub(super) fn members(&self, open: usize) -> Vec<(&'a str, usize)> {
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
        // A statement of Python that follows.
        let is_next = self.columns.get(end).is_some_and(Option::is_some);
        match otherwise(self.tokens, end).filter(|_| !is_next) {
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
            let is_text = |operand: Range<usize>| {
                self.serialized(operand.clone()).is_some()
                    || self.expression(operand, depth) == Some(Outcome::Text)
            };
            return operands.into_iter().any(is_text).then_some(Outcome::Text);
        }
        if let Some(value) = self.serialized(at..end) {
            // A text that is JSON is parsed.
            return match self.answers {
                Answers::Module => Some(Outcome::Text),
                Answers::Program | Answers::Printed => self.form(value, depth),
            };
        }
        match &self.tokens[at..end] {
            // `Some(…)` and `json!(…)` of Rust.
            [Token::Word("Some"), Token::Sign('('), ..]
                if closing(self.tokens, at + 1) == Some(end - 1) =>
            {
                self.expression(at + 2..end - 1, depth)
            }
            [Token::Word("json"), Token::Sign('!'), Token::Sign('('), ..]
                if closing(self.tokens, at + 2) == Some(end - 1) =>
            {
                self.expression(at + 3..end - 1, depth)
            }
            [Token::Sign('('), .., Token::Sign(')')]
                if closing(self.tokens, at) == Some(end - 1) =>
            {
                self.expression(at + 1..end - 1, depth)
            }
            texts if is_text(texts) => Some(Outcome::Text),
            [Token::Word("String" | "str"), Token::Sign('('), ..] => Some(Outcome::Text),
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
                    .or_else(|| self.of_task(name, at + 1, depth))
            }
            [Token::Word(name)] => self.named(name, at, depth),
            [
                Token::Word("new"),
                Token::Word("Promise"),
                Token::Sign('('),
                ..,
            ] => {
                let mut forms = self.resolved(at).into_iter().map(|it| self.form(it, depth));
                let first = forms.next()??;
                forms.try_fold(first, |one, other| merged(one, other?))
            }
            _ => self
                .own_method(at, end, depth)
                .or_else(|| self.called(at, end, depth))
                .or_else(|| self.of_other_file(at, end, depth))
                .or_else(|| self.of_table(at..end, depth))
                .or_else(|| self.of_member(at..end, depth)),
        }
    }

    /// Returns the position of the value of `JSON.stringify(…)` and `json.dumps(…)`.
    pub(super) fn serialized(&self, range: Range<usize>) -> Option<usize> {
        match self.tokens[range.clone()] {
            [
                Token::Word("JSON" | "json"),
                Token::Sign('.'),
                Token::Word("stringify" | "dumps"),
                Token::Sign('('),
                ..,
            ] if closing(self.tokens, range.start + 3) == Some(range.end - 1) => {
                Some(range.start + 4)
            }
            _ => None,
        }
    }

    /// Returns the form of a name: that of all values that it gets.
    fn named(&self, name: &str, at: usize, depth: usize) -> Option<Outcome> {
        let assigned = self.assigned(name, at);
        if assigned.is_empty() {
            return self
                .given(name, at, depth)
                .or_else(|| self.rest_of(name, at, depth));
        }
        let values = assigned.into_iter();
        let mut forms = values
            .filter(|value| !self.is_nothing(*value) && !self.is_failure(*value))
            .map(|value| self.form(value, depth));
        let first = forms.next()??;
        let form = forms.try_fold(first, |one, other| merged(one, other?))?;
        let mut names = match form {
            Outcome::List(names) => names,
            Outcome::Members(members) => {
                let added = self.added(name, at).into_iter();
                let added = added.map(|(name, at)| self.known(name, at, depth));
                let added = Outcome::Members(added.collect());
                return merged(Outcome::Members(members), added);
            }
            form => return Some(form),
        };
        // Another function may have a list of this name.
        let declares = owner(self.functions, name, at);
        let pushes = self.places(name, at).iter().copied().filter(|at| {
            matches!(
                self.tokens[*at..],
                [Token::Word(list), Token::Sign('.'), Token::Word("push" | "append"), Token::Sign('('), ..]
                    if list == name
            ) && owner(self.functions, name, *at) == declares
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

    /// Returns the positions of the values that a name gets before a position, last first: those of the
    /// function that declares it there.
    pub(super) fn assigned(&self, name: &str, at: usize) -> Vec<usize> {
        let is_it = |position: &usize| {
            matches!(
                self.tokens[*position..],
                [Token::Word(found), Token::Sign('='), next, ..]
                    if found == name && !matches!(next, Token::Sign('=' | '>'))
            ) && match position.checked_sub(1).map(|it| self.tokens[it]) {
                Some(Token::Sign('.')) => false,
                // An argument with its name, or one of several names.
                Some(Token::Sign(',' | '(')) => self.language == Language::JavaScript,
                _ => true,
            }
        };
        let declares = owner(self.functions, name, at);
        let is_same = |position: &usize| owner(self.functions, name, *position) == declares;
        let places = self.places(name, at).iter().rev().copied();
        let found = places.filter(is_it).filter(is_same);
        let found = found.filter(|position| (self.is_reached)(*position));
        found.map(|position| position + 2).collect()
    }

    fn object(&self, open: usize, depth: usize) -> Option<Outcome> {
        let end = closing(self.tokens, open)?;
        let members = self.members(open).into_iter();
        let members = members.map(|(name, at)| self.known(name, at, depth));
        let mut res = Outcome::Members(members.collect());
        // `...made`: the members of another object.
        let mut start = open + 1;
        for item in items(&self.tokens[open + 1..end]) {
            let dots = item
                .iter()
                .take_while(|it| **it == Token::Sign('.'))
                .count();
            let rest = || Outcome::Members(vec![Member::named(REST)]);
            if dots > 0 {
                let other = self.form(start + dots, depth).unwrap_or_else(rest);
                res = merged(other, res)?;
            } else if item.first() == Some(&Token::Sign('[')) {
                res = merged(res, self.computed(start, depth).unwrap_or_else(rest))?;
            }
            start += item.len() + 1;
        }
        if self.answers == Answers::Module && self.is_success(open) {
            return self.unwrapped(open, res, depth);
        }
        Some(res)
    }

    /// Returns the members of a computed name, `[key]: items`, if all literals that it may be are known.
    fn computed(&self, at: usize, depth: usize) -> Option<Outcome> {
        const MAX_NAMES: usize = 3;
        let [
            Token::Sign('['),
            Token::Word(key),
            Token::Sign(']'),
            Token::Sign(':'),
            ..,
        ] = self.tokens[at..]
        else {
            return None;
        };
        let names = self.literals(key, at)?;
        let members = names.iter().map(|name| self.known(name, at + 4, depth));
        (names.len() <= MAX_NAMES).then(|| Outcome::Members(members.collect()))
    }

    /// Returns the literals that a name may be: those that it gets, or those that calls give.
    fn literals(&self, name: &str, at: usize) -> Option<Vec<&'a str>> {
        let mut values = self.assigned(name, at);
        if values.is_empty() {
            let number = innermost(self.functions, at);
            if number == 0 || !self.has_parameter(number, name) {
                return None;
            }
            let calls = self.calls_of(self.functions[number].name).into_iter();
            let given = calls.map(|call| self.argument(number, call, name));
            values = given.collect::<Option<_>>()?;
        }
        let mut res = Vec::new();
        for value in values {
            let Token::Text(text) = self.tokens[value] else {
                return None;
            };
            let is_whole = end(self.tokens, value) == value + 1;
            if !is_whole || text.contains("${") {
                return None;
            }
            extend(&mut res, vec![text]);
        }
        (!res.is_empty()).then_some(res)
    }

    /// Returns the names of the members of an object.
    pub(super) fn names(&self, at: usize, depth: usize) -> Vec<String> {
        match self.tokens.get(at) {
            // A part of something else: `all[0].name`.
            Some(Token::Word(_)) if end(self.tokens, at) != at + 1 => Vec::new(),
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

/// Returns true for one text or several in a row, which Python joins.
fn is_text(tokens: &[Token<'_>]) -> bool {
    let is_part = |token: &Token<'_>| matches!(token, Token::Text(_) | Token::Word("f" | "r"));
    tokens.iter().any(|it| matches!(it, Token::Text(_))) && tokens.iter().all(is_part)
}
