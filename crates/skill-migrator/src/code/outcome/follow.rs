//! Values of members: `made.text` of an object that a function returns, also one of another file.

use std::collections::BTreeMap;
use std::ops::Range;

use super::super::facts::Language;
use super::super::functions::{closing, innermost, items};
use super::super::lexer::Token;
use super::expression::{alternatives, end, outer};
use super::files::Files;
use super::form::{Outcome, merged};
use super::values::Code;

/// Maximum number of files that may define a function that is loaded by a computed name.
const MAX_FILES: usize = 24;

/// The form of a member: `Ok(None)` for an object without it, an error for an object that is not known.
pub(super) type Followed = Result<Option<Outcome>, ()>;

impl<'a> Files<'_, 'a> {
    /// Returns one of the files.
    pub(super) fn code<'c>(
        &'c self,
        file: usize,
        is_reached: &'c dyn Fn(usize) -> bool,
        budget: usize,
    ) -> Code<'c, 'a> {
        let reader = &self.readers[file];
        Code {
            is_reached,
            tokens: reader.tokens,
            functions: &reader.functions,
            named: &reader.named,
            index: &reader.index,
            language: reader.language,
            columns: reader.columns,
            answers: self.answers,
            files: Some((self, file)),
            budget: budget.into(),
            returned: BTreeMap::new().into(),
            has_result: false.into(),
        }
    }
}

