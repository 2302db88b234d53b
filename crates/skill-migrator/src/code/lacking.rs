//! Settings that an error of the program names as missing: `new Error("KEY is not set")`.

use std::collections::{BTreeMap, BTreeSet};

use super::facts::Language;
use super::lexer::{self, Token};
use super::source::sources;

/// Words of an error on a missing setting, in lower case.
const LACKS: [&str; 13] = [
    "缺少",
    "未配置",
    "未设置",
    "没有配置",
    "不完整",
    "missing",
    "is required",
    "not set",
    "not defined",
    "未定义",
    "not configured",
    "incomplete",
    "must be set",
];
/// Words of a message on what the program does instead.
const INSTEAD: [&str; 10] = [
    "默认",
    "跳过",
    "禁用",
    "default",
    "skip",
    "fallback",
    "disabled",
    "instead",
    // A part of what it does fails, not all of it.
    "且未",
    "且没有",
];
/// Words between settings of which one is enough.
const EITHER: [&str; 2] = ["或", " or "];
/// Maximum length of a message, in bytes.
const MAX: usize = 240;

/// Returns the settings that an error in the reached files names as missing.
pub(crate) fn named_as_missing(
    files: &BTreeSet<String>,
    texts: &BTreeMap<String, String>,
    keys: &BTreeSet<&str>,
) -> BTreeSet<String> {
    let mut res = BTreeSet::new();
    for path in files {
        let (Some(language), Some(code)) = (Language::from_path(path), texts.get(path)) else {
            continue;
        };
        let tokens = match language {
            Language::JavaScript => lexer::javascript(code),
            Language::Python => lexer::python(code),
        };
        for (at, token) in tokens.iter().enumerate() {
            let Token::Text(text) = token else { continue };
            if text.len() <= MAX && is_of_error(&tokens[..at]) && says_missing(text) {
                let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                let named: BTreeSet<&str> = words.filter(|word| keys.contains(word)).collect();
                let is_either = EITHER.iter().any(|word| text.to_lowercase().contains(word));
                if named.len() == 1 || !is_either {
                    res.extend(named.into_iter().map(str::to_owned));
                }
            }
        }
    }
    res
}

/// Returns the settings without which a condition in the reached files ends in an error:
/// `const KEY = process.env.TeaKey; if (!KEY || !URL) throw`.
pub(crate) fn checked_as_missing(
    files: &BTreeSet<String>,
    texts: &BTreeMap<String, String>,
    keys: &BTreeSet<&str>,
) -> BTreeSet<String> {
    let sources = sources(files, texts);
    let found = sources
        .iter()
        .flat_map(|source| checked(&source.tokens, keys));
    found.collect()
}

