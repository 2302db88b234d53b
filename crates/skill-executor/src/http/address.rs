//! The address of a request.

use std::fmt;

use http_request::{basic_of, shown, without_login};

/// An address that a request goes to: scheme, host, port, and the rest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    /// `http` or `https`.
    pub scheme: String,
    /// In lower case, without brackets.
    pub host: String,
    /// Written, or that of the scheme.
    pub port: u16,
    /// Path and query; begins with `/`.
    pub rest: String,
}

impl Address {
    /// Reads the address of a server, which may have a login before its host. Returns it without the login,
    /// and the value of the header `Authorization` that the login is sent as.
    pub(crate) fn with_login(text: &str) -> Result<(Self, Option<String>), String> {
        Ok((Self::read(&without_login(text))?, basic_of(text)))
    }

    /// Reads an absolute address; the error is for people and has no secrets. User names in an address are
    /// refused: they make one host look like another.
    pub fn read(text: &str) -> Result<Self, String> {
        let wrong = |what: &str| {
            let text = shown(text);
            format!("`{text}` is not an address that can be requested: {what}")
        };
        let has_control = text.chars().any(|char| char.is_control() || char == ' ');
        if has_control {
            return Err(wrong("it holds a space or a control character"));
        }
        let (scheme, rest) = text
            .split_once("://")
            .ok_or_else(|| wrong("it has no scheme"))?;
        let scheme = scheme.to_ascii_lowercase();
        let usual = match scheme.as_str() {
            "http" => 80,
            "https" => 443,
            _ => return Err(wrong("only http and https are spoken")),
        };
        let end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
        let (authority, rest) = rest.split_at(end);
        if authority.contains('@') {
            return Err(wrong("it holds a user name"));
        }
        let (host, port) =
            host_and_port(authority).ok_or_else(|| wrong("its port is not a number"))?;
        if host.is_empty() || rest.starts_with('\\') {
            return Err(wrong("it has no host"));
        }
        let rest = rest.split('#').next().unwrap_or_default();
        let slash = if rest.starts_with('/') { "" } else { "/" };
        Ok(Self {
            scheme,
            host: host.to_ascii_lowercase(),
            port: port.unwrap_or(usual),
            rest: format!("{slash}{rest}"),
        })
    }

    /// Resolves a `Location` relative to this address.
    ///
    /// Source: RFC 3986 §5.2; blanks and signs outside of ASCII are percent-encoded, as browsers do.
    pub fn redirected(&self, location: &str) -> Result<Self, String> {
        let location = encoded(location.trim());
        if has_scheme(&location) {
            return Self::read(&location);
        }
        if let Some(rest) = location.strip_prefix("//") {
            return Self::read(&format!("{}://{rest}", self.scheme));
        }
        let location = location.split('#').next().unwrap_or_default();
        let (to, query) = match location.split_once('?') {
            Some((to, query)) => (to, Some(query)),
            None => (location, None),
        };
        let path = self.path();
        let rest = match (to, query) {
            ("", None) => self.rest.clone(),
            ("", Some(query)) => format!("{path}?{query}"),
            (to, query) => {
                let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
                let whole = if to.starts_with('/') {
                    to.to_owned()
                } else {
                    format!("{directory}/{to}")
                };
                let query = query.map_or_else(String::new, |query| format!("?{query}"));
                format!("{}{query}", without_dots(&whole))
            }
        };
        Self::read(&format!("{}{rest}", self.origin()))
    }

    /// The path, without the query.
    pub(crate) fn path(&self) -> &str {
        self.rest.split('?').next().unwrap_or_default()
    }

    /// Scheme, host and port.
    pub fn origin(&self) -> String {
        let host = &self.host;
        let brackets = if host.contains(':') {
            ("[", "]")
        } else {
            ("", "")
        };
        format!(
            "{}://{}{host}{}:{}",
            self.scheme, brackets.0, brackets.1, self.port
        )
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.origin(), self.rest)
    }
}

