//! Who may come in, and how much of the server one client may take.

use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;

use skill_loader::Digest;
use thiserror::Error;

/// What the HTTP side is told when it is made.
#[derive(Clone, Default, Debug)]
pub struct HttpSettings {
    /// What every request but `/healthz` must carry as `Authorization: Bearer`.
    pub token: Option<Token>,
    /// Hosts besides the loopback names that requests may be addressed to, without port.
    pub hosts: Vec<String>,
    /// Origins besides the server's own that browsers may send: `https://agent.example`.
    pub origins: Vec<String>,
    /// How much one client may take.
    pub limits: HttpLimits,
}

/// Settings that would let strangers in.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SettingsError {
    /// Everybody on the network could read and, if allowed, run skills.
    #[error("{0} is not a loopback address, so a token is needed")]
    OpenToAll(SocketAddr),
    /// The token would not be hard to guess.
    #[error("the token has {0} characters, expected 16 to 4096 visible ones")]
    Token(usize),
}

impl HttpSettings {
    /// Refuses an address beyond this machine without a token.
    pub fn check(&self, address: SocketAddr) -> Result<(), SettingsError> {
        if address.ip().is_loopback() || self.token.is_some() {
            Ok(())
        } else {
            Err(SettingsError::OpenToAll(address))
        }
    }
}

/// How much one client may take of the server.
#[derive(Clone, PartialEq, Debug)]
pub struct HttpLimits {
    /// Bytes of a request's body.
    pub body_bytes: usize,
    /// How long the head of a request may take, and its body again.
    pub request_time: Duration,
    /// How long a session may be silent.
    pub session_idle: Duration,
    /// Open connections, of all clients.
    pub connections: usize,
    /// Open connections of one address.
    pub connections_each: usize,
    /// Sessions, of all clients.
    pub sessions: usize,
    /// Requests a second of one client, over a long time. A client is a session, or an address
    /// if there is no session.
    pub rate: f64,
    /// Requests of one client at once.
    pub burst: f64,
    /// Requests of one client that are being answered.
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

/// A secret that is kept and compared as its digest only.
#[derive(Clone)]
pub struct Token(Digest);

impl Token {
    /// Takes a secret without the blanks around it.
    pub fn new(text: &str) -> Result<Self, SettingsError> {
        let text = text.trim();
        let is_fine = text.chars().all(|c| c.is_ascii_graphic());
        if is_fine && (16..=4096).contains(&text.len()) {
            Ok(Self(Digest::from_content(text.as_bytes())))
        } else {
            Err(SettingsError::Token(text.chars().count()))
        }
    }

    /// Whether this is the secret. Takes the same time wherever the first difference is.
    pub(super) fn is(&self, given: &str) -> bool {
        let (known, given) = (self.0.hex(), Digest::from_content(given.as_bytes()).hex());
        let pairs = known.bytes().zip(given.bytes());
        let differing = pairs.fold(0, |acc, (a, b)| acc | (a ^ b));
        std::hint::black_box(differing) == 0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}
