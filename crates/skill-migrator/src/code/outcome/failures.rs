//! Failures in the texts of answers of success: `catch (e) { return `Search failed: ${e}` }`.
//!
//! The values of the answers are followed backwards through names, functions and their arguments to the
//! literals of which they are made. One that begins with the words of a failure is such a text. Each token
//! is read once at most.

mod follow;
mod labels;
mod members;
mod words;

use std::collections::BTreeSet;
use std::ops::Range;

use super::super::analysis::Analysis;
use super::super::arguments::Reader;
use super::super::facts::Language;
use super::super::functions::innermost;
use super::super::lexer::Token;
use super::form::{Answers, Starts};
use super::starts::{CALLED, STATUS, SUCCESS};
use words::is_error_word;

/// A file and a part of it.
type Part = (usize, Range<usize>);

/// The parts of code of which the answers of success are made.
struct Slice<'s, 't, 'a> {
    readers: &'s [Reader<'t, 'a>],
    /// True for each token that was read, by file.
    seen: Vec<Vec<bool>>,
    /// The names that were followed: file, function that declares it, name, and the member that is meant.
    names: BTreeSet<(usize, usize, &'a str, Option<&'a str>)>,
    /// The same names with the members that are meant, of all files.
    members: BTreeSet<(&'a str, Option<&'a str>)>,
    /// The functions that were followed.
    functions: BTreeSet<(usize, usize)>,
    work: Vec<Part>,
    /// The texts of failures: those that are a whole answer first, then by their places.
    found: BTreeSet<(bool, usize, usize, String)>,
    /// The labels of values in texts with their places.
    labels: BTreeSet<(usize, usize, usize, &'a str)>,
    /// The functions with texts that have labels, and with texts that have values without one: file, function.
    labelled: BTreeSet<(usize, usize)>,
    unlabelled: BTreeSet<(usize, usize)>,
    /// The arguments of calls that are read.
    arguments: BTreeSet<&'a str>,
}

/// The failures and labels in the texts of answers of success.
pub(super) struct Texts {
    /// The beginnings of those that tell a failure, those of whole answers first.
    pub(super) failures: Vec<String>,
    /// The labels of values, in the order of the code.
    pub(super) labels: Vec<String>,
    /// True if the functions with the labels have values without one.
    pub(super) has_others: bool,
}

/// Returns the beginnings of texts that tell a failure in an answer of success, and the labels of values.
pub(super) fn texts(code: &Analysis<'_, '_>, answers: Answers) -> Texts {
    let readers = &code.readers[..];
    let mut slice = Slice::new(readers);
    slice.begin(answers);
    slice.follow();
    // Texts by which the program itself finds the failures among its results.
    let tested: BTreeSet<&str> = tested(readers);
    let mut failures: Vec<String> = Vec::new();
    for (_, _, _, text) in slice.found {
        if !failures.contains(&text) && !tested.contains(text.as_str()) {
            failures.push(text);
        }
    }
    let mut labels: Vec<String> = Vec::new();
    for (_, _, _, label) in slice.labels {
        if !labels.iter().any(|it| it == label) {
            labels.push(label.to_owned());
        }
    }
    let functions: BTreeSet<(usize, usize)> = slice.labelled.into_iter().collect();
    let has_others = functions.intersection(&slice.unlabelled).next().is_some();
    Texts {
        failures,
        labels,
        has_others,
    }
}

/// Returns the arguments of calls from which a name at a position gets its values.
pub(in super::super) fn arguments_behind<'a>(
    readers: &[Reader<'_, 'a>],
    file: usize,
    at: usize,
    name: &'a str,
) -> BTreeSet<&'a str> {
    let mut slice = Slice::new(readers);
    slice.name(file, at, name, None);
    slice.follow();
    slice.arguments
}

/// Returns the texts that are alone in lists and arguments: `text.startsWith("Error:")`.
fn tested<'a>(readers: &[Reader<'_, 'a>]) -> BTreeSet<&'a str> {
    let all = readers.iter().flat_map(|it| it.tokens.windows(3));
    let tested = all.filter_map(|three| match three {
        [
            Token::Sign('(' | ',' | '['),
            Token::Text(text),
            Token::Sign(')' | ',' | ']'),
        ] => Some(*text),
        _ => None,
    });
    tested.collect()
}

