//! Functions of the same file: what they return, and what they are given.

use super::super::functions::{Parameter, closing, innermost, items, keys};
use super::super::lexer::Token;
use super::MAX_DEPTH;
use super::form::{Outcome, merged};
use super::values::Code;

/// Words for a value that is missing.
const NOTHING: [&str; 3] = ["null", "None", "undefined"];

impl<'a> Code<'_, 'a> {
    /// Returns the form of what a function answers.
    pub(super) fn answer(&self, name: &str) -> Option<Outcome> {
        self.returned(name, MAX_DEPTH)
    }

    /// Returns the form of what a function returns, if it is one; answers of failure do not count.
    pub(super) fn returned(&self, name: &str, depth: usize) -> Option<Outcome> {
        let Some(&number) = self.numbers(name).first() else {
            let form = |code: &Code<'_, 'a>| code.returned(name, depth).map(Some).ok_or(());
            return self.elsewhere(name, false, form).ok()?;
        };
        let function = &self.functions[number];
        if let Some(known) = self.returned.borrow().get(function.name) {
            return known.clone();
        }
        let form = self.all_returned(number, depth);
        let mut known = self.returned.borrow_mut();
        known.insert(function.name, form.clone());
        form
    }

    fn all_returned(&self, number: usize, depth: usize) -> Option<Outcome> {
        let function = &self.functions[number];
        // `def name(…) -> str:`
        if let [
            Token::Sign(')'),
            Token::Sign('-'),
            Token::Sign('>'),
            Token::Word("str"),
            Token::Sign(':'),
            ..,
        ] = self.tokens[function.body.clone()]
        {
            return Some(Outcome::Text);
        }
        let mut forms = self
            .returns(number)
            .into_iter()
            .map(|at| self.form(at, depth));
        let first = forms.next()??;
        forms.try_fold(first, |one, other| merged(one, other?))
    }

    /// Returns the positions of the values that a function returns; answers of failure do not count.
    pub(super) fn returns(&self, number: usize) -> Vec<usize> {
        let function = &self.functions[number];
        // `name = (x) => ({ … })`: the body is the value.
        let start = function.body.start;
        let is_arrow = start > 0 && self.tokens[start - 1] == Token::Sign('>');
        if is_arrow && self.tokens.get(start) != Some(&Token::Sign('{')) {
            return vec![start];
        }
        let returns = function.body.clone().filter(|at| {
            self.tokens[*at] == Token::Word("return")
                && innermost(self.functions, *at) == number
                && (self.is_reached)(*at)
                && !self.is_failure(at + 1)
                && !self.is_nothing(at + 1)
        });
        returns.map(|at| at + 1).collect()
    }

    /// Returns the form of what a function does with the one that it is given: `enqueue(() => brew(args))`.
    pub(super) fn of_task(&self, name: &str, open: usize, depth: usize) -> Option<Outcome> {
        let [
            Token::Sign('('),
            Token::Sign(')'),
            Token::Sign('='),
            Token::Sign('>'),
            ..,
        ] = self.tokens[open + 1..]
        else {
            return None;
        };
        let end = closing(self.tokens, open)?;
        let is_alone = items(&self.tokens[open + 1..end]).len() == 1;
        let function = &self.functions[*self.numbers(name).first()?];
        let [Parameter::Name(task), ..] = function.parameters[..] else {
            return None;
        };
        let mut body = self.tokens[function.body.clone()].windows(2);
        let is_run = body.any(|two| {
            two == [Token::Word(task), Token::Sign('(')]
                || two == [Token::Sign('('), Token::Word(task)]
        });
        if !is_alone || !is_run {
            return None;
        }
        match self.tokens[open + 5] {
            Token::Sign('{') => {
                let number = innermost(self.functions, open + 6);
                self.all_returned(number, depth)
            }
            _ => self.form(open + 5, depth),
        }
    }

    /// Returns the form of `rest` in `const { status, ...rest } = made`.
    pub(super) fn rest_of(&self, name: &str, at: usize, depth: usize) -> Option<Outcome> {
        let is_rest = |close: &usize| {
            matches!(
                self.tokens[..=*close],
                [
                    ..,
                    Token::Sign('.'),
                    Token::Sign('.'),
                    Token::Sign('.'),
                    Token::Word(found),
                    Token::Sign('}')
                ] if found == name
            ) && self.tokens.get(close + 1) == Some(&Token::Sign('='))
        };
        let places = self.places(name, at.saturating_sub(1)).iter().rev();
        let mut closes = places.map(|place| place + 1);
        let close = closes.find(|close| *close >= 5 && is_rest(close))?;
        let open = self.index.around(close - 1)?;
        if self.tokens[open] != Token::Sign('{') {
            return None;
        }
        let taken: Vec<&str> = keys(&self.tokens[open + 1..close]).names;
        let Outcome::Members(mut members) = self.form(close + 2, depth)? else {
            return None;
        };
        members.retain(|it| !taken.contains(&it.name.as_str()));
        (!members.is_empty()).then_some(Outcome::Members(members))
    }

    /// Returns the form of what a function of a loaded file gives: `store.read(…)` of
    /// `store = require('./store')`.
    pub(super) fn of_other_file(&self, at: usize, end: usize, depth: usize) -> Option<Outcome> {
        let [
            Token::Word(object),
            Token::Sign('.'),
            Token::Word(method),
            Token::Sign('('),
            ..,
        ] = self.tokens[at..end]
        else {
            return None;
        };
        if closing(self.tokens, at + 3) != Some(end - 1) {
            return None;
        }
        let is_any = self.is_loaded(object)?;
        let form = |code: &Code<'_, 'a>| code.returned(method, depth).map(Some).ok_or(());
        self.elsewhere(method, is_any, form).ok()?
    }

    /// Returns true for `null`, and for a statement that ends here.
    pub(super) fn is_nothing(&self, at: usize) -> bool {
        let is_end = |token: Option<&Token<'_>>| {
            matches!(
                token,
                None | Some(Token::Sign(';' | '}' | ')' | ',') | Token::Word(_))
            )
        };
        match self.tokens.get(at) {
            None | Some(Token::Sign(';' | '}')) => true,
            Some(Token::Word(word)) if NOTHING.contains(word) => is_end(self.tokens.get(at + 1)),
            _ => false,
        }
    }

    /// Returns the form of a method of the same file: `this.read(…)`, `store.read(…)` of
    /// `store = new Store(…)`.
    pub(super) fn own_method(&self, at: usize, end: usize, depth: usize) -> Option<Outcome> {
        let mut start = at;
        let mut receiver = *self.tokens.get(at)?;
        loop {
            match *self.tokens.get(start + 1..end)? {
                [Token::Sign('.'), Token::Word(name), Token::Sign('('), ..]
                    if closing(self.tokens, start + 3) == Some(end - 1) =>
                {
                    return (self.is_own(receiver) && self.n_of(name) == 1)
                        .then(|| self.returned(name, depth))?;
                }
                // `self.store.read(…)`
                [
                    Token::Sign('.'),
                    member @ Token::Word(_),
                    Token::Sign('.'),
                    ..,
                ] if start == at && matches!(receiver, Token::Word("self" | "this")) => {
                    receiver = member;
                    start += 2;
                }
                _ => return None,
            }
        }
    }

    fn n_of(&self, name: &str) -> usize {
        self.numbers(name).len()
    }

    /// Returns true for the object of a class, or for one that is made of a class of the file.
    fn is_own(&self, receiver: Token<'_>) -> bool {
        let Token::Word(name) = receiver else {
            return false;
        };
        let is_class = |class: &str| {
            let mut classes = self.index.of("class").iter();
            classes.any(|at| self.tokens.get(at + 1) == Some(&Token::Word(class)))
        };
        matches!(name, "self" | "this")
            || self
                .index
                .of(name)
                .iter()
                .any(|at| match self.tokens[at + 1..] {
                    [Token::Sign('='), Token::Word("new"), Token::Word(class), ..]
                    | [Token::Sign('='), Token::Word(class), Token::Sign('('), ..] => {
                        is_class(class)
                    }
                    _ => false,
                })
    }

    /// Returns the positions of the opening brackets of all calls of a function.
    pub(super) fn calls_of(&self, name: &str) -> Vec<usize> {
        if name.is_empty() {
            return Vec::new();
        }
        let opens = self.index.of(name).iter().map(|at| at + 1);
        let is_head = |at: usize| {
            let found = self.functions.binary_search_by_key(&at, |it| it.head);
            found.is_ok()
        };
        let is_call = |open: &usize| {
            self.tokens.get(*open) == Some(&Token::Sign('('))
                && !matches!(
                    self.tokens[..open - 1],
                    [.., Token::Word("def" | "function")]
                )
                && !is_head(open - 1)
                && (self.is_reached)(*open)
        };
        opens.filter(is_call).collect()
    }

    /// Returns the position of the argument of a call for a parameter of the function.
    pub(super) fn argument(&self, number: usize, open: usize, parameter: &str) -> Option<usize> {
        let parameters = &self.functions[number].parameters;
        let wanted = parameters
            .iter()
            .position(|it| matches!(it, Parameter::Name(name) if *name == parameter))?;
        let end = closing(self.tokens, open)?;
        let mut start = open + 1;
        let mut by_position = None;
        for (position, item) in items(&self.tokens[start..end]).iter().enumerate() {
            let keyword = match item {
                [Token::Word(name), Token::Sign('='), value, ..] if *value != Token::Sign('=') => {
                    Some(*name)
                }
                _ => None,
            };
            match keyword {
                Some(name) if name == parameter => return Some(start + 2),
                None if position == wanted => by_position = Some(start),
                _ => {}
            }
            start += item.len() + 1;
        }
        by_position
    }

    /// Returns the form of a parameter: that of all arguments for it.
    pub(super) fn given(&self, name: &str, at: usize, depth: usize) -> Option<Outcome> {
        let number = innermost(self.functions, at);
        if number == 0 || !self.has_parameter(number, name) {
            return None;
        }
        let calls = self.calls_of(self.functions[number].name).into_iter();
        let calls = calls.filter(|call| !self.tells_failure(*call));
        let values = calls.filter_map(|call| self.argument(number, call, name));
        let mut forms = values
            .filter(|at| !self.is_failure(*at) && !self.is_nothing(*at))
            .map(|at| self.form(at, depth));
        let first = forms.next()??;
        forms.try_fold(first, |one, other| merged(one, other?))
    }

    /// Returns the members that an object gets later: `made.url = x`, `made["url"] = x`.
    pub(super) fn added(&self, name: &str, at: usize) -> Vec<(&'a str, usize)> {
        let mut res = Vec::new();
        let owner =
            |position: usize| super::super::functions::owner(self.functions, name, position);
        let declares = owner(at);
        for &position in self.places(name, at) {
            let (key, value) = match self.tokens[position + 1..] {
                [
                    Token::Sign('.'),
                    Token::Word(key),
                    Token::Sign('='),
                    next,
                    ..,
                ] if !matches!(next, Token::Sign('=' | '>')) => (key, position + 4),
                [
                    Token::Sign('['),
                    Token::Text(key),
                    Token::Sign(']'),
                    Token::Sign('='),
                    next,
                    ..,
                ] if next != Token::Sign('=') => (key, position + 5),
                _ => continue,
            };
            // A member of another object, or one that depends on a condition.
            let is_other = matches!(
                position.checked_sub(1).map(|it| self.tokens[it]),
                Some(Token::Sign('.' | ')'))
            );
            if !is_other && owner(position) == declares && (self.is_reached)(position) {
                res.push((key, value));
            }
        }
        res
    }

    /// Returns the form of an answer of success that a module returns, as `skills-run` gives it on: an
    /// object in `result`, or everything.
    pub(super) fn unwrapped(&self, open: usize, all: Outcome, depth: usize) -> Option<Outcome> {
        self.has_result.set(true);
        let Outcome::Members(mut members) = all else {
            return None;
        };
        let Some(value) = self.member(open, "result") else {
            members.retain(|it| it.name != "status");
            return Some(Outcome::Members(members));
        };
        match self.form(value, depth)? {
            Outcome::Text => {
                members.retain(|it| !matches!(it.name.as_str(), "status" | "success"));
                let is_alone = members.iter().all(|it| it.name == "result");
                Some(if is_alone {
                    Outcome::Text
                } else {
                    Outcome::Members(members)
                })
            }
            Outcome::TextOrMembers(_) => None,
            form => Some(form),
        }
    }
}
