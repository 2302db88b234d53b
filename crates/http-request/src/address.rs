//! Secrets in the address of a server: the login before its host, and values of its query.

use std::ops::Range;

use data_encoding::BASE64;

use crate::encode::percent_decoded;
use crate::ordinary::is_ordinary;
use crate::session_names::is_secret_query;

/// The text in place of a secret.
const MASK: &str = "***";

/// Returns the place of the login in an address: user name and password, before the `@`.
///
/// ```
/// let url = "https://user:word@api.example/v1";
/// assert_eq!(http_request::login(url).map(|login| &url[login]), Some("user:word"));
/// ```
pub fn login(url: &str) -> Option<Range<usize>> {
    let start = url.find("://").map_or(0, |at| at + 3);
    let end = url[start..].find(['/', '?', '#', '\\']);
    let end = end.map_or(url.len(), |end| start + end);
    let at = url[start..end].rfind('@')?;
    Some(start..start + at)
}

/// Returns an address without its login.
pub fn without_login(url: &str) -> String {
    match login(url) {
        Some(login) => format!("{}{}", &url[..login.start], &url[login.end + 1..]),
        None => url.to_owned(),
    }
}

/// Returns the value of the header `Authorization` for the login of an address, as browsers send it
/// (RFC 7617); `None` if the address has none.
pub fn basic_of(url: &str) -> Option<String> {
    let login = &url[login(url)?];
    let (user, password) = login.split_once(':').unwrap_or((login, ""));
    let mut plain = percent_decoded(user);
    plain.push(b':');
    plain.extend(percent_decoded(password));
    Some(format!("Basic {}", BASE64.encode(&plain)))
}

/// Returns the secrets of an address ([`secret_places`]), as they are written and without percent-encoding.
pub fn secrets_of(url: &str) -> Vec<String> {
    let mut res: Vec<String> = Vec::new();
    for range in secret_places(url) {
        let written = &url[range];
        let plain = String::from_utf8_lossy(&percent_decoded(written)).into_owned();
        for form in [written.to_owned(), plain] {
            if !form.is_empty() && !res.contains(&form) {
                res.push(form);
            }
        }
    }
    res
}

/// Returns the places of the secrets of an address, in their order: the password, or the name of a user
/// without one, and the values of the query whose names say so.
pub fn secret_places(url: &str) -> impl Iterator<Item = Range<usize>> {
    let of_login = login(url).map(|login| match url[login.clone()].split_once(':') {
        Some((user, "")) => login.start..login.start + user.len(),
        Some((user, _)) => login.start + user.len() + 1..login.end,
        None => login,
    });
    of_login.into_iter().chain(secret_values(url))
}

/// Returns an address for people: `***` in place of its login and of secret values of its query.
///
/// ```
/// assert_eq!(
///     http_request::shown("https://user:word@api.example/v1?api_key=k1&page=2"),
///     "https://***@api.example/v1?api_key=***&page=2",
/// );
/// ```
pub fn shown(url: &str) -> String {
    let hidden = login(url).or_else(|| broken_login(url));
    let in_query = secret_values(url);
    let mut res = String::with_capacity(url.len());
    let mut at = 0;
    for range in hidden.into_iter().chain(in_query) {
        if range.start < at {
            continue;
        }
        res.push_str(&url[at..range.start]);
        res.push_str(MASK);
        at = range.end;
    }
    res.push_str(&url[at..]);
    res
}

/// Returns the places of the secret values in the query and the fragment of an address, in their order.
pub fn secret_values(url: &str) -> impl Iterator<Item = Range<usize>> {
    let start = url.find(['?', '#']).map_or(url.len(), |at| at + 1);
    let pairs = url[start..].split(['&', '#', ';', '?']);
    pairs.filter_map(move |pair| {
        let (name, value) = pair.split_once('=')?;
        let at = value.as_ptr() as usize - url.as_ptr() as usize;
        let is_secret = !value.is_empty() && is_secret_query(name) && !is_ordinary(name, value);
        is_secret.then_some(at..at + value.len())
    })
}

