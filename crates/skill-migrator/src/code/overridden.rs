//! Arguments that a function gets from its caller instead of the call: `brew({ ...args, leaf: own })`.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::arguments::Reader;
use super::functions::items;
use super::lexer::Token;
use super::modes::reaches;
use super::scopes::Scopes;

/// Maximum number of calls with values of their own that are looked at.
const MAX_CALLS: usize = 64;

/// A function with the arguments that all calls of it by a command replace.
pub(super) struct Overridden<'a> {
    pub(super) command: usize,
    pub(super) file: usize,
    pub(super) body: Range<usize>,
    pub(super) keys: BTreeSet<&'a str>,
}

/// Returns the functions whose arguments the code replaces for a command.
pub(super) fn overridden<'a>(
    readers: &[Reader<'_, 'a>],
    scopes: &Scopes<'_, '_, 'a>,
    n_commands: usize,
) -> Vec<Overridden<'a>> {
    let mut res = Vec::new();
    let mut n_calls = 0;
    for (file, reader) in readers.iter().enumerate() {
        let mut calls: BTreeMap<&str, BTreeSet<&'a str>> = BTreeMap::new();
        for open in 1..reader.tokens.len() {
            if let Some((name, keys)) = copy(reader, open)
                && n_calls < MAX_CALLS
            {
                n_calls += 1;
                calls.entry(name).or_default().extend(keys);
            }
        }
        for (name, keys) in calls {
            let [number] = reader.named(name) else {
                continue;
            };
            let function = &reader.functions[*number];
            let places = reader.index.of(name).iter().copied();
            let places = places.filter(|at| {
                *at != function.head && reader.tokens.get(at + 1) == Some(&Token::Sign('('))
            });
            let places: Vec<usize> = places.collect();
            for command in 0..n_commands {
                let own = places.iter();
                let own = own.filter(|at| reaches(&scopes.at(file, **at), command));
                let all = own.map(|at| copy(reader, at + 1).map(|(_, keys)| keys));
                // A call with the arguments as they are replaces none.
                let common = all.reduce(|a, b| match (a, b) {
                    (Some(a), Some(b)) => Some(&a & &b),
                    _ => None,
                });
                let common = common.flatten().map(|it| &it & &keys);
                if let Some(keys) = common.filter(|it| !it.is_empty()) {
                    res.push(Overridden {
                        command,
                        file,
                        body: function.body.clone(),
                        keys,
                    });
                }
            }
        }
    }
    res
}

/// Reads `brew({ ...args, leaf: own, cup })` at its bracket: the function and the keys after the copy.
fn copy<'a>(reader: &Reader<'_, 'a>, open: usize) -> Option<(&'a str, BTreeSet<&'a str>)> {
    let tokens = reader.tokens;
    let [
        Token::Word(name),
        Token::Sign('('),
        Token::Sign('{'),
        Token::Sign('.'),
        Token::Sign('.'),
        Token::Sign('.'),
        Token::Word(_),
        Token::Sign(','),
        ..,
    ] = tokens[open.checked_sub(1)?..]
    else {
        return None;
    };
    if !reader.is_object(open + 5) {
        return None;
    }
    let close = reader.index.closing(open + 1)?;
    let keys = items(&tokens[open + 7..close]).into_iter();
    let keys = keys.filter_map(|item| match item {
        [Token::Word(key)] | [Token::Word(key) | Token::Text(key), Token::Sign(':'), ..] => {
            Some(*key)
        }
        _ => None,
    });
    Some((name, keys.collect()))
}

/// Returns the names that are read only where the code itself gives their values, with their other names.
pub(super) fn given(
    readers: &[Reader<'_, '_>],
    aliases: &[Vec<String>],
    keys: &BTreeSet<&str>,
    is_outside: &dyn Fn(usize, usize) -> bool,
) -> BTreeSet<String> {
    let is_given = |it: &&Vec<String>| it.first().is_some_and(|it| keys.contains(&**it));
    let groups = aliases.iter().filter(is_given);
    let mut res: BTreeSet<String> = groups.flatten().cloned().collect();
    res.extend(keys.iter().map(|it| (*it).to_owned()));
    for (file, reader) in readers.iter().enumerate() {
        for at in 0..reader.tokens.len() {
            if let Some((name, _)) = reader.read(at).filter(|(it, _)| res.contains(*it))
                && is_outside(file, at)
            {
                res.remove(name);
            }
        }
    }
    res
}
