//! The answers in code: objects of success, arguments of functions that print them, printed values.

use super::super::functions::{Parameter, closing, innermost, items};
use super::super::lexer::Token;
use super::MAX_DEPTH;
use super::form::{Outcome, Starts};
use super::values::Code;

impl<'a> Code<'_, 'a> {
    /// Returns the forms of the results in answers of success; `None` for one that is not known.
    pub(super) fn objects(
        &self,
        starts: Starts,
        is_answer: &dyn Fn(usize) -> bool,
    ) -> Vec<Option<Outcome>> {
        let mut res = Vec::new();
        let mut end = 0;
        for at in 0..self.tokens.len() {
            if !starts(&self.tokens[at..]) || !(self.is_reached)(at) || !is_answer(at) {
                continue;
            }
            let around = std::iter::successors(self.index.around(at), |it| self.index.around(*it));
            let mut braces = around.filter(|it| self.tokens[*it] == Token::Sign('{'));
            let open = braces.find(|it| self.index.closing(*it).is_some());
            let value = open.and_then(|open| self.member(open, "result"));
            // A part of the answer around it.
            let is_inner = value.is_none() && at < end;
            // A part of a program in Rust answers other callers.
            let is_other = value.is_none() && self.files.is_none();
            if is_inner || is_other || value.is_some_and(|at| self.is_passed_on(at)) {
                continue;
            }
            end = end.max(open.and_then(|it| closing(self.tokens, it)).unwrap_or(0));
            res.push(value.and_then(|at| self.form(at, MAX_DEPTH)));
        }
        let status = [
            Token::Word("status"),
            Token::Sign(':'),
            Token::Text("success"),
        ];
        if starts(&status) {
            res.extend(self.told());
        }
        res
    }

    /// Returns true for an object that begins as an answer of success does.
    pub(super) fn is_success(&self, open: usize) -> bool {
        self.members(open)
            .into_iter()
            .any(|(name, at)| name == "status" && self.tokens[at] == Token::Text("success"))
    }

    /// Returns true for an object that is the answer of a failure.
    pub(super) fn is_failure(&self, at: usize) -> bool {
        self.tokens.get(at) == Some(&Token::Sign('{'))
            && self.members(at).into_iter().any(|(name, at)| {
                let value = self.tokens.get(at);
                match name {
                    "status" => matches!(
                        value,
                        Some(Token::Text("error" | "failed" | "fail" | "failure"))
                    ),
                    "success" | "ok" => matches!(value, Some(Token::Word("false" | "False"))),
                    // The old host's mark of an answer of failure.
                    "plugin_error" => true,
                    _ => false,
                }
            })
    }

    /// Returns true for `answer.result`: that answer is elsewhere in the code.
    fn is_passed_on(&self, at: usize) -> bool {
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

    /// Returns the forms of what is given to functions that make the answer of their arguments:
    /// `print_output("success", result=made)`.
    fn told(&self) -> Vec<Option<Outcome>> {
        let mut res = Vec::new();
        for (number, function) in self.functions.iter().enumerate().skip(1) {
            let Some((status, value)) = self.teller(number) else {
                continue;
            };
            for call in self.calls_of(function.name) {
                let argument = |name: &str| self.argument(number, call, name);
                let is_success = argument(status).is_some_and(
                    |at| !matches!(self.tokens[at], Token::Text(text) if text != "success"),
                );
                if !is_success {
                    continue;
                }
                match self.tokens.get(value) {
                    Some(Token::Word(name)) if self.has_parameter(number, name) => {
                        // A call without the argument has no result.
                        res.extend(argument(name).map(|at| self.form(at, MAX_DEPTH)));
                    }
                    _ => res.push(self.form(value, MAX_DEPTH)),
                }
            }
        }
        res
    }

    /// Returns the parameter of a function with the status of the answer that it makes, and the position of
    /// the result.
    fn teller(&self, number: usize) -> Option<(&'a str, usize)> {
        let function = &self.functions[number];
        let mut status = None;
        let mut value = None;
        for at in function.body.clone() {
            if innermost(self.functions, at) != number {
                continue;
            }
            if self.tokens[at] == Token::Sign('{') && status.is_none() {
                let members = self.members(at);
                let of_name = |wanted: &str| members.iter().find(|(name, _)| *name == wanted);
                let found = of_name("status").and_then(|(_, at)| self.parameter_at(number, *at));
                if found.is_some() {
                    status = found;
                    value = of_name("result").map(|(_, at)| *at);
                }
            }
            let set = match self.tokens[at..] {
                [
                    Token::Sign('['),
                    Token::Text("result"),
                    Token::Sign(']'),
                    Token::Sign('='),
                    ..,
                ] => Some(at + 4),
                [
                    Token::Sign('.'),
                    Token::Word("result"),
                    Token::Sign('='),
                    next,
                    ..,
                ] if next != Token::Sign('=') => Some(at + 3),
                _ => None,
            };
            value = value.or(set);
        }
        Some((status?, value?))
    }

    /// Returns the parameter that is the whole value at a position.
    fn parameter_at(&self, number: usize, at: usize) -> Option<&'a str> {
        let Token::Word(name) = *self.tokens.get(at)? else {
            return None;
        };
        let is_whole = matches!(self.tokens.get(at + 1), Some(Token::Sign(',' | '}')) | None);
        (is_whole && self.has_parameter(number, name)).then_some(name)
    }

    pub(super) fn has_parameter(&self, number: usize, name: &str) -> bool {
        let parameters = self.functions[number].parameters.iter();
        let mut names = parameters.filter_map(|it| match it {
            Parameter::Name(found) => Some(*found),
            Parameter::Keys(_) => None,
        });
        names.any(|found| found == name)
    }

    /// Returns the forms of what is printed.
    pub(super) fn printed(&self) -> Vec<Option<Outcome>> {
        let mut res = Vec::new();
        for open in 1..self.tokens.len() {
            if self.tokens[open] != Token::Sign('(') || !self.is_printer(open) {
                continue;
            }
            let end = closing(self.tokens, open).unwrap_or(open);
            let arguments = items(&self.tokens[open + 1..end.max(open + 1)]);
            let is_elsewhere =
                |item: &&[Token<'_>]| matches!(item, [Token::Word("file"), Token::Sign('='), ..]);
            if arguments.is_empty() || arguments.iter().any(is_elsewhere) {
                continue;
            }
            res.push(self.form(open + 1, MAX_DEPTH));
        }
        res
    }

    /// Returns true for a bracket with what a function prints.
    fn is_printer(&self, open: usize) -> bool {
        let before = &self.tokens[..open];
        let is_own = |name: &str| {
            // Logs of modules that are silenced.
            self.tokens.windows(4).any(|four| {
                matches!(four, [Token::Word("console"), Token::Sign('.'), Token::Word(found), Token::Sign('=')] if *found == name)
            })
        };
        match before {
            [.., Token::Word("console"), Token::Sign('.'), Token::Word("log")] => !is_own("log"),
            [.., Token::Word("stdout"), Token::Sign('.'), Token::Word("write")] => true,
            [.., Token::Sign('.'), Token::Word(_)] => false,
            [.., Token::Word("print")] => true,
            // `write = process.stdout.write.bind(process.stdout)`
            [.., Token::Word(name)] => self.tokens.windows(7).any(|it| {
                matches!(it,
                    [Token::Word(found), Token::Sign('='), Token::Word("process"), Token::Sign('.'), Token::Word("stdout"), Token::Sign('.'), Token::Word("write")]
                        if found == name)
            }),
            _ => false,
        }
    }
}
