//! The use of settings in code: the replacement of a missing value, and lists that refuse an
//! action.
//!
//! Each file is read once; at most [`WINDOW`] tokens around each mention of a setting are examined.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use super::facts::Language;
use super::lexer::{self, Token};
use super::rust_settings;
use super::setting_use::{Fallback, SettingUse};

/// Number of tokens that are examined around a mention.
pub(super) const WINDOW: usize = 60;
/// Maximum number of tokens between a name and the setting that is bound to it.
const BINDING: usize = 24;

/// Reads the use of settings in the reached files, sorted by path.
pub(crate) fn setting_uses(
    files: &BTreeSet<String>,
    texts: &BTreeMap<String, String>,
    keys: &BTreeSet<&str>,
) -> BTreeMap<String, SettingUse> {
    let mut acc = BTreeMap::new();
    for path in files {
        let (Some(language), Some(code)) = (Language::from_path(path), texts.get(path)) else {
            continue;
        };
        let tokens: Vec<Token<'_>> = match language {
            Language::JavaScript => lexer::javascript(code),
            Language::Python => lexer::python(code),
        };
        let tokens = tokens
            .into_iter()
            .filter(|token| *token != Token::Newline)
            .collect::<Vec<_>>();
        Reader {
            tokens: &tokens,
            keys,
            path,
            acc: &mut acc,
            constants: constants(&tokens),
            replaced_at: Cell::new(None),
        }
        .read();
    }
    for (path, code) in texts.iter().filter(|(path, _)| path.ends_with(".rs")) {
        for (key, used) in rust_settings::uses(path, code) {
            if keys.contains(key) {
                acc.entry(key.to_owned()).or_insert(used);
            }
        }
    }
    acc
}

/// Returns the upper-case setting that is read at `at` from an object with settings:
/// `config.ALLOWED_DIRS`, `settings["ALLOWED_DIRS"]`, `env.get("ALLOWED_DIRS")`.
pub(super) fn setting_read<'t>(tokens: &[Token<'t>], at: usize) -> Option<&'t str> {
    let (Token::Word(key) | Token::Text(key)) = tokens[at] else {
        return None;
    };
    let is_capital = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    if !key.contains('_') || !key.chars().all(is_capital) || key.len() > 64 {
        return None;
    }
    let object = match tokens[..at] {
        // A member of a module that a compiler imported.
        [
            ..,
            Token::Word(module),
            Token::Sign('.'),
            Token::Word(_),
            Token::Sign('.'),
        ] if module.ends_with("_1") => return None,
        [.., Token::Word(object), Token::Sign('.' | '[')] => object,
        [
            ..,
            Token::Word(object),
            Token::Sign('.'),
            Token::Word("get"),
            Token::Sign('('),
        ] => object,
        _ => return None,
    };
    (is_settings(object) && !matches!(object, "this" | "self" | "process" | "os")).then_some(key)
}

/// Returns the name that a pattern gives the setting at a position: `const { TeaKey: KEY } = process.env`.
pub(super) fn pattern_local<'a>(tokens: &[Token<'a>], at: usize) -> Option<&'a str> {
    let is_member = matches!(tokens[..at], [.., Token::Sign('{' | ',')]);
    let close = at + tokens[at..].iter().position(|it| *it == Token::Sign('}'))?;
    let is_env = matches!(
        tokens[close + 1..],
        [
            Token::Sign('='),
            Token::Word("process"),
            Token::Sign('.'),
            Token::Word("env"),
            ..
        ]
    );
    (is_member && is_env).then_some(())?;
    match tokens[at..] {
        [_, Token::Sign(':'), Token::Word(local), ..] => Some(local),
        [Token::Word(key), ..] => Some(key),
        _ => None,
    }
}

pub(super) struct Reader<'t, 'a> {
    pub(super) tokens: &'t [Token<'t>],
    keys: &'a BTreeSet<&'a str>,
    path: &'a str,
    acc: &'a mut BTreeMap<String, SettingUse>,
    /// The positions of the values of names in capitals; `None` if there are several.
    constants: BTreeMap<&'t str, Option<usize>>,
    /// The position of the last expression that replaces a value.
    pub(super) replaced_at: Cell<Option<usize>>,
}

