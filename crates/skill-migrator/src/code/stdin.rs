//! The JSON that a program reads from its standard input.

use std::collections::BTreeSet;

use super::facts::Language;
use super::functions::{Function, Parameter, around, innermost, owner};
use super::lexer::Token;

/// Maximum number of tokens between standard input and the name that takes its text.
const NEAR: usize = 40;

/// Names of texts, each with the function that declares it.
type Texts<'a> = BTreeSet<(usize, &'a str)>;

/// Returns the names that hold the parsed input, with their positions.
pub(super) fn parsed<'a>(
    tokens: &[Token<'a>],
    language: Language,
    functions: &[Function<'a>],
) -> Vec<(usize, &'a str)> {
    let texts = texts(tokens, functions);
    let mut res = Vec::new();
    for at in 0..tokens.len() {
        let call = parses(tokens, at, language, (functions, &texts));
        if let Some(name) = call.and_then(|call| bound(tokens, call)) {
            res.push((at, name));
        }
        if let Some(parser) = call.and_then(|call| returns(tokens, call, functions)) {
            res.extend(results(tokens, parser));
        }
        if let Some(reader) = call.and_then(|call| resolves(tokens, call, functions)) {
            res.extend(results(tokens, reader));
        }
    }
    res
}

/// Returns the name of the function that returns the value at a position.
fn returns<'a>(tokens: &[Token<'a>], at: usize, functions: &[Function<'a>]) -> Option<&'a str> {
    let is_returned = matches!(tokens[..at], [.., Token::Word("return")]);
    let name = match tokens[..at] {
        [.., Token::Word(resolve), Token::Sign('(')] => promises(tokens, at, resolve, functions)?,
        _ => functions[innermost(functions, at)].name,
    };
    let is_promised = matches!(tokens[..at], [.., Token::Sign('(')]);
    ((is_returned || is_promised) && !name.is_empty()).then_some(name)
}

/// Returns the name of the function around a promise that `resolve` ends:
/// `return new Promise((resolve) => { … resolve(…) })`.
fn promises<'a>(
    tokens: &[Token<'a>],
    at: usize,
    resolve: &str,
    functions: &[Function<'a>],
) -> Option<&'a str> {
    let all: Vec<&Function<'a>> = around(functions, at).map(|it| &functions[it]).collect();
    let promise = all.iter().position(|function| {
        let is_promise = matches!(
            tokens[..function.head],
            [
                ..,
                Token::Word("new"),
                Token::Word("Promise"),
                Token::Sign('(')
            ]
        );
        let first = function.parameters.first();
        is_promise && matches!(first, Some(Parameter::Name(name)) if *name == resolve)
    })?;
    let outer = all[promise + 1..].iter().find(|it| !it.name.is_empty());
    outer.map(|function| function.name)
}

/// Returns the name of the function whose promise resolves to the value at a position: `resolve(JSON.parse(text))`.
fn resolves<'a>(tokens: &[Token<'a>], at: usize, functions: &[Function<'a>]) -> Option<&'a str> {
    let around = functions
        .iter()
        .filter(|it| !it.name.is_empty() && it.body.contains(&at));
    let function = around.min_by_key(|it| it.body.len())?;
    let is_direct = matches!(tokens[..at], [.., Token::Word("resolve"), Token::Sign('(')]);
    let is_named = || {
        let value = bound(tokens, at);
        value.is_some_and(|value| {
            let call = [
                Token::Word("resolve"),
                Token::Sign('('),
                Token::Word(value),
                Token::Sign(')'),
            ];
            tokens[function.body.clone()]
                .windows(4)
                .any(|four| four == call)
        })
    };
    (is_direct || is_named()).then_some(function.name)
}

/// Returns the names that hold the result of a function, with their positions.
fn results<'a>(tokens: &[Token<'a>], function: &str) -> Vec<(usize, &'a str)> {
    let mut res = Vec::new();
    for at in 2..tokens.len() {
        let is_call =
            tokens[at] == Token::Word(function) && tokens.get(at + 1) == Some(&Token::Sign('('));
        let before = match tokens[..at] {
            [.., Token::Word("await")] => at - 1,
            _ => at,
        };
        if let Some(name) = bound(tokens, before).filter(|_| is_call) {
            res.push((at, name));
        }
    }
    res
}

