//! The functions of a file: their parameters, their bodies, and the names that each declares.

use std::collections::BTreeSet;
use std::ops::Range;

use super::facts::Language;
use super::lexer::Token;
use super::source::Source;

/// A parameter of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Parameter<'a> {
    /// A name.
    Name(&'a str),
    /// `{ a, b: c, ...rest }`: the keys, and the name for the others.
    Keys(Keys<'a>),
}

/// The keys that a pattern takes from an object.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Keys<'a> {
    /// Their names.
    pub(super) names: Vec<&'a str>,
    /// Keys with the names that hold their values.
    pub(super) locals: Vec<(&'a str, &'a str)>,
    /// Keys with the tokens of their replacements.
    pub(super) defaults: Vec<(&'a str, Vec<Token<'a>>)>,
    /// The name of the object with all other keys.
    pub(super) rest: Option<&'a str>,
}

/// A function.
#[derive(Clone, Debug)]
pub(super) struct Function<'a> {
    /// The name; empty if it has none.
    pub(super) name: &'a str,
    /// The position of the name, or of the parameters.
    pub(super) head: usize,
    /// The parameters in order, without `self`.
    pub(super) parameters: Vec<Parameter<'a>>,
    /// The positions of its body.
    pub(super) body: Range<usize>,
    /// The number of the function around it; the first is around itself.
    parent: usize,
    /// The names that it declares.
    pub(super) locals: BTreeSet<&'a str>,
}

/// The functions of a file in the order of their heads. The first is the file itself.
pub(super) fn functions<'a>(source: &Source<'a>) -> Vec<Function<'a>> {
    let (tokens, language) = (&source.tokens[..], source.language);
    let mut res = vec![Function {
        name: "",
        head: 0,
        parameters: Vec::new(),
        body: 0..tokens.len(),
        parent: 0,
        locals: BTreeSet::new(),
    }];
    for at in 0..tokens.len() {
        let found = match language {
            Language::JavaScript => of_javascript(tokens, at),
            Language::Python => of_python(source, at),
        };
        res.extend(found);
    }
    res.sort_by_key(|function| function.head);
    for number in 1..res.len() {
        let parent = outwards(&res, number - 1, res[number].head).next();
        res[number].parent = parent.unwrap_or(0);
    }
    for at in 0..tokens.len() {
        if let Some(name) = declared(tokens, at, language) {
            let owner = innermost(&res, at);
            res[owner].locals.insert(name);
        }
    }
    res
}

/// Returns the innermost function around a position.
pub(super) fn innermost(functions: &[Function<'_>], at: usize) -> usize {
    around(functions, at).next().unwrap_or(0)
}

/// Returns the functions around a position, the innermost first: the last one that begins before it, or those
/// around that.
pub(super) fn around<'f>(
    functions: &'f [Function<'_>],
    at: usize,
) -> impl Iterator<Item = usize> + 'f {
    let end = functions.partition_point(|function| function.head <= at);
    outwards(functions, end.saturating_sub(1), at)
}

/// Returns a function and those around it, without those whose body does not have a position.
fn outwards<'f>(
    functions: &'f [Function<'_>],
    number: usize,
    at: usize,
) -> impl Iterator<Item = usize> + 'f {
    let chain = std::iter::successors(Some(number), |number| {
        (*number > 0).then(|| functions[*number].parent)
    });
    chain.filter(move |number| functions[*number].body.contains(&at))
}

/// Returns the function whose name `name` is at a position.
pub(super) fn owner(functions: &[Function<'_>], name: &str, at: usize) -> usize {
    let mut around = around(functions, at);
    around
        .find(|number| declares(&functions[*number], name))
        .unwrap_or(0)
}

/// Returns true if a function declares a name.
pub(super) fn declares(function: &Function<'_>, name: &str) -> bool {
    let is_parameter = |it: &Parameter<'_>| match it {
        Parameter::Name(found) => *found == name,
        Parameter::Keys(keys) => keys.names.contains(&name) || keys.rest == Some(name),
    };
    function.locals.contains(name) || function.parameters.iter().any(is_parameter)
}

/// Reads `name(…) {`, `function name(…) {`, `name = (…) =>`, `name = x =>`; the name is before the
/// parameters.
fn of_javascript<'a>(tokens: &[Token<'a>], at: usize) -> Option<Function<'a>> {
    const KEYWORDS: [&str; 8] = [
        "if", "for", "while", "switch", "catch", "with", "return", "await",
    ];
    let (parameters, after) = match tokens[at] {
        Token::Sign('(') => {
            let end = closing(tokens, at)?;
            (at + 1..end, end + 1)
        }
        Token::Word(_) if is_arrow(tokens, at + 1) => (at..at + 1, at + 1),
        _ => return None,
    };
    let body = if is_arrow(tokens, after) {
        let start = after + 2;
        match tokens.get(start) {
            Some(Token::Sign('{')) => start..closing(tokens, start)?,
            _ => start..end_of_expression(tokens, start),
        }
    } else if tokens.get(after) == Some(&Token::Sign('{')) {
        after..closing(tokens, after)?
    } else {
        return None;
    };
    let (name, distance) = match tokens[..at] {
        [
            ..,
            Token::Word(name),
            Token::Sign('=' | ':'),
            Token::Word("async"),
            Token::Word("function"),
        ] => (name, 4),
        [
            ..,
            Token::Word(name),
            Token::Sign('=' | ':'),
            Token::Word("async" | "function"),
        ] => (name, 3),
        [.., Token::Word(name), Token::Sign('=' | ':')] => (name, 2),
        [.., Token::Word("function" | "async")] => ("", 0),
        [.., Token::Word(name)] => (name, 1),
        _ => ("", 0),
    };
    (!KEYWORDS.contains(&name)).then(|| Function {
        name,
        head: at - distance,
        parameters: parameters_of(&tokens[parameters]),
        body,
        parent: 0,
        locals: BTreeSet::new(),
    })
}