impl<'t> Reader<'t, '_> {
    fn read(&mut self) {
        let mut bound: BTreeMap<&'t str, &'t str> = BTreeMap::new();
        let mut locals: BTreeMap<&'t str, &'t str> = BTreeMap::new();
        for at in 0..self.tokens.len() {
            if let Token::Text(text) = self.tokens[at] {
                self.in_template(text);
            }
            let Some((key, end)) = self.access(at) else {
                continue;
            };
            if self.is_set_from(at, end, key) {
                continue;
            }
            let is_split = self.is_split(at, end);
            self.replaced_at.set(None);
            let (fallback, is_switch) = match self.defined(at) {
                Some(fallback) => (Some(fallback), false),
                None => self.fallback(at, end),
            };
            let default = self.replaced_at.get().and_then(|at| self.literal(at));
            let is_connection = self.is_connection(at);
            let use_of = self.acc.entry(key.to_owned()).or_default();
            if use_of.file.is_empty() {
                self.path.clone_into(&mut use_of.file);
            }
            use_of.is_split |= is_split;
            use_of.is_switch |= is_switch;
            use_of.is_connection |= is_connection;
            if use_of.fallback != Some(Fallback::Value) || use_of.default == default {
                use_of.default = default.or(use_of.default.take());
            }
            use_of.fallback = use_of.fallback.max(fallback);
            if fallback.is_none()
                && let Some(local) = pattern_local(self.tokens, at)
            {
                locals.insert(local, key);
            }
            if is_split {
                if let Some(name) = self.bound_to(at) {
                    bound.insert(name, key);
                }
                // `const { ALLOWED } = process.env` binds the key's own name.
                bound.insert(key, key);
            }
        }
        for at in 0..self.tokens.len() {
            let Token::Word(name) = self.tokens[at] else {
                continue;
            };
            let is_member = matches!(self.tokens[..at], [.., Token::Sign('.')]);
            // `model || 'tea'`, `parseInt(cups, 10) || 5`
            let rest = match &self.tokens[at + 1..] {
                [
                    Token::Sign(','),
                    Token::Word("10"),
                    Token::Sign(')'),
                    rest @ ..,
                ]
                | [Token::Sign(')'), rest @ ..]
                    if matches!(
                        self.tokens[..at],
                        [
                            ..,
                            Token::Word("parseInt" | "Number" | "parseFloat" | "String"),
                            Token::Sign('(')
                        ]
                    ) =>
                {
                    rest
                }
                rest => rest,
            };
            let is_replaced = matches!(
                rest,
                [Token::Sign('|'), Token::Sign('|'), ..] | [Token::Sign('?'), Token::Sign('?'), ..]
            );
            if let Some(key) = locals.get(name).filter(|_| is_replaced && !is_member) {
                // `const { MODEL: model } = process.env; … model || 'tea'`
                self.replaced_at.set(None);
                let (fallback, _) = self.fallback(at, at + 1);
                let default = self.replaced_at.get().and_then(|at| self.literal(at));
                if let (Some(Fallback::Value), Some(use_of)) = (fallback, self.acc.get_mut(*key)) {
                    use_of.fallback = fallback;
                    use_of.default = default;
                }
            }
            let Some(key) = bound.get(name) else { continue };
            if let Some(check) = self.check(at, name)
                && let Some(use_of) = self.acc.get_mut(*key)
            {
                use_of.check.get_or_insert(check);
            }
        }
    }

    pub(super) fn sign(&self, at: usize) -> Option<char> {
        match self.tokens.get(at) {
            Some(Token::Sign(c)) => Some(*c),
            _ => None,
        }
    }

    pub(super) fn word(&self, at: usize) -> Option<&'t str> {
        match self.tokens.get(at) {
            Some(Token::Word(word)) => Some(word),
            _ => None,
        }
    }

    /// Returns the setting that is read here, and the position after it: `.KEY`, `["KEY"]`,
    /// `("KEY"`, `{ KEY`.
    fn access(&self, at: usize) -> Option<(&'t str, usize)> {
        let before = at.checked_sub(1).and_then(|at| self.sign(at));
        let (Token::Word(key) | Token::Text(key)) = self.tokens[at] else {
            return None;
        };
        if !self.keys.contains(key) {
            return None;
        }
        let is_word = matches!(self.tokens[at], Token::Word(_));
        match before {
            Some('.' | '{' | ',') if is_word => Some((key, at + 1)),
            Some('[') if !is_word && self.sign(at + 1) == Some(']') => Some((key, at + 2)),
            Some('(') if !is_word => Some((key, at + 1)),
            _ => None,
        }
    }

    /// Adds the settings in the values of a template. The one that an address begins with is of a
    /// connection: `` `${server.TEA_URL}/v1` ``.
    fn in_template(&mut self, text: &str) {
        for part in text.split("${").skip(1) {
            let Some((inner, after)) = part.split_once('}') else {
                continue;
            };
            let Some((_, name)) = inner.rsplit_once('.') else {
                continue;
            };
            if let Some(key) = self.keys.get(name.trim()) {
                let used = self.acc.entry((*key).to_owned()).or_default();
                if used.file.is_empty() {
                    self.path.clone_into(&mut used.file);
                }
                let is_first = text.starts_with("${") && text.len() == part.len() + 2;
                used.is_connection |= is_first && after.starts_with('/');
            }
        }
    }

    /// Returns the text of a literal, or of a constant that is one: `'tea'`, `4`, `true`, `DEFAULT_TEA`.
    fn literal(&self, at: usize) -> Option<String> {
        if let Token::Word(name) = self.tokens[at]
            && let Some(Some(place)) = self.constants.get(name)
            && matches!(
                self.tokens.get(at + 1),
                None | Some(Token::Sign(')' | ';' | ',' | '}') | Token::Word(_))
            )
        {
            return self.plain_literal(*place);
        }
        self.plain_literal(at)
    }

    fn plain_literal(&self, at: usize) -> Option<String> {
        match self.tokens[at] {
            Token::Text(text) if !text.contains('$') => Some(text.to_owned()),
            Token::Word(word @ ("true" | "false" | "True" | "False")) => Some(word.to_lowercase()),
            // `5` and `1.5`, not `60 * 1000`.
            Token::Word(word) if word.starts_with(|c: char| c.is_ascii_digit()) => {
                let fraction = match self.tokens[at + 1..] {
                    [Token::Sign('.'), Token::Word(digits), ..] => format!(".{digits}"),
                    [Token::Sign('*' | '+' | '-' | '/'), ..] => return None,
                    _ => String::new(),
                };
                let text = format!("{word}{fraction}");
                text.parse::<f64>().is_ok().then_some(text)
            }
            _ => None,
        }
    }

    /// Returns true for the value of a member that a connection has: `host: config.DB_HOST`.
    fn is_connection(&self, at: usize) -> bool {
        const MEMBERS: [&str; 10] = [
            "host",
            "hostname",
            "user",
            "username",
            "database",
            "baseURL",
            "base_url",
            "endpoint",
            "uri",
            "connectionString",
        ];
        let is_part =
            |token: &Token<'_>| matches!(token, Token::Sign('.' | '[' | '(') | Token::Word(_));
        let before = self.tokens[..at].iter().rposition(|token| !is_part(token));
        let Some(colon) = before.filter(|before| matches!(self.sign(*before), Some(':' | '=')))
        else {
            return false;
        };
        let name = colon.checked_sub(1).map(|at| self.tokens[at]);
        let start = colon.checked_sub(2).and_then(|at| self.sign(at));
        matches!(name, Some(Token::Word(name) | Token::Text(name)) if MEMBERS.contains(&name))
            && matches!(start, Some('{' | ',' | '('))
    }

    /// Returns true for the target of a value of the same name: `config.KEY = parseInt(process.env.KEY) || 5`.
    fn is_set_from(&self, at: usize, end: usize, key: &str) -> bool {
        const NEAR: usize = 24;
        let is_target = matches!(self.tokens[..at], [.., Token::Sign('.')])
            && self.sign(end) == Some('=')
            && self.sign(end + 1) != Some('=');
        let window = &self.tokens[end..self.tokens.len().min(end + NEAR)];
        let statement = window.split(|it| *it == Token::Sign(';')).next();
        is_target
            && statement
                .unwrap_or_default()
                .iter()
                .any(|it| matches!(it, Token::Word(word) | Token::Text(word) if *word == key))
    }

    /// Returns the value that code gives a setting before it reads one: `{ KEY: 'tea' }`.
    fn defined(&self, at: usize) -> Option<Fallback> {
        let is_member = matches!(self.tokens[..at], [.., Token::Sign('{' | ',')])
            && self.sign(at + 1) == Some(':')
            && matches!(self.tokens.get(at + 2), Some(Token::Text(_)))
            && matches!(self.sign(at + 3), Some(',' | '}'));
        is_member.then_some(())?;
        self.value(at + 2).filter(|it| *it == Fallback::Value)
    }

    /// Returns whether the value is split soon afterwards.
    fn is_split(&self, at: usize, end: usize) -> bool {
        let window = &self.tokens[end..self.tokens.len().min(end + 30)];
        // In `{ URL, MAX_LIST } = process.env` the next name says nothing of this one.
        let is_pattern = matches!(
            at.checked_sub(1).map(|it| self.sign(it)),
            Some(Some('{' | ','))
        );
        let ends = |token: &Token<'_>| match token {
            Token::Sign(';') => true,
            Token::Sign(',') => is_pattern,
            _ => false,
        };
        let statement = window.split(ends).next();
        statement.unwrap_or_default().iter().any(|token| {
            matches!(token, Token::Word(word) if matches!(*word, "split" | "loads") || word.to_lowercase().contains("list"))
        })
    }

    /// Returns the name before the `=` or `:` of the statement that reads the setting.
    fn bound_to(&self, at: usize) -> Option<&'t str> {
        for place in (at.saturating_sub(BINDING)..at).rev() {
            match self.tokens[place] {
                Token::Sign(';' | '{' | '}') => return None,
                Token::Sign('=' | ':') => {
                    let next = self.sign(place + 1);
                    let name = place.checked_sub(1).and_then(|place| self.word(place));
                    if let Some(name) = name.filter(|_| !matches!(next, Some('=' | '>')))
                        && name.len() > 2
                        && !COMMON.contains(&name)
                    {
                        return Some(name);
                    }
                }
                _ => {}
            }
        }
        None
    }
}

