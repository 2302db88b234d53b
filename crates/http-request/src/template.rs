//! The address of a server with settings in it: `https://${HOST}:${PORT}/${BASE}`.
//!
//! A value stays in the part of the address that its setting is in: one in the host does not begin a
//! path, and one in the path leads to no other directory.

use crate::address::{broken_login, login};
use crate::encode::{Keep, encoded, percent_decoded, percent_encoded};

/// An address with the values of its settings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FilledAddress {
    /// The address. Settings without a value stay as they are written, so that the address shows them.
    pub url: String,
    /// The settings without a value.
    pub missing: Vec<String>,
    /// The settings that the host or the port comes from.
    pub of_host: Vec<String>,
}

/// A value of a setting that its place in an address cannot have. The message has no value.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "the value of the setting `{key}` cannot be the {place} of the address: expected {expected}"
)]
pub struct MisplacedValue {
    /// The setting.
    pub key: String,
    place: &'static str,
    expected: &'static str,
}

/// The part of an address that has a setting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    /// The beginning of the address up to its path, or all of it.
    Whole,
    Scheme,
    Login,
    /// All of host and port.
    Authority,
    Host,
    Port,
    /// The end of the host, where a path may begin.
    HostOrPath,
    /// One or several whole segments of the path.
    Segments,
    /// A part of a segment.
    Segment,
    /// All of the query.
    Query,
    /// A name or value of the query.
    InQuery,
}

/// Returns an address with the values of its settings. The query of a value that the address begins with
/// comes after the path.
///
/// ```
/// let value = |key: &str| Some(if key == "T" { "a/b&c" } else { "api.example" }.to_owned());
/// let filled = http_request::fill_address("https://${HOST}/v1?token=${T}", value).unwrap();
/// assert_eq!(filled.url, "https://api.example/v1?token=a%2Fb%26c");
/// ```
///
/// # Errors
///
/// A value would change another part of the address than its own.
pub fn fill_address(
    template: &str,
    value: impl Fn(&str) -> Option<String>,
) -> Result<FilledAddress, MisplacedValue> {
    let mut res = FilledAddress {
        url: String::new(),
        missing: Vec::new(),
        of_host: Vec::new(),
    };
    let (mut at, mut query) = (0, None);
    while let Some(start) = template[at..].find("${").map(|start| at + start) {
        let Some(end) = template[start..].find('}').map(|end| start + end + 1) else {
            break;
        };
        res.url.push_str(&template[at..start]);
        at = end;
        let key = &template[start + 2..end - 1];
        let part = part(template, start, end);
        if matches!(
            part,
            Part::Authority | Part::Host | Part::Port | Part::HostOrPath
        ) {
            res.of_host.push(key.to_owned());
        }
        let Some(value) = value(key) else {
            res.url.push_str(&template[start..end]);
            if !res.missing.iter().any(|it| it == key) {
                res.missing.push(key.to_owned());
            }
            continue;
        };
        if part == Part::Whole && broken_login(&value).is_some() {
            return Err(MisplacedValue {
                key: key.to_owned(),
                place: "beginning",
                expected: "https://HOST/PATH, and `%23`, `%2F` or `%3F` for `#`, `/` or `?` in a password",
            });
        }
        if part == Part::Whole && end < template.len() {
            let value = value.trim().split('#').next().unwrap_or_default();
            let (base, more) = value.split_once('?').unwrap_or((value, ""));
            res.url.push_str(base.trim_end_matches('/'));
            query = (!more.is_empty()).then(|| more.to_owned());
        } else {
            res.url.push_str(&part.written(key, &value)?);
        }
    }
    res.url.push_str(&template[at..]);
    if let Some(query) = query {
        res.url.push(if res.url.contains('?') { '&' } else { '?' });
        res.url.push_str(&query);
    }
    Ok(res)
}

