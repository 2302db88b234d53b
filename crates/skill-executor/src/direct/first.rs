//! The first answer of an asynchronous tool.
//!
//! Source: `docs/design/legacy-host.md` §1.4: after every piece of output, the host searched for
//! the shortest text from the first `{` to a `}` that is followed by white space or the end. Its
//! quirks are kept: what comes first decides.

use serde_json::{Map, Value};

use super::reply::as_reply;
use crate::json::is_js_space;

/// Returns the reply at the start of the output, if the host would have recognised one.
pub fn first_reply(output: &str) -> Option<Map<String, Value>> {
    Head::default().reply(output.as_bytes())
}

/// The start of an output that grows; no byte is scanned twice.
#[derive(Default, Debug)]
pub(super) struct Head {
    /// The offset of the first `{`.
    start: Option<usize>,
    /// Bytes that were looked at.
    looked: usize,
    /// Braces that are open.
    depth: usize,
    in_string: bool,
    is_escaped: bool,
    /// More output cannot change the result.
    is_settled: bool,
}

impl Head {
    /// Returns the reply at the start of `output`, which begins as it did at the last call; once.
    pub(super) fn reply(&mut self, output: &[u8]) -> Option<Map<String, Value>> {
        let Candidate { text, is_closed } = self.candidate(output)?;
        // JSON ends at the brace that closes its first one; nothing else needs to be parsed.
        is_closed.then(|| as_reply(&decoded(text))).flatten()
    }

    /// Returns the shortest text from the first `{` to a `}` that is followed by white space or the
    /// end, if it ends in a part that was not scanned yet.
    fn candidate<'o>(&mut self, output: &'o [u8]) -> Option<Candidate<'o>> {
        while !self.is_settled {
            let &byte = output.get(self.looked)?;
            if self.start.is_none() && byte != b'{' {
                self.looked += 1;
                continue;
            }
            let start = *self.start.get_or_insert(self.looked);
            let text = &output[start..=self.looked];
            let follows = (byte == b'}').then(|| follows(&output[self.looked + 1..]));
            let is_closed = byte == b'}' && self.depth == 1 && !self.in_string;
            if follows == Some(Follows::Nothing) {
                // It counts until something else follows.
                return Some(Candidate { text, is_closed });
            }
            self.take(byte);
            // A text that is closed and continues is not JSON, and what comes first hides the rest.
            self.is_settled = is_closed || follows == Some(Follows::Space);
            if follows == Some(Follows::Space) {
                return Some(Candidate { text, is_closed });
            }
        }
        None
    }

    fn take(&mut self, byte: u8) {
        self.looked += 1;
        if self.is_escaped {
            self.is_escaped = false;
            return;
        }
        match (self.in_string, byte) {
            (true, b'\\') => self.is_escaped = true,
            (_, b'"') => self.in_string = !self.in_string,
            (false, b'{') => self.depth += 1,
            (false, b'}') => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }
}

/// A text that the old host tried to parse as a reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Candidate<'o> {
    text: &'o [u8],
    /// Its last brace closes its first one.
    is_closed: bool,
}

/// The character after a brace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Follows {
    /// Nothing yet, or a part of a character.
    Nothing,
    Space,
    Text,
}

fn follows(rest: &[u8]) -> Follows {
    // No character is longer.
    let first = decoded(&rest[..rest.len().min(4)]);
    match first.chars().next() {
        None => Follows::Nothing,
        Some(char) if is_js_space(char) => Follows::Space,
        Some(_) => Follows::Text,
    }
}

/// The text of the bytes so far; a character that is still cut in two is left out.
fn decoded(bytes: &[u8]) -> String {
    let whole = match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        _ => bytes.len(),
    };
    let mut end = whole;
    if whole == bytes.len() {
        end = bytes.len() - cut_tail(bytes);
    }
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

/// Bytes at the end that begin a character and do not finish it.
fn cut_tail(bytes: &[u8]) -> usize {
    let tail = &bytes[bytes.len().saturating_sub(3)..];
    for (at, byte) in tail.iter().enumerate().rev() {
        let needed = match byte {
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            0x80..=0xbf => continue,
            _ => return 0,
        };
        let have = tail.len() - at;
        return if have < needed { have } else { 0 };
    }
    0
}

#[cfg(test)]
mod tests {
    use super::{Head, decoded, first_reply};

    #[track_caller]
    fn check(output: &str, shortest: Option<&str>, is_reply: bool) {
        let mut head = Head::default();
        let candidate = head.candidate(output.as_bytes());
        let text = candidate.map(|candidate| decoded(candidate.text));
        assert_eq!(text.as_deref(), shortest, "{output}");
        assert_eq!(first_reply(output).is_some(), is_reply, "{output}");
        // Piece by piece the same is found, unless a beginning was a reply already.
        let mut head = Head::default();
        let mut pieces = (1..=output.len()).map(|end| head.reply(&output.as_bytes()[..end]));
        let found = pieces.find_map(|reply| reply);
        let mut ends = 1..=output.len();
        let first = ends.find_map(|end| first_reply(&decoded(&output.as_bytes()[..end])));
        assert_eq!(found, first, "{output}");
    }

    /// Each byte is looked at once, also where every piece ends with a brace.
    #[test]
    fn what_was_looked_at_is_not_looked_at_again() {
        let output = [&br#"{"a":""#[..], &b"}".repeat(200_000)].concat();
        let mut head = Head::default();
        for end in 1..=output.len() {
            assert_eq!(head.reply(&output[..end]), None);
            assert!(head.looked + 1 >= end, "{end}");
        }
        assert!(!head.is_settled);
    }

    #[test]
    fn the_hosts_pattern() {
        let one = r#"{"status":"success","result":{"a":{"b":1}}}"#;
        check(one, Some(one), true);
        check(&format!("log line\n{one}\nmore"), Some(one), true);
        check("{\"status\":\"success\"", None, false);
        // Pretty-printed and nested: the inner end comes first.
        check("{\n \"o\": {\n }\n}\n", Some("{\n \"o\": {\n }"), false);
        // A log line in JSON hides everything that follows.
        check(
            "{\"log\":1}\n{\"status\":\"success\"}\n",
            Some("{\"log\":1}"),
            false,
        );
        check("{} {\"status\":\"success\"}", Some("{}"), false);
        // An end inside a string, before a space.
        check(
            "{\"status\":\"success\",\"m\":\"a} b\"}",
            Some("{\"status\":\"success\",\"m\":\"a}"),
            false,
        );
        check(
            "{\"status\":\"error\"}\u{a0}x",
            Some("{\"status\":\"error\"}"),
            true,
        );
    }

    #[test]
    fn cut_characters_wait() {
        for (bytes, text) in [
            (&b"a\xe6"[..], "a"),
            (b"a\xe6\xbd", "a"),
            (b"a\xe6\xbd\xae", "a潮"),
            (b"a\xff\xe6\xbd", "a\u{fffd}"),
            (b"a\xff", "a\u{fffd}"),
            (b"", ""),
        ] {
            assert_eq!(decoded(bytes), text);
        }
    }
}
