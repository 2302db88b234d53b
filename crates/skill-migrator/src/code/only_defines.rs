//! Modules that only define functions: nothing runs when they are started as a program.

use super::analysis::Analysis;
use super::facts::Language;
use super::lexer::Token;
use super::source::Source;

/// Functions without an effect that the body of a module may call.
const HARMLESS: [&str; 8] = [
    "require", "join", "resolve", "dirname", "Set", "Map", "parseInt", "Number",
];

/// Returns true for a module of JavaScript with exports that calls no function when it is loaded, but those
/// that load others or make values.
pub(crate) fn only_defines(source: &Source<'_>) -> bool {
    let tokens = &source.tokens[..];
    let exports = [
        Token::Word("module"),
        Token::Sign('.'),
        Token::Word("exports"),
    ];
    if source.language != Language::JavaScript || !tokens.windows(3).any(|it| it == exports) {
        return false;
    }
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Sign('(') if depth == 0 && !is_harmless(&tokens[..at]) => return false,
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    true
}

/// Returns true if any file of the program reads standard input or the arguments of its process.
pub(crate) fn reads_input(code: &Analysis<'_, '_>) -> bool {
    code.readers.iter().any(|reader| {
        reader.tokens.windows(3).any(|it| {
            matches!(
                it,
                [Token::Word("stdin" | "argv"), ..]
                    | [
                        Token::Word("readFileSync"),
                        Token::Sign('('),
                        Token::Word("0")
                    ]
                    | [_, Token::Sign('('), Token::Text("/dev/stdin")]
            )
        })
    })
}

/// Returns true for the parameters of a function, and for a call without an effect.
fn is_harmless(before: &[Token<'_>]) -> bool {
    match before {
        [.., Token::Word("function"), Token::Word(_)] | [.., Token::Word("function" | "async")] => {
            true
        }
        [.., Token::Word(name)] => HARMLESS.contains(name),
        [.., Token::Sign('=')] => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::super::source::sources;
    use super::*;

    #[test]
    fn what_runs_when_it_is_loaded() {
        let check = |code: &str, expected: bool| {
            let texts = BTreeMap::from([("a.js".to_owned(), code.to_owned())]);
            let sources = sources(&BTreeSet::from(["a.js".to_owned()]), &texts);
            assert_eq!(only_defines(&sources[0]), expected, "{code}");
        };
        let module = "const fs = require('fs'); const place = path.join(__dirname, 'x'); let tea = null;
            function brew(leaf) { console.log(leaf); } const boil = async (pot) => pot; module.exports = { brew, boil };";
        check(module, true);
        check(&format!("{module} main();"), false);
        check(
            &format!("{module} if (require.main === module) {{ brew(); }}"),
            false,
        );
        check(&format!("{module} process.stdin.on('data', brew);"), false);
        check(&format!("{module} (async () => {{ brew(); }})();"), false);
        check("function brew() {}", false);
    }
}
