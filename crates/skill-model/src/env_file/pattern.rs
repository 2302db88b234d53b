//! The line pattern of the host, and the pairs that it finds.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

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

/// Returns the assignments of a normalized text: the matches of the host's regular expression
/// (docs/design/legacy-host.md), which a test compares.
///
/// The expression is matched without a library, because at each of its repetitions only one length
/// can lead to a match, except for the end of a quoted value.
pub(super) fn assignments(text: &str) -> impl Iterator<Item = Assignment> {
    let mut start = Some(0);
    std::iter::from_fn(move || {
        loop {
            // All line starts before the first ink lead to the same place.
            let ink = after_space(text, start?);
            let found = assignment_at(text, ink);
            let end = found.as_ref().map_or(ink, |(_, end)| *end);
            start = text[end..].find('\n').map(|at| end + at + 1);
            if let Some((found, _)) = found {
                return Some(found);
            }
        }
    })
}

/// Returns the assignment whose key, or the word `export` before it, starts at a place, and its end.
fn assignment_at(text: &str, at: usize) -> Option<(Assignment, usize)> {
    let exported = text[at..].strip_prefix("export").and_then(|rest| {
        let word = text.len() - rest.len();
        let start = after_space(text, word);
        (start > word && after_key(text, start) > start).then_some(start)
    });
    let start = exported.unwrap_or(at);
    let key = start..after_key(text, start);
    if key.is_empty() {
        return None;
    }
    let separator = separator_end(text, key.end)?;
    let (value, end) = quoted(text, separator)
        .or_else(|| unquoted(text, separator))
        .or_else(|| Some((key.end..key.end, tail(text, separator)?)))?;
    Some((Assignment { key, value }, end))
}

/// Returns the end of `=`, with white space before it, or of `:` and one white space after it.
fn separator_end(text: &str, at: usize) -> Option<usize> {
    if let Some(rest) = text[at..].strip_prefix(':') {
        let space = rest.chars().next().filter(|c| is_space(*c))?;
        return Some(at + 1 + space.len_utf8());
    }
    let at = after_space(text, at);
    text[at..].starts_with('=').then_some(at + 1)
}

/// Returns a value in quotes with the white space before it, and the end of its assignment: at the
/// last quote that can end both.
fn quoted(text: &str, at: usize) -> Option<(Range<usize>, usize)> {
    let open = after_space(text, at);
    let quote = text[open..]
        .chars()
        .next()
        .filter(|c| "'\"`".contains(*c))?;
    let inner = open + 1;
    let mut closings = Vec::new();
    for (offset, _) in text[inner..].match_indices(quote) {
        closings.push(inner + offset);
        if !text[inner..inner + offset].ends_with('\\') {
            break;
        }
    }
    let mut ends = closings.into_iter().rev().map(|closing| closing + 1);
    ends.find_map(|end| Some((at..end, tail(text, end)?)))
}

/// Returns a value up to the end of the line or `#`, and the end of its assignment.
fn unquoted(text: &str, at: usize) -> Option<(Range<usize>, usize)> {
    let rest = &text[at..];
    let end = at + rest.find(['#', '\n']).unwrap_or(rest.len());
    (end > at).then_some(())?;
    Some((at..end, tail(text, end)?))
}

/// Returns the end of white space and a comment, which must be the end of a line.
fn tail(text: &str, at: usize) -> Option<usize> {
    let ink = after_space(text, at);
    if text[ink..].starts_with('#') {
        return Some(text[ink..].find('\n').map_or(text.len(), |end| ink + end));
    }
    if ink == text.len() {
        return Some(ink);
    }
    text[at..ink].rfind('\n').map(|end| at + end)
}

fn after_space(text: &str, at: usize) -> usize {
    text.len() - text[at..].trim_start_matches(is_space).len()
}

fn after_key(text: &str, at: usize) -> usize {
    let is_key = |c: char| c.is_ascii_alphanumeric() || "_.@#%&^+-".contains(c);
    text.len() - text[at..].trim_start_matches(is_key).len()
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

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use proptest::prelude::*;
    use regex::Regex;

    use super::*;

    /// The white space of JavaScript, as the members of a character class.
    const SPACE: &str = r"\t\n\x0B\x0C\r \u{A0}\u{1680}\u{2000}-\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}\u{FEFF}";

    /// The host's expression.
    static LINE: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = r#"(?m)^[S]*(?:export[S]+)?([A-Za-z0-9_.@#%&^+-]+)(?:[S]*=[S]*?|:[S]+?)([S]*'(?:\\'|[^'])*'|[S]*"(?:\\"|[^"])*"|[S]*`(?:\\`|[^`])*`|[^#\r\n]+)?[S]*(?:#[^\r\n]*)?$"#;
        Regex::new(&pattern.replace("[S]", &format!("[{SPACE}]"))).expect("a constant pattern")
    });

    fn check(text: &str) {
        let text = normalize(text);
        let expected = LINE.captures_iter(&text).map(|found| {
            let key = found.get(1).expect("a key is not optional").range();
            let value = found.get(2).map_or(key.end..key.end, |value| value.range());
            (key, value)
        });
        let found = assignments(&text).map(|found| (found.key, found.value));
        assert_eq!(
            found.collect::<Vec<_>>(),
            expected.collect::<Vec<_>>(),
            "{text:?}"
        );
    }

    #[test]
    fn finds_what_the_expression_finds() {
        for text in [
            "",
            "\n \n\nA=1\nB",
            "export A='1'\nexport=2\nexport =3\nexport\n\n B = 4 # x",
            "A:1\nA: 1\nA:\n2\nA :3",
            "A='x' y\nB=\n'z'\nC='a\\' # b'\nD='\\'",
            "A='open\nB=2'\nC=`\n`  \n\n# note\nD=\u{3000}\u{FEFF}\n",
            "#A=1\n##\n=\nA==\n A=#\n",
        ] {
            check(text);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn finds_what_the_expression_finds_in_any_text(
            pieces in prop::collection::vec(
                prop::sample::select(vec![
                    "A", "b", "export", "=", ":", " ", "\t", "\n", "\n", "\r", "'", "\"", "`",
                    "\\", "#", "é", "\u{A0}", "\u{3000}", "-",
                ]),
                0..24,
            ),
        ) {
            check(&pieces.concat());
        }
    }
}
