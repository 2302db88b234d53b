//! The steps from a name to the values that it gets, and from a call to what its function returns.

use super::super::super::facts::Language;
use super::super::super::functions::{Parameter, innermost, owner};
use super::super::super::lexer::Token;
use super::super::expression;
use super::Slice;
use super::words::is_of_failure;

/// The methods that put their arguments into a list.
const ADDING: [&str; 6] = ["push", "append", "unshift", "extend", "concat", "add"];

impl<'a> Slice<'_, '_, 'a> {
    /// Returns the end of an item of a list that begins at a position.
    pub(super) fn item_end(&self, file: usize, start: usize, end: usize) -> usize {
        let reader = &self.readers[file];
        let mut at = start;
        while at < end {
            match reader.tokens[at] {
                Token::Sign(',') => return at,
                Token::Sign('(' | '[' | '{') => {
                    at = reader.index.closing(at).unwrap_or(end).max(at) + 1;
                }
                _ => at += 1,
            }
        }
        end
    }

    /// Returns the end of the expression at a position.
    pub(super) fn extent(&self, file: usize, start: usize) -> usize {
        let reader = &self.readers[file];
        if reader.language == Language::Python {
            let mut at = start;
            while at < reader.tokens.len() {
                // `return` alone ends with its line.
                let is_next = reader.columns[at].is_some();
                match reader.tokens[at] {
                    _ if is_next => return at,
                    Token::Sign(')' | ']' | '}' | ',' | ':') => return at,
                    Token::Sign('(' | '[' | '{') => {
                        at = reader.index.closing(at).unwrap_or(at) + 1;
                    }
                    _ => at += 1,
                }
            }
            return at;
        }
        let mut end = expression::end(reader.tokens, start);
        while reader.tokens.get(end) == Some(&Token::Sign(':'))
            && reader.tokens[start..end].contains(&Token::Sign('?'))
        {
            let next = expression::end(reader.tokens, end + 1);
            if next <= end + 1 {
                break;
            }
            end = next;
        }
        end
    }

    /// Follows a word of code; returns the end of what it takes with it.
    pub(super) fn word(&mut self, file: usize, at: usize, word: &'a str) -> Option<usize> {
        let reader = &self.readers[file];
        let tokens = reader.tokens;
        let is_call = tokens.get(at + 1) == Some(&Token::Sign('('));
        let is_member = at > 0 && tokens[at - 1] == Token::Sign('.');
        let is_spread = at > 1 && tokens[at - 2] == Token::Sign('.');
        if is_call {
            // `get(args, "tea")` gives one argument.
            if let Some(close) = reader.index.closing(at + 1) {
                let objects = (at + 2..close).filter(|it| reader.is_object(*it));
                let read: Vec<&str> = objects.flat_map(|it| reader.read_before(it)).collect();
                if !read.is_empty() {
                    self.arguments.extend(read);
                    return Some(close);
                }
            }
            let is_followed = self.call(file, word);
            // The function says which of its arguments count; one that is a function may be called.
            let close = reader.index.closing(at + 1).filter(|_| is_followed)?;
            let has_function = |range: &[Token<'_>]| {
                let arrow = [Token::Sign('='), Token::Sign('>')];
                range.windows(2).any(|two| two == arrow)
            };
            return Some(close).filter(|close| !has_function(&tokens[at + 2..*close]));
        }
        if reader.is_object(at) {
            self.arguments.extend(reader.read_after(at + 1));
            return None;
        }
        if !is_member || is_spread {
            let member = match tokens[at + 1..] {
                [Token::Sign('.'), Token::Word(member), next, ..] if next != Token::Sign('(') => {
                    Some(member)
                }
                _ => None,
            };
            self.name(file, at, word, member);
            // A function that is given on: `rows.map(told)`.
            if matches!(tokens.get(at + 1), Some(Token::Sign(')'))) {
                self.call(file, word);
            }
        }
        None
    }

    /// Follows a word in a value of a text.
    pub(super) fn word_of_text(
        &mut self,
        file: usize,
        at: usize,
        word: &'a str,
        member: Option<&'a str>,
    ) {
        self.name(file, at, word, member);
        self.call(file, word);
    }

    /// Adds what the functions with a name return: those of the file, or of the only other one. Returns
    /// false if there are none.
    pub(super) fn call(&mut self, file: usize, name: &str) -> bool {
        let owner = if self.readers[file].defines(name) {
            file
        } else {
            let readers = self.readers.iter().enumerate();
            let mut owners = readers.filter(|(_, it)| it.defines(name));
            match (owners.next(), owners.next()) {
                (Some((owner, _)), None) => owner,
                _ => return false,
            }
        };
        let reader = &self.readers[owner];
        for &number in reader.named(name) {
            if !self.functions.insert((owner, number)) {
                continue;
            }
            let function = &reader.functions[number];
            let start = function.body.start;
            let is_arrow = start > 0 && reader.tokens[start - 1] == Token::Sign('>');
            if is_arrow && reader.tokens.get(start) != Some(&Token::Sign('{')) {
                self.work.push((owner, function.body.clone()));
                continue;
            }
            for at in function.body.clone() {
                let is_return = matches!(reader.tokens[at], Token::Word("return" | "yield"))
                    && innermost(&reader.functions, at) == number;
                if is_return {
                    self.add_value(owner, at + 1);
                }
            }
        }
        true
    }

