//! The headers of an answer: those for the caller, and what they say about the answer.

use std::collections::BTreeMap;
use std::time::Duration;

use ureq::Body;
use ureq::http::{HeaderMap, Response};

use crate::clock;

/// The headers that are given to the caller.
const GIVEN: [&str; 9] = [
    "location",
    "content-location",
    "content-disposition",
    "link",
    "etag",
    "last-modified",
    "retry-after",
    "www-authenticate",
    "x-request-id",
];
/// The most headers that are given, and the most characters of each.
const MAX_HEADERS: (usize, usize) = (50, 2_000);

/// Returns the time until a server wants to be asked again: seconds or a date (RFC 9110 §10.2.3).
pub(super) fn retry_after(headers: &HeaderMap, now_ms: i64) -> Option<Duration> {
    let value = headers.get("retry-after")?.to_str().ok()?.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let ms = clock::parse_http_date(value)?.saturating_sub(now_ms);
    Some(Duration::from_millis(u64::try_from(ms).unwrap_or_default()))
}

/// Returns the headers that are given to the caller, or all.
pub(super) fn given_headers(headers: &HeaderMap, all: bool) -> BTreeMap<String, String> {
    let named = headers.iter().filter_map(|(name, value)| {
        let is_given = all || GIVEN.contains(&name.as_str());
        let value = value.to_str().ok().filter(|_| is_given)?;
        let value: String = value.chars().take(MAX_HEADERS.1).collect();
        Some((name.as_str().to_owned(), value))
    });
    named.take(MAX_HEADERS.0).collect()
}

/// Returns where a redirect leads. Its bytes may be UTF-8, which the header cannot show as a text.
pub(super) fn location(response: &Response<Body>) -> Option<String> {
    let redirects = matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308);
    let value = response.headers().get("location").filter(|_| redirects)?;
    Some(String::from_utf8_lossy(value.as_bytes()).into_owned())
}

/// Returns the encoding of an answer that is not sent as it is: `gzip`.
pub(super) fn encoding(headers: &HeaderMap) -> Option<String> {
    let text = headers
        .get("content-encoding")?
        .to_str()
        .unwrap_or("?")
        .trim();
    let is_plain = text.is_empty() || text.eq_ignore_ascii_case("identity");
    (!is_plain).then(|| text.to_ascii_lowercase())
}

/// Returns the length of the body that the headers name. The answer to `HEAD` has none.
pub(super) fn said_length(headers: &HeaderMap) -> Option<usize> {
    let value = headers.get("content-length")?.to_str().ok()?;
    value.trim().parse().ok()
}

/// Returns the media type without parameters, in lower case.
pub(super) fn media_type(headers: &HeaderMap) -> String {
    let value = headers
        .get("content-type")
        .and_then(|value| value.to_str().ok());
    let own = value
        .unwrap_or_default()
        .split(';')
        .next()
        .unwrap_or_default();
    own.trim().to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: &str, expected: Option<u64>) {
        let mut headers = HeaderMap::new();
        headers.insert("retry-after", value.parse().unwrap());
        // Thu, 01 Jan 1970 00:00:10 GMT
        let found = retry_after(&headers, 10_000);
        assert_eq!(found, expected.map(Duration::from_secs), "{value}");
    }

    #[test]
    fn a_server_says_when_to_come_back() {
        check("120", Some(120));
        check("Thu, 01 Jan 1970 00:01:10 GMT", Some(60));
        check("Thu, 01 Jan 1970 00:00:00 GMT", Some(0));
        check("soon", None);
        check("-5", None);
    }
}
