//! Hosts that the user gives to the program of an MCP server, besides those of METADATA.yml.
//!
//! The entry of a server seldom names the hosts that its program asks. The user names them: in the
//! setting of an `allow-hosts` guard, or as the address in any other setting of the skill. As with the
//! directories of a guard, only the user's file and store count, never a default or the environment.

use skill_model::{AllowedHost, GuardKind};
use skill_sandbox::{HostPort, Network};

use crate::call::Call;
use crate::envelope::{ErrorCode, Failure};
use crate::guards::in_file;
use crate::http::Address;
use crate::network;

/// The entry that means all hosts.
const ALL: &str = "*";

/// Returns the network with the hosts of the user.
pub(crate) fn add(network: Network, call: &Call<'_>) -> Result<Network, Failure> {
    let entry = call.skill.metadata.entry.as_ref();
    if entry.is_none_or(|entry| entry.mcp.is_none()) || matches!(network, Network::Any) {
        return Ok(network);
    }
    let (listed, has_all) = listed(call)?;
    if has_all {
        return Ok(Network::Any);
    }
    let mut hosts = match network {
        Network::Hosts(hosts) => hosts,
        _ => Vec::new(),
    };
    hosts.extend(listed);
    hosts.extend(addresses(call));
    hosts.sort_unstable();
    hosts.dedup();
    Ok(if hosts.is_empty() {
        Network::None
    } else {
        Network::Hosts(hosts)
    })
}

/// Returns the hosts in the values of guards, and whether one of them means all.
fn listed(call: &Call<'_>) -> Result<(Vec<HostPort>, bool), Failure> {
    let guards = call.skill.metadata.config.guards.iter();
    let (mut res, mut has_all) = (Vec::new(), false);
    for guard in guards.filter(|guard| guard.kind == GuardKind::AllowHosts) {
        let value = in_file(call, &guard.key).unwrap_or_default();
        let items = value.split([',', ';', ' ', '\n']).map(str::trim);
        for item in items.filter(|item| !item.is_empty()) {
            if item == ALL {
                has_all = true;
                continue;
            }
            let host = AllowedHost::parse(item).map_err(|error| {
                let message = format!("the setting `{}`: {error}", guard.key);
                Failure::new(ErrorCode::NotRunnable, message)
            })?;
            res.extend(network::at_ports(&host));
        }
    }
    Ok((res, has_all))
}

/// Returns the hosts of the addresses in the other settings.
fn addresses(call: &Call<'_>) -> Vec<HostPort> {
    let schema = call.skill.metadata.config.schema.as_ref();
    let properties = schema.and_then(|schema| schema.get("properties")?.as_object());
    let keys = properties
        .into_iter()
        .flat_map(|properties| properties.keys());
    let values = keys.filter_map(|key| in_file(call, key));
    let found = values.filter_map(|value| Some(Address::with_login(value.trim()).ok()?.0));
    found
        .filter_map(|address| network::of_address(&address).ok())
        .collect()
}
