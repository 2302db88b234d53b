//! The tokens of JavaScript and Python that chains of keys consist of.

/// A token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    Word(&'a str),
    /// The content of a literal.
    Text(&'a str),
    Number(&'a str),
    Sign(char),
}

/// A part of a chain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part<'a> {
    /// A name: `.name`, `["name"]` or `.get("name")`.
    Key(&'a str),
    /// `[0]`.
    Index,
    /// `[name]`.
    Lookup,
    /// A call of a method.
    Call(&'a str),
}

/// Returns the tokens of a source. Comments are left out.
pub(super) fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut res = Vec::new();
    let mut rest = source.trim_start();
    while let Some(first) = rest.chars().next() {
        let size = match first {
            '/' if rest.starts_with("//") => line(rest),
            '#' if rest[1..].starts_with([' ', '!']) => line(rest),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '"' | '\'' if rest.starts_with(r#"""""#) || rest.starts_with("'''") => {
                rest[3..].find(&rest[..3]).map_or(rest.len(), |end| end + 6)
            }
            '"' | '\'' | '`' => {
                let size = quoted(rest, first);
                let inner = rest[1..size].strip_suffix(first).unwrap_or(&rest[1..size]);
                res.push(Token::Text(inner));
                if first == '`' {
                    res.extend(expressions(inner).flat_map(tokens));
                }
                size
            }
            c if c.is_ascii_digit() => {
                let size = run(rest, |c| c.is_ascii_alphanumeric() || c == '.');
                res.push(Token::Number(&rest[..size]));
                size
            }
            c if is_word(c) => {
                let size = run(rest, is_word);
                res.push(Token::Word(&rest[..size]));
                size
            }
            c => {
                res.push(Token::Sign(c));
                c.len_utf8()
            }
        };
        rest = rest[size..].trim_start();
    }
    res
}

/// Returns the expressions of a template: `a` of `x${a}y`.
fn expressions(template: &str) -> impl Iterator<Item = &str> {
    let starts = template.match_indices("${");
    starts.filter_map(|(at, _)| {
        let rest = &template[at + 2..];
        let mut depth = 0_usize;
        let end = rest.find(|c| {
            depth += usize::from(c == '{');
            let is_end = c == '}' && depth == 0;
            depth -= usize::from(c == '}' && depth > 0);
            is_end
        });
        end.map(|end| &rest[..end])
    })
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

fn run(text: &str, is_part: impl Fn(char) -> bool) -> usize {
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

fn line(text: &str) -> usize {
    text.find('\n').unwrap_or(text.len())
}

/// Returns the size of a literal. One that is not closed ends with its line, unless it may have several.
fn quoted(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' if quote != '`' => return at,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Returns the chain at the start, such as `data.items[0].title`, and the number of its tokens; `None` if there
/// is no chain, or if it goes on with what comes before. The first part is its root.
pub(super) fn chain<'a>(
    tokens: &[Token<'a>],
    before: Option<&Token<'_>>,
) -> Option<(Vec<Part<'a>>, usize)> {
    let [Token::Word(root), ..] = tokens else {
        return None;
    };
    if before == Some(&Token::Sign('.')) {
        return None;
    }
    let mut res = vec![Part::Key(root)];
    let mut at = 1;
    loop {
        match &tokens[at..] {
            [Token::Sign('?'), Token::Sign('.'), Token::Sign('['), ..] => at += 2,
            [Token::Sign('?'), Token::Sign('.'), ..] => at += 1,
            [
                Token::Sign('.'),
                Token::Word("get"),
                Token::Sign('('),
                Token::Text(key),
                ..,
            ] => {
                res.push(Part::Key(key));
                at += 2 + balanced(&tokens[at + 2..])?;
            }
            [Token::Sign('.'), Token::Word(method), Token::Sign('('), ..] => {
                res.push(Part::Call(method));
                at += 2 + balanced(&tokens[at + 2..])?;
            }
            [Token::Sign('.'), Token::Word(key), ..] => {
                res.push(Part::Key(key));
                at += 2;
            }
            [Token::Sign('['), Token::Text(key), Token::Sign(']'), ..] => {
                res.push(Part::Key(key));
                at += 3;
            }
            [Token::Sign('['), Token::Number(_), Token::Sign(']'), ..] => {
                res.push(Part::Index);
                at += 3;
            }
            [Token::Sign('['), Token::Word(_), Token::Sign(']'), ..] => {
                res.push(Part::Lookup);
                at += 3;
            }
            _ => break,
        }
    }
    (res.len() > 1).then_some((res, at))
}

/// Returns the number of tokens of a group in brackets.
fn balanced(tokens: &[Token<'_>]) -> Option<usize> {
    /// The most tokens between brackets.
    const MAX: usize = 4_000;
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().take(MAX).enumerate() {
        match token {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}
