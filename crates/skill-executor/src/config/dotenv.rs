//! `config.env` as the host's patched dotenv read it.
//!
//! A port of no code: the rules are those of dotenv's line pattern, with more characters in keys
//! (`docs/design/legacy-host.md` §1.1.4). Later lines win.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

/// White space of JavaScript, for a character class.
const SPACE: &str = r"\t\n\x0B\x0C\r \u{A0}\u{1680}\u{2000}-\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}\u{FEFF}";

static LINE: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r#"(?m)^[S]*(?:export[S]+)?([A-Za-z0-9_.@#%&^+-]+)(?:[S]*=[S]*?|:[S]+?)([S]*'(?:\\'|[^'])*'|[S]*"(?:\\"|[^"])*"|[S]*`(?:\\`|[^`])*`|[^#\r\n]+)?[S]*(?:#[^\r\n]*)?$"#;
    Regex::new(&pattern.replace("[S]", &format!("[{SPACE}]"))).expect("a constant pattern")
});

/// The pairs of a `config.env`, in the order of the first mention of each key.
pub fn read_env_file(text: &str) -> Vec<(String, String)> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut res: Vec<(String, String)> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for found in LINE.captures_iter(&text) {
        let value = value_of(found.get(2).map_or("", |raw| raw.as_str()));
        let key = &found[1];
        if let Some(place) = places.get(key) {
            res[*place].1 = value;
        } else {
            places.insert(key.to_owned(), res.len());
            res.push((key.to_owned(), value));
        }
    }
    res
}

/// Quotes around the whole go; `\n` and `\r` are expanded in double quotes alone.
fn value_of(raw: &str) -> String {
    let raw = crate::json::trim(raw);
    let Some(quote) = raw.chars().next().filter(|char| "'\"`".contains(*char)) else {
        return raw.to_owned();
    };
    let inner = raw[1..].strip_suffix(quote).unwrap_or(raw);
    if quote == '"' {
        return inner.replace("\\n", "\n").replace("\\r", "\r");
    }
    inner.to_owned()
}

/// The text of a `config.env`, and the keys that could not be written.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct EnvFile {
    /// The text.
    pub text: String,
    /// Keys whose values no line can hold: they mix line breaks or `#` with all kinds of quotes.
    pub left_out: Vec<String>,
}

/// Writes pairs so that [`read_env_file`] gives the same bytes back.
pub fn write_env_file<'p>(pairs: impl IntoIterator<Item = (&'p str, &'p str)>) -> EnvFile {
    let mut res = EnvFile::default();
    for (key, value) in pairs {
        match line(key, value) {
            Some(line) => res.text.extend([line.as_str(), "\n"]),
            None => res.left_out.push(key.to_owned()),
        }
    }
    res
}

/// Lines of every kind, to check that a line before them ends where it should.
const FOLLOWING: &str = "%A='x'\n%B=\"y\"\n%C=`z`\n%D=w\n";

/// The first way to write a pair that reads as it should, whatever follows it. Quotes come first
/// where other readers would take a part of the value for something else.
fn line(key: &str, value: &str) -> Option<String> {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || "_./:@%+,=-".contains(char);
    let bare = format!("{key}={value}");
    let quoted = ['\'', '"', '`'].map(|quote| format!("{key}={quote}{value}{quote}"));
    let candidates = if value.chars().all(is_plain) {
        [vec![bare], quoted.into()].concat()
    } else {
        [quoted.into(), vec![bare]].concat()
    };
    candidates.into_iter().find(|line| {
        let read = read_env_file(&format!("{line}\n{FOLLOWING}"));
        let first = read.first();
        first.is_some_and(|first| first.0 == key && first.1 == value)
            && read[1..] == read_env_file(FOLLOWING)
    })
}
