//! From `permissions.network` of METADATA.yml to the hosts that may be reached.

use std::ffi::OsStr;

use skill_model::{AllowedHost, HostPattern, Permissions};
use skill_sandbox::{Host, HostPort, Network};

use crate::envelope::{ErrorCode, Failure};
use crate::http::Address;
use crate::sandbox::Emulation;

/// Ports of an entry that names none: HTTP, HTTPS.
const WEB: [u16; 2] = [80, 443];

/// The variable with the address for the result of an asynchronous skill.
pub(crate) const CALLBACK: &str = "CALLBACK_BASE_URL";

/// The network of the program that `spec` starts.
///
/// `callback`: the address for the result of an asynchronous skill.
pub(crate) fn network(
    permissions: &Permissions,
    callback: Option<&OsStr>,
) -> Result<Network, Failure> {
    let mut hosts = match permissions.network.as_str() {
        "any" => return Ok(Network::Any),
        "allowlist" => listed(permissions)?.iter().flat_map(at_ports).collect(),
        _ => Vec::new(),
    };
    // An asynchronous skill answers over HTTP: to that host at that port, and no other.
    hosts.extend(callback.map(callback_host).transpose()?);
    hosts.sort_unstable();
    hosts.dedup();
    Ok(match hosts.as_slice() {
        [] => Network::None,
        _ => Network::Hosts(hosts),
    })
}

/// Returns the network with an emulated internet in place of the real one: a program reaches the same
/// hosts as before.
pub(crate) fn emulated(network: Network, emulation: Option<&Emulation>) -> Network {
    let Some(Emulation { server, ports }) = emulation else {
        return network;
    };
    let only = match network {
        Network::Hosts(hosts) => Some(hosts),
        Network::Any => None,
        other => return other,
    };
    Network::Emulated(skill_sandbox::Emulation {
        only,
        ports: ports.clone(),
        server: server.clone(),
    })
}

/// The entries of the allow-list. One that cannot be read is an error: without it the list would not
/// say what its author meant.
pub(crate) fn listed(permissions: &Permissions) -> Result<Vec<AllowedHost>, Failure> {
    let entries = permissions.network_allowlist.iter().enumerate();
    entries
        .map(|(number, entry)| {
            AllowedHost::parse(entry).map_err(|error| {
                let place = format!("/permissions/network_allowlist/{number}");
                let message = format!("METADATA.yml at {place}: {error}");
                Failure::new(ErrorCode::NotRunnable, message)
            })
        })
        .collect()
}

/// Returns true if an entry means this host, in lower case and without brackets, at this port. An
/// entry without a port means every port.
pub(crate) fn permits(entry: &AllowedHost, found: &str, port: u16) -> bool {
    let found = found.strip_suffix('.').unwrap_or(found);
    let is_host = match host(&entry.host) {
        Host::Address(address) => found.parse() == Ok(address),
        named => named.is_named(found),
    };
    is_host && entry.port.is_none_or(|own| own == port)
}

/// Returns the host of an entry at its port, or at the usual ones.
pub(crate) fn at_ports(entry: &AllowedHost) -> Vec<HostPort> {
    let ports = entry.port.map_or(WEB.to_vec(), |port| vec![port]);
    let host = host(&entry.host);
    let at = |port| HostPort {
        host: host.clone(),
        port,
    };
    ports.into_iter().map(at).collect()
}

fn host(pattern: &HostPattern) -> Host {
    match pattern {
        HostPattern::Name(name) => Host::Name(name.clone()),
        HostPattern::Below(domain) => Host::Below(domain.clone()),
        HostPattern::Address(address) => Host::Address(*address),
    }
}

/// Returns the host to which the program sends its result.
fn callback_host(url: &OsStr) -> Result<HostPort, Failure> {
    let url = url.to_string_lossy();
    let wrong = |why: String| {
        let message = format!("{CALLBACK}, the address that results are sent to: {why}");
        Failure::new(ErrorCode::NotRunnable, message)
    };
    let address = Address::read(&url).map_err(wrong)?;
    of_address(&address).map_err(wrong)
}

/// Returns the host and the port of an address.
pub(crate) fn of_address(address: &Address) -> Result<HostPort, String> {
    let Address { host, port, .. } = address;
    let bracketed = if host.contains(':') {
        format!("[{host}]:{port}")
    } else {
        format!("{host}:{port}")
    };
    let entry = AllowedHost::parse(&bracketed).map_err(|error| error.to_string())?;
    let host = self::host(&entry.host);
    Ok(HostPort { host, port: *port })
}

#[cfg(test)]
mod tests {

    use super::*;

    /// The network of these permissions: its hosts, or the message that refuses.
    #[track_caller]
    fn check(word: &str, list: &[&str], callback: Option<&str>, expected: &str) {
        let permissions = Permissions {
            network: word.to_owned(),
            network_allowlist: list.iter().map(|&entry| entry.to_owned()).collect(),
            filesystem: "skill".to_owned(),
            shared: Vec::new(),
            environment: Vec::new(),
            admin: false,
            approval: "none".to_owned(),
            approval_for: Vec::new(),
        };
        let found = match network(&permissions, callback.map(OsStr::new)) {
            Ok(Network::None) => "none".to_owned(),
            Ok(Network::Any | Network::Emulated(_)) => "any".to_owned(),
            Ok(Network::Hosts(hosts)) => hosts
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(" "),
            Err(failure) => failure.message,
        };
        assert!(
            found == expected || found.starts_with("METADATA") && found.contains(expected),
            "{found}"
        );
    }

    #[test]
    fn lists() {
        check("none", &["a.example"], None, "none");
        check("any", &["a.example"], None, "any");
        check("later", &["a.example"], None, "none");
        check("allowlist", &[], None, "none");
        check(
            "allowlist",
            &["a.example"],
            None,
            "a.example:80 a.example:443",
        );
        check(
            "allowlist",
            &[
                "*.a.example:8443",
                "[::1]:5432",
                "a.example:1",
                "A.example:1",
            ],
            None,
            "a.example:1 *.a.example:8443 [::1]:5432",
        );
    }

    #[test]
    fn an_entry_that_cannot_be_read_is_an_error() {
        let place = "/permissions/network_allowlist/1: `https://b/` contains more than a host";
        check("allowlist", &["a.example", "https://b/"], None, place);
    }

    #[test]
    fn callbacks() {
        let with = |url, expected| check("none", &[], Some(url), expected);
        with("http://127.0.0.1:8123/cb?x=1:2", "127.0.0.1:8123");
        with("http://localhost/cb", "localhost:80");
        with("https://[::1]/", "[::1]:443");
        with("https://Host.example:8443", "host.example:8443");
        check(
            "allowlist",
            &["a.example:1"],
            Some("http://127.0.0.1:2"),
            "a.example:1 127.0.0.1:2",
        );
    }
}
