//! The extent of an expression, and its operands.

use std::ops::Range;

use super::super::functions::closing;
use super::super::lexer::Token;

/// Returns the end of the expression at a position: a separator, a bracket that closes one around it, or
/// the next statement.
pub(super) fn end(tokens: &[Token<'_>], start: usize) -> usize {
    let mut at = start;
    let mut is_operand = false;
    while let Some(token) = tokens.get(at) {
        match token {
            Token::Sign('{') if is_operand => return at,
            Token::Sign('(' | '[' | '{') => {
                at = closing(tokens, at).unwrap_or(tokens.len());
                is_operand = true;
            }
            Token::Sign(')' | ']' | '}' | ',' | ';' | ':') | Token::Newline => return at,
            // An assignment, or the arrow of a function.
            Token::Sign('=') if is_operand && !is_comparison(tokens, at) => return at,
            Token::Word("f" | "r") if matches!(tokens.get(at + 1), Some(Token::Text(_))) => {
                if is_operand {
                    return at;
                }
            }
            Token::Word("or" | "and" | "in" | "is" | "not" | "instanceof" | "await" | "new") => {
                is_operand = false;
            }
            Token::Word(_) | Token::Text(_) if is_operand => return at,
            Token::Word(_) | Token::Text(_) => is_operand = true,
            Token::Sign(_) => is_operand = false,
        }
        at += 1;
    }
    tokens.len()
}

/// Returns true for a `=` of `==`, `!=`, `<=` and `>=`.
fn is_comparison(tokens: &[Token<'_>], at: usize) -> bool {
    let before = at.checked_sub(1).map(|it| tokens[it]);
    tokens.get(at + 1) == Some(&Token::Sign('='))
        || matches!(before, Some(Token::Sign('=' | '!' | '<' | '>')))
}

/// Returns the positions of a range that are in no brackets of it.
pub(super) fn outer(tokens: &[Token<'_>], start: usize, end: usize) -> Vec<usize> {
    let mut res = Vec::new();
    let mut at = start;
    while at < end {
        res.push(at);
        at = match tokens[at] {
            Token::Sign('(' | '[' | '{') => closing(tokens, at).map_or(end, |close| close + 1),
            _ => at + 1,
        };
    }
    res
}

/// Returns the values that an expression may have: of `a ? b : c`, and of `b || c` without
/// an empty one; `None` for an expression of one value.
pub(super) fn alternatives(tokens: &[Token<'_>], range: Range<usize>) -> Option<Vec<Range<usize>>> {
    let (start, end) = (range.start, range.end);
    let signs = outer(tokens, start, end);
    let is_double =
        |at: usize, sign: char| at + 2 <= end && tokens[at..at + 2] == [Token::Sign(sign); 2];
    let either = signs
        .iter()
        .copied()
        .find(|at| is_double(*at, '|') || is_double(*at, '?') || tokens[*at] == Token::Word("or"));
    if let Some(either) = either {
        let length = if tokens[either] == Token::Word("or") {
            1
        } else {
            2
        };
        let values = [start..either, either + length..end];
        let is_empty = |value: &Range<usize>| {
            matches!(
                tokens[value.clone()],
                [Token::Text("")]
                    | [Token::Sign('['), Token::Sign(']')]
                    | [Token::Sign('{'), Token::Sign('}')]
                    | [
                        ..,
                        Token::Word(_) | Token::Sign(')'),
                        Token::Sign('.'),
                        Token::Word("error")
                    ]
            ) || is_nothing(&tokens[value.clone()])
        };
        return Some(values.into_iter().filter(|it| !is_empty(it)).collect());
    }
    let question = signs.iter().copied().find(|at| {
        tokens[*at] == Token::Sign('?') && tokens.get(at + 1) != Some(&Token::Sign('.'))
    });
    if let Some(question) = question {
        let is_whole = tokens.get(end) == Some(&Token::Sign(':'));
        let other = end + 1..self::end(tokens, end + 1);
        let values = [question + 1..end, other].into_iter();
        let values = values.filter(|value| !is_nothing(&tokens[value.clone()]));
        return is_whole.then(|| values.collect());
    }
    None
}

/// Returns true for `null` and its like.
fn is_nothing(tokens: &[Token<'_>]) -> bool {
    matches!(tokens, [Token::Word("null" | "undefined" | "None")])
}

/// Returns the other value of `a if b else c`, whose first one ends at `end`.
pub(super) fn otherwise(tokens: &[Token<'_>], end: usize) -> Option<Range<usize>> {
    if tokens.get(end) != Some(&Token::Word("if")) {
        return None;
    }
    let mut rest = (end + 1..tokens.len())
        .take_while(|at| !matches!(tokens[*at], Token::Sign(';' | '{' | '}') | Token::Newline));
    let other = rest.find(|at| tokens[*at] == Token::Word("else"))? + 1;
    Some(other..self::end(tokens, other))
}

/// Returns the operands of a sum; `None` for another expression.
pub(super) fn sum(tokens: &[Token<'_>], range: Range<usize>) -> Option<Vec<Range<usize>>> {
    let all = outer(tokens, range.start, range.end).into_iter();
    let mut start = range.start;
    let mut res = Vec::new();
    for plus in all.filter(|at| tokens[*at] == Token::Sign('+')) {
        res.push(start..plus);
        start = plus + 1;
    }
    res.push(start..range.end);
    (res.len() > 1).then_some(res)
}