/// Returns the part of an address that has the setting at `start..end`.
fn part(template: &str, start: usize, end: usize) -> Part {
    let (before, after) = (&template[..start], &template[end..]);
    if before.is_empty() {
        return match after {
            "" => Part::Whole,
            _ if after.starts_with("://") => Part::Scheme,
            _ if after.starts_with('/') => Part::Whole,
            _ => Part::Host,
        };
    }
    if login(template).is_some_and(|login| login.contains(&start)) {
        return Part::Login;
    }
    let plain = without_settings(template);
    if let Some(mark) = plain.find('?').filter(|mark| *mark < start) {
        let is_all = mark + 1 == start && !after.contains(['&', '=']);
        return if is_all { Part::Query } else { Part::InQuery };
    }
    let of_authority = plain.find("://").map_or(0, |at| at + 3);
    let end_of_authority = plain[of_authority..].find(['/', '?']);
    let end_of_authority = end_of_authority.map_or(template.len(), |at| of_authority + at);
    let is_relative = before.starts_with('/') && !before.starts_with("//");
    if start < of_authority {
        return Part::Scheme;
    }
    if start < end_of_authority && !is_relative {
        let begins = start == of_authority || before.ends_with('@');
        let is_last = end == end_of_authority;
        return match before.chars().last() {
            _ if begins && is_last => Part::Authority,
            Some(':') => Part::Port,
            Some(c) if is_last && (c == '}' || c.is_ascii_alphanumeric()) => Part::HostOrPath,
            _ => Part::Host,
        };
    }
    let is_whole =
        before.ends_with(['/', '}']) && (after.is_empty() || after.starts_with(['/', '?', '$']));
    if is_whole {
        Part::Segments
    } else {
        Part::Segment
    }
}

/// Returns a template of the same length with letters in place of its settings.
fn without_settings(template: &str) -> String {
    let mut res = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(start) = rest.find("${") {
        let end = rest[start..]
            .find('}')
            .map_or(rest.len(), |end| start + end + 1);
        res.push_str(&rest[..start]);
        res.extend(std::iter::repeat_n('x', end - start));
        rest = &rest[end..];
    }
    res.push_str(rest);
    res
}

impl Part {
    /// Returns a value as this part has it.
    fn written(self, key: &str, value: &str) -> Result<String, MisplacedValue> {
        let refused = |place, expected| {
            let key = key.to_owned();
            Err(MisplacedValue {
                key,
                place,
                expected,
            })
        };
        match self {
            Self::Whole => return Ok(value.to_owned()),
            Self::Login | Self::InQuery => return Ok(percent_encoded(value)),
            Self::Query => return Ok(encoded(value, Keep::Query)),
            _ => {}
        }
        let value = value.trim();
        let is_path = value.starts_with('/');
        match self {
            Self::Scheme if !is_scheme(value) => refused("scheme", "a word such as `https`"),
            Self::Port if !is_port(value) => refused("port", "a number"),
            Self::Authority if !is_authority(value) => refused(
                "host",
                "a name such as `api.example.com`, with a port at most",
            ),
            Self::Host if !is_host_part(value) => {
                refused("host", "letters, digits, `-` and `.` only")
            }
            Self::HostOrPath if !is_path && !is_host_part(value) => {
                refused("host", "letters, digits, `-` and `.` only")
            }
            Self::Segments | Self::Segment | Self::HostOrPath if leads_away(value) => {
                refused("path", "no part that is `.` or `..`")
            }
            Self::Segments => Ok(segments(value)),
            Self::HostOrPath if is_path => Ok(segments(value)),
            Self::Segment => Ok(percent_encoded(value)),
            _ => Ok(value.to_owned()),
        }
    }
}

fn is_scheme(value: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    value.starts_with(|c: char| c.is_ascii_alphabetic()) && value.chars().all(is_letter)
}

fn is_port(value: &str) -> bool {
    value.parse::<u16>().is_ok_and(|port| port != 0)
}

/// Returns true for a part of the name of a host; none of its labels is empty, unless the value is.
fn is_host_part(value: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
    value.chars().all(is_letter) && !value.contains("..")
}

fn is_authority(value: &str) -> bool {
    if let Some(inner) = value.strip_prefix('[') {
        let is_digit = |c: char| c.is_ascii_hexdigit() || ":.".contains(c);
        let found = inner.split_once(']');
        return found.is_some_and(|(address, rest)| {
            let port = rest.strip_prefix(':');
            address.chars().all(is_digit) && (rest.is_empty() || port.is_some_and(is_port))
        });
    }
    let (host, port) = value.split_once(':').unwrap_or((value, "80"));
    !host.is_empty() && is_host_part(host) && is_port(port)
}

/// Returns true for a path with a part that leads to another directory, in any encoding.
fn leads_away(value: &str) -> bool {
    let plain = percent_decoded(value);
    let mut parts = plain.split(|byte| matches!(byte, b'/' | b'\\'));
    parts.any(|part| part == b"." || part == b"..")
}