/// Returns the inside of patterns that take the parsed input: `const { a, b } = JSON.parse(input)`.
pub(super) fn patterns(
    tokens: &[Token<'_>],
    language: Language,
    functions: &[Function<'_>],
) -> Vec<(usize, usize)> {
    let texts = texts(tokens, functions);
    let mut res = Vec::new();
    for at in 0..tokens.len() {
        let Some(call) = parses(tokens, at, language, (functions, &texts)) else {
            continue;
        };
        if let [before @ .., Token::Sign('}'), Token::Sign('=')] = &tokens[..call] {
            let open = before.iter().rposition(|token| *token == Token::Sign('{'));
            res.extend(open.map(|open| (open + 1, call - 2)));
        }
    }
    res
}

/// Returns the start of a call at `at` that parses the text of standard input.
fn parses(
    tokens: &[Token<'_>],
    at: usize,
    language: Language,
    (functions, texts): (&[Function<'_>], &Texts<'_>),
) -> Option<usize> {
    let parser = match (language, &tokens[at..]) {
        (
            Language::JavaScript,
            [
                Token::Word("JSON"),
                Token::Sign('.'),
                Token::Word("parse"),
                ..,
            ],
        )
        | (
            Language::Python,
            [
                Token::Word("json"),
                Token::Sign('.'),
                Token::Word("load" | "loads"),
                ..,
            ],
        ) => at,
        _ => return None,
    };
    let inside = &tokens[parser + 3..tokens.len().min(parser + 14)];
    let end = inside
        .iter()
        .position(|token| matches!(token, Token::Sign(';')));
    let inside = &inside[..end.unwrap_or(inside.len())];
    let is_stdin = match inside {
        [Token::Sign('('), Token::Word(name), ..]
            if texts.contains(&(owner(functions, name, at), *name)) =>
        {
            true
        }
        [Token::Sign('('), rest @ ..] => {
            let argument = rest.split(|token| *token == Token::Sign(')')).next();
            let is_file = |three: &[Token<'_>]| {
                three
                    == [
                        Token::Word("readFileSync"),
                        Token::Sign('('),
                        Token::Word("0"),
                    ]
            };
            argument.is_some_and(|argument| {
                argument.iter().any(is_input) || argument.windows(3).any(is_file)
            })
        }
        _ => false,
    };
    is_stdin.then_some(parser)
}

/// Returns the name before the `=` of a statement.
fn bound<'a>(tokens: &[Token<'a>], at: usize) -> Option<&'a str> {
    match tokens[..at] {
        [.., Token::Word(name), Token::Sign('=')] => Some(name),
        _ => None,
    }
}

/// Returns the names of texts that come from standard input.
fn texts<'a>(tokens: &[Token<'a>], functions: &[Function<'a>]) -> Texts<'a> {
    let mut res = BTreeSet::new();
    let key = |name: &'a str, at: usize| (owner(functions, name, at), name);
    for (at, token) in tokens.iter().enumerate() {
        if let [
            Token::Word("for"),
            Token::Word(name),
            Token::Word("in"),
            Token::Word("sys"),
            Token::Sign('.'),
            Token::Word("stdin"),
            ..,
        ] = &tokens[at..]
        {
            res.insert(key(name, at));
        }
        let is_file = matches!(
            &tokens[at..],
            [
                Token::Word("readFileSync"),
                Token::Sign('('),
                Token::Word("0"),
                ..
            ]
        );
        if !is_input(token) && !is_file {
            continue;
        }
        if let Some(name) = statement_of(tokens, at) {
            res.insert(key(name, at));
        }
        // `stdin.on("data", chunk => text += chunk)`, `for await (const chunk of stdin) parts.push(chunk)`.
        let near = &tokens[at..tokens.len().min(at + NEAR)];
        for (offset, pair) in near.windows(3).enumerate() {
            match pair {
                [Token::Word(name), Token::Sign('+'), Token::Sign('=')]
                | [Token::Word(name), Token::Sign('.'), Token::Word("push")] => {
                    res.insert(key(name, at + offset));
                }
                _ => {}
            }
        }
        for (offset, window) in near.windows(6).enumerate() {
            if let Some(name) = listener(window) {
                // The parameter is that of the function that begins here.
                let inside = |at: usize| {
                    let around = functions.iter().enumerate().skip(1);
                    around
                        .filter(|(_, it)| it.body.start >= at && it.body.start < at + 8)
                        .map(|(number, _)| number)
                        .next()
                };
                res.extend(inside(at + offset).map(|number| (number, name)));
            }
        }
    }
    // Names of texts made from those: `const text = parts.join("").trim()`.
    for _ in 0..3 {
        for at in 1..tokens.len() {
            let derived = match (&tokens[at], &tokens[..at]) {
                // `for (const line of lines)`
                (
                    Token::Word(name),
                    [.., Token::Word(new), Token::Word("of") | Token::Sign('=')],
                ) => res.contains(&key(name, at)).then_some(*new),
                (
                    Token::Word("concat"),
                    [
                        ..,
                        Token::Word(new),
                        Token::Sign('='),
                        Token::Word("Buffer"),
                        Token::Sign('.'),
                    ],
                ) => {
                    let name = tokens.get(at + 2);
                    matches!(name, Some(Token::Word(name)) if res.contains(&key(name, at)))
                        .then_some(*new)
                }
                _ => None,
            };
            res.extend(derived.map(|name| key(name, at)));
            res.extend(taken(tokens, at, functions, &res));
        }
    }
    res
}

/// Returns the parameter of `"data", chunk => …` and `"line", async (line) => …`.
fn listener<'a>(window: &[Token<'a>]) -> Option<&'a str> {
    let [Token::Text("line" | "data"), Token::Sign(','), rest @ ..] = window else {
        return None;
    };
    let function = rest.strip_prefix(&[Token::Word("async")]).unwrap_or(rest);
    match function {
        [Token::Sign('('), Token::Word(name), Token::Sign(')'), ..]
        | [Token::Word(name), Token::Sign('='), Token::Sign('>'), ..] => Some(name),
        _ => None,
    }
}

