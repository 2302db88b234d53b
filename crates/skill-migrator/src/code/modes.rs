//! Arguments that count only with another one: `if (args.url) { send(args.size) } else { send(args.text) }`.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::arguments::Reader;
use super::facts::Language;
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
    let mut bodies: BTreeMap<(&str, bool), Vec<Range<usize>>> = BTreeMap::new();
    for part in parts(reader) {
        let bodies = bodies.entry((part.name, part.is_given)).or_default();
        bodies.push(part.body);
    }
    let mut reads = reads(reader);
    reads.retain(|(at, _)| is_of(*at));
    reads.sort_unstable();
    let mut n_all: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, read) in &reads {
        *n_all.entry(read).or_default() += 1;
    }
    for ((name, is_given), bodies) in bodies {
        let mut inside = BTreeSet::new();
        for body in with_functions(reader, bodies) {
            let start = reads.partition_point(|(at, _)| *at < body.start);
            let end = reads.partition_point(|(at, _)| *at < body.end);
            inside.extend(start..end);
        }
        let mut n_inside: BTreeMap<&str, usize> = BTreeMap::new();
        for read in inside {
            *n_inside.entry(reads[read].1).or_default() += 1;
        }
        for (read, n) in n_inside {
            if n == n_all[read] && read != name {
                let mode = Mode {
                    with: name.to_owned(),
                    is_given,
                };
                res.insert(read.to_owned(), mode);
            }
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
    let copied = copied(tokens);
    for &at in reader.index.of("if") {
        let [Token::Word("if"), Token::Sign('('), ..] = tokens[at..] else {
            continue;
        };
        let Some(end) = reader.index.closing(at + 1) else {
            continue;
        };
        let name = match reader.whole(at + 2) {
            Some((names, stop)) if stop == end && names.len() == 1 => Some(names[0]),
            // `payload.custom`, which has the value of the argument of this name.
            _ => match tokens[at + 2..end] {
                [Token::Word(_), Token::Sign('.'), Token::Word(name)] => {
                    let is_copy = copied.get(name).is_some_and(|first| first + 3 <= at);
                    Some(name).filter(|name| is_copy && known.contains(name))
                }
                _ => None,
            },
        };
        let (Some(name), Some(Token::Sign('{'))) = (name, tokens.get(end + 1)) else {
            continue;
        };
        let Some(close) = reader.index.closing(end + 1) else {
            continue;
        };
        res.push(Part {
            name,
            is_given: true,
            body: end + 1..close,
        });
        if let [Token::Word("else"), Token::Sign('{'), ..] = tokens[close + 1..]
            && let Some(last) = reader.index.closing(close + 2)
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

/// Returns the first place of each name whose value is that of another name: `custom: args`.
fn copied<'a>(tokens: &[Token<'a>]) -> BTreeMap<&'a str, usize> {
    let mut res = BTreeMap::new();
    for (at, three) in tokens.windows(3).enumerate() {
        if let [Token::Word(name), Token::Sign(':'), Token::Word(_)] = three {
            res.entry(*name).or_insert(at);
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
            let is_use = |at: &&usize| {
                **at != function.head
                    && !matches!(reader.tokens[..**at], [.., Token::Word("function")])
            };
            let mut uses = reader.index.of(function.name).iter().filter(is_use);
            let is_in = |at: &usize| bodies.iter().any(|body| body.contains(at));
            if uses.next().is_some_and(is_in) && uses.all(is_in) {
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
