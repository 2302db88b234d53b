//! The line pattern of the host, and the pairs that it finds.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

/// The white space of JavaScript, as the members of a character class.
const SPACE: &str = r"\t\n\x0B\x0C\r \u{A0}\u{1680}\u{2000}-\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}\u{FEFF}";

static LINE: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r#"(?m)^[S]*(?:export[S]+)?([A-Za-z0-9_.@#%&^+-]+)(?:[S]*=[S]*?|:[S]+?)([S]*'(?:\\'|[^'])*'|[S]*"(?:\\"|[^"])*"|[S]*`(?:\\`|[^`])*`|[^#\r\n]+)?[S]*(?:#[^\r\n]*)?$"#;
    Regex::new(&pattern.replace("[S]", &format!("[{SPACE}]"))).expect("a constant pattern")
});

/// One assignment of an env file, as positions in a normalized text.
pub(super) struct Assignment {
    /// The key.
    pub(super) key: Range<usize>,
    /// The value as written, with its quotes; empty at the end of the separator if there is none.
    pub(super) value: Range<usize>,
}

/// Returns a text in which every line ends with `\n`, as the host sees it.
pub(super) fn normalize(text: &str) -> Cow<'_, str> {
    if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    }
}

/// Returns the assignments of a normalized text.
pub(super) fn assignments(text: &str) -> impl Iterator<Item = Assignment> {
    LINE.captures_iter(text).map(|found| {
        let end = found.get(0).map_or(0, |whole| whole.end());
        let key = found.get(1).map_or(end..end, |key| key.range());
        let value = found.get(2).map_or(key.end..key.end, |value| value.range());
        Assignment { key, value }
    })
}

/// Returns the pairs of a `config.env`, in the order of the first mention of each key.
///
/// ```
/// let pairs = skill_model::read_env_file("# note\nexport A='1'\nB: two # words\nA=2\n");
/// let expected = [("A", "2"), ("B", "two")];
/// assert_eq!(pairs, expected.map(|(key, value)| (key.to_owned(), value.to_owned())));
/// ```
pub fn read_env_file(text: &str) -> Vec<(String, String)> {
    let text = normalize(text);
    let mut res: Vec<(String, String)> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for Assignment { key, value } in assignments(&text) {
        let (key, value) = (&text[key], value_of(&text[value]));
        if let Some(place) = places.get(key) {
            res[*place].1 = value;
        } else {
            places.insert(key, res.len());
            res.push((key.to_owned(), value));
        }
    }
    res
}

/// Returns a value without the quotes around the whole. `\n` and `\r` are expanded in double quotes
/// only.
fn value_of(raw: &str) -> String {
    let raw = raw.trim_matches(is_space);
    let Some(quote) = raw.chars().next().filter(|char| "'\"`".contains(*char)) else {
        return raw.to_owned();
    };
    let inner = raw[1..].strip_suffix(quote).unwrap_or(raw);
    if quote == '"' {
        return inner.replace("\\n", "\n").replace("\\r", "\r");
    }
    inner.to_owned()
}

/// Recognizes the white space of JavaScript (`String.prototype.trim`).
fn is_space(c: char) -> bool {
    matches!(
        c,
        '\t' | '\n' | '\u{B}' | '\u{C}' | '\r' | ' ' | '\u{A0}' | '\u{1680}' | '\u{2000}'
            ..='\u{200A}'
                | '\u{2028}'
                | '\u{2029}'
                | '\u{202F}'
                | '\u{205F}'
                | '\u{3000}'
                | '\u{FEFF}'
    )
}
