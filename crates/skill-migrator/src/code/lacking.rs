//! Settings that an error of the program names as missing: `new Error("KEY is not set")`.

use std::collections::{BTreeMap, BTreeSet};

use super::analysis::Analysis;
use super::branches::{Branch, branches};
use super::functions::innermost;
use super::lexer::Token;
use super::uses::pattern_local;

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
const INSTEAD: [&str; 12] = [
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
    // Another setting switches on what needs it.
    "enabled, but",
    "已启用",
];
/// Words between settings of which one is enough.
const EITHER: [&str; 2] = ["或", " or "];
/// Maximum length of a message, in bytes.
const MAX: usize = 240;

/// A setting without which code ends in an error.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Lack {
    /// Its name.
    pub(crate) key: String,
    /// The argument and the values with which code comes to that; `None` for every call.
    pub(crate) mode: Option<Mode>,
}

/// An argument and the values of it that lead to a part of the code.
pub(crate) type Mode = (String, Vec<String>);

/// Returns the settings that an error in the reached files names as missing
/// (`new Error("TeaKey is not set")`), and those without which a condition ends in an error:
/// `const KEY = process.env.TeaKey; if (!KEY || !URL) throw`. Those of the second kind for which
/// `is_excluded` is true are left out.
pub(crate) fn lacking(
    code: &Analysis<'_, '_>,
    keys: &BTreeSet<&str>,
    is_excluded: impl Fn(&str) -> bool,
) -> BTreeSet<Lack> {
    let mut res = BTreeSet::new();
    for reader in &code.readers {
        let mut branches = branches(reader);
        let reads = reader.reads();
        for branch in &mut branches {
            let function = innermost(&reader.functions, branch.opener);
            branch.subject = reader
                .argument(function, branch.subject)
                .unwrap_or(branch.subject);
        }
        branches.retain(|branch| reads.contains(branch.subject) && !branch.values.is_empty());
        let checked = checked(reader.tokens, keys).into_iter();
        let checked = checked.filter(|(_, key)| !is_excluded(key));
        for (at, key) in named(reader.tokens, keys).into_iter().chain(checked) {
            let mode = mode(&branches, at);
            res.insert(Lack { key, mode });
        }
    }
    res
}

