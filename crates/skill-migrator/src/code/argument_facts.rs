//! The replacement of an argument that is missing, or the error without it.
//!
//! Only literals count (`args.size || '1024x1024'`, `{ n = 3 } = args`, `args.get("n", 3)`), so that a fact
//! is certain; most arguments have none.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::arguments::{Reader, readers, sources};
use super::facts::Language;
use super::functions::items;
use super::lexer::Token;

/// The facts on one argument.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct ArgumentFacts {
    /// The values that replace it, as written at different places.
    pub(crate) defaults: Vec<Value>,
    /// The value that it gets where it is missing, before anything else: `args.size = args.size || '1x1'`.
    pub(crate) settled: Option<Value>,
    /// True if that happens in the object of the arguments itself, for all commands.
    pub(crate) is_normalised: bool,
    /// True if the program ends with an error without it.
    pub(crate) is_checked: bool,
    /// The type of JavaScript without which it is refused: `number`, `boolean`.
    pub(crate) strict: Option<&'static str>,
}

/// Returns the facts on the arguments that the reached files read, by name.
pub(crate) fn argument_facts(
    files: &BTreeSet<String>,
    texts: &BTreeMap<String, String>,
) -> BTreeMap<String, ArgumentFacts> {
    let sources = sources(files, texts);
    let mut res: BTreeMap<String, ArgumentFacts> = BTreeMap::new();
    for reader in readers(&sources) {
        for (name, value) in &reader.defaults {
            add(&mut res, name, literal(value));
            res.entry((*name).to_owned()).or_default().settled = literal(value);
        }
        for at in 0..reader.tokens.len() {
            let Some((name, end)) = reader.read(at) else {
                continue;
            };
            let facts = res.entry(name.to_owned()).or_default();
            facts.is_checked |= reader.is_checked(at);
            if let Some(strict) = reader.strict(at, end) {
                facts.strict = Some(strict);
            }
            let default = reader.default(end);
            if let Some(is_own) = reader
                .is_assigned_to(name, at)
                .filter(|_| default.is_some())
            {
                facts.settled.clone_from(&default);
                facts.is_normalised |= is_own;
            }
            add(&mut res, name, default);
        }
    }
    res
}

/// Returns every word and text of the reached files that may name an argument, in lower case and without
/// the signs between its words.
pub(crate) fn spelled(
    files: &BTreeSet<String>,
    texts: &BTreeMap<String, String>,
) -> BTreeSet<String> {
    let sources = sources(files, texts);
    let tokens = sources.iter().flat_map(|(tokens, _)| tokens);
    let mut res = BTreeSet::new();
    for token in tokens {
        if let Token::Word(text) | Token::Text(text) = token {
            let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-');
            res.extend(words.map(spelling));
        }
    }
    res
}

/// Returns a name in lower case without the signs between its words.
pub(crate) fn spelling(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|c| c.to_ascii_lowercase()).collect()
}

fn add(res: &mut BTreeMap<String, ArgumentFacts>, name: &str, value: Option<Value>) {
    let facts = res.entry(name.to_owned()).or_default();
    if let Some(value) = value.filter(|value| !facts.defaults.contains(value)) {
        facts.defaults.push(value);
    }
}

