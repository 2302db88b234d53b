//! The hosts that may be requested.

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
