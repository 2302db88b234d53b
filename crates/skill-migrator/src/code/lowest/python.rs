//! The versions of Python that take a file.

use super::super::functions::closing;
use super::super::lexer::Token;

/// Major and minor version.
pub(super) type Version = (u32, u32);

/// Modules that came with a version.
const CAME: [(&str, Version); 3] = [
    ("graphlib", (3, 9)),
    ("tomllib", (3, 11)),
    ("zoneinfo", (3, 9)),
];
/// Modules that a version removed.
const WENT: [(&str, Version); 20] = [
    ("asynchat", (3, 12)),
    ("asyncore", (3, 12)),
    ("audioop", (3, 13)),
    ("cgi", (3, 13)),
    ("cgitb", (3, 13)),
    ("chunk", (3, 13)),
    ("crypt", (3, 13)),
    ("distutils", (3, 12)),
    ("imghdr", (3, 13)),
    ("imp", (3, 12)),
    ("mailcap", (3, 13)),
    ("nntplib", (3, 13)),
    ("pipes", (3, 13)),
    ("smtpd", (3, 12)),
    ("sndhdr", (3, 13)),
    ("spwd", (3, 13)),
    ("sunau", (3, 13)),
    ("telnetlib", (3, 13)),
    ("uu", (3, 13)),
    ("xdrlib", (3, 13)),
];
/// Names in modules that came with a version.
const NAMES: [(&str, &str, Version); 10] = [
    ("asyncio", "TaskGroup", (3, 11)),
    ("asyncio", "timeout", (3, 11)),
    ("asyncio", "to_thread", (3, 9)),
    ("datetime", "UTC", (3, 11)),
    ("enum", "StrEnum", (3, 11)),
    ("itertools", "batched", (3, 12)),
    ("itertools", "pairwise", (3, 10)),
    ("typing", "Self", (3, 11)),
    ("typing", "TypeAlias", (3, 10)),
    ("typing", "override", (3, 12)),
];

/// The blocks of statements around a position.
#[derive(Default)]
struct Blocks<'a> {
    /// The columns of the statements that begin them, with their first words.
    open: Vec<(usize, &'a str)>,
}

impl<'a> Blocks<'a> {
    /// Goes on to a statement.
    fn enter(&mut self, column: usize, word: &'a str) {
        while self.open.last().is_some_and(|(open, _)| *open >= column) {
            self.open.pop();
        }
        self.open.push((column, word));
    }

    /// Returns true within a `try`, whose other branch may do without.
    fn is_tried(&self) -> bool {
        self.open
            .iter()
            .any(|(_, word)| matches!(*word, "try" | "except" | "if"))
    }

    /// Returns true where the annotations of names are evaluated: outside of functions.
    fn is_evaluated(&self) -> bool {
        let mut around = self.open.iter().rev().skip(1);
        let is_function = |word: &str| matches!(word, "def" | "async");
        !around.any(|(_, word)| is_function(word))
    }
}

