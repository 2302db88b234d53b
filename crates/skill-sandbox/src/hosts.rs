//! Hosts and ports of an allow-list.

use std::fmt;
use std::net::IpAddr;

use serde::{Deserialize, Serialize};

/// A host, or several, that may be connected to at one port.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct HostPort {
    /// The host.
    pub host: Host,
    /// The TCP port.
    pub port: u16,
}

/// A host, or several.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Host {
    /// The host of this name: lower case, without a dot at the end. `localhost` is the machine that the
    /// tool runs on (RFC 6761).
    Name(String),
    /// Every host whose name ends with a dot and this.
    Below(String),
    /// The host at this address, which needs no name.
    Address(IpAddr),
}

impl Host {
    /// Whether a name in lower case is one of those that are meant.
    pub fn is_named(&self, name: &str) -> bool {
        match self {
            Self::Name(own) => own == name,
            Self::Below(domain) => name
                .strip_suffix(domain.as_str())
                .and_then(|head| head.strip_suffix('.'))
                .is_some_and(|head| !head.is_empty()),
            Self::Address(_) => false,
        }
    }
}

impl fmt::Display for HostPort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let port = self.port;
        match &self.host {
            Host::Name(name) => write!(f, "{name}:{port}"),
            Host::Below(domain) => write!(f, "*.{domain}:{port}"),
            Host::Address(IpAddr::V6(address)) => write!(f, "[{address}]:{port}"),
            Host::Address(address) => write!(f, "{address}:{port}"),
        }
    }
}