/// Returns the place of what may be a login whose password has an unescaped `/`, `?` or `#`, so that the
/// address cannot be read: everything up to the last `@`.
pub fn broken_login(url: &str) -> Option<Range<usize>> {
    let start = url.find("://").map_or(0, |at| at + 3);
    let end = url[start..].find(['/', '?', '#', '\\'])? + start;
    // The address of a server has no fragment after its host.
    let is_fragment = url[end..].starts_with('#');
    let port = url[start..end].rsplit_once(':').map(|(_, port)| port);
    let is_port =
        |port: &str| port.bytes().all(|byte| byte.is_ascii_digit()) || port.ends_with([']', '}']);
    let is_host = !is_fragment && port.is_none_or(is_port) && !is_password(url, start, end);
    let last = url[start..].rfind('@').filter(|_| !is_host)?;
    Some(start..start + last)
}

/// Returns true if what looks like a port and a path is a password with a slash: `me:123/45@host`. A path
/// begins with a name or `@` there, as in `npm:4873/lodash@4.17.21`, and no host has a point before its port.
fn is_password(url: &str, start: usize, end: usize) -> bool {
    let user = url[start..end].split(':').next().unwrap_or_default();
    let rest = &url[end + 1..];
    let rest = &rest[..rest.find(char::is_whitespace).unwrap_or(rest.len())];
    let Some((word, host)) = rest.split_once('@').filter(|_| url[end..].starts_with('/')) else {
        return false;
    };
    let is_name = user.contains(['.', '[']) || user.is_empty() || user == "localhost";
    let is_segment = word.starts_with(|c: char| c.is_ascii_digit()) && !word.contains('/');
    let is_version =
        host.starts_with(|c: char| c.is_ascii_digit()) && host.matches('.').count() < 3;
    !is_name && is_segment && !host.is_empty() && !is_version
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(url: &str, expected: &str, basic: Option<&str>, without: &str) {
        assert_eq!(shown(url), expected, "{url}");
        assert_eq!(basic_of(url).as_deref(), basic, "{url}");
        assert_eq!(without_login(url), without, "{url}");
    }

    #[test]
    fn secrets_of_an_address_are_masked_and_its_login_is_sent() {
        let host = "https://a.example/x";
        check(host, host, None, host);
        check(
            "https://user:p%40ss@a.example/x",
            "https://***@a.example/x",
            Some("Basic dXNlcjpwQHNz"),
            host,
        );
        check(
            "https://t0ken@a.example/x",
            "https://***@a.example/x",
            Some("Basic dDBrZW46"),
            host,
        );
        let query = "https://a.example/x?apiKey=1&page=2&subscription-key=3&x=#token=4";
        let hidden = "https://a.example/x?apiKey=***&page=2&subscription-key=***&x=#token=***";
        check(query, hidden, None, query);
        let words = "https://a.example/x?key=name&session=morning&code=en&page_token=next";
        check(words, words, None, words);
        let scope = "https://a.example:8080/@scope?sort=a@b";
        check(scope, scope, None, scope);
        let broken = "https://user:pa/ss@a.example/x";
        check(broken, "https://***@a.example/x", None, broken);
        let broken = "https://user:99#pass@a.example/x";
        check(broken, "https://***@a.example/x", None, broken);
        let slash = "http://me:123/45@a.example/x";
        check(slash, "http://***@a.example/x", None, slash);
        for path in [
            "http://npm:4873/lodash@4.17.21",
            "http://npm:4873/3d-view@1.2.0",
            "http://web:8080/users/ann@a.example",
            "http://a.example:8080/12@b.example",
            "http://localhost:8080/12@b",
        ] {
            check(path, path, None, path);
        }
        check(
            "user:w@a.example",
            "***@a.example",
            Some("Basic dXNlcjp3"),
            "a.example",
        );
    }

    #[test]
    fn secrets_of_an_address() {
        let url = "https://u:pw%21@a.example?token=t1&q=2";
        assert_eq!(secrets_of(url), ["pw%21", "pw!", "t1"]);
        assert_eq!(secrets_of("https://tok@a.example"), ["tok"]);
    }
}
