//! Choices of arguments that are in data: files of a directory, keys of a table.
//!
//! `path.join(dir, 'workflows', `${name}.json`)` takes the name of a file, and `name not in SPREADS` before
//! an error that of a key. The name is followed back to the one argument from which it comes.

use std::collections::BTreeSet;

use super::analysis::Analysis;
use super::arguments::Reader;
use super::facts::Language;
use super::functions::{closing, items};
use super::lexer::Token;
use super::outcome::arguments_behind;

/// Maximum number of tokens between a check and its error.
const NEAR: usize = 24;
/// The endings of files that a name selects.
const ENDINGS: [&str; 5] = ["json", "yaml", "yml", "html", "toml"];

/// The values of an argument that data decides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DataChoice {
    /// The name of the argument.
    pub(crate) argument: String,
    pub(crate) values: DataValues,
}

/// The place of values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum DataValues {
    /// The files with an ending in the first of these directories that exists.
    Files {
        directories: BTreeSet<String>,
        ending: String,
    },
    /// The keys of the object in a file.
    KeysOf(String),
    /// Keys in the code.
    Keys(Vec<String>),
}

/// Returns the arguments whose values are in data.
pub(crate) fn data_choices(code: &Analysis<'_, '_>) -> Vec<DataChoice> {
    let mut res: Vec<DataChoice> = Vec::new();
    for (file, reader) in code.readers.iter().enumerate() {
        for at in 0..reader.tokens.len() {
            let found = of_file(code, file, at).or_else(|| of_table(code, file, at));
            if let Some(found) = found.filter(|it| !res.contains(it)) {
                res.push(found);
            }
        }
    }
    res
}

/// Returns the only argument from which a name comes.
fn argument(code: &Analysis<'_, '_>, file: usize, at: usize, name: &str) -> Option<String> {
    let mut found = arguments_behind(&code.readers, file, at, name).into_iter();
    let first = found.next()?;
    found.next().is_none().then(|| first.to_owned())
}

/// Reads `` path.join(dir, `${name}.json`) ``.
fn of_file(code: &Analysis<'_, '_>, file: usize, at: usize) -> Option<DataChoice> {
    let reader = &code.readers[file];
    let Token::Text(text) = reader.tokens[at] else {
        return None;
    };
    let inner = match reader.language {
        Language::JavaScript => text.strip_prefix("${"),
        Language::Python => text.strip_prefix('{'),
    };
    let (name, ending) = inner?.split_once("}.")?;
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if !is_name || !ENDINGS.contains(&ending) {
        return None;
    }
    let open = reader.index.around(at)?;
    let (Token::Sign('('), Some(Token::Word("join" | "resolve"))) = (
        reader.tokens[open],
        open.checked_sub(1).map(|it| reader.tokens[it]),
    ) else {
        return None;
    };
    let mut directories = texts(reader, open + 1..at);
    if directories.is_empty() {
        // The directory is in a name.
        if let Some(Token::Word(word)) = reader.tokens.get(open + 1) {
            directories = set_texts(reader, word);
        }
    }
    Some(DataChoice {
        argument: argument(code, file, at, name)?,
        values: DataValues::Files {
            directories,
            ending: ending.to_owned(),
        },
    })
}

/// Returns the texts of a range that may be names of directories.
fn texts(reader: &Reader<'_, '_>, range: std::ops::Range<usize>) -> BTreeSet<String> {
    let texts = reader.tokens[range].iter().filter_map(|token| match token {
        Token::Text(text) if !text.is_empty() && !text.contains(['$', '{', '.']) => {
            Some((*text).to_owned())
        }
        _ => None,
    });
    texts.collect()
}

/// Returns the texts in the values that a name gets, directly or from the list of a loop or of a call.
fn set_texts(reader: &Reader<'_, '_>, name: &str) -> BTreeSet<String> {
    const MAX_STEPS: usize = 4;
    let mut res = BTreeSet::new();
    let mut names = vec![name];
    let mut seen = BTreeSet::new();
    while let Some(name) = names.pop() {
        if !seen.insert(name) || seen.len() > MAX_STEPS {
            continue;
        }
        for &at in reader.index.of(name) {
            match reader.tokens[at + 1..] {
                [Token::Sign('='), Token::Sign('['), ..] => {
                    let end = reader.index.closing(at + 2).unwrap_or(at + 2);
                    res.extend(texts(reader, at + 2..end));
                }
                [
                    Token::Sign('='),
                    Token::Word(_),
                    Token::Sign('.'),
                    Token::Word("join" | "resolve"),
                    Token::Sign('('),
                    ..,
                ] => {
                    let end = reader.index.closing(at + 5).unwrap_or(at + 5);
                    res.extend(texts(reader, at + 5..end));
                }
                [Token::Word("of"), Token::Word(list), ..] => names.push(list),
                _ => {}
            }
        }
    }
    res
}

