//! Programs that only give their arguments back: a window of the old host acted on what they printed.
//!
//! Source: a node of the old host intercepts such plugins by name, and a program that succeeds by itself prints
//! `status: "success"` (`docs/design/legacy-host.md`, 1.3 and 1.7). Agents do not see a program that is
//! taken for one, so whatever it may make of its arguments speaks against it: a lookup, a comparison, text of
//! its own.

use std::collections::BTreeSet;

use super::facts::Language;
use super::lexer::Token;
use super::source::Source;

/// Functions and methods that read, check and print.
const HARMLESS: [&str; 17] = [
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
    "toString",
    "require",
];

/// Modules with which a program can only read and print.
const MODULES: [&str; 4] = ["readline", "process", "node:readline", "node:process"];

/// Words of a program that makes something of its arguments, or gives something else.
const WORK: [&str; 11] = [
    "for", "while", "switch", "import", "await", "class", "env", "argv", "Math", "Date", "fetch",
];

/// Returns true for a program of JavaScript that parses standard input and prints nothing but its arguments and
/// single words.
pub(crate) fn only_repeats(source: &Source<'_>) -> bool {
    let tokens = &source.tokens[..];
    let has = |word: &str| tokens.contains(&Token::Word(word));
    let reads = has("stdin") && has("parse") && has("stringify");
    if source.language != Language::JavaScript || !reads {
        return false;
    }
    let own = tokens.windows(2).filter_map(|it| match it {
        [Token::Word("function"), Token::Word(name)] => Some(*name),
        _ => None,
    });
    let own: BTreeSet<&str> = own.collect();
    tokens.iter().enumerate().all(|(at, token)| match token {
        Token::Word(word) => !WORK.contains(word),
        Token::Text(text) => is_word(text) || is_of_error(tokens, at),
        Token::Sign('(') => is_harmless(tokens, at, &own),
        Token::Sign(_) => is_plain(tokens, at),
        Token::Newline => true,
    })
}

/// Returns true for a sign that takes no value from a list or a table, compares no sizes and computes nothing.
fn is_plain(tokens: &[Token<'_>], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    let next = tokens.get(at + 1);
    let is = |token: Option<&Token<'_>>, sign: char| token == Some(&Token::Sign(sign));
    match tokens[at] {
        // Input is collected, and a line end is added to what is printed.
        Token::Sign('+') => match next {
            Some(Token::Text(text)) => text.trim_matches(['\\', 'n', 'r']).is_empty(),
            next => is(next, '='),
        },
        Token::Sign('?') => is(next, '.') || is(next, '?') || is(before, '?'),
        Token::Sign('>') => is(before, '='),
        Token::Sign('*' | '/' | '%' | '-' | '<' | '[') => false,
        _ => true,
    }
}

/// Returns true for a text of one word, `play`; the answer `success` is one of a program that works by itself.
fn is_word(text: &str) -> bool {
    let is_short = text.len() <= 24 && !text.contains("${");
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_-:.\\".contains(c);
    is_short && text.chars().all(is_name) && text != "success"
}

/// Returns true for the text of an error: in `Error(…)`, `console.error(…)`, or as a member `error`.
fn is_of_error(tokens: &[Token<'_>], at: usize) -> bool {
    matches!(
        tokens[..at],
        [
            ..,
            Token::Word("Error" | "TypeError" | "error" | "warn"),
            Token::Sign('(' | ':')
        ]
    )
}

/// Returns true for a bracket that opens no call, or one without an effect.
fn is_harmless(tokens: &[Token<'_>], at: usize, own: &BTreeSet<&str>) -> bool {
    const SYNTAX: [&str; 8] = [
        "if", "catch", "switch", "return", "function", "typeof", "throw", "async",
    ];
    match tokens[..at] {
        [.., Token::Word("require")] => {
            matches!(tokens[at + 1..], [Token::Text(name), ..] if MODULES.contains(&name))
        }
        [.., Token::Word("function"), Token::Word(_)] => true,
        [.., Token::Word(name)] => {
            HARMLESS.contains(&name) || SYNTAX.contains(&name) || own.contains(name)
        }
        [.., Token::Sign(')' | ']')] => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

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
        check("const tea = args.tea || args.leaf;", true);
        check("const key = process.env.TEA;", false);
        check("const tea = TEAS[args.tea];", false);
        check("if (args.cups > 2) { args.tea = 'black'; }", false);
        check("if (args.cups < 2) { args.tea = 'black'; }", false);
        check("args.tea = args.tea ? 'black' : 'green';", false);
        check("args.more = 'A cup of tea.';", false);
        check("args.status = 'success';", false);
        check("const cups = args.cups - 1;", false);
        check("const n = parseInt(args.cups);", false);
        check("const cups = args.cups * 2;", false);
        check("fs.writeFileSync('a', args.tea);", false);
        check("const fs = require('fs');", false);
        check("for (const tea of args.teas) { n += 1; }", false);
        check("const all = args.teas.map((it) => it);", false);
        check("args.run();", false);
        check("const now = new Date();", false);
        check("args.tea = `${args.tea} in a pot`;", false);
        check("args.tea = 'green ' + args.tea;", false);
        check("const bad = { error: `bad: ${args.tea}` };", true);
        check("note = `bad: ${args.tea}`;", false);
    }
}
