//! The settings of the HTTP server: which requests are accepted, and the limits of a client.

use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;

use skill_loader::Digest;
use thiserror::Error;

/// HTTP configuration.
#[derive(Clone, Default, Debug)]
pub struct HttpSettings {
    /// The token that every request except `/healthz` must carry as `Authorization: Bearer`.
    pub token: Option<Token>,
    /// Names besides the loopback names that requests may be addressed to, without a port.
    pub hosts: Vec<String>,
    /// Origins besides the server's own that browsers may send: `https://agent.example`.
    pub origins: Vec<String>,
    /// The limits of one client.
    pub limits: HttpLimits,
}

/// Settings that would let anyone in.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SettingsError {
    /// Anyone on the network could read skills and, if allowed, run them.
    #[error("{0} is not a loopback address, so a token is needed")]
    OpenToAll(SocketAddr),
    /// The token would be easy to guess.
    #[error("the token has {0} characters, expected 16 to 4096 visible ones")]
    Token(usize),
}

/// A text is not an address to listen at.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("`{0}` is not an address to listen at; expected IP:PORT, localhost:PORT or PORT")]
pub struct AddressError(String);

/// Parses an address to listen at: `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080`, or a port of
/// 127.0.0.1.
///
/// # Errors
///
/// The text is neither.
pub fn parse_address(text: &str) -> Result<SocketAddr, AddressError> {
    let port = text.strip_prefix("localhost:").unwrap_or(text);
    if let Ok(port) = port.parse::<u16>() {
        return Ok(SocketAddr::from(([127, 0, 0, 1], port)));
    }
    let parsed = text.parse();
    parsed.map_err(|_| AddressError(text.escape_debug().to_string()))
}

impl HttpSettings {
    /// Checks that a token is set unless the address is a loopback address.
    ///
    /// # Errors
    ///
    /// [`SettingsError::OpenToAll`] for any other address without a token.
    pub fn check(&self, address: SocketAddr) -> Result<(), SettingsError> {
        if address.ip().is_loopback() || self.token.is_some() {
            Ok(())
        } else {
            Err(SettingsError::OpenToAll(address))
        }
    }
}

/// The limits of clients.
#[derive(Clone, PartialEq, Debug)]
pub struct HttpLimits {
    /// The maximum size of the body of a request, in bytes.
    pub body_bytes: usize,
    /// The longest time for the head of a request, and again for its body.
    pub request_time: Duration,
    /// The longest time without a request before a session ends.
    pub session_idle: Duration,
    /// The maximum number of open connections of all clients.
    pub connections: usize,
    /// The maximum number of open connections of one address.
    pub connections_each: usize,
    /// The maximum number of sessions of all clients.
    pub sessions: usize,
    /// The average number of requests per second of one client. A client is a session, or an
    /// address if there is no session.
    pub rate: f64,
    /// The maximum number of requests of one client at once.
    pub burst: f64,
    /// The maximum number of requests in progress of one client.
    pub in_flight: usize,
}

impl Default for HttpLimits {
    fn default() -> Self {
        Self {
            body_bytes: crate::stdio::MAX_LINE,
            request_time: Duration::from_secs(10),
            session_idle: Duration::from_mins(5),
            connections: 8_192,
            connections_each: 4_096,
            // Each takes 30 to 90 kB, most of it in the SDK.
            sessions: 2_048,
            rate: 2_000.0,
            burst: 10_000.0,
            in_flight: 256,
        }
    }
}

/// A secret that is stored and compared only as its digest.
#[derive(Clone)]
pub struct Token(Digest);

impl Token {
    /// Creates a token from a secret, without the whitespace around it.
    ///
    /// # Errors
    ///
    /// [`SettingsError::Token`] unless the secret has 16 to 4096 visible ASCII characters.
    pub fn new(text: &str) -> Result<Self, SettingsError> {
        let text = text.trim();
        let is_fine = text.chars().all(|c| c.is_ascii_graphic());
        if is_fine && (16..=4096).contains(&text.len()) {
            Ok(Self(Digest::from_content(text.as_bytes())))
        } else {
            Err(SettingsError::Token(text.chars().count()))
        }
    }

    /// Returns true if `secret` is this token. The time does not depend on the position of the
    /// first difference.
    pub(super) fn matches(&self, secret: &str) -> bool {
        let (known, sent) = (self.0.hex(), Digest::from_content(secret.as_bytes()).hex());
        let pairs = known.bytes().zip(sent.bytes());
        let differing = pairs.fold(0, |acc, (a, b)| acc | (a ^ b));
        std::hint::black_box(differing) == 0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_to_listen_at() {
        for (text, expected) in [
            ("127.0.0.1:80", Some("127.0.0.1:80")),
            ("[::1]:0", Some("[::1]:0")),
            ("localhost:8080", Some("127.0.0.1:8080")),
            ("8080", Some("127.0.0.1:8080")),
            ("localhost", None),
            ("example.org:80", None),
            ("99999", None),
        ] {
            let found = parse_address(text).map(|it| it.to_string()).ok();
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}