/// Reads `def name(…):`, whose body ends before the next statement that is not indented more.
fn of_python<'a>(source: &Source<'a>, at: usize) -> Option<Function<'a>> {
    let tokens = &source.tokens[..];
    let (Token::Word("def"), Some(Token::Word(name)), Some(Token::Sign('('))) =
        (&tokens[at], tokens.get(at + 1), tokens.get(at + 2))
    else {
        return None;
    };
    let end = closing(tokens, at + 2)?;
    let mut parameters = parameters_of(&tokens[at + 3..end]);
    if matches!(parameters.first(), Some(Parameter::Name("self" | "cls"))) {
        parameters.remove(0);
    }
    let head = match at.checked_sub(1).map(|before| tokens[before]) {
        Some(Token::Word("async")) => at - 1,
        _ => at,
    };
    let column = source.columns[head];
    let is_after = |it: &Option<usize>| it.is_some() && *it <= column;
    let rest = &source.columns[end..];
    let length = rest.iter().position(is_after).unwrap_or(rest.len());
    Some(Function {
        name,
        head: at + 1,
        parameters,
        body: end..end + length,
        parent: 0,
        locals: BTreeSet::new(),
    })
}

/// Returns the name that a position declares: `const x =`, and in Python `x =`.
fn declared<'a>(tokens: &[Token<'a>], at: usize, language: Language) -> Option<&'a str> {
    let Token::Word(name) = tokens[at] else {
        return None;
    };
    let is_set = matches!(tokens.get(at + 1), Some(Token::Sign('=')))
        && !matches!(tokens.get(at + 2), Some(Token::Sign('=' | '>')));
    let before = at.checked_sub(1).map(|before| tokens[before]);
    let is_declared = match language {
        Language::JavaScript => matches!(before, Some(Token::Word("const" | "let" | "var"))),
        Language::Python => is_set && !matches!(before, Some(Token::Sign('.' | '(' | ','))),
    };
    is_declared.then_some(name)
}

fn is_arrow(tokens: &[Token<'_>], at: usize) -> bool {
    matches!(
        tokens.get(at..at + 2),
        Some([Token::Sign('='), Token::Sign('>')])
    )
}

/// Returns the position of the bracket that closes the one at `at`.
pub(super) fn closing(tokens: &[Token<'_>], at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (position, token) in tokens.iter().enumerate().skip(at) {
        match token {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(position);
                }
            }
            _ => {}
        }
    }
    None
}

/// Returns the end of an expression: the next `,`, `;` or bracket that closes one around it.
fn end_of_expression(tokens: &[Token<'_>], start: usize) -> usize {
    let mut depth = 0_usize;
    for (position, token) in tokens.iter().enumerate().skip(start) {
        match token {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') => match depth.checked_sub(1) {
                Some(left) => depth = left,
                None => return position,
            },
            Token::Sign(',' | ';') if depth == 0 => return position,
            _ => {}
        }
    }
    tokens.len()
}

/// Splits a list at its commas.
pub(super) fn items<'t, 'a>(tokens: &'t [Token<'a>]) -> Vec<&'t [Token<'a>]> {
    let mut res = Vec::new();
    let mut start = 0;
    while start < tokens.len() {
        let end = end_of_expression(tokens, start);
        res.push(&tokens[start..end]);
        start = end + 1;
    }
    res
}

fn parameters_of<'a>(tokens: &[Token<'a>]) -> Vec<Parameter<'a>> {
    let read = |item: &&[Token<'a>]| match item {
        [Token::Sign('{'), ..] => {
            let end = closing(item, 0).unwrap_or(item.len());
            Parameter::Keys(keys(&item[1..end]))
        }
        [Token::Word(name), ..] => Parameter::Name(name),
        _ => Parameter::Name(""),
    };
    items(tokens).iter().map(read).collect()
}

/// Reads the inside of `{ a, b: c, d = 1, ...rest }`.
pub(super) fn keys<'a>(tokens: &[Token<'a>]) -> Keys<'a> {
    let mut res = Keys::default();
    for item in items(tokens) {
        match item {
            [
                Token::Sign('.'),
                Token::Sign('.'),
                Token::Sign('.'),
                Token::Word(name),
            ] => {
                res.rest = Some(name);
            }
            [Token::Word(key)]
            | [
                Token::Word(key) | Token::Text(key),
                Token::Sign(':' | '='),
                ..,
            ] => {
                res.names.push(key);
                let local = match item {
                    [_, Token::Sign(':'), Token::Word(local), ..] => local,
                    _ => *key,
                };
                res.locals.push((key, local));
                let sign = item.iter().position(|token| *token == Token::Sign('='));
                if let Some(sign) = sign {
                    res.defaults.push((key, item[sign + 1..].to_vec()));
                }
            }
            _ => {}
        }
    }
    res
}