/// Returns the positions of the values of names in capitals: `const DEFAULT_TEA = 'green'`.
fn constants<'t>(tokens: &[Token<'t>]) -> BTreeMap<&'t str, Option<usize>> {
    let mut res = BTreeMap::new();
    for (at, two) in tokens.windows(2).enumerate() {
        let [Token::Word(name), Token::Sign('=')] = two else {
            continue;
        };
        let is_capital = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        let is_member = matches!(tokens[..at], [.., Token::Sign('.')]);
        let is_set = !matches!(tokens.get(at + 2), None | Some(Token::Sign('=' | '>')));
        if is_set && !is_member && name.len() > 2 && name.chars().all(is_capital) {
            res.entry(*name)
                .and_modify(|it| *it = None)
                .or_insert(Some(at + 2));
        }
    }
    res
}

/// Names that many lists have.
const COMMON: [&str; 10] = [
    "config", "result", "results", "value", "values", "data", "env", "options", "items", "args",
];

/// Returns whether a word names an object with settings.
pub(super) fn is_settings(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    matches!(
        &word[..],
        "process" | "os" | "raw" | "env" | "environ" | "this" | "self" | "getenv"
    ) || ["config", "cfg", "settings", "conf"]
        .iter()
        .any(|end| word.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, code: &str, expected: &str) {
        let texts = BTreeMap::from([(path.to_owned(), code.to_owned())]);
        let files = BTreeSet::from([path.to_owned()]);
        let keys = BTreeSet::from(["KEY"]);
        let uses = setting_uses(&files, &texts, &keys);
        let found = uses.get("KEY").cloned().unwrap_or_default();
        let fallback = found
            .fallback
            .map_or("-".to_owned(), |one| format!("{one:?}"));
        let check = found.check.map_or("", |check| {
            if check.is_allowing {
                " allows"
            } else {
                " refuses"
            }
        });
        let switch = if found.is_switch { " switch" } else { "" };
        let split = if found.is_split { " split" } else { "" };
        assert_eq!(
            format!("{fallback}{switch}{split}{check}"),
            expected,
            "{code}"
        );
    }

    #[test]
    fn what_stands_in_for_a_missing_value() {
        check("a.js", "x = process.env.KEY;", "-");
        check("a.js", "const { KEY: url, MAX_LIST } = process.env;", "-");
        check("a.js", "const c = { host: process.env.KEY, port: 1 };", "-");
        check(
            "a.js",
            "const { KEY: m } = process.env; ask({ model: other, m: m || 'green' });",
            "Value",
        );
        check("a.js", "x = process.env.KEY || 'b';", "Value");
        check("a.js", "x = parseInt(process.env.KEY, 10) || 5;", "Value");
        check("a.js", "x = parseInt(process.env.KEY) || 0;", "Nothing");
        check("a.js", "x = process.env['KEY'] ?? '';", "Nothing");
        check("a.js", "x = process.env.KEY || 'none'", "Nothing");
        check(
            "a.js",
            "x = process.env.KEY ? a(process.env.B) : [];",
            "Nothing",
        );
        check("a.js", "x = config.KEY || process.env.KEY || 'd';", "Value");
        check(
            "a.js",
            "x = parseBoolean(config.KEY ?? process.env.OTHER, true)",
            "-",
        );
        check("a.js", "x = flag(config.KEY, true)", "On switch");
        check("a.js", "x = process.env.KEY === 'true';", "Nothing switch");
        check(
            "a.js",
            "x = (process.env.KEY || 'true').toLowerCase() !== 'false'",
            "On",
        );
        check("a.js", "x = process.env.KEY !== 'false'", "On switch");
        check(
            "a.js",
            "if (!process.env.KEY) { throw new Error('x'); }",
            "Ends",
        );
        check("a.py", "x = os.environ.get('KEY', '')", "Nothing");
        check(
            "a.py",
            "x = os.getenv(\"KEY\", \"a,b\").split(',')",
            "Value split",
        );
        check(
            "a.py",
            "x = os.getenv('KEY', 'false').lower() == 'true'",
            "Nothing switch",
        );
        check(
            "a.py",
            "x = os.getenv('KEY', 'true').lower() in ('1', 'true')",
            "On switch",
        );
        check("a.py", "if not os.getenv('KEY'):\n    sys.exit(1)", "Ends");
    }

    #[test]
    fn defaults_and_connections() {
        let check = |path: &str, code: &str, default: Option<&str>, is_connection: bool| {
            let texts = BTreeMap::from([(path.to_owned(), code.to_owned())]);
            let files = BTreeSet::from([path.to_owned()]);
            let uses = setting_uses(&files, &texts, &BTreeSet::from(["KEY"]));
            let found = uses.get("KEY").cloned().unwrap_or_default();
            assert_eq!(found.default.as_deref(), default, "{code}");
            assert_eq!(found.is_connection, is_connection, "{code}");
        };
        check("a.js", "x = process.env.KEY || 'b';", Some("b"), false);
        check(
            "a.js",
            "x = parseInt(env.KEY || '63', 10);",
            Some("63"),
            false,
        );
        check("a.js", "x = parseInt(env.KEY) || 63;", Some("63"), false);
        check("a.js", "x = env.KEY || 60 * 1000;", None, false);
        check("a.js", "x = env.KEY || `${a}/b`;", None, false);
        check(
            "a.js",
            "x = env.KEY || 'a'; y = env.KEY || 'b';",
            Some("a"),
            false,
        );
        check(
            "a.js",
            "new Tea({ host: this._config.KEY, port: 1 })",
            None,
            true,
        );
        check(
            "a.js",
            "new Tea({ host: env.KEY || 'tea' })",
            Some("tea"),
            true,
        );
        check("a.js", "new Tea({ size: env.KEY })", None, false);
        check(
            "a.py",
            "tea(host=os.getenv('KEY', 'pot'))",
            Some("pot"),
            true,
        );
        check(
            "a.rs",
            "let x = env::var(\"KEY\").unwrap_or(\"b\".to_string());",
            Some("b"),
            false,
        );
    }

    #[test]
    fn lists_that_refuse() {
        check(
            "a.js",
            "const roots = (process.env.KEY || '').split(',').filter(Boolean);
             function ok(p) { if (roots.length === 0) return true; return roots.some(r => p.startsWith(r)); }",
            "Nothing split allows",
        );
        check(
            "a.js",
            "const bad = (process.env.KEY || '').split(',');
             for (const one of bad) { if (line.includes(one)) throw new Error('命令被禁止'); }",
            "Nothing split refuses",
        );
        check(
            "a.py",
            "ROOTS = [p.strip() for p in os.environ.get('KEY', '').split(',') if p.strip()]
if ROOTS and not any(path.startswith(r) for r in ROOTS):
    raise PermissionError('access denied')",
            "Nothing split allows",
        );
        check(
            "a.js",
            "const cities = (process.env.KEY || 'Oslo').split(','); for (const city of cities) print(city);",
            "Value split",
        );
    }
}