impl<'s, 't, 'a> Slice<'s, 't, 'a> {
    fn new(readers: &'s [Reader<'t, 'a>]) -> Self {
        let unseen = readers.iter().map(|it| vec![false; it.tokens.len()]);
        Self {
            readers,
            seen: unseen.collect(),
            names: BTreeSet::new(),
            members: BTreeSet::new(),
            functions: BTreeSet::new(),
            work: Vec::new(),
            found: BTreeSet::new(),
            labels: BTreeSet::new(),
            labelled: BTreeSet::new(),
            unlabelled: BTreeSet::new(),
            arguments: BTreeSet::new(),
        }
    }

    /// Reads all parts, and those to which they lead.
    fn follow(&mut self) {
        while let Some((file, range)) = self.work.pop() {
            self.scan(file, range);
        }
    }

    /// Adds the values of the answers.
    fn begin(&mut self, answers: Answers) {
        match answers {
            Answers::Printed => self.add_printed(),
            Answers::Module => {
                for file in 0..self.readers.len() {
                    self.call(file, CALLED);
                }
                if self.work.is_empty() {
                    self.add_answers();
                }
            }
            Answers::Program => self.add_answers(),
        }
    }

    fn add_answers(&mut self) {
        for starts in [STATUS, SUCCESS] {
            for file in 0..self.readers.len() {
                self.add_objects(file, starts);
            }
            if !self.work.is_empty() {
                return;
            }
        }
    }

    /// Adds the results in objects of success.
    fn add_objects(&mut self, file: usize, starts: Starts) {
        let reader = &self.readers[file];
        for at in 0..reader.tokens.len() {
            if let [
                Token::Sign('['),
                Token::Text("result"),
                Token::Sign(']'),
                Token::Sign('='),
                next,
                ..,
            ] = reader.tokens[at..]
                && next != Token::Sign('=')
            {
                self.add_value(file, at + 4);
                continue;
            }
            let is_key = matches!(
                reader.tokens[at],
                Token::Word("status" | "success") | Token::Text("status" | "success")
            );
            if !is_key {
                continue;
            }
            let open = reader.index.around(at);
            let open = open.filter(|open| reader.tokens[*open] == Token::Sign('{'));
            let Some((open, end)) = open.and_then(|it| Some((it, reader.index.closing(it)?)))
            else {
                continue;
            };
            let result = self.member(file, open, end, "result");
            // A status that is only known where the function is called.
            let is_given = matches!(
                reader.tokens[at..],
                [
                    Token::Word("status") | Token::Text("status"),
                    Token::Sign(':'),
                    Token::Word(_),
                    ..
                ] | [Token::Word("status"), Token::Sign(','), ..]
            );
            match result {
                Some(value) if starts(&reader.tokens[at..]) || is_given => {
                    self.add_value(file, value);
                }
                None if starts(&reader.tokens[at..]) => self.work.push((file, open + 1..end)),
                _ => {}
            }
        }
    }

    /// Returns the position of the value of a member, or of its name if that is all.
    fn member(&self, file: usize, open: usize, end: usize, name: &str) -> Option<usize> {
        let mut start = open + 1;
        while start < end {
            match self.readers[file].tokens[start..] {
                [
                    Token::Word(found) | Token::Text(found),
                    Token::Sign(':'),
                    ..,
                ] if found == name => return Some(start + 2),
                [Token::Word(found), Token::Sign(',' | '}'), ..] if found == name => {
                    return Some(start);
                }
                _ => start = self.item_end(file, start, end) + 1,
            }
        }
        None
    }