/// Returns the argument and its values that lead to the innermost branch around a position.
fn mode(branches: &[Branch<'_>], at: usize) -> Option<Mode> {
    let around = branches.iter().filter(|branch| branch.body.contains(&at));
    let branch = around.min_by_key(|branch| branch.body.len())?;
    let values = branch.values.iter().map(|it| (*it).to_owned()).collect();
    Some((branch.subject.to_owned(), values))
}

/// Returns the positions of errors that name settings as missing.
fn named(tokens: &[Token<'_>], keys: &BTreeSet<&str>) -> Vec<(usize, String)> {
    let mut res = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let Token::Text(text) = token else { continue };
        if text.len() <= MAX && is_of_error(&tokens[..at]) && says_missing(text) {
            let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            // `TABLE_name` is of the family `TABLE_*`.
            let family = |word: &str| {
                let mut families = keys.iter().filter_map(|key| key.strip_suffix('*'));
                let prefix = families.find(|prefix| word.starts_with(*prefix))?;
                keys.get(&*format!("{prefix}*")).copied()
            };
            let named = words.filter_map(|word| keys.get(word).copied().or_else(|| family(word)));
            let named: BTreeSet<&str> = named.collect();
            let is_either = EITHER.iter().any(|word| text.to_lowercase().contains(word));
            if named.len() == 1 || !is_either {
                res.extend(named.into_iter().map(|key| (at, key.to_owned())));
            }
        }
    }
    res
}

/// Returns the positions of conditions that end in an error without a setting.
fn checked(tokens: &[Token<'_>], keys: &BTreeSet<&str>) -> Vec<(usize, String)> {
    let all = conditions(tokens, keys).into_iter();
    let failing = all.filter(|(_, _, block)| fails(block));
    failing.map(|(at, key, _)| (at, key.to_owned())).collect()
}

/// Returns the settings without which the program leaves out a part of its work and goes on:
/// `if (!KEY || !URL) { return text; }`. One whose absence also ends in an error is not among them.
pub(crate) fn tolerated(code: &Analysis<'_, '_>, keys: &BTreeSet<&str>) -> BTreeSet<String> {
    let (mut res, mut failing) = (BTreeSet::new(), BTreeSet::new());
    for reader in &code.readers {
        for (_, key, block) in conditions(reader.tokens, keys) {
            let is_error = fails(block) || block.iter().any(says_error);
            let acc = if is_error { &mut failing } else { &mut res };
            acc.insert(key.to_owned());
        }
    }
    res.retain(|key| !failing.contains(key));
    res
}

/// Returns true for a text that tells somebody of an error.
fn says_error(token: &Token<'_>) -> bool {
    const ERRORS: [&str; 6] = ["错误", "失败", "无法", "error", "fail", "cannot"];
    let Token::Text(text) = token else {
        return false;
    };
    let lower = text.to_lowercase();
    LACKS.iter().chain(&ERRORS).any(|word| lower.contains(word))
        && !INSTEAD.iter().any(|word| lower.contains(word))
}

/// Returns the conditions on the absence of a setting: their positions, the settings, and the beginnings
/// of the blocks that they lead to.
fn conditions<'t>(
    tokens: &'t [Token<'t>],
    keys: &BTreeSet<&str>,
) -> Vec<(usize, &'t str, &'t [Token<'t>])> {
    const NEAR: usize = 14;
    const AFTER: usize = 24;
    let mut names: BTreeMap<&str, &str> = BTreeMap::new();
    for (at, token) in tokens.iter().enumerate() {
        let (Token::Word(key) | Token::Text(key)) = token else {
            continue;
        };
        if !keys.contains(key) {
            continue;
        }
        if let Some(name) = pattern_local(tokens, at) {
            names.entry(name).or_insert(key);
            continue;
        }
        let before = &tokens[at.saturating_sub(NEAR)..at];
        let is_read = before
            .iter()
            .any(|it| matches!(it, Token::Word("env" | "environ" | "getenv" | "config")));
        let statement = before
            .rsplit(|it| matches!(it, Token::Sign(';' | '{' | '}' | ',')))
            .next()
            .unwrap_or_default();
        // The last one, because a line end is not among the tokens: `a = env.X b = env.Y`.
        let is_name = |it: &[Token<'_>]| matches!(it, [Token::Word(_), Token::Sign('=')]);
        let name = statement.windows(2).rposition(is_name);
        if let (true, Some(Token::Word(name))) = (is_read, name.map(|at| statement[at])) {
            // `KEY = env.TeaKey || env.PotKey`: the first is the one to set.
            names.entry(name).or_insert(key);
        }
    }
    let others = others(tokens, &names);
    for (at, token) in tokens.iter().enumerate() {
        if let Token::Word(name) = token
            && !others.is_empty()
            && others.get(name).is_some_and(|it| !it.is_empty())
            && let [Token::Sign('='), Token::Word(first), ..] = tokens[at + 1..]
            && let Some(&key) = names.get(first)
        {
            names.entry(name).or_insert(key);
        }
    }
    let mut res = Vec::new();
    for first in 1..tokens.len() {
        let is_member = matches!(
            tokens[first..],
            [
                Token::Word("self" | "this"),
                Token::Sign('.'),
                Token::Word(_),
                ..
            ]
        );
        let at = first + if is_member { 2 } else { 0 };
        let (Token::Sign('!') | Token::Word("not"), Token::Word(name)) =
            (tokens[first - 1], tokens[at])
        else {
            continue;
        };
        let Some(&key) = names.get(name) else {
            continue;
        };
        let starts = matches!(
            tokens[..first - 1],
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
        if starts && ends {
            res.push((at, key, block));
            // Of several, the first is the one to set; none of them is missed without an error.
            let others = others.get(name).filter(|_| !fails(block));
            res.extend(others.into_iter().flatten().map(|key| (at, *key, block)));
        }
    }
    res
}

/// Returns the settings that a name has besides the first: `key = OWN_KEY || TeaKey`, of settings that are
/// bound to names.
fn others<'t>(
    tokens: &[Token<'t>],
    names: &BTreeMap<&'t str, &'t str>,
) -> BTreeMap<&'t str, Vec<&'t str>> {
    let mut res: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for at in 2..tokens.len() {
        let (Token::Word(name), [Token::Sign('='), Token::Word(first), ..]) =
            (tokens[at - 2], &tokens[at - 1..])
        else {
            continue;
        };
        let mut end = at + 1;
        while let [Token::Sign('|'), Token::Sign('|'), Token::Word(next), ..] = tokens[end..] {
            let keys = names.get(next).filter(|_| names.contains_key(first));
            res.entry(name).or_default().extend(keys);
            end += 3;
        }
    }
    res
}

/// Returns true if a block ends with an error, or answers with one: `{ error: "x" }`.
fn fails(block: &[Token<'_>]) -> bool {
    let is_end = |it: &Token<'_>| matches!(it, Token::Word("throw" | "raise" | "exit"));
    let is_answer = |two: &[Token<'_>]| {
        matches!(
            two,
            [
                Token::Word("error") | Token::Text("error"),
                Token::Sign(':')
            ] | [Token::Sign(':'), Token::Text("error")]
        )
    };
    // `fail("…")` and `return errorResult(…)`, not `log.error(…)`.
    let is_call = |three: &[Token<'_>]| {
        let [before, Token::Word(name), Token::Sign('(')] = three else {
            return false;
        };
        let name = name.to_lowercase();
        let is_error = matches!(&*name, "fail" | "die" | "abort") || name.contains("error");
        is_error && *before != Token::Sign('.') && *before != Token::Word("new")
    };
    block.iter().any(is_end) || block.windows(2).any(is_answer) || block.windows(3).any(is_call)
}

/// Returns true for the text of an error: `new Error(`, `raise ValueError(f`, `errorMsg =`, `error:`.
fn is_of_error(before: &[Token<'_>]) -> bool {
    let before = match before {
        [rest @ .., Token::Word("f" | "r")] => rest,
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
    use super::super::analysis::of_file;
    use super::*;

    #[track_caller]
    fn check(path: &str, code: &str, expected: &[&str]) {
        let keys = BTreeSet::from(["TeaKey", "TEA_URL"]);
        let found = of_file(path, code, |code| lacking(code, &keys, |_| false));
        let found: Vec<&str> = found.iter().map(|lack| &*lack.key).collect();
        assert_eq!(found, expected, "{code}");
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
        check(
            "a.js",
            "new Error('the kettle is enabled, but TEA_URL is not set')",
            &[],
        );
        check("a.js", "new Error('读取失败，且未配置 TEA_URL')", &[]);
    }

    #[test]
    fn conditions_want_settings() {
        let check = |code: &str, expected: &[&str]| check("a.js", code, expected);
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
        check(
            "const key = process.env.TeaKey; if (!key) { log.error(e); }",
            &[],
        );
        check(
            "const key = process.env.TeaKey; if (!key) { fail('x'); }",
            &["TeaKey"],
        );
    }

    #[test]
    fn conditions_on_members() {
        let code = "self.key = os.environ.get('TeaKey')\nself.url = os.environ.get('TEA_URL')\nif not self.key or not self.url:\n  raise ValueError('x')";
        check("a.py", code, &["TEA_URL", "TeaKey"]);
    }

    #[test]
    fn what_is_left_out_without_a_setting() {
        let check = |code: &str, expected: &[&str]| {
            let keys = BTreeSet::from(["TeaKey", "TEA_URL"]);
            let found = of_file("a.js", code, |code| tolerated(code, &keys));
            let found: Vec<&str> = found.iter().map(String::as_str).collect();
            assert_eq!(found, expected, "{code}");
        };
        let start = "const KEY = process.env.TeaKey; const URL = process.env.TEA_URL;";
        let both = ["TEA_URL", "TeaKey"];
        check(
            &format!("{start} if (!KEY || !URL) {{ return text; }}"),
            &both,
        );
        check(
            &format!("{start} const k = KEY || URL; if (!k) {{ return text; }}"),
            &both,
        );
        check(
            &format!("{start} const k = KEY || URL; if (!k) {{ throw e; }}"),
            &[],
        );
        check(
            &format!("{start} if (!KEY || !URL) {{ return '未配置'; }}"),
            &[],
        );
        check(
            &format!("{start} if (!KEY) {{ return a; }} if (!KEY) {{ throw e; }}"),
            &[],
        );
    }
    #[test]
    fn settings_of_a_mode() {
        let code = "const { TeaKey: KEY, TEA_URL } = process.env;
            async function processToolCall(args) { const kind = args.kind || 'green';
            if (kind === 'green') { if (!KEY) { return answer({ status: 'error', error: 'x' }); } }
            if (kind === 'black' || kind === 'red') { if (!TEA_URL) throw new Error('y'); } }";
        let keys = BTreeSet::from(["TeaKey", "TEA_URL"]);
        let found = of_file("a.js", code, |code| lacking(code, &keys, |_| false));
        let mode = |values: &[&str]| {
            let values = values.iter().map(|it| (*it).to_owned()).collect();
            Some(("kind".to_owned(), values))
        };
        let lack = |key: &str, mode: Option<Mode>| Lack {
            key: key.to_owned(),
            mode,
        };
        let expected = [
            lack("TEA_URL", mode(&["black", "red"])),
            lack("TeaKey", mode(&["green"])),
        ];
        assert_eq!(found, BTreeSet::from(expected));
    }
}
