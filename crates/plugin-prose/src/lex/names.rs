//! Reads names of arguments: `name`, `` `name` ``, `a / b`, `query1..query5`.

use crate::lex::chars::{in_name, starts_name};

/// The maximum length of a name.
const MAX_NAME: usize = 64;
/// The maximum number of names on one line.
const MAX_NAMES: usize = 12;

/// The ways to join several names on one line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Joint {
    /// A single name.
    Single,
    /// A column of aliases: names of one thing.
    Alias,
    /// `a / b`, `a|b`, `a 或 b`: aliases or several parameters; the words decide.
    Slash,
    /// `a, b`, `a、b`, `a 和 b`: several parameters.
    List,
}

/// The names that a line starts with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Names {
    /// The names, as written.
    pub(crate) list: Vec<String>,
    /// The way in which they are joined.
    pub(crate) joint: Joint,
    /// True if the first name is in backticks.
    pub(crate) ticked: bool,
    /// True if the names are the first of numbered families (`query1..query5`).
    pub(crate) numbered: bool,
}

impl Names {
    /// One name as it is written.
    pub(crate) fn single(name: &str) -> Self {
        Self {
            list: vec![name.to_owned()],
            joint: Joint::Single,
            ticked: false,
            numbered: false,
        }
    }
}

/// Reads the names at the start of `text`; returns them and the rest.
pub(crate) fn take(text: &str) -> Option<(Names, &str)> {
    let (first, mut rest) = take_one(text)?;
    let mut res = Names {
        list: vec![first.name.to_owned()],
        joint: Joint::Single,
        ticked: first.ticked,
        numbered: first.range,
    };
    while res.list.len() < MAX_NAMES {
        let Some((joint, after)) = take_joint(rest) else {
            break;
        };
        let Some((next, after)) = take_one(after) else {
            break;
        };
        res.joint = res.joint.max(joint);
        res.numbered |= next.range;
        res.list.push(next.name.to_owned());
        rest = after;
    }
    if let Some(after) = ellipsis(rest).filter(|_| res.list.len() > 1) {
        res.numbered |= res
            .list
            .iter()
            .all(|name| name.ends_with(|c: char| c.is_ascii_digit()));
        rest = after;
    }
    Some((res, rest))
}

/// Skips the `...` that continues a list of names.
fn ellipsis(text: &str) -> Option<&str> {
    let body = text
        .trim_start()
        .trim_start_matches([',', '，', '、'])
        .trim_start();
    let rest = ["...", "……", "…", "等"]
        .iter()
        .find_map(|mark| body.strip_prefix(mark))?;
    let rest = last_of_family(rest).unwrap_or(rest);
    rest.trim_start()
        .starts_with(['(', '（', ':', '：'])
        .then_some(rest)
}

/// Skips the `, image_N` after the `...` of a numbered family.
fn last_of_family(text: &str) -> Option<&str> {
    let body = text.trim_start_matches([' ', ',', '，', '、', '`']);
    let (name, rest) = take_ident(body)?;
    name.ends_with(is_number)
        .then(|| rest.trim_start_matches('`'))
}

/// Returns true for the last character of a name in a numbered family.
fn is_number(c: char) -> bool {
    c.is_ascii_digit() || c == 'N' || c == 'n'
}

/// One name as it is written.
#[derive(Clone, Copy)]
struct SingleName<'a> {
    name: &'a str,
    ticked: bool,
    range: bool,
}

/// Reads one wrapped name.
fn take_one(text: &str) -> Option<(SingleName<'_>, &str)> {
    let body = text.trim_start_matches(['`', '*', '"', '\'', '“', '「']);
    let wrap = &text[..text.len() - body.len()];
    let (name, rest) = take_ident(body)?;
    let (range, rest) = take_range(rest);
    let closed = if wrap.is_empty() {
        rest
    } else {
        rest.trim_start_matches(['`', '*', '"', '\'', '”', '」'])
    };
    if closed.len() == rest.len() && wrap.contains(['`', '"', '\'', '“', '「']) {
        return None;
    }
    Some((
        SingleName {
            name,
            ticked: wrap.contains('`'),
            range,
        },
        closed,
    ))
}

