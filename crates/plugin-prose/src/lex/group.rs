//! Balanced groups and splitting outside of groups and quotes.
//!
//! The look-ahead is bounded, so that a text of nothing but opening brackets takes linear time.

use crate::lex::chars::{closer, closes, head, quote_end};

/// The maximum distance to a closing bracket, in bytes.
const REACH: usize = 800;
/// The maximum nesting depth of groups.
const DEPTH: usize = 8;
/// The maximum distance to a closing quote, in bytes.
const QUOTE_REACH: usize = 200;

/// Returns the inside of the group that `text` starts with, and what follows it.
pub(crate) fn take(text: &str) -> Option<(&str, &str)> {
    let open = text.chars().next()?;
    closer(open)?;
    let window = head(text, REACH);
    let (mut depth, mut at, mut before) = (0_usize, 0, ' ');
    while let Some(c) = window[at..].chars().next() {
        if closer(c).is_some() {
            depth += 1;
            if depth > DEPTH {
                return None;
            }
        } else if closes(c) {
            depth -= 1;
            if depth == 0 {
                let end = at + c.len_utf8();
                return Some((&text[open.len_utf8()..at], &text[end..]));
            }
        } else if c == '\n' {
            return None;
        }
        at += opened(&window[at..], before).unwrap_or(c.len_utf8());
        before = c;
    }
    None
}

/// Returns the inside of the quotes that `text` starts with, and what follows them.
pub(crate) fn take_quote(text: &str) -> Option<(&str, &str)> {
    let open = text.chars().next()?;
    let end = quote_end(open)?;
    let body = &text[open.len_utf8()..];
    let at = head(body, QUOTE_REACH).find([end, '\n'])?;
    body[at..]
        .starts_with(end)
        .then(|| (&body[..at], &body[at + end.len_utf8()..]))
}

/// Returns the length of the quoted text at the start of `text`; an apostrophe inside a word does
/// not open a quotation.
fn opened(text: &str, before: char) -> Option<usize> {
    if before.is_ascii_alphanumeric() && text.starts_with('\'') {
        return None;
    }
    take_quote(text).map(|(_, rest)| text.len() - rest.len())
}

/// Splits at characters that `is_separator` names, outside of groups and quotes.
pub(crate) fn split(text: &str, is_separator: impl Fn(char) -> bool) -> Vec<&str> {
    let mut res = Vec::new();
    let (mut start, mut at, mut before) = (0, 0, ' ');
    while let Some(c) = text[at..].chars().next() {
        if is_separator(c) {
            res.push(text[start..at].trim());
            start = at + c.len_utf8();
            at = start;
        } else {
            at += skip(&text[at..], c, before);
        }
        before = c;
    }
    res.push(text[start..].trim());
    res
}

/// Returns the length of the quote, group or character at the start of `text`.
pub(crate) fn skip(text: &str, first: char, before: char) -> usize {
    if let Some(length) = opened(text, before) {
        return length;
    }
    if closer(first).is_some()
        && let Some((_, rest)) = take(text)
    {
        return text.len() - rest.len();
    }
    first.len_utf8()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_take(text: &str, expected: Option<(&str, &str)>) {
        assert_eq!(take(text), expected);
    }

    #[track_caller]
    fn check_split(text: &str, expected: &[&str]) {
        assert_eq!(split(text, |c| matches!(c, ',' | '，')), expected);
    }

    #[test]
    fn groups_nest_and_respect_quotes() {
        check_take("(a, b(c)) d", Some(("a, b(c)", " d")));
        check_take("（默认 ')'）x", Some(("默认 ')'", "x")));
        check_take("(open", None);
        check_take("no", None);
    }

    #[test]
    fn separators_inside_groups_and_quotes_do_not_split() {
        check_split("a, b（c，d）, 'e,f'", &["a", "b（c，d）", "'e,f'"]);
        check_split("it's, that's", &["it's", "that's"]);
        check_split("", &[""]);
    }
}
