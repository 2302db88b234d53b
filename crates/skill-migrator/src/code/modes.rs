//! Arguments that count only with another one: `if (args.url) { send(args.size) } else { send(args.text) }`.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::arguments::Reader;
use super::facts::Language;
use super::functions::closing;
use super::lexer::Token;
use super::scopes::Scope;

/// The argument on which another one depends, and whether it is given.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Mode {
    /// Its name.
    pub(crate) with: String,
    /// False if the other one counts only without it.
    pub(crate) is_given: bool,
}

/// A part of code that only calls with or without an argument run.
struct Part<'a> {
    name: &'a str,
    is_given: bool,
    body: Range<usize>,
}

/// Returns the arguments that a command reads in such parts only.
pub(super) fn modes(
    reader: &Reader<'_, '_>,
    is_of: &dyn Fn(usize) -> bool,
) -> BTreeMap<String, Mode> {
    let mut res = BTreeMap::new();
    if reader.language != Language::JavaScript || is_passed_whole(reader) {
        return res;
    }
    let parts = parts(reader);
    let names: BTreeSet<(&str, bool)> = parts.iter().map(|it| (it.name, it.is_given)).collect();
    for (name, is_given) in names {
        let is_it = |part: &&Part<'_>| part.name == name && part.is_given == is_given;
        let bodies = parts.iter().filter(is_it).map(|it| it.body.clone());
        let bodies = with_functions(reader, bodies.collect());
        let is_in = |at: usize| bodies.iter().any(|body| body.contains(&at));
        let (mut inside, mut outside) = (BTreeSet::new(), BTreeSet::new());
        for (at, read) in reads(reader) {
            if !is_of(at) {
                continue;
            }
            if is_in(at) {
                inside.insert(read);
            } else {
                outside.insert(read);
            }
        }
        for read in inside.difference(&outside).filter(|it| **it != name) {
            let mode = Mode {
                with: name.to_owned(),
                is_given,
            };
            res.insert((*read).to_owned(), mode);
        }
    }
    res
}

/// Returns true if the arguments go elsewhere as a whole: every one may count there.
fn is_passed_whole(reader: &Reader<'_, '_>) -> bool {
    (1..reader.tokens.len()).any(|at| {
        let is_end = matches!(
            reader.tokens.get(at + 1),
            Some(Token::Sign(',' | ')' | '}'))
        );
        if !is_end || !reader.is_object(at) {
            return false;
        }
        match reader.tokens[..at] {
            [.., Token::Word(callee), Token::Sign('(')] => {
                !reader.defines(callee) && !matches!(callee, "stringify" | "log" | "error")
            }
            // `{ ...args }`
            [.., Token::Sign('.'), Token::Sign('.'), Token::Sign('.')] => true,
            _ => false,
        }
    })
}

/// Returns the places where an argument is read, with its name.
fn reads<'a>(reader: &Reader<'_, 'a>) -> Vec<(usize, &'a str)> {
    let mut res: Vec<(usize, &str)> = Vec::new();
    for at in 0..reader.tokens.len() {
        if reader.is_object(at) {
            res.extend(reader.read_after(at + 1).map(|name| (at, name)));
            res.extend(reader.read_before(at).into_iter().map(|name| (at, name)));
        }
    }
    // What a pattern takes is read there.
    for (function, local) in reader.bound.keys() {
        let start = reader.functions[*function].body.start;
        let names = reader.bound.get(&(*function, *local)).into_iter().flatten();
        res.extend(names.map(|name| (start, *name)));
    }
    res
}

/// Returns the parts that depend on one argument.
fn parts<'a>(reader: &Reader<'_, 'a>) -> Vec<Part<'a>> {
    let tokens = reader.tokens;
    let mut res = Vec::new();
    let known = reader.reads();
    for at in 0..tokens.len() {
        let [Token::Word("if"), Token::Sign('('), ..] = tokens[at..] else {
            continue;
        };
        let Some(end) = closing(tokens, at + 1) else {
            continue;
        };
        let name = match reader.whole(at + 2) {
            Some((names, stop)) if stop == end && names.len() == 1 => Some(names[0]),
            // `payload.custom`, which has the value of the argument of this name.
            _ => match tokens[at + 2..end] {
                [Token::Word(_), Token::Sign('.'), Token::Word(name)] => {
                    let is_copy = tokens[..at].windows(3).any(|three| {
                        three[0] == Token::Word(name)
                            && three[1] == Token::Sign(':')
                            && matches!(three[2], Token::Word(_))
                    });
                    Some(name).filter(|name| is_copy && known.contains(name))
                }
                _ => None,
            },
        };
        let (Some(name), Some(Token::Sign('{'))) = (name, tokens.get(end + 1)) else {
            continue;
        };
        let Some(close) = closing(tokens, end + 1) else {
            continue;
        };
        res.push(Part {
            name,
            is_given: true,
            body: end + 1..close,
        });
        if let [Token::Word("else"), Token::Sign('{'), ..] = tokens[close + 1..]
            && let Some(last) = closing(tokens, close + 2)
        {
            res.push(Part {
                name,
                is_given: false,
                body: close + 2..last,
            });
        }
    }
    res
}

/// Adds the bodies of functions that are called in these parts only.
fn with_functions(reader: &Reader<'_, '_>, mut bodies: Vec<Range<usize>>) -> Vec<Range<usize>> {
    const ROUNDS: usize = 4;
    for _ in 0..ROUNDS {
        let before = bodies.len();
        for function in reader.functions.iter().skip(1) {
            let is_known = bodies
                .iter()
                .any(|it| it.start <= function.body.start && function.body.end <= it.end);
            if function.name.is_empty() || is_known {
                continue;
            }
            let uses = (0..reader.tokens.len()).filter(|at| {
                reader.tokens[*at] == Token::Word(function.name) && *at != function.head
            });
            let uses: Vec<usize> = uses
                .filter(|at| !matches!(reader.tokens[..*at], [.., Token::Word("function")]))
                .collect();
            let is_in = |at: &usize| bodies.iter().any(|body| body.contains(at));
            if !uses.is_empty() && uses.iter().all(is_in) {
                bodies.push(function.body.clone());
            }
        }
        if bodies.len() == before {
            break;
        }
    }
    bodies
}

/// Returns true for a position that a command reaches.
pub(super) fn reaches(scope: &Scope, command: usize) -> bool {
    scope
        .commands
        .as_ref()
        .is_none_or(|it| it.contains(&command))
}
