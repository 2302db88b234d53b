//! Settings without which the code leaves something out: `if (TEA_KEY) { headers.auth = TEA_KEY; }`.

use std::collections::{BTreeMap, BTreeSet};

use super::analysis::Analysis;
use super::lexer::Token;
use super::uses::pattern_local;

/// Returns the settings whose presence the code tests and goes on without them.
pub(crate) fn tested(code: &Analysis<'_, '_>, keys: &BTreeSet<&str>) -> BTreeSet<String> {
    let mut res = BTreeSet::new();
    for reader in &code.readers {
        let names = names(reader.tokens, keys);
        for at in 1..reader.tokens.len() {
            if !is_tested(reader.tokens, at) {
                continue;
            }
            let key = match reader.tokens[at] {
                Token::Word(word) => names.get(word).copied().or(keys.get(word).copied()),
                Token::Text(word) => keys.get(word).copied(),
                _ => None,
            };
            res.extend(key.map(str::to_owned));
        }
    }
    res
}

/// Returns the names that settings are bound to: `KEY = env.TeaKey`, `apiKey: raw.TeaKey`.
pub(super) fn names<'t>(
    tokens: &[Token<'t>],
    keys: &BTreeSet<&'t str>,
) -> BTreeMap<&'t str, &'t str> {
    const NEAR: usize = 12;
    let mut res = BTreeMap::new();
    for (at, token) in tokens.iter().enumerate() {
        let (Token::Word(key) | Token::Text(key)) = token else {
            continue;
        };
        let Some(&key) = keys.get(key) else { continue };
        if let Some(name) = pattern_local(tokens, at) {
            res.entry(name).or_insert(key);
            continue;
        }
        let before = &tokens[at.saturating_sub(NEAR)..at];
        let is_end = |it: &Token<'_>| matches!(it, Token::Sign(';' | '{' | '}' | ','));
        let start = before.iter().rposition(is_end).map_or(0, |end| end + 1);
        let statement = &before[start..];
        let is_name = |it: &[Token<'_>]| matches!(it, [Token::Word(_), Token::Sign('=' | ':')]);
        if let Some(found) = statement.windows(2).rposition(is_name)
            && let Token::Word(name) = statement[found]
            && name.len() > 2
        {
            res.entry(name).or_insert(key);
        }
    }
    res
}

/// Returns true for a condition on a name alone, or as the first of several: `if (KEY)`, `if KEY:`, and
/// without an `else` that ends.
fn is_tested(tokens: &[Token<'_>], at: usize) -> bool {
    const AFTER: usize = 40;
    let mut start = at;
    while start >= 2 && tokens[start - 1] == Token::Sign('.') {
        start -= 2;
    }
    let is_condition = matches!(
        tokens[..start],
        [.., Token::Word("if"), Token::Sign('(')] | [.., Token::Word("if" | "elif")]
    );
    let ends = matches!(
        tokens.get(at + 1),
        Some(Token::Sign(')' | ':' | '&') | Token::Word("and"))
    );
    let rest = &tokens[at..tokens.len().min(at + AFTER)];
    let fails = || {
        rest.windows(2)
            .any(|two| matches!(two, [Token::Word("else"), _]))
            && rest
                .iter()
                .any(|it| matches!(it, Token::Word("throw" | "raise" | "exit")))
    };
    is_condition && ends && !fails()
}

#[cfg(test)]
mod tests {
    use super::super::analysis::of_file;
    use super::*;

    #[test]
    fn conditions_on_settings() {
        let check = |path: &str, code: &str, expected: bool| {
            let keys = BTreeSet::from(["TeaKey"]);
            let found = of_file(path, code, |code| tested(code, &keys));
            assert_eq!(!found.is_empty(), expected, "{code}");
        };
        check(
            "a.js",
            "const KEY = process.env.TeaKey; if (KEY) { h.auth = KEY; }",
            true,
        );
        check("a.js", "if (process.env.TeaKey) { h.auth = 1; }", true);
        check(
            "a.js",
            "const c = { tea: raw.TeaKey }; if (CFG.tea) { a(); }",
            true,
        );
        check(
            "a.js",
            "const KEY = process.env.TeaKey; if (KEY) { a(); } else { throw e; }",
            false,
        );
        check("a.js", "const KEY = process.env.TeaKey; ask(KEY);", false);
        check(
            "a.py",
            "KEY = os.getenv('TeaKey', '')\nif KEY:\n    h['auth'] = KEY",
            true,
        );
    }
}