/// Reads `name not in TABLE`, `!TABLE[name]` and `!(name in TABLE)` before an error.
fn of_table(code: &Analysis<'_, '_>, file: usize, at: usize) -> Option<DataChoice> {
    let reader = &code.readers[file];
    let (name, table, end) = match reader.tokens[at..] {
        [
            Token::Word(name),
            Token::Word("not"),
            Token::Word("in"),
            Token::Word(table),
            Token::Sign(':'),
            ..,
        ] => (name, table, at + 4),
        [
            Token::Sign('!'),
            Token::Word(table),
            Token::Sign('['),
            Token::Word(name),
            Token::Sign(']'),
            Token::Sign(')'),
            ..,
        ] => (name, table, at + 5),
        [
            Token::Sign('!'),
            Token::Sign('('),
            Token::Word(name),
            Token::Word("in"),
            Token::Word(table),
            Token::Sign(')'),
            ..,
        ] => (name, table, at + 5),
        _ => return None,
    };
    let near = &reader.tokens[end..reader.tokens.len().min(end + NEAR)];
    let is_refused = near
        .iter()
        .take(4)
        .any(|it| matches!(it, Token::Word("throw" | "raise")));
    if !is_refused {
        return None;
    }
    let values = table_values(reader, table)?;
    Some(DataChoice {
        argument: argument(code, file, at, name)?,
        values,
    })
}

/// Returns the keys of a table that gets one value: an object, or the content of a file.
fn table_values(reader: &Reader<'_, '_>, table: &str) -> Option<DataValues> {
    let places = reader.index.of(table).iter().copied();
    let mut set = places.filter(|at| {
        matches!(reader.tokens[at + 1..], [Token::Sign('='), next, ..] if next != Token::Sign('='))
            && (*at == 0 || reader.tokens[at - 1] != Token::Sign('.'))
    });
    let at = set.next()?;
    let is_empty = |at: usize| {
        matches!(
            reader.tokens[at + 2..],
            [Token::Sign('{'), Token::Sign('}'), ..] | [Token::Word("None" | "null"), ..]
        )
    };
    let others: Vec<usize> = std::iter::once(at)
        .chain(set)
        .filter(|at| !is_empty(*at))
        .collect();
    let [at] = others[..] else {
        return None;
    };
    if reader.tokens[at + 2] == Token::Sign('{') {
        let end = closing(reader.tokens, at + 2)?;
        let mut keys = Vec::new();
        for item in items(&reader.tokens[at + 3..end]) {
            let [Token::Word(key) | Token::Text(key), Token::Sign(':'), ..] = item else {
                return None;
            };
            keys.push((*key).to_owned());
        }
        return (!keys.is_empty()).then_some(DataValues::Keys(keys));
    }
    let open = (at + 2..reader.tokens.len().min(at + 8))
        .find(|it| reader.tokens[*it] == Token::Sign('('))?;
    let end = reader.index.closing(open)?;
    let mut files = reader.tokens[open..end]
        .iter()
        .filter_map(|token| match token {
            Token::Text(text) if text.ends_with(".json") => Some(*text),
            _ => None,
        });
    let first = files.next()?;
    files
        .next()
        .is_none()
        .then(|| DataValues::KeysOf(first.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::super::analysis::of_file as analysis_of;
    use super::*;

    #[test]
    fn choices_in_data() {
        let check = |path: &str, code: &str, expected: Option<(&str, DataValues)>| {
            let found = analysis_of(path, code, data_choices);
            let expected = expected.map(|(argument, values)| DataChoice {
                argument: argument.to_owned(),
                values,
            });
            assert_eq!(found, expected.into_iter().collect::<Vec<_>>(), "{code}");
        };
        let files = || DataValues::Files {
            directories: ["pots".to_owned()].into(),
            ending: "json".to_owned(),
        };
        let read = "const args = JSON.parse(fs.readFileSync(0, 'utf8'));";
        let code = format!(
            "{read} function load(pot) {{ return fs.readFileSync(path.join(__dirname, 'pots', `${{pot}}.json`)); }} load(args.pot || 'iron');"
        );
        check("a.js", &code, Some(("pot", files())));
        let code = format!(
            "{read} function load(name, dirs) {{ for (const dir of dirs) {{ const it = path.join(dir, `${{name}}.json`); }} }}
             const dirs = [path.join(__dirname, 'pots')]; load(args.kind, dirs);"
        );
        check("a.js", &code, Some(("kind", files())));
        let code = format!(
            "{read} const TEAS = {{ green: 1, 'black': 2 }}; const tea = args.tea; if (!TEAS[tea]) throw new Error('no');"
        );
        let keys = DataValues::Keys(vec!["green".to_owned(), "black".to_owned()]);
        check("a.js", &code, Some(("tea", keys)));
        let code =
            format!("{read} const TEAS = {{ green: 1 }}; if (!TEAS[args.a + args.b]) throw x;");
        check("a.js", &code, None);
        let python = "args = json.loads(sys.stdin.read())\nTEAS = load('T', 'data/teas.json')\ndef pick(args):\n    tea = get_param(args, 'tea')\n    if tea and tea not in TEAS:\n        raise ValueError('no')\npick(args)\n";
        check(
            "a.py",
            python,
            Some(("tea", DataValues::KeysOf("data/teas.json".to_owned()))),
        );
    }
}
