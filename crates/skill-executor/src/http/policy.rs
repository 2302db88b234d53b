//! The hosts that may be requested.

use std::net::IpAddr;

use skill_model::{AllowedHost, Permissions};

use super::address::Address;
use crate::envelope::Failure;
use crate::network;

/// The hosts that a skill may reach.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Hosts {
    /// None.
    None,
    /// These.
    Listed(Vec<AllowedHost>),
    /// All.
    Any,
}

impl Hosts {
    /// Reads the hosts that METADATA.yml permits. An unknown word permits nothing.
    ///
    /// # Errors
    ///
    /// An entry of the list cannot be read.
    pub fn from_permissions(permissions: &Permissions) -> Result<Self, Failure> {
        Ok(match permissions.network.as_str() {
            "any" => Self::Any,
            "allowlist" => Self::Listed(network::listed(permissions)?),
            _ => Self::None,
        })
    }

    /// Returns the hosts together with that of an address, which the user chose.
    #[must_use]
    pub fn with(self, address: &Address) -> Self {
        let host = if address.host.contains(':') {
            format!("[{}]:{}", address.host, address.port)
        } else {
            format!("{}:{}", address.host, address.port)
        };
        let chosen = AllowedHost::parse(&host).ok();
        match self {
            Self::None => Self::Listed(chosen.into_iter().collect()),
            Self::Listed(mut list) => {
                list.extend(chosen);
                Self::Listed(list)
            }
            Self::Any => Self::Any,
        }
    }

    /// Returns true if this address may be requested.
    pub fn permit(&self, address: &Address) -> bool {
        match self {
            Self::None => false,
            Self::Any => true,
            Self::Listed(list) => list
                .iter()
                .any(|entry| network::permits(entry, &address.host, address.port)),
        }
    }
}

/// Returns true if a redirect leads from a host elsewhere to an address of this machine or of a private
/// network: who answers from outside must not have them asked. Addresses of the link, where clouds give
/// out credentials, are not asked for anybody.
pub(super) fn leads_inside(from: &Address, to: &Address) -> bool {
    is_inside(&to.host) && (!is_inside(&from.host) || is_of_link(&to.host))
}

/// Returns true for link-local addresses (RFC 3927).
fn is_of_link(host: &str) -> bool {
    let address = host.parse::<IpAddr>().map(|address| address.to_canonical());
    match address {
        Ok(IpAddr::V4(address)) => address.is_link_local(),
        Ok(IpAddr::V6(address)) => address.is_unicast_link_local(),
        Err(_) => false,
    }
}

/// Returns true for the names and addresses of this machine, its link and private networks (RFC 1918,
/// RFC 4193, RFC 6598, RFC 6761).
fn is_inside(host: &str) -> bool {
    let Ok(address) = host.parse::<IpAddr>() else {
        let host = host.trim_end_matches('.').to_ascii_lowercase();
        return host == "localhost" || host.ends_with(".localhost");
    };
    match address.to_canonical() {
        IpAddr::V4(address) => {
            address.is_loopback()
                || address.is_private()
                || address.is_link_local()
                || address.octets()[0] == 0
                || (address.octets()[0] == 100 && address.octets()[1] & 0xc0 == 64)
        }
        IpAddr::V6(address) => {
            address.is_loopback()
                || address.is_unspecified()
                || address.is_unique_local()
                || address.is_unicast_link_local()
        }
    }
}