fn checked(tokens: &[Token<'_>], keys: &BTreeSet<&str>) -> BTreeSet<String> {
    const NEAR: usize = 14;
    const AFTER: usize = 24;
    let mut names: BTreeMap<&str, &str> = BTreeMap::new();
    for (at, token) in tokens.iter().enumerate() {
        let (Token::Word(key) | Token::Text(key)) = token else {
            continue;
        };
        let Some(key) = keys.get(key) else { continue };
        let before = &tokens[at.saturating_sub(NEAR)..at];
        let is_read = before
            .iter()
            .any(|it| matches!(it, Token::Word("env" | "environ" | "getenv" | "config")));
        let statement = before
            .rsplit(|it| matches!(it, Token::Sign(';' | '{' | '}' | ',')))
            .next()
            .unwrap_or_default();
        let sign = statement.iter().position(|it| *it == Token::Sign('='));
        let name = sign.and_then(|sign| sign.checked_sub(1));
        if let (true, Some(Token::Word(name))) = (is_read, name.map(|at| statement[at])) {
            // `KEY = env.TeaKey || env.PotKey`: the first is the one to set.
            names.entry(name).or_insert(key);
        }
    }
    let mut res = BTreeSet::new();
    for at in 1..tokens.len() {
        let (Token::Sign('!') | Token::Word("not"), Token::Word(name)) =
            (tokens[at - 1], tokens[at])
        else {
            continue;
        };
        let Some(key) = names.get(name) else { continue };
        let starts = matches!(
            tokens[..at - 1],
            [.., Token::Word("if"), Token::Sign('(')]
                | [.., Token::Word("if" | "or")]
                | [.., Token::Sign('|'), Token::Sign('|')]
        );
        let ends = matches!(
            tokens.get(at + 1),
            Some(Token::Sign(')' | '|' | ':') | Token::Word("or"))
        );
        let rest = &tokens[at..tokens.len().min(at + AFTER)];
        let block = rest
            .split(|it| *it == Token::Sign('}'))
            .next()
            .unwrap_or_default();
        let fails = block
            .iter()
            .any(|it| matches!(it, Token::Word("throw" | "raise" | "exit")));
        if starts && ends && fails {
            res.insert((*key).to_owned());
        }
    }
    res
}

/// Returns true for the text of an error: `new Error(`, `raise ValueError(f`, `errorMsg =`, `error:`.
fn is_of_error(before: &[Token<'_>]) -> bool {
    let before = match before {
        [rest @ .., Token::Word("f" | "r") | Token::Newline] => rest,
        _ => before,
    };
    match before {
        [.., Token::Word(name), Token::Sign('(')] => {
            name.ends_with("Error") || name.ends_with("Exception") || *name == "exit"
        }
        [.., Token::Word(name), Token::Sign('=' | ':')] => name.to_lowercase().starts_with("err"),
        _ => false,
    }
}

fn says_missing(text: &str) -> bool {
    let lower = text.to_lowercase();
    LACKS.iter().any(|word| lower.contains(word))
        && !INSTEAD.iter().any(|word| lower.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, code: &str, expected: &[&str]) {
        let files = BTreeSet::from([path.to_owned()]);
        let texts = BTreeMap::from([(path.to_owned(), code.to_owned())]);
        let keys = BTreeSet::from(["TeaKey", "TEA_URL"]);
        let found = named_as_missing(&files, &texts, &keys);
        assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{code}");
    }

    #[test]
    fn errors_name_what_they_need() {
        check(
            "a.js",
            "if (!key || !url) throw new Error('配置不完整 (TeaKey, TEA_URL)。')",
            &["TEA_URL", "TeaKey"],
        );
        check(
            "a.py",
            "raise ValueError(f'TeaKey is required')",
            &["TeaKey"],
        );
        check(
            "a.js",
            "const errorMsg =\n 'Error: TEA_URL is not defined or config.env is missing.'",
            &["TEA_URL"],
        );
        check(
            "a.js",
            "return { status: 'error', error: '未配置 TeaKey' }",
            &["TeaKey"],
        );
        check("a.js", "console.log('TeaKey not set')", &[]);
        check(
            "a.js",
            "new Error('TeaKey not set, using the default')",
            &[],
        );
        check("a.js", "new Error('TeaKey or TEA_URL is required')", &[]);
        check("a.js", "new Error('TeaKeys are not set')", &[]);
        check("a.js", "new Error('读取失败，且未配置 TEA_URL')", &[]);
    }

    #[test]
    fn conditions_want_settings() {
        let check = |code: &str, expected: &[&str]| {
            let keys = BTreeSet::from(["TeaKey", "TEA_URL"]);
            let found = checked(&lexer::javascript(code), &keys);
            assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{code}");
        };
        check(
            "const KEY = process.env.TeaKey; const url = process.env.TEA_URL || ''; if (!KEY || !url) throw new Error('x');",
            &["TEA_URL", "TeaKey"],
        );
        check(
            "const key = process.env.TeaKey || process.env.TEA_URL; if (!key) throw e;",
            &["TeaKey"],
        );
        check(
            "const key = process.env.TeaKey; if (!key && mode) throw e;",
            &[],
        );
        check("const key = process.env.TeaKey; if (!key) log(e);", &[]);
    }
}
