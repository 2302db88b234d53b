//! Percent-encoding.

use std::fmt::Write as _;

/// The characters that are written as they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Keep {
    /// Unreserved characters (RFC 3986 §2.3).
    Unreserved,
    /// Also percent-encoded bytes and reserved characters (RFC 6570 §3.2.3), except those that a value
    /// in a query or a form cannot have: `#`, `[` and `]`, and `&` and `+`, which mean something there
    /// (OpenAPI 3.1.1, `allowReserved`).
    Reserved,
    /// Also percent-encoded bytes and all reserved characters but `#`, which would end the address: a whole
    /// query.
    Query,
    /// All: headers, parts of multipart bodies.
    All,
}

/// Percent-encodes everything except unreserved characters.
///
/// ```
/// assert_eq!(http_request::percent_encoded("a b/ü"), "a%20b%2F%C3%BC");
/// ```
pub fn percent_encoded(text: &str) -> String {
    encoded(text, Keep::Unreserved)
}

/// Returns the bytes of a text with percent-encoded bytes (RFC 3986 §2.1). A `%` that begins none stays.
///
/// ```
/// assert_eq!(http_request::percent_decoded("a%20b%zz%"), b"a b%zz%");
/// ```
pub fn percent_decoded(text: &str) -> Vec<u8> {
    let mut res = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let digits = tail.get(..2).filter(|_| is_triple(rest));
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        res.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &tail[2..] } else { tail };
    }
    res
}

/// Percent-encodes everything except the characters to keep.
pub(crate) fn encoded(text: &str, keep: Keep) -> String {
    if keep == Keep::All {
        return text.to_owned();
    }
    let bytes = text.as_bytes();
    let mut res = String::with_capacity(text.len());
    for (at, &byte) in bytes.iter().enumerate() {
        let reserved: &[u8] = match keep {
            Keep::Reserved => b":/?@!$'()*,;=",
            Keep::Query => b":/?[]@!$&'()*+,;=",
            Keep::Unreserved | Keep::All => b"",
        };
        let is_kept = byte.is_ascii_alphanumeric()
            || b"-._~".contains(&byte)
            || reserved.contains(&byte)
            || !reserved.is_empty() && is_triple(&bytes[at..]);
        if is_kept {
            res.push(char::from(byte));
        } else {
            write!(res, "%{byte:02X}").expect("a string takes everything");
        }
    }
    res
}

/// Returns true for a percent sign with two hex digits.
fn is_triple(bytes: &[u8]) -> bool {
    matches!(bytes, [b'%', a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit())
}