/// Returns the value of a literal; an empty text says nothing.
fn literal(tokens: &[Token<'_>]) -> Option<Value> {
    const MAX: usize = 60;
    match tokens {
        [Token::Text(text)] => {
            let is_plain =
                !text.is_empty() && text.len() <= MAX && !text.contains(['\\', '$', '{']);
            is_plain.then(|| Value::from(*text))
        }
        [Token::Word("true" | "True")] => Some(Value::Bool(true)),
        [Token::Word("false" | "False")] => Some(Value::Bool(false)),
        [Token::Word(word)] => number(word),
        [Token::Word(whole), Token::Sign('.'), Token::Word(part)] => {
            number(&format!("{whole}.{part}"))
        }
        _ => None,
    }
}

fn number(word: &str) -> Option<Value> {
    word.starts_with(|c: char| c.is_ascii_digit())
        .then(|| serde_json::from_str(word).ok())
        .flatten()
}

impl<'a> Reader<'_, 'a> {
    /// Returns the argument that is read from the object at a position, and the position after it.
    fn read(&self, at: usize) -> Option<(&'a str, usize)> {
        if !self.is_object(at) {
            return None;
        }
        let name = self.read_after(at + 1)?;
        let is_name = |token: &Token<'a>| matches!(token, Token::Word(word) | Token::Text(word) if *word == name);
        let found = self.tokens[at + 1..].iter().take(6).position(is_name)?;
        Some((name, at + 1 + found + 1))
    }

    /// Returns the literal that replaces a value which ends before `end`: `|| 5`, `, 10) || 5`.
    fn default(&self, end: usize) -> Option<Value> {
        const WINDOW: usize = 80;
        let mut at = end;
        let limit = self.tokens.len().min(end + WINDOW);
        // `args.get("n", 3)`
        if self.language == Language::Python
            && let [Token::Sign(','), rest @ ..] = &self.tokens[end..limit]
        {
            let close = rest.iter().position(|token| *token == Token::Sign(')'))?;
            return literal(&rest[..close]);
        }
        while at < limit {
            match &self.tokens[at..limit] {
                [Token::Sign(')'), ..] => at += 1,
                [Token::Sign(']'), ..] if at == end => at += 1,
                [Token::Sign(','), Token::Word("10"), Token::Sign(')'), ..] => at += 3,
                [
                    Token::Sign('.'),
                    Token::Word("trim" | "toLowerCase" | "strip" | "lower"),
                    Token::Sign('('),
                    Token::Sign(')'),
                    ..,
                ] => at += 4,
                [Token::Sign('|'), Token::Sign('|'), rest @ ..]
                | [Token::Sign('?'), Token::Sign('?'), rest @ ..]
                | [Token::Word("or"), rest @ ..] => {
                    let start = limit - rest.len();
                    if let Some((_, end)) = self.read(start) {
                        at = end;
                        continue;
                    }
                    let ends = |token: &Token<'_>| {
                        matches!(token, Token::Sign(')' | ';' | ',' | '}' | ']'))
                            || matches!(
                                token,
                                Token::Word("const" | "let" | "if" | "return" | "var")
                            )
                    };
                    let length = rest.iter().position(ends).unwrap_or(rest.len());
                    let length = if self.language == Language::Python {
                        // The next statement has no sign before it.
                        length.min(1)
                    } else {
                        length
                    };
                    return literal(&rest[..length]);
                }
                _ => return None,
            }
        }
        None
    }

    /// Returns whether the value of a chain that begins at a position goes to the argument itself
    /// (`args.n = args.n || 3`) or to a name like it; `None` for neither.
    fn is_assigned_to(&self, name: &str, at: usize) -> Option<bool> {
        let mut at = at;
        // `parseInt(args.n)`, `Number(args.n`, `int(args.get(`
        while let [
            ..,
            Token::Word("parseInt" | "parseFloat" | "Number" | "int" | "float" | "String"),
            Token::Sign('('),
        ] = self.tokens[..at]
        {
            at -= 2;
        }
        let [before @ .., Token::Word(target), Token::Sign('=')] = &self.tokens[..at] else {
            return None;
        };
        let is_own = before.last() == Some(&Token::Sign('.'));
        (spelling(target) == spelling(name)).then_some(is_own)
    }

    /// Returns the type of `typeof args.n !== 'number'` before an error or `return false`.
    fn strict(&self, at: usize, end: usize) -> Option<&'static str> {
        const WINDOW: usize = 40;
        let before = at.checked_sub(1).map(|before| self.tokens[before])?;
        let [Token::Sign('!'), Token::Sign('='), rest @ ..] = &self.tokens[end..] else {
            return None;
        };
        let rest = rest.strip_prefix(&[Token::Sign('=')]).unwrap_or(rest);
        let kind = match rest.first() {
            Some(Token::Text("number")) => "number",
            Some(Token::Text("boolean")) => "boolean",
            _ => return None,
        };
        let window = &rest[..rest.len().min(WINDOW)];
        let is_error = window.windows(2).any(|two| {
            matches!(two, [Token::Word("return"), Token::Word("false")])
                || matches!(two, [Token::Word("throw"), _])
        });
        (before == Token::Word("typeof") && is_error).then_some(kind)
    }

    /// Returns true for `if (!args.a || !args.b) { throw`, `if not args.get("a"): raise`: all conditions of
    /// the statement are on missing arguments, and its block is an error.
    fn is_checked(&self, at: usize) -> bool {
        const WINDOW: usize = 60;
        let is_not = |token: Option<&Token<'_>>| {
            matches!(token, Some(Token::Sign('!') | Token::Word("not")))
        };
        if !is_not(at.checked_sub(1).and_then(|before| self.tokens.get(before))) {
            return false;
        }
        let start = self.tokens[..at]
            .iter()
            .rposition(|token| *token == Token::Word("if"));
        let Some(start) = start.filter(|start| at - start < WINDOW) else {
            return false;
        };
        let condition_end = match self.language {
            Language::JavaScript => super::functions::closing(self.tokens, start + 1),
            Language::Python => {
                let rest = &self.tokens[start..self.tokens.len().min(start + WINDOW)];
                let colon = rest.iter().position(|token| *token == Token::Sign(':'));
                colon.map(|colon| start + colon)
            }
        };
        let Some(end) = condition_end.filter(|end| *end > at && end - start < WINDOW) else {
            return false;
        };
        let condition = &self.tokens[start + 1..end];
        let has_and = condition.contains(&Token::Word("and"))
            || condition
                .windows(2)
                .any(|two| two == [Token::Sign('&'), Token::Sign('&')])
            || condition
                .windows(2)
                .any(|two| two == [Token::Sign('='), Token::Sign('=')]);
        let block = &self.tokens[end + 1..self.tokens.len().min(end + 14)];
        let first = items(block).first().map_or(0, |item| item.len());
        let block = &block[..first.max(6).min(block.len())];
        let is_error = block.iter().any(|token| {
            matches!(
                token,
                Token::Word("throw" | "raise" | "error" | "reject" | "exit")
            )
        });
        is_error && !has_and
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(path: &str, code: &str, expected: &[(&str, &[Value], bool)]) {
        let texts = BTreeMap::from([(path.to_owned(), code.to_owned())]);
        let files = BTreeSet::from([path.to_owned()]);
        let found = argument_facts(&files, &texts);
        for (name, defaults, is_checked) in expected {
            let facts = found.get(*name).cloned().unwrap_or_default();
            assert_eq!(facts.defaults, *defaults, "{name} in {code}");
            assert_eq!(facts.is_checked, *is_checked, "{name} in {code}");
        }
    }

    #[test]
    fn replacements() {
        check(
            "a.js",
            "async function processToolCall(args) {
               const { pot, cups = 3, heat: h = 'hot' } = args;
               const n = parseInt(args.n, 10) || 5; const size = args.size || '1x1';
               const q = args.query || args.q || 'tea'; const empty = args.empty || '';
               const other = args.other || compute(); const flag = args.flag ?? false;
               const f = Number(args.f ?? 0.5);
             }",
            &[
                ("cups", &[json!(3)], false),
                ("heat", &[json!("hot")], false),
                ("n", &[json!(5)], false),
                ("size", &[json!("1x1")], false),
                ("query", &[json!("tea")], false),
                ("q", &[json!("tea")], false),
                ("empty", &[], false),
                ("other", &[], false),
                ("flag", &[json!(false)], false),
                ("f", &[json!(0.5)], false),
                ("pot", &[], false),
            ],
        );
        check(
            "a.py",
            "import sys, json\nargs = json.loads(sys.stdin.read())\nn = args.get('n', 3)\nm = int(args.get('m') or 4)\nx = args.get('x')\n",
            &[
                ("n", &[json!(3)], false),
                ("m", &[json!(4)], false),
                ("x", &[], false),
            ],
        );
    }

    #[test]
    fn settled_and_strict() {
        let code = "async function processToolCall(args) {
            args.size = args.size || args.resolution || '2K'; log(args.other || 'none');
            if (args.seed !== undefined && (typeof args.seed !== 'number' || args.seed < 0)) return false;
            if (typeof args.loose !== 'number') args.loose = 1; }";
        let texts = BTreeMap::from([("a.js".to_owned(), code.to_owned())]);
        let found = argument_facts(&BTreeSet::from(["a.js".to_owned()]), &texts);
        assert_eq!(found["size"].settled, Some(json!("2K")));
        assert!(found["size"].is_normalised);
        assert_eq!(found["other"].settled, None);
        assert_eq!(found["seed"].strict, Some("number"));
        assert_eq!(found["loose"].strict, None);
    }

    #[test]
    fn checks() {
        check(
            "a.js",
            "async function processToolCall(args) {
               if (!args.tea || !args.pot) { throw new Error('x'); }
               if (!args.milk && args.sugar) throw new Error('y');
               if (!args.cups) { cups = 1; }
               if (!args.leaf) return { status: 'error', error: 'leaf' };
             }",
            &[
                ("tea", &[], true),
                ("pot", &[], true),
                ("milk", &[], false),
                ("cups", &[], false),
                ("leaf", &[], true),
            ],
        );
        check(
            "a.py",
            "import sys, json\nargs = json.loads(sys.stdin.read())\nif not args.get('tea'):\n    raise ValueError('x')\n",
            &[("tea", &[], true)],
        );
    }
}
