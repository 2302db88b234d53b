//! Minimal reading of Rust that separates code from literals, comments and tests.

use std::ops::Range;

/// Returns the text with comments and literals blanked; line breaks stay.
pub(crate) fn code_only(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut res = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let end = text_end(&chars, at);
        if end > at {
            res.extend(
                chars[at..end]
                    .iter()
                    .map(|&c| if c == '\n' { '\n' } else { ' ' }),
            );
            at = end;
        } else {
            res.push(chars[at]);
            at += 1;
        }
    }
    res
}

/// A line comment. Block comments are not used here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Comment {
    /// Counted from 1.
    pub(crate) line: usize,
    /// The characters before the comment in its line.
    pub(crate) column: usize,
    /// True for `///` and `//!`.
    pub(crate) is_doc: bool,
    /// The text after the slashes, without the blanks around it.
    pub(crate) text: String,
}

/// Returns the line comments of a source text, in order.
pub(crate) fn comments(text: &str) -> Vec<Comment> {
    let chars: Vec<char> = text.chars().collect();
    let mut acc = Vec::new();
    let (mut line, mut line_start) = (1, 0);
    let mut at = 0;
    while at < chars.len() {
        let end = text_end(&chars, at).max(at + 1);
        if chars[at..end].starts_with(&['/', '/']) {
            acc.push(comment(&chars[at + 2..end], line, at - line_start));
        }
        for i in (at..end.min(chars.len())).filter(|&i| chars[i] == '\n') {
            (line, line_start) = (line + 1, i + 1);
        }
        at = end;
    }
    acc
}

fn comment(body: &[char], line: usize, column: usize) -> Comment {
    let is_doc = matches!(body.first(), Some('/' | '!'));
    let body: String = body.iter().skip(usize::from(is_doc)).collect();
    Comment {
        line,
        column,
        is_doc,
        text: body.trim().to_owned(),
    }
}

/// A string literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Literal {
    /// Counted from 1.
    pub(crate) line: usize,
    /// The code before the literal, in one line.
    pub(crate) before: String,
    /// The value.
    pub(crate) text: String,
}

/// The number of characters before a literal that are kept.
const BEFORE: usize = 80;

/// Returns the string literals outside `#[cfg(test)]`, in order.
pub(crate) fn literals(text: &str) -> Vec<Literal> {
    let code = code_only(text);
    let tests = test_ranges(&code);
    let (chars, code): (Vec<char>, Vec<char>) = (text.chars().collect(), code.chars().collect());
    let mut acc = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let end = text_end(&chars, at).max(at + 1);
        let is_string = end > at + 1 && !matches!(chars[at], '/' | '\'');
        if is_string && !tests.iter().any(|range| range.contains(&at)) {
            let before: String = code[at.saturating_sub(BEFORE)..at].iter().collect();
            acc.push(Literal {
                line: chars[..at].iter().filter(|c| **c == '\n').count() + 1,
                before: before.split_whitespace().collect::<Vec<_>>().join(" "),
                text: value(&chars[at..end]),
            });
        }
        at = end;
    }
    acc
}

/// Returns the parts of the code, in characters, that `#[cfg(test)]` is about.
fn test_ranges(code: &str) -> Vec<Range<usize>> {
    let n_chars = |end: usize| code[..end].chars().count();
    let mut acc: Vec<Range<usize>> = Vec::new();
    let mut from = 0;
    while let Some(found) = code[from..].find("#[cfg(test)]") {
        let start = from + found;
        from = block_end(code, start).unwrap_or(code.len());
        acc.push(n_chars(start)..n_chars(from));
    }
    acc
}

/// Returns the value of a literal in the source.
fn value(source: &[char]) -> String {
    let source: String = source.iter().collect();
    let inside = source
        .trim_start_matches(['b', 'r', '#'])
        .trim_end_matches('#');
    let inside = inside.trim_start_matches('"');
    let inside = inside.strip_suffix('"').unwrap_or(inside);
    if source.starts_with('r') || source.starts_with("br") {
        return inside.to_owned();
    }
    let mut res = String::new();
    let mut chars = inside.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            res.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => res.push('\n'),
            Some('t') => res.push('\t'),
            Some('\n') => while chars.next_if(|c| c.is_whitespace()).is_some() {},
            Some('u') => {
                let code: String = chars.by_ref().take_while(|c| *c != '}').skip(1).collect();
                res.extend(u32::from_str_radix(&code, 16).ok().and_then(char::from_u32));
            }
            other => res.extend(other),
        }
    }
    res
}

/// Returns the number of lines outside `#[cfg(test)] mod … { … }`.
pub(crate) fn lines_without_tests(text: &str) -> usize {
    let code = code_only(text);
    let mut res = text.lines().count();
    let mut from = 0;
    while let Some(found) = code[from..].find("#[cfg(test)]") {
        let start = from + found;
        let end = block_end(&code, start).unwrap_or(code.len());
        res -= code[start..end].lines().count();
        from = end;
    }
    res
}

/// Returns the code (comments and literals blanked) without what `#[cfg(test)]` is about.
pub(crate) fn without_tests(code: &str) -> String {
    let mut res = String::with_capacity(code.len());
    let mut from = 0;
    while let Some(found) = code[from..].find("#[cfg(test)]") {
        let start = from + found;
        res.push_str(&code[from..start]);
        from = block_end(code, start).unwrap_or(code.len());
    }
    res.push_str(&code[from..]);
    res
}

