//! The keys that a program reads of answers, by its code, and an answer that has them.
//!
//! The code is not understood, only searched: chains such as `data.result[0].title` or `body["code"]`, what is
//! called on them, and what they are compared with. Other keys do no harm in an answer.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::media::SENTENCE;

mod answer;
mod key;
mod tokens;

use answer::Keys;
use key::{FAILURE, Form, Key, by_name, expected};
use tokens::{Part, Token, chain, tokens};

/// The most keys that are kept. An answer of more would be longer than any of a service.
const MAX_KEYS: usize = 160;
/// The longest source that is searched, in bytes: a longer one is a bundle of libraries.
const MAX_SOURCE: usize = 256 << 10;
/// Methods of lists.
const OF_LISTS: [&str; 14] = [
    "map",
    "forEach",
    "filter",
    "find",
    "findIndex",
    "some",
    "every",
    "reduce",
    "flatMap",
    "sort",
    "join",
    "entries",
    "at",
    "flat",
];
/// Methods of texts.
const OF_TEXTS: [&str; 14] = [
    "trim",
    "split",
    "replace",
    "replaceAll",
    "toLowerCase",
    "toUpperCase",
    "startsWith",
    "endsWith",
    "match",
    "substring",
    "strip",
    "lower",
    "padStart",
    "charAt",
];
/// Names of values that are not answers.
const OTHERS: [&str; 26] = [
    "process", "console", "Math", "JSON", "Object", "Array", "Promise", "Number", "String", "Date",
    "path", "fs", "os", "sys", "re", "module", "exports", "this", "self", "config", "options",
    "args", "params", "env", "axios", "crypto",
];

/// The keys that a program reads of answers.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Reads {
    keys: BTreeMap<String, Key>,
}

/// The use of names that are not keys where they are used: they are variables, which may have the value of a key.
#[derive(Default)]
struct Variables<'t> {
    parts: BTreeSet<(&'t str, &'t str)>,
    numbers: BTreeSet<&'t str>,
}