    /// Adds the values that a name gets; of those that its members get, only one that is meant.
    pub(super) fn name(&mut self, file: usize, at: usize, name: &'a str, member: Option<&'a str>) {
        let reader = &self.readers[file];
        let declares = owner(&reader.functions, name, at);
        let is_known = self.names.contains(&(file, declares, name, None));
        if is_known || !self.names.insert((file, declares, name, member)) {
            return;
        }
        self.members.insert((name, member));
        let bound = reader.bound.get(&(declares, name)).into_iter().flatten();
        self.arguments.extend(bound);
        for &place in reader.index.of(name) {
            let is_member = place > 0
                && reader.tokens[place - 1] == Token::Sign('.')
                && !(place > 1 && reader.tokens[place - 2] == Token::Sign('.'));
            if !is_member && owner(&reader.functions, name, place) == declares {
                self.set(file, place, member);
            }
        }
        if declares > 0 {
            self.given(file, declares, name);
        }
    }

    /// Adds the value that a name gets at a position.
    fn set(&mut self, file: usize, place: usize, member: Option<&str>) {
        let reader = &self.readers[file];
        let tokens = reader.tokens;
        let is_value = |at: usize| !matches!(tokens.get(at), Some(Token::Sign('=' | '>')) | None);
        // The name of an argument.
        let is_argument = reader.language == Language::Python
            && place > 0
            && matches!(tokens[place - 1], Token::Sign('(' | ','))
            && tokens.get(place + 1) == Some(&Token::Sign('='))
            && (reader.index.around(place)).is_some_and(|open| tokens[open] == Token::Sign('('));
        if is_argument {
            return;
        }
        match tokens[place + 1..] {
            [Token::Sign('='), ..] if is_value(place + 2) => self.add_value(file, place + 2),
            [Token::Sign('+'), Token::Sign('='), ..] => self.add_value(file, place + 3),
            [Token::Sign('.'), Token::Word(method), Token::Sign('('), ..]
                if ADDING.contains(&method) =>
            {
                if let Some(end) = reader.index.closing(place + 3) {
                    self.work.push((file, place + 4..end));
                }
            }
            [Token::Sign('.'), Token::Word(key), Token::Sign('='), ..]
                if key != "error" && member.is_none_or(|it| it == key) && is_value(place + 4) =>
            {
                self.add_value(file, place + 4);
            }
            [Token::Sign('['), ..] => {
                let close = reader.index.closing(place + 1);
                if let Some(close) = close
                    && tokens.get(close + 1) == Some(&Token::Sign('='))
                    && is_value(close + 2)
                    && tokens[place + 2] != Token::Text("error")
                {
                    self.add_value(file, close + 2);
                }
            }
            [Token::Word("of" | "in"), ..] => self.add_value(file, place + 2),
            [Token::Sign(',' | '}' | ']' | '='), ..] => {
                // `{ text } = made`
                if let Some(open) = reader.index.around(place)
                    && let Some(close) = reader.index.closing(open)
                    && tokens[open] != Token::Sign('(')
                    && tokens.get(close + 1) == Some(&Token::Sign('='))
                    && is_value(close + 2)
                {
                    self.add_value(file, close + 2);
                }
            }
            _ => {}
        }
    }

    /// Adds the arguments of calls for a parameter.
    fn given(&mut self, file: usize, number: usize, name: &str) {
        let function = &self.readers[file].functions[number];
        let position = function.parameters.iter().position(|it| match it {
            Parameter::Name(found) => *found == name,
            Parameter::Keys(keys) => keys.names.contains(&name) || keys.rest == Some(name),
        });
        let (Some(position), false) = (position, function.name.is_empty()) else {
            return;
        };
        let called = function.name;
        let readers = self.readers;
        let is_only = readers.iter().filter(|it| it.defines(called)).count() == 1;
        for (other, reader) in readers.iter().enumerate() {
            if other != file && !is_only {
                continue;
            }
            for &at in reader.index.of(called) {
                let is_head = reader.functions[1..].binary_search_by_key(&at, |it| it.head);
                let Some(close) = reader.index.closing(at + 1).filter(|_| is_head.is_err()) else {
                    continue;
                };
                // What goes into a member that is not looked at is in no answer.
                let is_unread = match reader.tokens[..at] {
                    [
                        ..,
                        Token::Word(object),
                        Token::Sign('.'),
                        Token::Word(key),
                        Token::Sign('='),
                    ] => {
                        !self.members.contains(&(object, Some(key)))
                            && !self.members.contains(&(object, None))
                    }
                    _ => false,
                };
                if is_unread
                    || reader.tokens[at + 1] != Token::Sign('(')
                    || is_of_failure(&reader.tokens[at + 2..close])
                {
                    continue;
                }
                let (mut start, mut n) = (at + 2, 0);
                while start < close {
                    let end = self.item_end(other, start, close);
                    let is_it = match reader.tokens[start..end] {
                        [Token::Word(found), Token::Sign('='), next, ..]
                            if !matches!(next, Token::Sign('=' | '>')) =>
                        {
                            found == name
                        }
                        _ => n == position,
                    };
                    if is_it {
                        self.work.push((other, start..end));
                    }
                    (start, n) = (end + 1, n + 1);
                }
            }
        }
    }
}
