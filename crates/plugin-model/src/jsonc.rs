//! JSON with comments and trailing commas, as settings of hosts are written.

use skill_diagnostics::Diagnostic;

use crate::{Node, parse_json};

/// Reads a JSON text that may have comments and trailing commas. Spans are those of the text itself.
///
/// ```
/// let text = "{\"a\": 1, // one\n}";
/// let node = plugin_model::parse_jsonc(text).0.unwrap();
/// assert_eq!(node.get("a").unwrap().span, 6..7);
/// ```
pub fn parse_jsonc(text: &str) -> (Option<Node>, Vec<Diagnostic>) {
    let (root, findings) = parse_json(text);
    if root.is_some() {
        return (root, findings);
    }
    parse_json(&plain(text))
}

/// Returns the text with blanks in place of comments and of commas behind the last item.
fn plain(text: &str) -> String {
    let mut res = text.as_bytes().to_vec();
    // The place of a comma after which nothing but blanks and comments came.
    let mut comma = None;
    let mut at = 0;
    while let Some(&byte) = res.get(at) {
        let next = res.get(at + 1).copied();
        let end = match (byte, next) {
            (b'"', _) => string_end(&res, at),
            (b'/', Some(b'/')) => blank(&mut res, at, |rest| {
                rest.iter().position(|byte| *byte == b'\n')
            }),
            (b'/', Some(b'*')) => blank(&mut res, at, |rest| {
                let end = rest.windows(2).skip(2).position(|pair| pair == b"*/");
                end.map(|end| end + 4)
            }),
            _ => at + 1,
        };
        match byte {
            b',' => comma = Some(at),
            b'/' if end > at + 1 => {}
            b']' | b'}' => {
                if let Some(comma) = comma.take() {
                    res[comma] = b' ';
                }
            }
            byte if byte.is_ascii_whitespace() => {}
            _ => comma = None,
        }
        at = end;
    }
    String::from_utf8(res).unwrap_or_default()
}

/// Returns the position behind a string that begins at `at`.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut is_escaped = false;
    let rest = bytes[at + 1..].iter();
    for (offset, byte) in rest.enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return at + offset + 2,
            _ => {}
        }
    }
    bytes.len()
}

/// Replaces a comment by blanks, and returns its end.
fn blank(bytes: &mut [u8], at: usize, end: impl FnOnce(&[u8]) -> Option<usize>) -> usize {
    let end = end(&bytes[at..]).map_or(bytes.len(), |length| at + length);
    for byte in bytes[at..end].iter_mut().filter(|byte| **byte != b'\n') {
        *byte = b' ';
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let root = parse_jsonc(text).0;
        let shown = root.map(|root| root.to_value().to_string());
        assert_eq!(shown.as_deref(), expected, "{text}");
    }

    #[test]
    fn comments_and_commas_are_blanks() {
        check(
            "{ // a\n \"b\": [1, /* , */ 2,\n], /* \"x\" */ }",
            Some(r#"{"b":[1,2]}"#),
        );
        check(
            r#"{"url": "https://a.b/*x*/", "c": "\"//", }"#,
            Some(r#"{"url":"https://a.b/*x*/","c":"\"//"}"#),
        );
        check("/* é */ {\"a\": \"é\",}", Some(r#"{"a":"é"}"#));
        for broken in ["{\"a\": }", "{/*", "{\"", "[,]x", "//"] {
            check(broken, None);
        }
    }

    #[test]
    fn spans_are_those_of_the_text() {
        let text = "/* é */ {\"a\": 12,}";
        let root = parse_jsonc(text).0.expect("an object");
        let span = root.get("a").expect("a member").span.clone();
        assert_eq!(&text[span], "12");
    }
}