impl Reads {
    /// Returns the keys that these sources read.
    pub fn new<'t>(sources: impl IntoIterator<Item = &'t str>) -> Self {
        let mut res = Self::default();
        for source in sources {
            if source.len() <= MAX_SOURCE {
                res.add(&tokens(source));
            }
        }
        res
    }

    /// Returns true if no key is known.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Returns `usual` with the keys that are read: lists where code reads lists, objects where it reads
    /// objects, values that it expects. `id` is the last part of the path, which some services use as a key.
    pub(crate) fn answer(&self, host: &str, usual: Value, id: &str) -> Value {
        Keys(&self.keys).answer(host, usual, id)
    }

    /// Returns the same with a list for each key of which only the name is known: code may go through it
    /// under another name.
    #[must_use]
    pub fn with_lists(&self) -> Self {
        self.with_form(Form::List)
    }

    /// Returns the same with a number for each key of which only the name is known: code may calculate with it
    /// under another name.
    #[must_use]
    pub fn with_numbers(&self) -> Self {
        self.with_form(Form::Number)
    }

    fn with_form(&self, form: Form) -> Self {
        let mut res = self.clone();
        for (name, key) in &mut res.keys {
            let is_open = key.form == Form::Unknown && expected(&key.literals).is_none();
            if is_open && by_name("", name) == SENTENCE {
                key.form = form;
            }
        }
        res
    }

    fn add(&mut self, tokens: &[Token<'_>]) {
        let mut variables = Variables::default();
        for at in 0..tokens.len() {
            let before = &tokens[..at];
            if let Some((parts, n_read)) = chain(&tokens[at..], before.last()) {
                self.add_chain(before, &parts, &tokens[at + n_read..]);
                if let [Part::Key(root), Part::Key(part), ..] = parts[..] {
                    variables.parts.insert((root, part));
                }
            }
            match &tokens[at..] {
                [Token::Sign('{'), rest @ ..] => self.add_pattern(rest),
                [Token::Word(name), Token::Sign('*' | '/'), ..] => {
                    _ = variables.numbers.insert(name);
                }
                _ => {}
            }
        }
        for (name, part) in variables.parts {
            let is_part = self.keys.contains_key(part) && name != part;
            if let Some(key) = self.keys.get_mut(name).filter(|_| is_part) {
                key.parts.insert(part.to_owned());
                key.form = key.form.max(Form::Object);
            }
        }
        for name in variables.numbers {
            if let Some(key) = self.keys.get_mut(name) {
                key.form = key.form.max(Form::Number);
            }
        }
    }

    /// Adds the keys of `{ a, b: { c } } = data`.
    fn add_pattern(&mut self, inside: &[Token<'_>]) {
        let Some(end) = inside.iter().position(|token| *token == Token::Sign('}')) else {
            return;
        };
        let is_read = matches!(
            inside.get(end + 1..),
            Some([Token::Sign('='), Token::Word(from), ..]) if !OTHERS.contains(from) && *from != "require"
        );
        let is_pattern = inside[..end]
            .iter()
            .all(|token| matches!(token, Token::Word(_) | Token::Sign(',' | ':')));
        if is_read && is_pattern {
            for token in &inside[..end] {
                if let Token::Word(name) = token {
                    self.key(name);
                }
            }
        }
    }

    fn add_chain(&mut self, before: &[Token<'_>], parts: &[Part<'_>], after: &[Token<'_>]) {
        let Some((Part::Key(root), parts)) = parts.split_first() else {
            return;
        };
        if OTHERS.contains(root) {
            return;
        }
        let mut last: Option<&str> = None;
        for part in parts {
            match (part, last) {
                (Part::Key(name), _) => {
                    if let (Some(parent), true) = (last, is_key(name)) {
                        let parent = self.key(parent);
                        if let Some(parent) = parent {
                            parent.parts.insert((*name).to_owned());
                            parent.form = parent.form.max(Form::Object);
                        }
                    }
                    self.key(name);
                    last = Some(name);
                }
                (Part::Index, Some(key)) => self.form(key, Form::List),
                (Part::Call(method), Some(key)) if OF_LISTS.contains(method) => {
                    self.form(key, Form::List);
                }
                (Part::Call(method), Some(key)) if OF_TEXTS.contains(method) => {
                    self.form(key, Form::Text);
                }
                (Part::Call("toFixed"), Some(key)) => self.form(key, Form::Number),
                (Part::Index | Part::Lookup | Part::Call(_), _) => {}
            }
        }
        let (Some(last), Some(Part::Key(_))) = (last, parts.last()) else {
            return;
        };
        let is_list = match before {
            [.., Token::Word("of" | "in")] => !matches!(after.first(), Some(Token::Sign('='))),
            [.., Token::Word("isArray" | "len"), Token::Sign('(')] => true,
            _ => false,
        };
        if is_list {
            self.form(last, Form::List);
        }
        if matches!(after.first(), Some(Token::Sign('*' | '/'))) {
            self.form(last, Form::Number);
        }
        if !matches!(before.last(), Some(Token::Word("typeof"))) {
            let literals = compared(after).into_iter().chain(cases(before, after));
            let literals: Vec<Value> = literals.collect();
            if let Some(key) = self.key(last) {
                key.literals.extend(literals);
            }
        }
    }

    fn form(&mut self, key: &str, form: Form) {
        if let Some(key) = self.key(key) {
            key.form = key.form.max(form);
        }
    }

    /// Returns a key, which is new if there is room; `None` for a name that is none.
    fn key(&mut self, name: &str) -> Option<&mut Key> {
        if !is_key(name) || self.keys.len() >= MAX_KEYS && !self.keys.contains_key(name) {
            return None;
        }
        Some(self.keys.entry(name.to_owned()).or_default())
    }
}

/// Returns true for the name of a key: not that of a method, of a failure or of a constant.
fn is_key(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let is_constant =
        name.len() > 1 && name == name.to_ascii_uppercase() && !name.contains(char::is_numeric);
    !name.is_empty()
        && name.len() <= 40
        && !is_constant
        && !FAILURE.iter().any(|part| lower.contains(part))
        && !["length", "headers", "prototype", "constructor", "__proto__"].contains(&name)
}

/// Returns the literal of `== 'x'` or `!== 'x'` at the start.
fn compared(after: &[Token<'_>]) -> Option<Value> {
    let n_signs = after
        .iter()
        .take_while(|token| matches!(token, Token::Sign('=' | '!')))
        .count();
    (2..=3)
        .contains(&n_signs)
        .then(|| literal(after.get(n_signs)?))
        .flatten()
}

/// Returns the literals of the cases of `switch (data.msg) { case 'x': … }`.
fn cases(before: &[Token<'_>], after: &[Token<'_>]) -> Vec<Value> {
    let (
        [.., Token::Word("switch"), Token::Sign('(')],
        [Token::Sign(')'), Token::Sign('{'), body @ ..],
    ) = (before, after)
    else {
        return Vec::new();
    };
    let mut depth = 1_usize;
    let mut res = Vec::new();
    for (at, token) in body.iter().enumerate() {
        match token {
            Token::Sign('{') => depth += 1,
            Token::Sign('}') => depth -= 1,
            Token::Word("case") if depth == 1 => res.extend(body.get(at + 1).and_then(literal)),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    res
}

fn literal(token: &Token<'_>) -> Option<Value> {
    match token {
        Token::Text(text) if !text.is_empty() && text.len() <= 40 => Some(json!(text)),
        Token::Number(digits) => serde_json::from_str(digits).ok(),
        Token::Word("true" | "True") => Some(json!(true)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks values of an answer, by their places.
    #[track_caller]
    fn check(source: &str, expected: &[(&str, Value)]) {
        let reads = Reads::new([source]);
        let answer = reads.answer("h", json!({"code": 0, "result": SENTENCE}), "task-1");
        for (at, value) in expected {
            assert_eq!(
                answer.pointer(at),
                Some(value),
                "{at} of {answer}\n{source}"
            );
        }
    }

    #[test]
    fn values_that_code_expects() {
        check(
            "if (data.code === '200' && data.location && data.location.length > 0) { const c = data.location[0]; return c.name; }",
            &[
                ("/code", json!("200")),
                ("/location/0/name", json!(SENTENCE)),
            ],
        );
        check(
            "switch (event.msg) { case 'estimation': break; case 'process_completed': return event.output.data[0].url; case 'error': throw 1; }",
            &[
                ("/msg", json!("process_completed")),
                ("/output/data/0/url", json!("https://h/item/1")),
            ],
        );
        check(
            "if body.get('status') != 'SUCCEEDED' or body['n'] == 3:  # 'x' == y\n  raise E(body[\"error\"])",
            &[("/status", json!("SUCCEEDED")), ("/n", json!(3))],
        );
        check(
            "const { id, lat, tz, utcOffset } = data.location[0]; now.toLocaleString('sv-SE', { timeZone: tz });",
            &[
                ("/location/0/id", json!("1")),
                ("/location/0/lat", json!("1.5")),
                ("/location/0/tz", json!("UTC")),
                ("/location/0/utcOffset", json!("+00:00")),
            ],
        );
        check(
            "if (typeof data.a === 'string') data.a.trim();",
            &[("/a", json!(SENTENCE))],
        );
    }

    #[test]
    fn lists_and_objects() {
        check(
            "data.result.slice(0, 3).forEach(match => { const { anilist, similarity } = match; use(anilist.title.native, `${(similarity * 100).toFixed(2)} %`, anilist.synonyms.join(', ')) })",
            &[
                ("/result/0/anilist/title/native", json!(SENTENCE)),
                ("/result/0/similarity", json!(1)),
                ("/result/0/anilist/synonyms", json!([SENTENCE])),
            ],
        );
        check(
            "for row in reply['rows']:\n    print(row['name'], row.get('tags'))",
            &[("/rows/0/name", json!(SENTENCE))],
        );
        let reads = Reads::new(["return data.daily || data.url;"]).with_lists();
        let answer = reads.answer("h", json!({}), "");
        assert_eq!(answer["daily"], json!([{"url": "https://h/item/1"}]));
        let reads = Reads::new(["return f(data.from, data.url);"]).with_numbers();
        let answer = reads.answer("h", json!({}), "");
        assert_eq!(answer["from"], 1);
        assert_eq!(answer["url"], "https://h/item/1");
        check(
            "const o = history[id].outputs;",
            &[("/task-1/outputs", json!(SENTENCE))],
        );
    }

    #[test]
    fn what_is_no_answer_is_left_out() {
        let reads = Reads::new([
            "process.env.KEY; this.config.x; console.log(a.error); // data.no\nfs.readFileSync(p); '// x.y'; a.push(1)",
        ]);
        assert!(reads.is_empty(), "{reads:?}");
        let many = (0..1000).fold(String::new(), |text, n| text + &format!("data.key{n}x;"));
        assert_eq!(Reads::new([many.as_str()]).keys.len(), MAX_KEYS);
    }
}
