//! Hosts and ports of an allow-list.

use std::fmt;
use std::net::IpAddr;

use serde::{Deserialize, Serialize};

/// One or more hosts that may be connected to at one port.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct HostPort {
    /// The host.
    pub host: Host,
    /// The TCP port.
    pub port: u16,
}

/// One or more hosts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Host {
    /// The host with this name: lower case, without a trailing dot. `localhost` is the machine that
    /// the tool runs on (RFC 6761).
    Name(String),
    /// Every host whose name ends with a dot followed by this domain.
    Below(String),
    /// The host at this address; no name is looked up.
    Address(IpAddr),
}

impl Host {
    /// Returns true if `name`, in lower case, is one of these hosts.
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