/// Reads an identifier: ASCII letters, digits, `_`, and `-` between letters.
pub(crate) fn take_ident(text: &str) -> Option<(&str, &str)> {
    if !text.starts_with(starts_name) {
        return None;
    }
    let bytes = text.as_bytes();
    let mut end = 0;
    while end < bytes.len() {
        let c = char::from(bytes[end]);
        let next = bytes.get(end + 1).is_some_and(u8::is_ascii_alphanumeric);
        let letter = bytes.get(end + 1).is_some_and(u8::is_ascii_alphabetic);
        if in_name(c)
            || (c == '-' && next)
            || (c == '.' && letter && end > 1 && !is_file_name(&text[end + 1..]))
        {
            end += 1;
        } else {
            break;
        }
    }
    (end <= MAX_NAME).then(|| text.split_at(end))
}

/// Returns true if the text after a dot is the ending of a file name or a host name.
fn is_file_name(text: &str) -> bool {
    let end = text.find(|c: char| !in_name(c)).unwrap_or(text.len());
    matches!(
        text[..end].to_ascii_lowercase().as_str(),
        "md" | "json"
            | "txt"
            | "env"
            | "js"
            | "mjs"
            | "ts"
            | "py"
            | "rs"
            | "exe"
            | "bat"
            | "sh"
            | "png"
            | "jpg"
            | "jpeg"
            | "gif"
            | "svg"
            | "pdf"
            | "csv"
            | "html"
            | "xml"
            | "yml"
            | "yaml"
            | "toml"
            | "zip"
            | "mp3"
            | "mp4"
            | "wav"
            | "com"
            | "org"
            | "net"
            | "io"
            | "cn"
            | "ai"
            | "dev"
    )
}

/// Skips the `..query5` of a range.
fn take_range(text: &str) -> (bool, &str) {
    let body = text.trim_start_matches([' ', '`']);
    let Some(rest) = ["...", "..", "……", "…", "~", "～", "至", "到"]
        .iter()
        .find_map(|mark| body.strip_prefix(mark))
    else {
        return (false, text);
    };
    match take_ident(rest.trim_start_matches([' ', '`'])) {
        Some((last, rest)) if last.ends_with(is_number) => (true, rest),
        _ => (false, text),
    }
}

/// Reads the text that joins two names.
fn take_joint(text: &str) -> Option<(Joint, &str)> {
    let body = text.trim_start();
    let spaced = body.len() < text.len();
    for (mark, joint) in [
        ("/", Joint::Slash),
        ("／", Joint::Slash),
        ("|", Joint::Slash),
        ("或", Joint::Slash),
        ("、", Joint::List),
        (",", Joint::List),
        ("，", Joint::List),
        ("&", Joint::List),
        ("和", Joint::List),
        ("与", Joint::List),
        ("及", Joint::List),
    ] {
        if let Some(rest) = body.strip_prefix(mark) {
            return Some((joint, rest.trim_start()));
        }
    }
    for (word, joint) in [("or ", Joint::Slash), ("and ", Joint::List)] {
        if let Some(rest) = body.strip_prefix(word).filter(|_| spaced) {
            return Some((joint, rest.trim_start()));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, names: &[&str], joint: Joint, rest: &str) {
        let (found, left) = take(text).unwrap();
        assert_eq!(
            (found.list, found.joint, left),
            (names.iter().map(ToString::to_string).collect(), joint, rest)
        );
    }

    #[test]
    fn wrapped_and_plain_names() {
        check("city: 城市", &["city"], Joint::Single, ": 城市");
        check("`city`: 城市", &["city"], Joint::Single, ": 城市");
        check("**city** (x)", &["city"], Joint::Single, " (x)");
        check("max-results x", &["max-results"], Joint::Single, " x");
        check("pot.lid: x", &["pot.lid"], Joint::Single, ": x");
    }

    #[test]
    fn joined_names() {
        check(
            "pot / potName (字符串)",
            &["pot", "potName"],
            Joint::Slash,
            " (字符串)",
        );
        check("`a` 或 `b`: x", &["a", "b"], Joint::Slash, ": x");
        check("a, b: x", &["a", "b"], Joint::List, ": x");
        check("a or b: x", &["a", "b"], Joint::Slash, ": x");
    }

    #[test]
    fn ranges_give_their_first_name() {
        check("q1..q5 / z1..z5: x", &["q1", "z1"], Joint::Slash, ": x");
        assert!(take("q1..q5: x").unwrap().0.numbered);
    }

    #[test]
    fn texts_that_are_not_names() {
        assert_eq!(take("参数"), None);
        assert_eq!(take("`open: x"), None);
        assert_eq!(take(&"a".repeat(99)), None);
    }
}