/// Returns the parameter of a function that takes a text: `parse(parts.join(""))`.
fn taken<'a>(
    tokens: &[Token<'a>],
    at: usize,
    functions: &[Function<'a>],
    texts: &Texts<'a>,
) -> Option<(usize, &'a str)> {
    let [Token::Word(callee), Token::Sign('('), Token::Word(name), ..] = tokens[at..] else {
        return None;
    };
    let is_text = texts.contains(&(owner(functions, name, at), name));
    let mut named = functions.iter().enumerate();
    let (number, function) = named.find(|(_, it)| it.name == callee && it.head != at)?;
    match function.parameters.first() {
        Some(Parameter::Name(parameter)) if is_text && !parameter.is_empty() => {
            Some((number, *parameter))
        }
        _ => None,
    }
}

/// Returns true for a word for standard input, and for functions that read it.
fn is_input(token: &Token<'_>) -> bool {
    match token {
        Token::Word(word) => {
            let word = word.to_ascii_lowercase();
            word.contains("stdin") || matches!(&*word, "readinput" | "read_input")
        }
        Token::Text(text) => *text == "/dev/stdin",
        _ => false,
    }
}

/// Returns the name that the statement around a position sets.
fn statement_of<'a>(tokens: &[Token<'a>], at: usize) -> Option<&'a str> {
    const MAX: usize = 12;
    for place in (at.saturating_sub(MAX)..at).rev() {
        match tokens[place] {
            Token::Sign(';' | '{' | '}') => return None,
            Token::Sign('=') => {
                return match place.checked_sub(1).map(|before| tokens[before]) {
                    Some(Token::Word(name)) => Some(name),
                    _ => None,
                };
            }
            _ => {}
        }
    }
    None
}
