//! The branches of a program that commands select: `switch (command) { case 'brew': … }` and chains of
//! `if (command === 'brew')`.

use std::ops::Range;

use super::arguments::Reader;
pub(super) use super::branch::Branch;
use super::facts::Language;
use super::fallback::is_trimming;
use super::functions::closing;
use super::lexer::Token;
use super::tables;

/// Returns the branches of a file, in its order.
pub(super) fn branches<'a>(reader: &Reader<'_, 'a>) -> Vec<Branch<'a>> {
    let mut res = Vec::new();
    for at in 0..reader.tokens.len() {
        match (reader.tokens[at], reader.language) {
            (Token::Word("switch"), Language::JavaScript) => {
                res.extend(of_switch(reader.tokens, at));
            }
            (Token::Word("if"), Language::JavaScript) => res.extend(of_if(reader.tokens, at)),
            (Token::Sign('{'), _) => res.extend(tables::branches(reader, at)),
            (Token::Word("if" | "elif"), Language::Python) => res.extend(of_python(reader, at)),
            _ => {}
        }
    }
    res
}

fn of_switch<'a>(tokens: &[Token<'a>], at: usize) -> Vec<Branch<'a>> {
    let Some(end) = closing(tokens, at + 1) else {
        return Vec::new();
    };
    let subject = tokens[at + 1..end]
        .iter()
        .rev()
        .find_map(|token| match token {
            Token::Word(word) if !is_case_change(word) => Some(*word),
            Token::Text(text) => Some(*text),
            _ => None,
        });
    let (Some(subject), Some(close)) = (subject, closing(tokens, end + 1)) else {
        return Vec::new();
    };
    let mut res: Vec<Branch<'a>> = Vec::new();
    let mut values = Vec::new();
    let mut depth = 0_usize;
    for position in end + 2..close {
        match tokens[position] {
            Token::Sign('{' | '(' | '[') => depth += 1,
            Token::Sign('}' | ')' | ']') => depth = depth.saturating_sub(1),
            Token::Word("case") if depth == 0 => {
                if let Some(Token::Text(value)) = tokens.get(position + 1) {
                    values.push(*value);
                }
                let is_next = matches!(
                    tokens.get(position + 3),
                    Some(Token::Word("case" | "default"))
                );
                if !is_next {
                    push(
                        &mut res,
                        subject,
                        std::mem::take(&mut values),
                        position + 2..close,
                        end + 1,
                    );
                }
            }
            Token::Word("default") if depth == 0 => {
                push(
                    &mut res,
                    subject,
                    std::mem::take(&mut values),
                    position..close,
                    end + 1,
                );
            }
            _ => {}
        }
    }
    res
}

/// Adds a branch, with which the one before ends.
fn push<'a>(
    res: &mut Vec<Branch<'a>>,
    subject: &'a str,
    values: Vec<&'a str>,
    body: Range<usize>,
    opener: usize,
) {
    if let Some(last) = res.last_mut() {
        last.body.end = last.body.end.min(body.start);
    }
    res.push(Branch {
        subject,
        values,
        body,
        opener,
    });
}

fn of_if<'a>(tokens: &[Token<'a>], at: usize) -> Option<Branch<'a>> {
    let end = closing(tokens, at + 1)?;
    let (subject, values) = compared(&tokens[at + 2..end])?;
    let opener = end + 1;
    let body = match tokens.get(opener)? {
        Token::Sign('{') => opener..closing(tokens, opener)?,
        _ => {
            let length = tokens[opener..]
                .iter()
                .position(|it| *it == Token::Sign(';'));
            opener..opener + length.unwrap_or(0)
        }
    };
    Some(Branch {
        subject,
        values,
        body,
        opener,
    })
}

fn of_python<'a>(reader: &Reader<'_, 'a>, at: usize) -> Option<Branch<'a>> {
    const WINDOW: usize = 60;
    let column = reader.columns[at]?;
    let rest = &reader.tokens[at + 1..reader.tokens.len().min(at + WINDOW)];
    let colon = rest.iter().position(|it| *it == Token::Sign(':'))?;
    let (subject, values) = compared(&rest[..colon])?;
    let start = at + 2 + colon;
    let is_after = |position: &usize| reader.columns[*position].is_some_and(|it| it <= column);
    let end = (start..reader.tokens.len()).find(is_after);
    Some(Branch {
        subject,
        values,
        body: start..end.unwrap_or(reader.tokens.len()),
        opener: at,
    })
}

/// Reads `command === 'a' || command === 'b'`, `action in ("a", "b")`.
fn compared<'a>(tokens: &[Token<'a>]) -> Option<(&'a str, Vec<&'a str>)> {
    if let [
        Token::Word(subject),
        Token::Word("in"),
        Token::Sign('(' | '[' | '{'),
        values @ ..,
        Token::Sign(_),
    ] = tokens
    {
        let texts = values.iter().filter_map(|token| match token {
            Token::Text(text) => Some(*text),
            _ => None,
        });
        return Some((subject, texts.collect()));
    }
    let mut subject = None;
    let mut values = Vec::new();
    let is_between = |token: &Token<'_>| matches!(token, Token::Sign('|') | Token::Word("or"));
    for clause in tokens.split(is_between).filter(|clause| !clause.is_empty()) {
        let (left, value) = match clause {
            [
                left @ ..,
                Token::Sign('='),
                Token::Sign('='),
                Token::Sign('='),
                Token::Text(value),
            ]
            | [
                left @ ..,
                Token::Sign('='),
                Token::Sign('='),
                Token::Text(value),
            ] => (left, *value),
            _ => return None,
        };
        let name = left.iter().rev().find_map(|token| match token {
            Token::Word(word) if !is_case_change(word) => Some(*word),
            _ => None,
        })?;
        let is_not = left.last() == Some(&Token::Sign('!'));
        if is_not
            || left.contains(&Token::Word("typeof"))
            || subject.is_some_and(|known| known != name)
        {
            return None;
        }
        subject = Some(name);
        values.push(value);
    }
    Some((subject?, values))
}

fn is_case_change(word: &str) -> bool {
    is_trimming(word) || word == "String"
}
