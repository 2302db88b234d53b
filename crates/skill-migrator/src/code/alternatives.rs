//! Settings of which the program takes the first that has a value: `env.TeaKey || env.TEA_KEY`.

use std::collections::{BTreeMap, BTreeSet};

use super::analysis::Analysis;
use super::lexer::Token;

/// Returns the settings that the code reads in place of another one, with the first of each chain.
pub(crate) fn alternatives(
    code: &Analysis<'_, '_>,
    keys: &BTreeSet<&str>,
) -> BTreeMap<String, String> {
    let mut res: BTreeMap<String, String> = BTreeMap::new();
    for reader in &code.readers {
        let mut chain: Option<(&str, usize)> = None;
        for (at, token) in reader.tokens.iter().enumerate() {
            let (Token::Word(key) | Token::Text(key)) = token else {
                continue;
            };
            if !keys.contains(key) {
                continue;
            }
            let first = chain.filter(|(_, before)| is_chain(&reader.tokens[before + 1..at]));
            if let Some((first, _)) = first.filter(|(first, _)| first != key) {
                res.entry((*key).to_owned()).or_insert(first.to_owned());
            }
            chain = Some((first.map_or(key, |(first, _)| first), at));
        }
    }
    res
}

/// Returns true for the code between two settings of a chain: an `or`, and how the second is read.
fn is_chain(between: &[Token<'_>]) -> bool {
    const MAX: usize = 14;
    let is_or = |two: &[Token<'_>]| {
        matches!(
            two,
            [Token::Sign('|'), Token::Sign('|')] | [Token::Sign('?'), Token::Sign('?')]
        )
    };
    let has_or = between.contains(&Token::Word("or")) || between.windows(2).any(is_or);
    let is_read = between.iter().any(|it| {
        matches!(it, Token::Word(word) if ["env", "environ", "getenv", "config"].contains(word))
    });
    let is_other = between
        .iter()
        .any(|it| matches!(it, Token::Sign(';' | '{' | '}' | '=' | ',')));
    between.len() <= MAX && has_or && is_read && !is_other
}

#[cfg(test)]
mod tests {
    use super::super::analysis::of_file;
    use super::*;

    #[test]
    fn the_first_of_a_chain() {
        let check = |path: &str, code: &str, expected: &[(&str, &str)]| {
            let keys = BTreeSet::from(["TeaKey", "TEA_KEY", "Tea"]);
            let found = of_file(path, code, |code| alternatives(code, &keys));
            let found: Vec<(&str, &str)> = found.iter().map(|(a, b)| (&**a, &**b)).collect();
            assert_eq!(found, expected, "{code}");
        };
        let python = "return (os.environ.get('TeaKey')\n or os.environ.get('TEA_KEY') or os.environ.get('Tea') or '').strip()";
        check("a.py", python, &[("TEA_KEY", "TeaKey"), ("Tea", "TeaKey")]);
        check(
            "a.js",
            "const key = process.env.TeaKey || process.env.TEA_KEY;",
            &[("TEA_KEY", "TeaKey")],
        );
        check(
            "a.js",
            "const a = process.env.TeaKey || 1; const b = process.env.TEA_KEY;",
            &[],
        );
    }
}