/// Returns the lowest version for the code, and the lowest that lacks one of its modules.
pub(super) fn versions(
    tokens: &[Token<'_>],
    columns: &[Option<usize>],
) -> (Option<Version>, Option<Version>) {
    use Token::{Sign, Text, Word};
    let (mut needed, mut below): (Option<Version>, Option<Version>) = (None, None);
    let mut blocks = Blocks::default();
    let is_future = (0..tokens.len()).any(|at| {
        matches!(
            tokens[at..],
            [Word("__future__"), Word("import"), Word("annotations"), ..]
        )
    });
    let need = |found: Option<Version>, needed: &mut Option<Version>| {
        *needed = (*needed).max(found);
    };
    for at in 0..tokens.len() {
        if let (Some(column), Word(word)) = (columns[at], tokens[at]) {
            blocks.enter(column, word);
            let (came, went) = module(tokens, columns, at);
            if !blocks.is_tried() {
                need(came, &mut needed);
                below = match (below, went) {
                    (Some(one), Some(other)) => Some(one.min(other)),
                    (one, other) => one.or(other),
                };
            }
            need(statement(tokens, columns, at), &mut needed);
            let is_named = matches!(tokens[at + 1..], [Sign(':'), ..]);
            if is_named && !is_future && blocks.is_evaluated() {
                need(annotation(tokens, columns, at + 2), &mut needed);
            }
        }
        let found = match tokens[at..] {
            [Word(mark), Text(text), ..] => of_text(mark, text, tokens.get(at + 2)),
            [Word("def"), Word(_), Sign('('), ..] if !is_future => {
                signature(tokens, columns, at + 2)
            }
            [Word("except"), Sign('*'), ..] => Some((3, 11)),
            [
                Sign('.'),
                Word("removeprefix" | "removesuffix"),
                Sign('('),
                ..,
            ] => Some((3, 9)),
            [Word("strict"), Sign('='), Word("True"), Sign(')'), ..] => {
                let zip = tokens[..at].iter().rposition(|it| *it == Word("zip"));
                zip.filter(|zip| closing(tokens, zip + 1) == Some(at + 3))
                    .map(|_| (3, 10))
            }
            [Word(module), Sign('.'), Word(name), Sign('('), ..] => named(module, name),
            _ => None,
        };
        need(found, &mut needed);
    }
    (needed, below)
}

/// Returns the version with a name of a module.
fn named(module: &str, name: &str) -> Option<Version> {
    let found = NAMES.iter().find(|it| it.0 == module && it.1 == name);
    found.map(|it| it.2)
}

/// Returns the versions that have and that lack the modules of an import.
fn module(
    tokens: &[Token<'_>],
    columns: &[Option<usize>],
    at: usize,
) -> (Option<Version>, Option<Version>) {
    let end = next_statement(columns, at);
    let mut words = tokens[at..end].iter().filter_map(|it| match it {
        Token::Word(word) => Some(*word),
        _ => None,
    });
    let (Some("import" | "from"), Some(module)) = (words.next(), words.next()) else {
        return (None, None);
    };
    let is_own = matches!(tokens.get(at + 1), Some(Token::Sign('.')));
    let of = |list: &[(&str, Version)]| {
        let found = list.iter().find(|it| it.0 == module && !is_own);
        found.map(|it| it.1)
    };
    let names = words.filter_map(|name| named(module, name)).max();
    (of(&CAME).max(names), of(&WENT))
}

/// Returns the position of the statement after the one at a position.
fn next_statement(columns: &[Option<usize>], at: usize) -> usize {
    let rest = &columns[at + 1..];
    let next = rest.iter().position(Option::is_some);
    next.map_or(columns.len(), |next| at + 1 + next)
}

/// Returns the version with the syntax of a statement.
fn statement(tokens: &[Token<'_>], columns: &[Option<usize>], at: usize) -> Option<Version> {
    use Token::{Sign, Word};
    match tokens[at..] {
        [Word("match"), ref next, ..] if !matches!(next, Sign('=' | '.' | ',' | ':' | ')')) => {
            let next = next_statement(columns, at);
            let is_case = tokens.get(next) == Some(&Word("case"));
            let is_block = tokens[..next].last() == Some(&Sign(':'));
            (is_case && is_block).then_some((3, 10))
        }
        [Word("type"), Word(_), Sign('=' | '['), ..] => Some((3, 12)),
        [Word("def" | "class"), Word(_), Sign('['), ..] => Some((3, 12)),
        [Word("with"), Sign('('), ..] => {
            let end = closing(tokens, at + 1)?;
            let is_whole = tokens.get(end + 1) == Some(&Sign(':'));
            let mut depth = 0_usize;
            let has_as = tokens[at + 2..end].iter().any(|it| {
                match it {
                    Sign('(' | '[' | '{') => depth += 1,
                    Sign(')' | ']' | '}') => depth = depth.saturating_sub(1),
                    _ => {}
                }
                depth == 0 && *it == Word("as")
            });
            (is_whole && has_as).then_some((3, 10))
        }
        _ => None,
    }
}

/// Returns the version that evaluates the annotations of a function.
fn signature(tokens: &[Token<'_>], columns: &[Option<usize>], open: usize) -> Option<Version> {
    let end = closing(tokens, open)?;
    let mut res = None;
    let (mut at, mut is_annotation) = (open + 1, false);
    while at < end {
        match tokens[at] {
            Token::Sign(':') => is_annotation = true,
            Token::Sign(',' | '=') => is_annotation = false,
            Token::Sign('(' | '{') => at = closing(tokens, at).unwrap_or(end),
            Token::Sign('[') => {
                let close = closing(tokens, at).unwrap_or(end);
                if is_annotation {
                    res = res.max(of_type(&tokens[at - 1..close]));
                }
                at = close;
            }
            Token::Sign('|') if is_annotation => res = res.max(Some((3, 10))),
            _ => {}
        }
        at += 1;
    }
    match tokens[end + 1..] {
        [Token::Sign('-'), Token::Sign('>'), ..] => res.max(annotation(tokens, columns, end + 3)),
        _ => res,
    }
}

/// Returns the version that evaluates an annotation, which ends with its statement.
fn annotation(tokens: &[Token<'_>], columns: &[Option<usize>], start: usize) -> Option<Version> {
    let end = next_statement(columns, start.min(columns.len()).saturating_sub(1));
    let range = tokens.get(start..end).unwrap_or_default();
    let is_end = |it: &Token<'_>| matches!(it, Token::Sign('=' | ':'));
    let stop = range.iter().position(is_end).unwrap_or(range.len());
    of_type(&range[..stop])
}

/// Returns the version that evaluates a type.
fn of_type(tokens: &[Token<'_>]) -> Option<Version> {
    let of = |at: usize| match tokens[at..] {
        [Token::Sign('|'), ..] => Some((3, 10)),
        [
            Token::Word("list" | "dict" | "tuple" | "set"),
            Token::Sign('['),
            ..,
        ] if at == 0 || tokens[at - 1] != Token::Sign('.') => Some((3, 9)),
        _ => None,
    };
    (0..tokens.len()).filter_map(of).max()
}

/// Returns the version that takes the values of a text: `f"{a + '\n'}"`.
fn of_text(mark: &str, text: &str, next: Option<&Token<'_>>) -> Option<Version> {
    const LONG: usize = 3;
    let is_format = matches!(mark.len(), 1 | 2)
        && mark.contains(['f', 'F'])
        && mark.chars().all(|c| "fFrR".contains(c));
    // Between them are the quotes alone.
    let gap = (text.as_ptr() as usize).wrapping_sub(mark.as_ptr() as usize + mark.len());
    if !is_format || !matches!(gap, 1 | LONG) {
        return None;
    }
    let mut depth = 0_usize;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '{' | '}' if depth == 0 && chars.peek() == Some(&c) => {
                chars.next();
            }
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            '\\' if depth > 0 => return Some((3, 12)),
            _ => {}
        }
    }
    // The same quotes in a value end the text for the lexer.
    let is_cut = depth > 0 && gap != LONG && matches!(next, Some(Token::Word(_)));
    is_cut.then_some((3, 12))
}
