//! The use of settings in code: the replacement of a missing value, and lists that refuse an
//! action.
//!
//! Each file is read once; at most [`WINDOW`] tokens around each mention of a setting are examined.

use std::collections::{BTreeMap, BTreeSet};

use super::facts::Language;
use super::lexer::{self, Token};

/// Number of tokens that are examined around a mention.
pub(super) const WINDOW: usize = 60;
/// Maximum number of tokens between a name and the setting that is bound to it.
const BINDING: usize = 24;

/// The replacement of a missing value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Fallback {
    /// A default value of the program.
    Value,
    /// True.
    On,
    /// The program ends.
    Ends,
    /// An empty value: an empty text or list, null, false, 0, `none`, `*`.
    Nothing,
}

/// The use of one setting in code.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct SettingUse {
    /// The first file that names it.
    pub(crate) file: String,
    /// The replacement of a missing value; the most open of several.
    pub(crate) fallback: Option<Fallback>,
    /// True if it is compared with `true` or `false`.
    pub(crate) is_switch: bool,
    /// True if it is split into a list.
    pub(crate) is_split: bool,
    /// The check of a list made from it that refuses something.
    pub(crate) check: Option<ListCheck>,
}

/// A list that determines whether something is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ListCheck {
    /// True if listed items are allowed and others refused.
    pub(crate) is_allowing: bool,
    /// Words and texts around the check, in lower case.
    pub(crate) around: Vec<String>,
}

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
        }
        .read();
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
}

impl<'t> Reader<'t, '_> {
    fn read(&mut self) {
        let mut bound: BTreeMap<&'t str, &'t str> = BTreeMap::new();
        let mut locals: BTreeMap<&'t str, &'t str> = BTreeMap::new();
        for at in 0..self.tokens.len() {
            let Some((key, end)) = self.access(at) else {
                continue;
            };
            let is_split = self.is_split(at, end);
            let (fallback, is_switch) = self.fallback(at, end);
            let use_of = self.acc.entry(key.to_owned()).or_default();
            if use_of.file.is_empty() {
                self.path.clone_into(&mut use_of.file);
            }
            use_of.is_split |= is_split;
            use_of.is_switch |= is_switch;
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
            let is_replaced = matches!(
                self.tokens[at + 1..],
                [Token::Sign('|'), Token::Sign('|'), ..] | [Token::Sign('?'), Token::Sign('?'), ..]
            );
            if let Some(key) = locals.get(name).filter(|_| is_replaced && !is_member) {
                // `const { MODEL: model } = process.env; … model || 'tea'`
                let (fallback, _) = self.fallback(at, at + 1);
                if let (Some(Fallback::Value), Some(use_of)) = (fallback, self.acc.get_mut(*key)) {
                    use_of.fallback = fallback;
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
