//! The form of a result: what a program prints as `{"status": "success", "result": …}`.
//!
//! Literals are read, and names and functions of the same file that give one. A result of another form
//! makes the whole unknown, so that what is found is certain, except beside many texts.

use super::analysis::Analysis;
use super::functions::{Function, closing, innermost, items, owner};
use super::lexer::Token;

/// Maximum number of names and functions that are followed, one after the other.
const MAX_DEPTH: usize = 4;

/// The form of a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// A text.
    Text,
    /// An object with these members.
    Members(Vec<Member>),
}

/// A member of a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Member {
    /// Its name.
    pub(crate) name: String,
    /// Names of its own members.
    pub(crate) members: Vec<String>,
    /// The parts of a message.
    pub(crate) parts: Vec<Part>,
}

/// A part of a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Part {
    /// Its type: `text`, `image_url`.
    pub(crate) kind: String,
    /// The argument without which the message does not have it.
    pub(crate) guard: Option<String>,
}

/// Returns the form of all results of the reached files; `None` if it is not certain.
pub(crate) fn outcome(code: &Analysis<'_, '_>) -> Option<Outcome> {
    let mut found = Found::default();
    // An answer may pass on the result of another object, `{ success: true, result }`.
    for starts in [STATUS, SUCCESS] {
        for reader in &code.readers {
            let code = Code {
                tokens: reader.tokens,
                functions: &reader.functions,
            };
            found.add(&code, starts);
        }
        if !found.forms.is_empty() || found.n_unknown > 0 {
            break;
        }
    }
    found.form()
}

/// The forms of answers.
#[derive(Default)]
struct Found {
    forms: Vec<Outcome>,
    n_unknown: usize,
}

impl Found {
    fn add(&mut self, code: &Code<'_, '_>, starts: Starts) {
        for at in code.results(starts) {
            if at.is_some_and(|at| code.is_passed_on(at)) {
                continue;
            }
            match at.and_then(|at| code.form(at, MAX_DEPTH)) {
                Some(form) => self.forms.push(form),
                None => self.n_unknown += 1,
            }
        }
    }

    fn form(self) -> Option<Outcome> {
        let n_known = self.forms.len();
        let mut all = self.forms.into_iter();
        let first = all.next()?;
        let form = all.try_fold(first, merged)?;
        // A few texts beside many are texts as well; an object may have other members.
        let is_certain = match form {
            Outcome::Text => self.n_unknown * 3 <= n_known,
            Outcome::Members(_) => self.n_unknown == 0,
        };
        is_certain.then_some(form)
    }
}

/// Returns true for tokens with which a member of a successful answer begins.
type Starts = fn(&[Token<'_>]) -> bool;

const STATUS: Starts = |tokens| {
    matches!(
        tokens,
        [
            Token::Word("status") | Token::Text("status"),
            Token::Sign(':'),
            Token::Text("success"),
            ..
        ]
    )
};

const SUCCESS: Starts = |tokens| {
    matches!(
        tokens,
        [
            Token::Word("success") | Token::Text("success"),
            Token::Sign(':'),
            Token::Word("true" | "True"),
            ..
        ]
    )
};

fn merged(one: Outcome, other: Outcome) -> Option<Outcome> {
    match (one, other) {
        (Outcome::Text, Outcome::Text) => Some(Outcome::Text),
        (Outcome::Members(mut one), Outcome::Members(other)) => {
            for member in other {
                match one.iter_mut().find(|known| known.name == member.name) {
                    Some(known) => {
                        extend(&mut known.members, member.members);
                        extend(&mut known.parts, member.parts);
                    }
                    None => one.push(member),
                }
            }
            Some(Outcome::Members(one))
        }
        _ => None,
    }
}

fn extend<T: PartialEq>(list: &mut Vec<T>, others: Vec<T>) {
    for other in others {
        if !list.contains(&other) {
            list.push(other);
        }
    }
}

/// The tokens of a file.
struct Code<'t, 'a> {
    tokens: &'t [Token<'a>],
    functions: &'t [Function<'a>],
}