impl<'a> Code<'_, 'a> {
    /// Returns the form of an expression that is a member of something: `made.text`, `made["text"]`,
    /// `made.get("text")`.
    pub(super) fn of_member(&self, range: Range<usize>, depth: usize) -> Option<Outcome> {
        let (object, name) = self.split_member(range.clone())?;
        let is_said = |text: &str| {
            let words = &self.tokens[range.clone()];
            words.contains(&Token::Word(text)) || words.contains(&Token::Text(text))
        };
        // The answer of a language model, in the form of all of them.
        if name == "content" && is_said("choices") && is_said("message") {
            return Some(Outcome::Text);
        }
        self.member_form(object, name, depth).ok()?
    }

    /// Returns the object of a member, and the name of the member.
    fn split_member(&self, range: Range<usize>) -> Option<(Range<usize>, &'a str)> {
        let (start, end) = (range.start, range.end);
        match self.tokens[range] {
            [.., Token::Sign('['), Token::Text(name), Token::Sign(']')] => {
                Some((start..end - 3, name))
            }
            [.., Token::Sign('.'), Token::Word(name)] => {
                let is_safe = end > start + 3 && self.tokens[end - 3] == Token::Sign('?');
                Some((start..end - 2 - usize::from(is_safe), name))
            }
            [.., Token::Sign(')')] if self.language == Language::Python => {
                let dots = outer(self.tokens, start, end).into_iter().rev();
                let mut dots = dots.filter(|at| self.tokens[*at] == Token::Sign('.'));
                let dot = dots.next()?;
                match self.tokens[dot..end] {
                    [
                        _,
                        Token::Word("get"),
                        Token::Sign('('),
                        Token::Text(name),
                        ..,
                    ] => Some((start..dot, name)),
                    _ => None,
                }
            }
            _ => None,
        }
        .filter(|(object, _)| !object.is_empty())
    }

    /// Returns the form of a member of the value of an expression.
    fn member_form(&self, range: Range<usize>, name: &str, depth: usize) -> Followed {
        let depth = depth.checked_sub(1).ok_or(())?;
        let left = self.budget.get().checked_sub(1).ok_or(())?;
        self.budget.set(left);
        let awaited = matches!(self.tokens.get(range.start), Some(Token::Word("await")));
        let (at, end) = (range.start + usize::from(awaited), range.end);
        if let Some(values) = alternatives(self.tokens, at..end) {
            return Self::all(
                values
                    .into_iter()
                    .map(|it| self.member_form(it, name, depth)),
            );
        }
        match &self.tokens[at..end] {
            [Token::Sign('('), ..] if closing(self.tokens, at) == Some(end - 1) => {
                self.member_form(at + 1..end - 1, name, depth)
            }
            [Token::Sign('{'), ..] if closing(self.tokens, at) == Some(end - 1) => {
                self.member_of_object(at, name, depth)
            }
            [Token::Word(variable)] => self.member_of_name(variable, at, name, depth),
            [Token::Word(callee), Token::Sign('('), ..]
                if closing(self.tokens, at + 1) == Some(end - 1) =>
            {
                self.member_of_call(callee, name, depth)
            }
            [
                Token::Word("new"),
                Token::Word("Promise"),
                Token::Sign('('),
                ..,
            ] => {
                let resolved = self.resolved(at).into_iter();
                Self::all(resolved.map(|it| self.member_at(it, name, depth)))
            }
            [
                Token::Word(object),
                Token::Sign('.'),
                Token::Word(method),
                Token::Sign('('),
                ..,
            ] if closing(self.tokens, at + 3) == Some(end - 1) => {
                if matches!(*object, "self" | "this") {
                    self.member_of_call(method, name, depth)
                } else {
                    let is_any = self.is_loaded(object).ok_or(())?;
                    self.elsewhere(method, is_any, |code| {
                        code.member_of_call(method, name, depth)
                    })
                }
            }
            _ => Err(()),
        }
    }

    fn member_at(&self, at: usize, name: &str, depth: usize) -> Followed {
        self.member_form(at..end(self.tokens, at), name, depth)
    }

    /// Returns the form that all known values have.
    fn all(forms: impl Iterator<Item = Followed>) -> Followed {
        let mut res: Option<Outcome> = None;
        for form in forms {
            res = match (res, form?) {
                (Some(one), Some(other)) => Some(merged(one, other).ok_or(())?),
                (one, other) => one.or(other),
            };
        }
        Ok(res)
    }

    fn member_of_object(&self, open: usize, name: &str, depth: usize) -> Followed {
        if self.is_failure(open) {
            return Ok(None);
        }
        if let Some(at) = self.member(open, name) {
            return self.form(at, depth).map(Some).ok_or(());
        }
        let close = closing(self.tokens, open).ok_or(())?;
        let is_open =
            |item: &[Token<'_>]| matches!(item.first(), Some(Token::Sign('.' | '[' | '*')));
        let is_known = !items(&self.tokens[open + 1..close])
            .into_iter()
            .any(is_open);
        is_known.then_some(None).ok_or(())
    }

    fn member_of_name(&self, variable: &str, at: usize, name: &str, depth: usize) -> Followed {
        let added = self.added(variable, at).into_iter();
        let mut added = added.filter(|(member, _)| *member == name).peekable();
        if added.peek().is_some() {
            return Self::all(added.map(|(_, at)| self.form(at, depth).map(Some).ok_or(())));
        }
        let assigned = self.assigned(variable, at);
        if !assigned.is_empty() {
            let values = assigned.into_iter().filter(|it| !self.is_nothing(*it));
            return Self::all(values.map(|it| self.member_at(it, name, depth)));
        }
        let number = innermost(self.functions, at);
        if number == 0 || !self.has_parameter(number, variable) {
            return Err(());
        }
        let calls = self.calls_of(self.functions[number].name).into_iter();
        let values: Vec<usize> = calls
            .filter(|call| !self.tells_failure(*call))
            .filter_map(|call| self.argument(number, call, variable))
            .filter(|at| !self.is_nothing(*at))
            .collect();
        if values.is_empty() {
            return Err(());
        }
        Self::all(values.into_iter().map(|it| self.member_at(it, name, depth)))
    }

    /// Returns true for a call that makes the answer of a failure: `answer('error', null, text)`.
    pub(super) fn tells_failure(&self, open: usize) -> bool {
        const WORDS: [&str; 4] = ["error", "failed", "fail", "failure"];
        let end = closing(self.tokens, open).unwrap_or(open);
        let arguments = items(&self.tokens[open + 1..end.max(open + 1)]);
        arguments.iter().any(|item| match item {
            [Token::Text(text)] | [_, Token::Sign('='), Token::Text(text)] => WORDS.contains(text),
            _ => false,
        })
    }

    /// Returns the form of a member of what a function returns.
    fn member_of_call(&self, callee: &str, name: &str, depth: usize) -> Followed {
        let Some(&number) = self.numbers(callee).first() else {
            return self.elsewhere(callee, false, |code| {
                code.member_of_call(callee, name, depth)
            });
        };
        let returns = self.returns(number).into_iter();
        Self::all(returns.map(|it| self.member_at(it, name, depth)))
    }

    /// Returns the form that a function of another file gives, if only one has it or any may be loaded.
    pub(super) fn elsewhere(
        &self,
        callee: &str,
        is_any: bool,
        ask: impl Fn(&Code<'_, 'a>) -> Followed,
    ) -> Followed {
        let (files, own) = self.files.ok_or(())?;
        let others = files.readers.iter().enumerate();
        let others = others.filter(|(file, reader)| *file != own && reader.defines(callee));
        let others: Vec<usize> = others.map(|(file, _)| file).collect();
        let others = if is_any {
            files.of_commands(others)
        } else {
            others
        };
        let is_known = others.len() == 1 || is_any && (1..=MAX_FILES).contains(&others.len());
        if !is_known {
            return Err(());
        }
        Self::all(others.into_iter().map(|file| {
            let is_reached = |at| (files.is_reached)(file, at);
            let code = files.code(file, &is_reached, self.budget.get());
            let res = ask(&code);
            self.budget.set(code.budget.get());
            res
        }))
    }

    /// Returns whether a name is a module of the program, and whether it is one of a computed name; `None`
    /// for another name.
    pub(super) fn is_loaded(&self, object: &str) -> Option<bool> {
        let mut places = self.index.of(object).iter().copied();
        places.find_map(|at| match self.tokens[at..] {
            [
                Token::Word(found),
                Token::Sign('='),
                Token::Word("require"),
                Token::Sign('('),
                what,
                ..,
            ] if found == object => match what {
                Token::Text(path) => path.starts_with('.').then_some(false),
                _ => Some(true),
            },
            [
                Token::Word(found),
                Token::Word("from"),
                Token::Text(path),
                ..,
            ] if found == object => path.starts_with('.').then_some(false),
            _ => None,
        })
    }

    /// Returns the positions of the values that a promise gets: `new Promise((resolve) => resolve(x))`.
    pub(super) fn resolved(&self, at: usize) -> Vec<usize> {
        let Some(resolve) = resolver(self.tokens, at) else {
            return Vec::new();
        };
        let end = closing(self.tokens, at + 2).unwrap_or(at);
        let calls = (at..end).filter(|call| {
            self.tokens[*call] == Token::Word(resolve)
                && self.tokens.get(call + 1) == Some(&Token::Sign('('))
                && (self.is_reached)(*call)
        });
        calls
            .map(|call| call + 2)
            .filter(|value| !self.is_failure(*value) && !self.is_nothing(*value))
            .collect()
    }

    /// Returns the form of what the functions of a table return: `TABLE[command](args)`.
    pub(super) fn of_table(&self, range: Range<usize>, depth: usize) -> Option<Outcome> {
        let [Token::Word(table), Token::Sign('['), ..] = self.tokens[range.clone()] else {
            return None;
        };
        let close = closing(self.tokens, range.start + 1)?;
        let is_call = self.tokens.get(close + 1) == Some(&Token::Sign('('))
            && closing(self.tokens, close + 1) == Some(range.end - 1);
        let open = is_call.then(|| self.assigned(table, range.start).pop())??;
        if self.tokens.get(open) != Some(&Token::Sign('{')) {
            return None;
        }
        let members = self.members(open).into_iter();
        let members = members.filter(|(_, at)| (self.is_reached)(*at));
        let mut forms = members.map(|(_, at)| match self.tokens[at] {
            Token::Word(name) => self.returned(name, depth),
            _ => None,
        });
        let first = forms.next()??;
        forms.try_fold(first, |one, other| merged(one, other?))
    }
}

/// Returns the name of the function that resolves a promise made at a position: `new Promise((resolve) => …)`.
pub(super) fn resolver<'a>(tokens: &[Token<'a>], at: usize) -> Option<&'a str> {
    match tokens[at..] {
        [
            Token::Word("new"),
            Token::Word("Promise"),
            Token::Sign('('),
            Token::Sign('('),
            Token::Word(resolve),
            ..,
        ]
        | [
            Token::Word("new"),
            Token::Word("Promise"),
            Token::Sign('('),
            Token::Word(resolve),
            Token::Sign('='),
            ..,
        ] => Some(resolve),
        _ => None,
    }
}
