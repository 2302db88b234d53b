//! Settings that count only with a value of another one: those of a function that only
//! `if (MODE === 'full')` calls, or that begins with `if (!ENABLED) return`.

use std::collections::{BTreeMap, BTreeSet};

use super::analysis::Analysis;
use super::arguments::Reader;
use super::branches::{Branch, branches};
use super::functions::Function;
use super::lexer::Token;
use super::tested::names;

/// A setting and its value.
pub(crate) type Value = (String, String);

/// Returns the settings that only such functions read.
pub(crate) fn setting_modes(
    code: &Analysis<'_, '_>,
    keys: &BTreeSet<&str>,
) -> BTreeMap<String, Value> {
    let mut res = BTreeMap::new();
    for reader in &code.readers {
        let names = names(reader.tokens, keys);
        if names.is_empty() {
            continue;
        }
        let branches = branches(reader);
        let places = places(reader, keys, &names);
        for function in reader.functions.iter().skip(1) {
            let is_one = reader.named(function.name).len() == 1;
            let off = || switched_off(reader, function, &names);
            let found = is_one
                .then(|| off().or_else(|| called_with(reader, function, &branches, &names)))
                .flatten();
            let Some(found) = found else { continue };
            for (key, places) in &places {
                let is_inside = places.iter().all(|at| function.body.contains(at));
                if is_inside && !places.is_empty() && *key != found.0 {
                    res.insert((*key).to_owned(), found.clone());
                }
            }
        }
    }
    // One that another file reads too counts everywhere.
    let n_files = |key: &str| {
        let is_in = |reader: &&Reader<'_, '_>| {
            let is_it = |it: &Token<'_>| matches!(it, Token::Word(word) | Token::Text(word) if *word == key);
            reader.tokens.iter().any(is_it)
        };
        code.readers.iter().filter(is_in).count()
    };
    res.retain(|key, _| n_files(key) == 1);
    res
}

/// Returns the places where settings are used: those of the names that hold them, or of the settings themselves.
fn places<'t>(
    reader: &Reader<'_, 't>,
    keys: &BTreeSet<&'t str>,
    names: &BTreeMap<&'t str, &'t str>,
) -> BTreeMap<&'t str, Vec<usize>> {
    let held: BTreeSet<&str> = names.values().copied().collect();
    let mut res: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, token) in reader.tokens.iter().enumerate() {
        let (Token::Word(word) | Token::Text(word)) = token else {
            continue;
        };
        let is_set = reader.tokens.get(at + 1) == Some(&Token::Sign('='))
            && reader.tokens.get(at + 2) != Some(&Token::Sign('='));
        if let Some(key) = names.get(word).filter(|_| !is_set) {
            res.entry(key).or_default().push(at);
        } else if let Some(key) = keys.get(word).filter(|key| !held.contains(**key)) {
            res.entry(key).or_default().push(at);
        }
    }
    res
}

/// Returns the switch without which a function does nothing.
fn switched_off(
    reader: &Reader<'_, '_>,
    function: &Function<'_>,
    names: &BTreeMap<&str, &str>,
) -> Option<Value> {
    let mut start = function.body.start + 1;
    // Messages may come before it.
    while let [Token::Word(name), Token::Sign('('), ..] = reader.tokens[start..]
        && name != "if"
    {
        start = reader.index.closing(start + 1)? + 1;
        start += usize::from(reader.tokens.get(start) == Some(&Token::Sign(';')));
    }
    let [
        Token::Word("if"),
        Token::Sign('('),
        Token::Sign('!'),
        Token::Word(name),
        Token::Sign(')'),
        rest @ ..,
    ] = &reader.tokens[start..]
    else {
        return None;
    };
    let key = names.get(name)?;
    let block = rest.split(|it| *it == Token::Sign('}')).next()?;
    block
        .contains(&Token::Word("return"))
        .then(|| ((*key).to_owned(), "true".to_owned()))
}

/// Returns the value of a setting with which alone a function is called.
fn called_with(
    reader: &Reader<'_, '_>,
    function: &Function<'_>,
    branches: &[Branch<'_>],
    names: &BTreeMap<&str, &str>,
) -> Option<Value> {
    let calls = reader.index.of(function.name).iter().filter(|at| {
        **at != function.head && reader.tokens.get(**at + 1) == Some(&Token::Sign('('))
    });
    let mut res: Option<Value> = None;
    for at in calls {
        let around = branches
            .iter()
            .filter(|branch| branch.body.contains(at) && names.contains_key(branch.subject));
        let branch = around.min_by_key(|branch| branch.body.len())?;
        let [value] = branch.values[..] else {
            return None;
        };
        let found = (names[branch.subject].to_owned(), value.to_owned());
        if res.as_ref().is_some_and(|it| *it != found) {
            return None;
        }
        res = Some(found);
    }
    res
}

#[cfg(test)]
mod tests {
    use super::super::analysis::of_file;
    use super::*;

    #[test]
    fn settings_of_a_value_of_another() {
        let check = |path: &str, code: &str, expected: &[(&str, &str)]| {
            let keys = BTreeSet::from(["TeaKey", "TEA_URL", "TeaMode"]);
            let found = of_file(path, code, |code| setting_modes(code, &keys));
            let found = found
                .iter()
                .map(|(key, (of, value))| (key.clone(), format!("{of}={value}")));
            let expected = expected
                .iter()
                .map(|(key, of)| ((*key).to_owned(), (*of).to_owned()));
            assert_eq!(
                found.collect::<Vec<_>>(),
                expected.collect::<Vec<_>>(),
                "{code}"
            );
        };
        let both = [("TEA_URL", "TeaMode=true"), ("TeaKey", "TeaMode=true")];
        let code = "const ENABLED = (process.env.TeaMode || 'false') === 'true'; const KEY = process.env.TeaKey; const URL = process.env.TEA_URL;
            async function brew() { log('brew'); if (!ENABLED) { log('off'); return; } send(KEY, URL); }";
        check("a.js", code, &both);
        check("a.js", &format!("{code} send(KEY);"), &both[..1]);
        let python = "def brew():\n    key = os.getenv('TeaKey')\n    send(key)\ndef main():\n    mode = os.getenv('TeaMode', 'full').strip()\n    if mode == 'full':\n        brew()\n    else:\n        rest()\n";
        check("a.py", python, &[("TeaKey", "TeaMode=full")]);
        check("a.py", &format!("{python}brew()\n"), &[]);
    }
}
