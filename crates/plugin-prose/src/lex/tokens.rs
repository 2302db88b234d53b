//! Splits a description into tokens: quoted and bare values, separators, groups, words.

use crate::lex::chars::{closer, head, is_cjk};
use crate::lex::group;

/// The number of bytes of a description that are read.
pub(crate) const WINDOW: usize = 1500;

/// One token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Token<'a> {
    /// A text between quotes.
    Quoted(&'a str),
    /// A run of ASCII letters, digits and the signs that values hold.
    Word(&'a str),
    /// The inside of brackets.
    Group(&'a str),
    /// A run of other letters.
    Text(&'a str),
    /// Any other sign.
    Sign(char),
    /// One or more blanks.
    Blank,
}

/// Splits a description into tokens.
pub(crate) fn read(text: &str) -> Vec<Token<'_>> {
    let text = head(text, WINDOW);
    let (mut res, mut at, mut before) = (Vec::new(), 0, ' ');
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let (token, length) = next(rest, c, before);
        before = rest[..length].chars().next_back().unwrap_or(' ');
        res.push(token);
        at += length;
    }
    res
}

fn next(rest: &str, c: char, before: char) -> (Token<'_>, usize) {
    if c.is_whitespace() {
        let length = rest.len() - rest.trim_start().len();
        return (Token::Blank, length);
    }
    let apostrophe = c == '\'' && before.is_ascii_alphanumeric();
    if !apostrophe && let Some((inner, after)) = group::take_quote(rest) {
        return (Token::Quoted(inner), rest.len() - after.len());
    }
    if closer(c).is_some()
        && let Some((inner, after)) = group::take(rest)
    {
        let length = rest.len() - after.len();
        return if c == '{' {
            (Token::Text(&rest[..length]), length)
        } else {
            (Token::Group(inner), length)
        };
    }
    if in_word(c) {
        return word(rest);
    }
    if is_cjk(c) {
        let length = text_length(rest);
        return (Token::Text(&rest[..length]), length);
    }
    (Token::Sign(c), c.len_utf8())
}

/// Returns true for signs in a bare value: `1024x1024`, `gpt-4.1` and `#fff` are one value,
/// `video/mp4` is two.
fn in_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '#' | '+' | '%' | '@' | '$')
}

/// Reads a word; a colon between digits belongs to it (`16:9`).
fn word(rest: &str) -> (Token<'_>, usize) {
    let bytes = rest.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let inside =
        |at: usize, c: char| in_word(c) || (c == ':' && at > 0 && digit(at - 1) && digit(at + 1));
    let length = rest
        .char_indices()
        .find(|&(at, c)| !inside(at, c))
        .map_or(rest.len(), |(at, _)| at);
    let trimmed = rest[..length].trim_end_matches('.');
    if trimmed.is_empty() {
        (Token::Sign('.'), length)
    } else {
        (Token::Word(trimmed), trimmed.len())
    }
}

/// Returns the length of a run of CJK letters; `或` is a token of its own, since it joins values.
fn text_length(rest: &str) -> usize {
    if rest.starts_with('或') {
        return '或'.len_utf8();
    }
    rest.find(|c| !is_cjk(c) || c == '或').unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::Token::{Blank, Group, Quoted, Sign, Text, Word};
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[Token<'_>]) {
        assert_eq!(read(text), expected);
    }

    #[test]
    fn values_and_separators() {
        check("'a'/`b`", &[Quoted("a"), Sign('/'), Quoted("b")]);
        check(
            "可选 gpt-4.1、x。",
            &[
                Text("可选"),
                Blank,
                Word("gpt-4.1"),
                Sign('、'),
                Word("x"),
                Sign('。'),
            ],
        );
        check("1:1/16:9", &[Word("1:1"), Sign('/'), Word("16:9")]);
        check("a或b", &[Word("a"), Text("或"), Word("b")]);
    }

    #[test]
    fn groups_are_one_token() {
        check("a（说明）.", &[Word("a"), Group("说明"), Sign('.')]);
        check(
            "it's (open",
            &[
                Word("it"),
                Sign('\''),
                Word("s"),
                Blank,
                Sign('('),
                Word("open"),
            ],
        );
    }
}
