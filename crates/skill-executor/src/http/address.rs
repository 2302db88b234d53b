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
    pub fn redirected(&self, location: &str) -> Result<Self, String> {
        if location.contains("://") {
            return Self::read(location);
        }
        if let Some(rest) = location.strip_prefix("//") {
            return Self::read(&format!("{}://{rest}", self.scheme));
        }
        let path = self.path();
        let rest = match location.chars().next() {
            Some('/') => location.to_owned(),
            Some('?') => format!("{path}{location}"),
            _ => format!(
                "{}/{location}",
                path.rsplit_once('/').map_or("", |(dir, _)| dir)
            ),
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
