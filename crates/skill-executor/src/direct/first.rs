//! The first answer of an asynchronous tool.
//!
//! Source: `legacy-host.md` §1.4: after every piece of output the host looked for the shortest
//! text from the first `{` to a `}` that white space or the end follows. Its accidents are kept:
//! what stands first decides, for better or worse.

use serde_json::{Map, Value};

use super::reply::as_reply;
use crate::json::is_js_space;

/// The reply at the head of what was printed so far, if the host would have seen one.
pub fn first_reply(output: &str) -> Option<Map<String, Value>> {
    as_reply(candidate(output)?)
}

fn candidate(output: &str) -> Option<&str> {
    let start = output.find('{')?;
    let tail = &output[start..];
    let mut ends = tail.match_indices('}').map(|(at, _)| at + 1);
    let end = ends.find(|end| tail[*end..].chars().next().is_none_or(is_js_space))?;
    Some(&tail[..end])
}

/// The text of the bytes so far; a character that is still cut in two is left out.
pub fn decoded(bytes: &[u8]) -> String {
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
    use super::{candidate, decoded, first_reply};

    #[track_caller]
    fn check(output: &str, shortest: Option<&str>, is_reply: bool) {
        assert_eq!(candidate(output), shortest, "{output}");
        assert_eq!(first_reply(output).is_some(), is_reply, "{output}");
    }

    #[test]
    fn the_hosts_pattern() {
        let one = r#"{"status":"success","result":{"a":{"b":1}}}"#;
        check(one, Some(one), true);
        check(&format!("log line\n{one}\nmore"), Some(one), true);
        check("{\"status\":\"success\"", None, false);
        // Pretty-printed and nested: the inner end comes first.
        check("{\n \"o\": {\n }\n}\n", Some("{\n \"o\": {\n }"), false);
        // A log line in JSON hides what follows for ever.
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
