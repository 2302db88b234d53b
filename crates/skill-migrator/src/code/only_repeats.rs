//! Programs that only give their arguments back: a window of the old host acted on what they printed.

use super::facts::Language;
use super::lexer::Token;
use super::source::Source;

/// Functions and methods that change nothing but the form of a value, or read and print.
const HARMLESS: [&str; 30] = [
    "on",
    "once",
    "setEncoding",
    "createInterface",
    "close",
    "parse",
    "stringify",
    "log",
    "error",
    "warn",
    "write",
    "exit",
    "Error",
    "TypeError",
    "trim",
    "toLowerCase",
    "toUpperCase",
    "toString",
    "String",
    "Number",
    "Boolean",
    "parseInt",
    "parseFloat",
    "isNaN",
    "isArray",
    "isFinite",
    "includes",
    "startsWith",
    "isInteger",
    "require",
];

/// Modules with which a program can only read and print.
const MODULES: [&str; 4] = ["readline", "process", "node:readline", "node:process"];

/// Words and signs of a program that makes something of its arguments.
const WORK: [&str; 9] = [
    "for", "while", "import", "await", "Math", "Date", "fetch", "random", "class",
];

/// Returns true for a program of JavaScript that parses standard input and prints nothing but its arguments and
/// literals: it has no loops, loads no library, and calls no function with an effect.
pub(crate) fn only_repeats(source: &Source<'_>) -> bool {
    let tokens = &source.tokens[..];
    let has = |word: &str| tokens.contains(&Token::Word(word));
    let reads = has("stdin") && has("parse") && has("stringify");
    if source.language != Language::JavaScript || !reads {
        return false;
    }
    tokens.iter().enumerate().all(|(at, token)| match token {
        Token::Word(word) if WORK.contains(word) => false,
        Token::Sign('*' | '/' | '%') => false,
        // Text that is made of arguments is an answer.
        Token::Text(text) => !has_value(text),
        Token::Sign('+') => matches!(tokens.get(at + 1), Some(Token::Sign('=') | Token::Text(_))),
        Token::Sign('(') => is_harmless(tokens, at),
        _ => true,
    })
}

/// Returns true for a template with a value other than the text of an error.
fn has_value(text: &str) -> bool {
    let mut values = text.split("${").skip(1);
    values.any(|value| {
        let name = value.split(['.', '}', '?', ' ']).next().unwrap_or_default();
        !matches!(name, "error" | "err" | "e")
    })
}

/// Returns true for a bracket that opens no call, or one without an effect.
fn is_harmless(tokens: &[Token<'_>], at: usize) -> bool {
    const SYNTAX: [&str; 8] = [
        "if", "catch", "switch", "return", "function", "typeof", "throw", "async",
    ];
    match tokens[..at] {
        [.., Token::Word("require")] => {
            matches!(tokens[at + 1..], [Token::Text(name), ..] if MODULES.contains(&name))
        }
        [.., Token::Word("function"), Token::Word(_)] => true,
        [.., Token::Word(name)] => {
            HARMLESS.contains(&name) || SYNTAX.contains(&name) || is_own(tokens, name)
        }
        [.., Token::Sign(')' | ']')] => false,
        _ => true,
    }
}

/// Returns true for a function that the program defines.
fn is_own(tokens: &[Token<'_>], name: &str) -> bool {
    tokens
        .windows(2)
        .any(|it| it == [Token::Word("function"), Token::Word(name)])
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::super::source::sources;
    use super::*;

    #[test]
    fn programs_without_an_effect_of_their_own() {
        let check = |work: &str, expected: bool| {
            let code = format!(
                "let text = ''; process.stdin.on('data', (part) => {{ text += part; }});
                 process.stdin.on('end', () => {{ try {{ const args = JSON.parse(text);
                   if (!args.tea) {{ throw new Error('no tea'); }} {work}
                   console.log(JSON.stringify({{ command: 'brew', tea: args.tea.trim() }})); }}
                   catch (error) {{ console.error(error.message); process.exit(1); }} }});"
            );
            let texts = BTreeMap::from([("a.js".to_owned(), code.clone())]);
            let sources = sources(&BTreeSet::from(["a.js".to_owned()]), &texts);
            assert_eq!(only_repeats(&sources[0]), expected, "{code}");
        };
        check("", true);
        check("const n = parseInt(args.cups);", true);
        check("const cups = args.cups * 2;", false);
        check("fs.writeFileSync('a', args.tea);", false);
        check("const fs = require('fs');", false);
        check("for (const tea of args.teas) { n += 1; }", false);
        check("const all = args.teas.map((it) => it);", false);
        check("args.run();", false);
        check("const now = new Date();", false);
        check("args.tea = `${args.tea} in a pot`;", false);
        check("args.tea = 'green ' + args.tea;", false);
        check("note = `bad: ${error.message}`;", true);
    }
}