    /// Adds what functions print.
    fn add_printed(&mut self) {
        for (file, reader) in self.readers.iter().enumerate() {
            for open in 1..reader.tokens.len() {
                if reader.tokens[open] != Token::Sign('(') {
                    continue;
                }
                let is_printer = match &reader.tokens[..open] {
                    [
                        ..,
                        Token::Word("console"),
                        Token::Sign('.'),
                        Token::Word("log"),
                    ]
                    | [
                        ..,
                        Token::Word("stdout"),
                        Token::Sign('.'),
                        Token::Word("write"),
                    ] => true,
                    [.., Token::Sign('.'), Token::Word(_)] => false,
                    [.., Token::Word(name)] => {
                        *name == "print" || name.to_ascii_lowercase().contains("stdoutwrite")
                    }
                    _ => false,
                };
                let end = reader.index.closing(open).filter(|_| is_printer);
                let Some(end) = end else {
                    continue;
                };
                let is_error = |two: &[Token<'_>]| two == [Token::Sign('.'), Token::Word("stderr")];
                if !reader.tokens[open..end].windows(2).any(is_error) {
                    self.work.push((file, open + 1..end));
                }
            }
        }
    }

    /// Adds the expression at a position.
    fn add_value(&mut self, file: usize, at: usize) {
        let end = self.extent(file, at);
        self.work.push((file, at..end));
    }

    /// Reads a part: its names are followed, its texts are judged.
    fn scan(&mut self, file: usize, range: Range<usize>) {
        let reader = &self.readers[file];
        let mut at = range.start;
        while at < range.end {
            if std::mem::replace(&mut self.seen[file][at], true) {
                at += 1;
                continue;
            }
            let next = match reader.tokens[at] {
                Token::Sign('{') if self.is_failure(file, at) => reader.index.closing(at),
                Token::Word(_) | Token::Text(_) if self.is_error_member(file, at) => {
                    let is_short =
                        matches!(reader.tokens.get(at + 1), Some(Token::Sign(',' | '}')));
                    Some(if is_short {
                        at
                    } else {
                        self.extent(file, at + 2) - 1
                    })
                }
                Token::Word("throw" | "raise") => Some(self.extent(file, at + 1)),
                Token::Word("new") if self.promise(file, at).is_some() => self.promise(file, at),
                Token::Word(word) => match self.hidden(file, at) {
                    Some(open) => reader.index.closing(open),
                    None => self.word(file, at, word),
                },
                Token::Text(text) => {
                    self.text(file, at, text, range.start);
                    None
                }
                Token::Sign(_) | Token::Newline => None,
            };
            at = next.unwrap_or(at).max(at) + 1;
        }
    }

    /// Returns the bracket of a call whose arguments are in no answer: errors, notices.
    fn hidden(&self, file: usize, at: usize) -> Option<usize> {
        match self.readers[file].tokens[at..] {
            [
                Token::Word("console"),
                Token::Sign('.'),
                Token::Word(_),
                Token::Sign('('),
                ..,
            ] => Some(at + 3),
            [
                Token::Word(object),
                Token::Sign('.'),
                Token::Word(_),
                Token::Sign('('),
                ..,
            ] if object.to_ascii_lowercase().ends_with("logger")
                || matches!(object, "logging" | "log" | "stderr") =>
            {
                Some(at + 3)
            }
            // What is sent or stored is not the answer.
            [Token::Word(name), Token::Sign('('), ..]
                if matches!(
                    name,
                    "fetch"
                        | "axios"
                        | "post"
                        | "put"
                        | "patch"
                        | "request"
                        | "create"
                        | "writeFile"
                        | "writeFileSync"
                        | "appendFile"
                        | "appendFileSync"
                ) && !self.readers.iter().any(|it| it.defines(name)) =>
            {
                Some(at + 1)
            }
            [Token::Word(name), Token::Sign('('), ..] => {
                let lower = name.to_ascii_lowercase();
                let is_hidden = is_error_word(name)
                    || lower.starts_with("log")
                    || lower.ends_with("log")
                    || lower.starts_with("debug")
                    || matches!(
                        name,
                        "reject"
                            | "if"
                            | "while"
                            | "includes"
                            | "startsWith"
                            | "startswith"
                            | "endsWith"
                            | "test"
                            | "match"
                            | "indexOf"
                            | "require"
                    );
                is_hidden.then_some(at + 1)
            }
            _ => None,
        }
    }

    /// Returns true for an object that is the answer of a failure.
    fn is_failure(&self, file: usize, open: usize) -> bool {
        const NEAR: usize = 16;
        let reader = &self.readers[file];
        let end = reader.index.closing(open).unwrap_or(open);
        let near = open + 1..end.min(open + NEAR);
        near.into_iter().any(|at| {
            reader.index.around(at) == Some(open)
                && match reader.tokens[at..] {
                    [
                        Token::Word("status") | Token::Text("status"),
                        Token::Sign(':'),
                        Token::Text(text),
                        ..,
                    ] => matches!(text, "error" | "failed" | "fail" | "failure"),
                    [
                        Token::Word("success" | "ok") | Token::Text("success" | "ok"),
                        Token::Sign(':'),
                        Token::Word(word),
                        ..,
                    ] => matches!(word, "false" | "False"),
                    _ => false,
                }
        })
    }

    /// Judges a text.
    fn text(&mut self, file: usize, at: usize, text: &'a str, start: usize) {
        let is_python = self.readers[file].language == Language::Python;
        for (name, member) in words::names(text, is_python) {
            self.word_of_text(file, at, name, member);
        }
        if self.begins(file, at, start)
            && let Some(failure) = words::failure(text, is_python)
        {
            let is_part = !self.is_whole(file, at);
            self.found.insert((is_part, file, at, failure));
        } else {
            let next = self.readers[file].tokens.get(at + 1);
            let is_sum = next == Some(&Token::Sign('+'));
            let labels = if self.is_of_argument(file, at) {
                Vec::new()
            } else {
                labels::labels(text, is_python, is_sum)
            };
            let open = if is_python { "{" } else { "${" };
            let n_values = text.matches(open).count() + usize::from(is_sum);
            let place = (file, innermost(&self.readers[file].functions, at));
            if labels.len() < n_values {
                self.unlabelled.insert(place);
            }
            if !labels.is_empty() {
                self.labelled.insert(place);
            }
            let labels = labels.into_iter();
            self.labels
                .extend(labels.enumerate().map(|(n, it)| (file, at, n, it)));
        }
    }

    /// Returns true for a text with which a value begins.
    fn begins(&self, file: usize, at: usize, start: usize) -> bool {
        const TAKES: [&str; 10] = [
            "push", "append", "unshift", "resolve", "write", "extend", "return", "concat", "wrap",
            "log",
        ];
        let reader = &self.readers[file];
        let tokens = reader.tokens;
        let is_marked = |at: usize| matches!(tokens[at], Token::Word("f" | "rf" | "fr"));
        let at = if at > 0 && is_marked(at - 1) {
            at - 1
        } else {
            at
        };
        if at <= start {
            return true;
        }
        // The name of a member.
        if matches!(tokens.get(at + 1), Some(Token::Sign(':'))) && !is_marked(at) {
            return false;
        }
        // One of two texts in an object that says itself whether it is a success.
        if matches!(tokens[at - 1], Token::Sign(':') | Token::Word("else"))
            && self.is_told(file, at)
        {
            return false;
        }
        let is_argument = reader.index.around(at).is_some_and(|open| {
            tokens[open] == Token::Sign('(')
                && matches!(open.checked_sub(1).map(|it| tokens[it]),
                    Some(Token::Word(name)) if !TAKES.contains(&name) && !words::is_keyword(name))
        });
        match tokens[at - 1] {
            Token::Word("return" | "else" | "yield") => true,
            Token::Sign(',' | '(') => !is_argument,
            Token::Sign(':') => !matches!(
                tokens[..at - 1],
                [.., Token::Word(key) | Token::Text(key)] if words::is_error_key(key)
            ),
            Token::Sign('=') => !matches!(
                at.checked_sub(2).map(|it| tokens[it]),
                Some(Token::Sign('=' | '!'))
            ),
            Token::Sign('>') => at > 1 && tokens[at - 2] == Token::Sign('='),
            Token::Sign('?' | '[') => true,
            _ => false,
        }
    }
}