impl<'a> Code<'_, 'a> {
    /// Returns the positions of the values of `result` in answers of success; `None` for such an answer
    /// without one.
    fn results(&self, starts: Starts) -> Vec<Option<usize>> {
        let mut res = Vec::new();
        for at in 0..self.tokens.len() {
            if !starts(&self.tokens[at..]) {
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
    fn form(&self, at: usize, depth: usize) -> Option<Outcome> {
        let depth = depth.checked_sub(1)?;
        match &self.tokens[at..] {
            [Token::Word("await") | Token::Sign('('), ..] => self.form(at + 1, depth + 1),
            [Token::Text(_), ..] => Some(Outcome::Text),
            [Token::Word("f" | "r"), Token::Text(_), ..] => Some(Outcome::Text),
            [
                Token::Word("JSON" | "json"),
                Token::Sign('.'),
                Token::Word("stringify" | "dumps"),
                ..,
            ]
            | [Token::Word("String" | "str"), Token::Sign('('), ..] => Some(Outcome::Text),
            [
                Token::Word(_),
                Token::Sign('.'),
                Token::Word(text),
                Token::Sign('('),
                ..,
            ] if matches!(*text, "trim" | "trimEnd" | "join" | "strip") => Some(Outcome::Text),
            [Token::Sign('{'), ..] => self.object(at, depth),
            [Token::Word(name), Token::Sign('('), ..] => {
                let end = closing(self.tokens, at + 1)?;
                let goes_on = matches!(
                    self.tokens.get(end + 1),
                    Some(Token::Sign('.' | '[' | '(' | '?'))
                );
                (!goes_on).then(|| self.returned(name, depth))?
            }
            [
                Token::Word(name),
                Token::Sign(',' | '}' | ';' | ')') | Token::Word(_),
                ..,
            ] => {
                let mut forms = self.assigned(name, at).into_iter();
                let mut forms = forms.by_ref().map(|value| self.form(value, depth));
                let first = forms.next()??;
                forms.try_fold(first, |one, other| merged(one, other?))
            }
            _ => None,
        }
    }

    /// Returns the positions of the values that a name gets before a position, last first: those of the
    /// function that declares it there.
    fn assigned(&self, name: &str, at: usize) -> Vec<usize> {
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
            self.tokens[*at] == Token::Word("return") && innermost(self.functions, *at) == number
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

    /// Returns the parts of a list, also those that are added to it later.
    fn parts(&self, at: usize) -> Vec<Part> {
        let (range, name) = match self.tokens.get(at) {
            Some(Token::Sign('[')) => (at..closing(self.tokens, at).unwrap_or(at), None),
            Some(Token::Word(name)) => {
                let Some(start) = self.assigned(name, at).pop() else {
                    return Vec::new();
                };
                if self.tokens.get(start) != Some(&Token::Sign('[')) {
                    return Vec::new();
                }
                (
                    start..closing(self.tokens, start).unwrap_or(start),
                    Some(*name),
                )
            }
            _ => return Vec::new(),
        };
        let mut res = self.types(range.clone(), None);
        let pushes = (range.end..at).filter(|at| {
            matches!(
                self.tokens[*at..],
                [Token::Word(list), Token::Sign('.'), Token::Word("push" | "append"), Token::Sign('('), ..]
                    if Some(list) == name
            )
        });
        for push in pushes {
            let end = closing(self.tokens, push + 3).unwrap_or(push);
            extend(&mut res, self.types(push..end, self.guard(push)));
        }
        res
    }

    /// Returns the argument on which a statement depends: `if (shown) {` after `shown = args.show === 'true'`.
    fn guard(&self, at: usize) -> Option<&'a str> {
        const NEAR: usize = 12;
        let before = &self.tokens[..at];
        let open = before.iter().rposition(|it| *it == Token::Sign('{'))?;
        closing(self.tokens, open)
            .filter(|end| *end > at && open + NEAR > at.saturating_sub(NEAR))?;
        let (Token::Word("if"), Token::Sign('('), Token::Word(name)) = (
            self.tokens[open.checked_sub(4)?],
            self.tokens[open - 3],
            self.tokens[open - 2],
        ) else {
            return None;
        };
        (0..open).rev().find_map(|at| match self.tokens[at..] {
            [
                Token::Word(found),
                Token::Sign('='),
                Token::Word(_),
                Token::Sign('.'),
                Token::Word(argument),
                ..,
            ] if found == name => Some(argument),
            _ => None,
        })
    }

    fn types(&self, range: std::ops::Range<usize>, guard: Option<&str>) -> Vec<Part> {
        let mut res = Vec::new();
        for at in range {
            if let [
                Token::Word("type") | Token::Text("type"),
                Token::Sign(':'),
                Token::Text(kind),
                ..,
            ] = self.tokens[at..]
            {
                let part = Part {
                    kind: kind.to_owned(),
                    guard: guard.map(str::to_owned),
                };
                extend(&mut res, vec![part]);
            }
        }
        res
    }
}

#[cfg(test)]
mod tests {
    use super::super::analysis::of_file;
    use super::*;

    #[track_caller]
    fn check(path: &str, code: &str, expected: Option<&Outcome>) {
        assert_eq!(of_file(path, code, outcome).as_ref(), expected, "{code}");
    }

    fn part(kind: &str) -> Part {
        Part {
            kind: kind.to_owned(),
            guard: None,
        }
    }

    fn member(name: &str, members: &[&str], parts: &[&str]) -> Member {
        let texts = |list: &[&str]| list.iter().map(|&it| it.to_owned()).collect();
        Member {
            name: name.to_owned(),
            members: texts(members),
            parts: parts.iter().map(|&kind| part(kind)).collect(),
        }
    }

    #[test]
    fn texts() {
        check(
            "a.js",
            "print({ status: 'success', result: `tea ${n}` }); print({ status: 'success', result: say() });
             function say() { let text = 'x'; text += n; return text; }",
            Some(&Outcome::Text),
        );
        check(
            "a.js",
            "function f() { return { success: true, result: `x` }; } print({ status: 'success', result: f().result }); print({ status: 'success', result: r.result });",
            None,
        );
        check(
            "a.js",
            "function f() { return { success: true, result: `x` }; } const r = f(); print({ status: 'success', result: r.result });",
            Some(&Outcome::Text),
        );
        check(
            "a.py",
            "def go():\n    text = f\"tea {n}\"\n    return {\"status\": \"success\", \"result\": text}\n",
            Some(&Outcome::Text),
        );
    }

    #[test]
    fn members() {
        check(
            "a.js",
            "async function brew(args) {
               const content = [{ type: 'text', text: 'x' }]; content.push({ type: 'image_url', image_url: { url } });
               const result = { content, details: { path, name: 'x' } };
               return result; }
             async function main() { const made = await brew(a); out(JSON.stringify({ status: 'success', result: made })); }",
            Some(&Outcome::Members(vec![
                member("content", &[], &["text", "image_url"]),
                member("details", &["path", "name"], &[]),
            ])),
        );
    }

    #[test]
    fn helpers_and_spreads_are_followed() {
        check(
            "a.js",
            "const wrap = (text) => ({ content: [{ type: 'text', text }] });
             print({ status: 'success', result: wrap(made) });",
            Some(&Outcome::Members(vec![member("content", &[], &["text"])])),
        );
        check(
            "a.js",
            "async function save() { return { path, name }; }
             async function main() { const saved = await save(); print({ status: 'success', result: { ...saved, seed: 1 } }); }",
            Some(&Outcome::Members(vec![
                member("path", &[], &[]),
                member("name", &[], &[]),
                member("seed", &[], &[]),
            ])),
        );
    }

    #[test]
    fn other_results_are_unknown() {
        for code in [
            "print({ status: 'success', result: response.data })",
            "print({ status: 'success', result: 'x' }); print({ status: 'success', result: { a: 1 } })",
            "print({ status: 'success', result: answer.data }); ({ success: true, result: 'x' })",
            "print({ status: 'success', rows: 1 })",
            "let r; if (a) { r = { a: 1 }; } else { r = await ask(a); } print({ status: 'success', result: r });",
            "print({ status: 'success', result: { ...all, a: 1 } })",
            "print({ status: 'error', error: 'x' })",
        ] {
            check("a.js", code, None);
        }
    }
}