/// Returns the segments of a path, each percent-encoded.
fn segments(value: &str) -> String {
    let parts = value.split('/').map(percent_encoded);
    parts.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the address with `value` for every setting, or the place that refuses it.
    #[track_caller]
    fn check(template: &str, value: &str, expected: &str) {
        let found = match fill_address(template, |_| Some(value.to_owned())) {
            Ok(filled) => filled.url,
            Err(error) => format!("no {}", error.place),
        };
        assert_eq!(found, expected, "{template} {value}");
    }

    #[test]
    fn values_stay_in_their_part() {
        for (template, value, expected) in [
            ("https://${A}.a.example/v1", "eu", "https://eu.a.example/v1"),
            ("https://${A}.a.example/v1", "evil.example/", "no host"),
            ("https://${A}.a.example/v1", "x@evil", "no host"),
            ("https://${A}.a.example/v1", "evil.example?", "no host"),
            ("https://${A}.a.example/v1", "evil.example#", "no host"),
            ("https://${A}.a.example/v1", "evil.example:80\\", "no host"),
            ("https://${A}.a.example/v1", "a..b", "no host"),
            (
                "https://${A}/v1",
                "b.example:8080",
                "https://b.example:8080/v1",
            ),
            ("https://${A}/v1", "[::1]:80", "https://[::1]:80/v1"),
            ("https://${A}/v1", "u@b.example", "no host"),
            ("https://${A}/v1", "b.example/x", "no host"),
            (
                "https://a.example:${A}/v1",
                "8443",
                "https://a.example:8443/v1",
            ),
            ("https://a.example:${A}/v1", "80@evil.example", "no port"),
            (
                "https://a.example/${A}/x",
                "a/v2",
                "https://a.example/a/v2/x",
            ),
            ("https://a.example/${A}/x", "..", "no path"),
            ("https://a.example/${A}/x", "a/%2e%2e/b", "no path"),
            (
                "https://a.example/${A}/x",
                "a?b#c d",
                "https://a.example/a%3Fb%23c%20d/x",
            ),
            ("https://a.example/v${A}/x", "1/../2", "no path"),
            (
                "https://a.example/v${A}/x",
                "1/2",
                "https://a.example/v1%2F2/x",
            ),
            (
                "https://a.example/x?k=${A}",
                "1&b=2",
                "https://a.example/x?k=1%26b%3D2",
            ),
            (
                "https://a.example/x?${A}",
                "k=1&b=2#c",
                "https://a.example/x?k=1&b=2%23c",
            ),
            (
                "https://u:${A}@a.example/x",
                "p@ss/w",
                "https://u:p%40ss%2Fw@a.example/x",
            ),
            ("${A}://a.example/x", "http", "http://a.example/x"),
            ("${A}://a.example/x", "https://evil.example/", "no scheme"),
            ("${A}", "https://b.example/x?k=1", "https://b.example/x?k=1"),
            (
                "${A}/v1",
                "https://b.example/x/?k=1#c",
                "https://b.example/x/v1?k=1",
            ),
            ("/v1/${A}", "..", "no path"),
        ] {
            check(template, value, expected);
        }
    }

    #[test]
    fn a_password_that_is_not_encoded_is_refused() {
        for (template, value) in [
            ("${A}/v1", "http://me:Secret99#x@127.0.0.1:80/b"),
            ("${A}/v1", "http://me:Secret99?x@127.0.0.1:80/b"),
            ("${A}/v1", "http://me:Secret99/x@127.0.0.1:80/b"),
            ("${A}/v1", "http://me:99#x@127.0.0.1:80/b"),
            ("${A}", "http://tok#en@127.0.0.1:80/b"),
        ] {
            check(template, value, "no beginning");
        }
        check("${A}/v1", "http://a.example/#x@y", "http://a.example/v1");
    }

    #[test]
    fn settings_without_a_value_stay() {
        let url = "https://${A}.${B}${C}?k=${A}";
        let value = |key: &str| (key == "C").then(|| "/v1".to_owned());
        let found = fill_address(url, value).expect("no value is misplaced");
        assert_eq!(found.url, "https://${A}.${B}/v1?k=${A}");
        assert_eq!(found.missing, ["A", "B"]);
        assert_eq!(found.of_host, ["A", "B", "C"]);
    }
}
