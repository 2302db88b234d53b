//! The words of a typed line: each host has rules of its own.

use crate::Dialect;

/// Returns the words of a typed line.
pub(crate) fn split(typed: &str, dialect: Dialect) -> Vec<String> {
    match dialect {
        Dialect::OpenCode => quoted_or_bare(typed),
        Dialect::Codex => shell_words(typed, true).unwrap_or_else(|done| done),
        _ => shell_words(typed, false)
            .unwrap_or_else(|_| typed.split_whitespace().map(str::to_owned).collect()),
    }
}

/// Splits as a POSIX shell does, without expansions. Source for Codex: the crate `shlex`, where a
/// word that begins with `#` is a comment up to the end of the line.
///
/// # Errors
///
/// A quote without its end; the words before it.
fn shell_words(typed: &str, comments: bool) -> Result<Vec<String>, Vec<String>> {
    let mut res = Vec::new();
    let mut chars = typed.chars().peekable();
    loop {
        while chars.next_if(char::is_ascii_whitespace).is_some() {}
        match chars.peek() {
            None => return Ok(res),
            Some('#') if comments => while chars.next_if(|c| *c != '\n').is_some() {},
            Some(_) => match shell_word(&mut chars) {
                Some(word) => res.push(word),
                None => return Err(res),
            },
        }
    }
}

/// Reads a word up to a blank; `None` if a quote has no end.
fn shell_word(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<String> {
    let mut word = String::new();
    while let Some(c) = chars.next_if(|c| !c.is_ascii_whitespace()) {
        match c {
            '\'' => loop {
                match chars.next()? {
                    '\'' => break,
                    c => word.push(c),
                }
            },
            '"' => loop {
                match chars.next()? {
                    '"' => break,
                    '\\' => match chars.next()? {
                        '\n' => {}
                        c @ ('$' | '`' | '"' | '\\') => word.push(c),
                        c => word.extend(['\\', c]),
                    },
                    c => word.push(c),
                }
            },
            '\\' => match chars.next()? {
                '\n' => {}
                c => word.push(c),
            },
            c => word.push(c),
        }
    }
    Some(word)
}

/// Splits as OpenCode does: `[Image 1]`, a quoted text, or characters that are neither blanks nor
/// quotes. A quote without its end is dropped.
fn quoted_or_bare(typed: &str) -> Vec<String> {
    let mut res = Vec::new();
    let mut rest = typed;
    while let Some(first) = rest.chars().next() {
        let end = if let Some(end) = image(rest) {
            Some(end)
        } else if matches!(first, '"' | '\'') {
            rest[1..].find(first).map(|at| at + 2)
        } else if first.is_whitespace() {
            None
        } else {
            let is_end = |c: char| c.is_whitespace() || matches!(c, '"' | '\'');
            Some(rest.find(is_end).unwrap_or(rest.len()))
        };
        if let Some(end) = end {
            let word = rest[..end]
                .strip_prefix(['"', '\''])
                .unwrap_or(&rest[..end]);
            let word = word.strip_suffix(['"', '\'']).unwrap_or(word);
            res.push(word.to_owned());
        }
        rest = &rest[end.unwrap_or(first.len_utf8())..];
    }
    res
}

/// Returns the length of `[Image 1]` at the start.
fn image(text: &str) -> Option<usize> {
    let head = text
        .get(..6)
        .filter(|head| head.eq_ignore_ascii_case("[image"))?;
    let after = &text[head.len()..];
    let number = after.trim_start();
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    let is_whole = number.len() < after.len() && digits > 0 && number[digits..].starts_with(']');
    is_whole.then(|| text.len() - number.len() + digits + 1)
}

/// Quotes a text for `bash` as Gemini CLI does. Source: `shell-quote` 1.8.3, which it uses.
pub(crate) fn shell_quoted(text: &str) -> String {
    let has = |wanted: fn(char) -> bool| text.contains(wanted);
    if text.is_empty() {
        return String::new();
    }
    if has(|c| matches!(c, '"' | '\\') || c.is_whitespace()) && !text.contains('\'') {
        return format!("'{text}'");
    }
    if has(|c| matches!(c, '"' | '\'') || c.is_whitespace()) {
        return format!("\"{}\"", escaped(text, "\"\\$`!"));
    }
    let drive = text.as_bytes();
    let keeps = usize::from(
        drive.len() > 2
            && drive[0].is_ascii_alphabetic()
            && drive[1] == b':'
            && SPECIAL.contains(char::from(drive[2])),
    );
    // A drive letter keeps its colon if a character to escape follows.
    let (head, tail) = text.split_at(2 * keeps);
    format!("{head}{}", escaped(tail, SPECIAL))
}

/// The characters that `shell-quote` escapes outside of quotes.
const SPECIAL: &str = "#!\"$&'()*,:;<=>?@[\\]^`{|}";

fn escaped(text: &str, special: &str) -> String {
    let mut res = String::with_capacity(text.len());
    for c in text.chars() {
        if special.contains(c) {
            res.push('\\');
        }
        res.push(c);
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(typed: &str, dialect: Dialect, expected: &[&str]) {
        assert_eq!(split(typed, dialect), expected, "{dialect:?}");
    }

    #[test]
    fn each_host_splits_its_own_way() {
        check(
            "a \"b c\" 'd' e\\ f",
            Dialect::Claude,
            &["a", "b c", "d", "e f"],
        );
        check("it's broken", Dialect::Claude, &["it's", "broken"]);
        check("it's broken", Dialect::Codex, &[]);
        check("a 'b", Dialect::Codex, &["a"]);
        check("a #b\nc", Dialect::Codex, &["a", "c"]);
        check("a #b", Dialect::Claude, &["a", "#b"]);
        check(
            "x\"a b\"y it's",
            Dialect::OpenCode,
            &["x", "a b", "y", "it", "s"],
        );
        check("[Image 12] b", Dialect::OpenCode, &["[Image 12]", "b"]);
        check("\"\" 你好", Dialect::OpenCode, &["", "你好"]);
    }

    #[test]
    fn quotes_like_shell_quote() {
        for (text, expected) in [
            ("two words", "'two words'"),
            ("it's \"so\" $HOME", "\"it's \\\"so\\\" \\$HOME\""),
            ("a$b", "a\\$b"),
            ("HEAD~3", "HEAD~3"),
            ("", ""),
        ] {
            assert_eq!(shell_quoted(text), expected);
        }
    }
}
