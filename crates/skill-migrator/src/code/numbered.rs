//! Arguments with numbers that a loop reads: `` args[`image_${i}`] `` for `i` from 1 to 3, and lists that
//! arguments fill.

use std::collections::BTreeMap;

use super::arguments::Reader;
use super::facts::Language;
use super::lexer::Token;

/// A family of arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Family {
    /// The name without its number: `image_`.
    pub(crate) base: String,
    pub(crate) first: u32,
    pub(crate) last: Option<u32>,
    /// The position where it is read.
    pub(super) at: usize,
    /// The list that gets the values.
    pub(super) list: Option<String>,
}

/// Returns the families that a file reads.
pub(super) fn families(reader: &Reader<'_, '_>) -> Vec<Family> {
    let mut res: Vec<Family> = Vec::new();
    for (at, token) in reader.tokens.iter().enumerate() {
        let Token::Text(text) = token else { continue };
        let Some((base, counter)) = parts(text, reader.language) else {
            continue;
        };
        let Some((at, end)) = read(reader, at) else {
            continue;
        };
        if res.iter().any(|it| it.base == base) {
            continue;
        }
        let Some((first, last)) = range(reader, at, counter) else {
            continue;
        };
        res.push(Family {
            base: base.to_owned(),
            first,
            last,
            at,
            list: pushed(reader, at, end),
        });
    }
    res
}

/// Splits `image_${i}` and, of Python, `image_{i}`.
fn parts(text: &str, language: Language) -> Option<(&str, &str)> {
    let sign = match language {
        Language::JavaScript => "${",
        Language::Python => "{",
    };
    let (base, rest) = text.split_once(sign)?;
    let counter = rest.strip_suffix('}')?;
    let is_word = |it: &str| it.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let is_name = base.starts_with(|c: char| c.is_ascii_alphabetic()) && base.len() <= 32;
    (is_name && is_word(base) && is_word(counter) && !counter.is_empty()).then_some((base, counter))
}

/// Returns the place where the arguments are asked for a name, which another name may hold.
fn read(reader: &Reader<'_, '_>, at: usize) -> Option<(usize, usize)> {
    const NEAR: usize = 60;
    let tokens = reader.tokens;
    let is_of_object = |at: usize| match tokens[..at] {
        [.., Token::Word(_), Token::Sign('[')] => reader.is_object(at - 2),
        [
            ..,
            Token::Word(_),
            Token::Sign('.'),
            Token::Word("get"),
            Token::Sign('('),
        ] => reader.is_object(at - 4),
        _ => false,
    };
    // Python has `f"…"`.
    let start = match tokens[..at] {
        [.., Token::Word("f")] => at - 1,
        _ => at,
    };
    if is_of_object(start) {
        return Some((start, at + 1));
    }
    let [.., Token::Word(name), Token::Sign('=')] = tokens[..start] else {
        return None;
    };
    let uses = reader.index.of(name).iter().copied();
    let mut uses = uses.filter(|it| (at..at + NEAR).contains(it));
    uses.find(|it| is_of_object(*it)).map(|it| (it, it + 1))
}

/// Returns the numbers that a loop gives to its counter.
fn range(reader: &Reader<'_, '_>, at: usize, counter: &str) -> Option<(u32, Option<u32>)> {
    const FAR: usize = 160;
    let number = |token: &Token<'_>| {
        let value = reader.constant(&[*token])?;
        value.as_u64().and_then(|it| u32::try_from(it).ok())
    };
    let all = reader.index.of(counter).iter().rev().copied();
    for place in all.filter(|it| *it < at && at - *it < FAR) {
        match &reader.tokens[place..] {
            // `for (let i = 1; i <= 3; i++)`
            [
                _,
                Token::Sign('='),
                first,
                Token::Sign(';'),
                _,
                Token::Sign('<'),
                rest @ ..,
            ] => {
                let first = number(first)?;
                let (is_in, rest) = match rest {
                    [Token::Sign('='), rest @ ..] => (true, rest),
                    rest => (false, rest),
                };
                let last = match rest {
                    [last, Token::Sign(';'), ..] => number(last),
                    _ => None,
                };
                let last = last.and_then(|it| if is_in { Some(it) } else { it.checked_sub(1) });
                return Some((first, last));
            }
            // `let i = 1; while (…)`
            [_, Token::Sign('='), first, Token::Sign(';'), ..]
                if matches!(reader.tokens[..place], [.., Token::Word("let")]) =>
            {
                return number(first).map(|first| (first, None));
            }
            // `for i in range(1, 4):`
            [
                _,
                Token::Word("in"),
                Token::Word("range"),
                Token::Sign('('),
                first,
                Token::Sign(','),
                last,
                ..,
            ] => {
                return Some((number(first)?, number(last)?.checked_sub(1)));
            }
            _ => {}
        }
    }
    None
}

/// Returns the list that gets a value: `urls.push(args[name])`, also behind the condition that there is one.
fn pushed(reader: &Reader<'_, '_>, at: usize, end: usize) -> Option<String> {
    const NEAR: usize = 40;
    let window = end..reader.tokens.len().min(end + NEAR);
    let mut calls =
        (at.saturating_sub(6)..window.end).filter_map(|place| match reader.tokens[place..] {
            [
                Token::Word(list),
                Token::Sign('.'),
                Token::Word("push" | "append"),
                Token::Sign('('),
                ..,
            ] => Some(list.to_owned()),
            _ => None,
        });
    calls.next()
}

/// Returns the arguments of which one is needed because an empty list is an error: `urls.push(args.url)` before
/// `if (urls.length === 0) throw`; with the positions of the conditions.
pub(super) fn filled(reader: &Reader<'_, '_>, families: &[Family]) -> Vec<(usize, Vec<String>)> {
    let tokens = reader.tokens;
    let mut lists: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for at in 4..tokens.len() {
        let [
            Token::Word(list),
            Token::Sign('.'),
            Token::Word("push" | "append"),
            Token::Sign('('),
        ] = tokens[at - 4..at]
        else {
            continue;
        };
        if let Some((names, _)) = reader.whole(at) {
            let all = lists.entry(list).or_default();
            all.extend(names.first().map(|it| (*it).to_owned()));
        }
    }
    let mut res = Vec::new();
    for (list, mut names) in lists {
        let of = families
            .iter()
            .filter(|it| it.list.as_deref() == Some(list));
        names.extend(of.map(|it| format!("{}{}", it.base, it.first)));
        names.dedup();
        for &at in reader.index.of(list) {
            let is_empty = matches!(
                tokens[at + 1..],
                [
                    Token::Sign('.'),
                    Token::Word("length"),
                    Token::Sign('='),
                    Token::Sign('='),
                    ..
                ]
            ) && matches!(tokens[..at], [.., Token::Word("if"), Token::Sign('(')]);
            let close = reader
                .index
                .around(at)
                .and_then(|it| reader.index.closing(it));
            if is_empty && names.len() > 1 && close.is_some_and(|it| reader.fails(it)) {
                res.push((at, names.clone()));
            }
        }
    }
    res
}