/// Returns the end of the comment or literal that starts at `at`, or `at` if there is none.
fn text_end(chars: &[char], at: usize) -> usize {
    let next = chars.get(at + 1).copied();
    match chars[at] {
        '/' if next == Some('/') => find(chars, at, "\n").unwrap_or(chars.len()),
        '/' if next == Some('*') => block_comment_end(chars, at),
        '"' => string_end(chars, at + 1),
        'r' if !follows_word(chars, at) => raw_string_end(chars, at).unwrap_or(at),
        '\'' => char_end(chars, at).unwrap_or(at),
        _ => at,
    }
}

fn follows_word(chars: &[char], at: usize) -> bool {
    let before = at.checked_sub(1).map(|i| chars[i]);
    before.is_some_and(|c| c != 'b' && (c.is_alphanumeric() || c == '_'))
}

fn find(chars: &[char], from: usize, needle: &str) -> Option<usize> {
    let needle: Vec<char> = needle.chars().collect();
    let found = chars[from..]
        .windows(needle.len())
        .position(|window| window == needle);
    found.map(|offset| from + offset)
}

fn block_comment_end(chars: &[char], at: usize) -> usize {
    let mut depth = 0;
    let mut i = at;
    while i < chars.len() {
        match (chars[i], chars.get(i + 1)) {
            ('/', Some('*')) => (depth, i) = (depth + 1, i + 2),
            ('*', Some('/')) => (depth, i) = (depth - 1, i + 2),
            _ => i += 1,
        }
        if depth == 0 {
            return i;
        }
    }
    chars.len()
}

fn string_end(chars: &[char], from: usize) -> usize {
    let mut i = from;
    while i < chars.len() {
        match chars[i] {
            '\\' => i += 2,
            '"' => return i + 1,
            _ => i += 1,
        }
    }
    chars.len()
}

fn raw_string_end(chars: &[char], at: usize) -> Option<usize> {
    let n_hashes = chars[at + 1..].iter().take_while(|&&c| c == '#').count();
    let open = at + 1 + n_hashes;
    if chars.get(open) != Some(&'"') {
        return None;
    }
    let close = format!("\"{}", "#".repeat(n_hashes));
    Some(find(chars, open + 1, &close).map_or(chars.len(), |end| end + close.len()))
}

/// `'x'` and `'\n'` are literals, `'a` is a lifetime.
fn char_end(chars: &[char], at: usize) -> Option<usize> {
    match chars.get(at + 1)? {
        '\\' => find(chars, at + 3, "'").map(|end| end + 1),
        _ if chars.get(at + 2) == Some(&'\'') => Some(at + 3),
        _ => None,
    }
}

/// Returns the byte after the brace that closes the first block after `start`; a `;` before it ends
/// earlier.
fn block_end(code: &str, start: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (offset, c) in code[start..].char_indices() {
        match c {
            ';' if depth == 0 => return Some(start + offset + 1),
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => continue,
        }
        if depth == 0 {
            return Some(start + offset + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(
            code_only(text)
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" "),
            expected
        );
    }

    #[test]
    fn blanks_comments() {
        check("a // b\nc /* d /* e */ f */ g", "a c g");
    }

    #[test]
    fn blanks_strings() {
        check(r#"f("a \" b", 1)"#, "f( , 1)");
        check("f(r#\"a \" b\"#, br\"x\")", "f( , b )");
    }

    #[test]
    fn finds_comments() {
        let text = "//! A\nlet b = \"// c\"; // d\n    /// é\n\"\n// e\n\"\n//\n";
        let found = comments(text);
        let found = found
            .iter()
            .map(|one| (one.line, one.column, one.is_doc, &*one.text));
        assert_eq!(
            found.collect::<Vec<_>>(),
            [
                (1, 0, true, "A"),
                (2, 16, false, "d"),
                (3, 4, true, "é"),
                (7, 0, false, "")
            ]
        );
    }

    #[test]
    fn finds_literals() {
        let text = "// \"no\"\nf(\"a \\\"b\\\" \\u{21}\", r#\"c\\n\"#, '\"')\n#[cfg(test)]\nmod t { \"no\" }\n const X = \"d\";";
        let found = literals(text);
        let found = found.iter().map(|it| (it.line, &*it.before, &*it.text));
        assert_eq!(
            found.collect::<Vec<_>>(),
            [
                (2, "f(", "a \"b\" !"),
                (2, "f( ,", "c\\n"),
                (5, "f( , , ) #[cfg(test)] mod t { } const X =", "d"),
            ]
        );
    }

    #[test]
    fn tells_characters_from_lifetimes() {
        check("let c: &'a str = '\"'; '\\''; d", "let c: &'a str = ; ; d");
    }

    #[test]
    fn a_word_that_ends_in_r_is_no_raw_string() {
        check("for\"x\"", "for");
        check("attr#", "attr#");
    }

    #[test]
    fn counts_lines_outside_test_modules() {
        let text = "fn a() {}\n\n#[cfg(test)]\nmod tests {\n    fn b() { \"}\"; }\n}\nfn c() {}\n";
        assert_eq!(lines_without_tests(text), 3);
        assert_eq!(
            lines_without_tests("fn a() {}\n#[cfg(test)]\nmod tests;\n"),
            1
        );
    }
}