/// Returns true for an address with a scheme, such as `https://a.example` or `mailto:a@b.example`.
fn has_scheme(text: &str) -> bool {
    let end = text.find([':', '/', '?', '#']).unwrap_or(text.len());
    let (scheme, rest) = text.split_at(end);
    let is_part = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    rest.starts_with(':')
        && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(is_part)
}

/// Returns true if the path of an address has `.` or `..`, which lead to another directory.
pub(crate) fn has_dots(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = rest.split(['?', '#']).next().unwrap_or_default();
    let mut parts = path.split(['/', '\\']).skip(1);
    parts.any(|part| matches!(with_dots(part).as_str(), "." | ".."))
}

/// Returns a part of a path with the dots that it has percent-encoded.
fn with_dots(part: &str) -> String {
    part.replace("%2e", ".").replace("%2E", ".")
}

/// Returns an address with percent-encoded blanks and signs outside of ASCII.
fn encoded(text: &str) -> String {
    let mut res = String::with_capacity(text.len());
    for c in text.chars() {
        if c == ' ' || !c.is_ascii() {
            res.push_str(&skill_model::percent_encoded(c.encode_utf8(&mut [0; 4])));
        } else {
            res.push(c);
        }
    }
    res
}

/// Returns a path without `.` and `..` (RFC 3986 §5.2.4), also percent-encoded ones.
fn without_dots(path: &str) -> String {
    let mut res: Vec<&str> = Vec::new();
    let parts = path.split('/').skip(1);
    let mut is_open = false;
    for part in parts {
        let plain = with_dots(part);
        is_open = matches!(plain.as_str(), "." | "..");
        match plain.as_str() {
            "." => {}
            ".." => drop(res.pop()),
            _ => res.push(part),
        }
    }
    let end = if is_open && !res.is_empty() { "/" } else { "" };
    format!("/{}{end}", res.join("/"))
}

/// Returns the host without brackets, and the explicit port; `None` for an invalid port.
fn host_and_port(authority: &str) -> Option<(&str, Option<u16>)> {
    let (host, port) = match authority.strip_prefix('[') {
        Some(inner) => {
            let (host, rest) = inner.split_once(']')?;
            (
                host,
                rest.strip_prefix(':')
                    .or_else(|| rest.is_empty().then_some(""))?,
            )
        }
        None => authority.split_once(':').unwrap_or((authority, "")),
    };
    let port = if port.is_empty() {
        None
    } else {
        Some(port.parse().ok()?)
    };
    Some((host, port))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares where a redirect from one address leads; empty for one that is refused.
    #[track_caller]
    fn check(location: &str, expected: &str) {
        let address = Address::read("https://a.example/one/two/three?q=1").unwrap();
        let found = address.redirected(location);
        let found = found.map(|it| it.to_string().replace(":443", ""));
        assert_eq!(found.unwrap_or_default(), expected, "{location}");
    }

    #[test]
    fn a_location_is_relative_to_its_address() {
        for (location, expected) in [
            ("four", "https://a.example/one/two/four"),
            ("./four?x=2", "https://a.example/one/two/four?x=2"),
            ("../four", "https://a.example/one/four"),
            ("../../../../four", "https://a.example/four"),
            ("%2e%2E/four", "https://a.example/one/four"),
            ("..", "https://a.example/one/"),
            (".", "https://a.example/one/two/"),
            ("/a/./b/../c", "https://a.example/a/c"),
            ("/", "https://a.example/"),
            ("?x=../2", "https://a.example/one/two/three?x=../2"),
            ("#top", "https://a.example/one/two/three?q=1"),
            ("", "https://a.example/one/two/three?q=1"),
            (
                "/login?next=https://b.example/#top",
                "https://a.example/login?next=https://b.example/",
            ),
            ("//b.example/x", "https://b.example/x"),
            ("HTTP://b.example", "http://b.example:80/"),
            ("/a b/ü", "https://a.example/a%20b/%C3%BC"),
            ("javascript:alert(1)", ""),
            ("mailto:a@b.example", ""),
            ("data:text/plain,x", ""),
            ("https:/x", ""),
        ] {
            check(location, expected);
        }
    }
}
