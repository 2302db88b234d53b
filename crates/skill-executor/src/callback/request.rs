//! One request as it arrives, piece by piece: what a program sends to deliver a result.
//!
//! Every byte is scanned once, however small the pieces are.

use serde_json::Value;

use crate::json;

/// Largest body, in bytes.
const MAX_BODY: usize = 16 << 20;
/// Longest head of a request, in bytes.
const MAX_HEAD: usize = 64 << 10;

/// A result as it was sent.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Delivery {
    pub(super) plugin: String,
    pub(super) task: String,
    pub(super) body: Value,
}

/// A request that is not complete yet.
#[derive(Default, Debug)]
pub(super) struct Request {
    bytes: Vec<u8>,
    /// The start of the incomplete line of the head.
    line: usize,
    /// Bytes of the head that were searched for the end of that line.
    searched: usize,
    /// Plugin and task, from the first line.
    target: Option<(String, String)>,
    /// Bytes of the body that were announced.
    length: usize,
    /// The head is complete; the body begins at `line`.
    has_head: bool,
}

/// The error for a request that does not deliver a result.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct InvalidRequest;

impl Request {
    /// Takes the bytes that arrived; returns the result when it is complete.
    pub(super) fn take(
        &mut self,
        part: &[u8],
        secret: &str,
    ) -> Result<Option<Delivery>, InvalidRequest> {
        self.bytes.extend_from_slice(part);
        while !self.has_head {
            let rest = &self.bytes[self.searched..];
            let Some(end) = rest.iter().position(|byte| *byte == b'\n') else {
                self.searched = self.bytes.len();
                break;
            };
            let end = self.searched + end;
            let line = str::from_utf8(&self.bytes[self.line..end]).map_err(|_| InvalidRequest)?;
            let line = line.trim_end_matches('\r').to_owned();
            (self.line, self.searched) = (end + 1, end + 1);
            self.head(&line, secret)?;
        }
        if !self.has_head || self.line > MAX_HEAD {
            let is_too_long = self.bytes.len() > MAX_HEAD;
            return if is_too_long {
                Err(InvalidRequest)
            } else {
                Ok(None)
            };
        }
        let body = &self.bytes[self.line..];
        let Some(body) = body.get(..self.length) else {
            return Ok(None);
        };
        let text = str::from_utf8(body).map_err(|_| InvalidRequest)?;
        let body = json::parse(text).map_err(|_| InvalidRequest)?;
        let (plugin, task) = self.target.take().ok_or(InvalidRequest)?;
        Ok(Some(Delivery { plugin, task, body }))
    }

    /// A line of the head.
    fn head(&mut self, line: &str, secret: &str) -> Result<(), InvalidRequest> {
        if self.target.is_none() {
            self.target = Some(target(line, secret).ok_or(InvalidRequest)?);
        } else if line.trim().is_empty() {
            self.has_head = true;
        } else {
            let (name, value) = line.split_once(':').ok_or(InvalidRequest)?;
            if name.eq_ignore_ascii_case("content-length") {
                self.length = value.trim().parse().map_err(|_| InvalidRequest)?;
            }
            if self.length > MAX_BODY {
                return Err(InvalidRequest);
            }
        }
        Ok(())
    }
}

/// Plugin and task: what follows the secret in the path of a POST.
fn target(line: &str, secret: &str) -> Option<(String, String)> {
    let mut words = line.split(' ');
    if words.next()? != "POST" {
        return None;
    }
    let path = words.next()?.split(['?', '#']).next()?;
    let mut parts = path.rsplit('/');
    let task = unescaped(parts.next()?)?;
    let plugin = unescaped(parts.next()?)?;
    (parts.next()? == secret).then_some((plugin, task))
}

/// Percent escapes of a URL.
fn unescaped(part: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = part.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        rest = tail;
        if *first == b'%' {
            let digits = str::from_utf8(rest.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &rest[2..];
        } else {
            bytes.push(*first);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The same in one piece and byte by byte: the task that is delivered, or `None` for a request
    /// that is refused or not whole.
    #[track_caller]
    fn check(text: &str, expected: Result<Option<&str>, InvalidRequest>) {
        for size in [1, 7, text.len()] {
            let mut request = Request::default();
            let mut found = Ok(None);
            for part in text.as_bytes().chunks(size) {
                found = request.take(part, "s3");
                if !matches!(found, Ok(None)) {
                    break;
                }
            }
            let found = found.map(|delivery| {
                delivery.map(|delivery| {
                    assert_eq!(delivery.body, json!({"a": 1}), "{text}");
                    format!("{} {}", delivery.plugin, delivery.task)
                })
            });
            let expected = expected.map(|text| text.map(str::to_owned));
            assert_eq!(found, expected, "{text} in pieces of {size}");
        }
    }

    #[test]
    fn a_request_is_whole_refused_or_waited_for() {
        let head = "POST /plugin-callback/s3/My%20Plugin/t-1 HTTP/1.1\r\nHost: x\r\n";
        check(
            &format!("{head}Content-Length: 7\r\n\r\n{{\"a\":1}}"),
            Ok(Some("My Plugin t-1")),
        );
        check(
            "POST /s3/P/t?x#y HTTP/1.1\ncontent-length:7\n\n{\"a\":1} and more",
            Ok(Some("P t")),
        );
        check(
            &format!("{head}Content-Length: 8\r\n\r\n{{\"a\":1}}"),
            Ok(None),
        );
        check(head, Ok(None));
        check(&format!("{head}\r\n"), Err(InvalidRequest));
        check(&format!("{head}no colon\r\n"), Err(InvalidRequest));
        check(&format!("{head}content-length: x\r\n"), Err(InvalidRequest));
        check(
            &format!("{head}content-length: 99999999\r\n"),
            Err(InvalidRequest),
        );
        check(
            &format!("{head}content-length: 7\r\n\r\n{{\"a\":1 "),
            Err(InvalidRequest),
        );
        check(
            "GET /plugin-callback/s3/P/t HTTP/1.1\r\n",
            Err(InvalidRequest),
        );
        check(
            "POST /plugin-callback/other/P/t HTTP/1.1\r\n",
            Err(InvalidRequest),
        );
        check(&"x".repeat(MAX_HEAD + 1), Err(InvalidRequest));
        check(
            &format!("{head}x: {}\r\n\r\n", "x".repeat(MAX_HEAD)),
            Err(InvalidRequest),
        );
    }
}
