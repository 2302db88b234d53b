//! Decides on names and connections.

use std::collections::{BTreeMap, BTreeSet};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use crate::addresses::LOCALHOST;
use crate::hosts::{Host, HostPort};
use crate::policy::Server;

/// The decision on a connection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// The connection is reset.
    Refuse,
    /// The connection is forwarded to this host, a name or an address, and this port.
    PassOn {
        host: String,
        port: u16,
        /// Bytes that the host gets before those of the child.
        greeting: Vec<u8>,
    },
}

/// Decides on the names and connections of a child. One value decides on both, because it assigns
/// the addresses by which connections refer to names.
pub(crate) trait Decide: Send {
    /// Returns the address inside that represents a name (lower case, without a trailing dot);
    /// `None` if the name does not exist.
    fn name(&mut self, name: &str) -> Option<Ipv4Addr>;

    /// Decides on a connection to this address inside.
    fn connection(&mut self, to: SocketAddr) -> Verdict;
}

/// The addresses that were assigned to names.
#[derive(Clone, Default, Debug)]
struct Addresses {
    of_names: BTreeMap<String, Ipv4Addr>,
    names: BTreeMap<Ipv4Addr, String>,
}

impl Addresses {
    /// Returns the address of a name, which stays the same; `None` if there are too many.
    fn assign(&mut self, name: &str) -> Option<Ipv4Addr> {
        if name == LOCALHOST {
            return Some(Ipv4Addr::LOCALHOST);
        }
        if let Some(address) = self.of_names.get(name) {
            return Some(*address);
        }
        let number = u32::try_from(self.of_names.len()).ok()?;
        if number >= MOST_NAMES {
            return None;
        }
        // The first address of a network denotes the network itself.
        let address = Ipv4Addr::from(u32::from(NAMES.0) + 1 + number);
        self.of_names.insert(name.to_owned(), address);
        self.names.insert(address, name.to_owned());
        Some(address)
    }

    /// Returns the name that an address represents.
    fn name(&self, address: IpAddr) -> Option<&str> {
        match address {
            IpAddr::V4(Ipv4Addr::LOCALHOST) | IpAddr::V6(Ipv6Addr::LOCALHOST) => Some(LOCALHOST),
            IpAddr::V4(address) => self.names.get(&address).map(String::as_str),
            IpAddr::V6(_) => None,
        }
    }
}

/// The addresses that represent names: a network for benchmarks that is not a part of the internet
/// (198.18.0.0/15, RFC 2544).
pub(crate) const NAMES: (Ipv4Addr, u8) = (Ipv4Addr::new(198, 18, 0, 0), 15);

/// The address for DNS queries: the one that libraries use by default.
pub(crate) const DNS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 53);

/// The maximum number of names that get an address: the child chooses those of `*.domain`.
const MOST_NAMES: u32 = 4096;

/// The maximum number of addresses of one port with a listener each.
const MOST_AT_A_PORT: usize = 64;

/// Allows the hosts and ports of a list.
#[derive(Clone, Debug)]
pub(crate) struct AllowList {
    entries: Vec<HostPort>,
    addresses: Addresses,
}

impl AllowList {
    /// Assigns an address to every name of the list.
    pub(crate) fn new(entries: &[HostPort]) -> Self {
        let mut list = Self {
            entries: entries.to_vec(),
            addresses: Addresses::default(),
        };
        for entry in entries {
            if let Host::Name(name) = &entry.host {
                list.addresses.assign(name);
            }
        }
        list
    }

    /// Returns the addresses outside that the child may connect to directly, without loopback
    /// addresses.
    pub(crate) fn literals(&self) -> BTreeSet<IpAddr> {
        let literals = self.entries.iter().filter_map(|entry| match entry.host {
            Host::Address(address) => Some(address),
            Host::Name(_) | Host::Below(_) => None,
        });
        literals.filter(|address| !address.is_loopback()).collect()
    }

    /// Returns the addresses to listen on. If a port has too many addresses, or not all of them are
    /// known, one listener takes all addresses of the port; each connection is then checked by its
    /// address.
    pub(crate) fn listened(&self) -> BTreeSet<SocketAddr> {
        let mut found: BTreeSet<SocketAddr> = BTreeSet::new();
        let mut whole: BTreeSet<u16> = BTreeSet::new();
        for HostPort { host, port } in &self.entries {
            match host {
                Host::Below(_) => drop(whole.insert(*port)),
                Host::Address(address) => drop(found.insert(SocketAddr::new(*address, *port))),
                Host::Name(name) if name == LOCALHOST => {
                    found.insert((Ipv4Addr::LOCALHOST, *port).into());
                    found.insert((Ipv6Addr::LOCALHOST, *port).into());
                }
                Host::Name(name) => {
                    let address = self.addresses.of_names.get(name).copied();
                    found.extend(address.map(|address| SocketAddr::new(address.into(), *port)));
                }
            }
        }
        whole.extend(crowded(&found));
        found.retain(|at| at.is_ipv6() || !whole.contains(&at.port()));
        let whole = whole.into_iter();
        found.extend(whole.map(|port| SocketAddr::from((Ipv4Addr::UNSPECIFIED, port))));
        found
    }

    fn allows_name(&self, name: &str, port: u16) -> bool {
        let mut entries = self.entries.iter();
        entries.any(|entry| entry.port == port && entry.host.is_named(name))
    }

    fn allows_address(&self, address: IpAddr, port: u16) -> bool {
        let mut entries = self.entries.iter();
        entries.any(|entry| entry.port == port && entry.host == Host::Address(address))
    }

    /// Returns the host that an address represents.
    fn host(&self, address: IpAddr, port: u16) -> Option<String> {
        if self.allows_address(address, port) {
            return Some(address.to_string());
        }
        let name = self.addresses.name(address)?;
        self.allows_name(name, port).then(|| name.to_owned())
    }
}

/// Returns the ports with too many addresses for a listener each.
fn crowded(found: &BTreeSet<SocketAddr>) -> BTreeSet<u16> {
    let mut counts: BTreeMap<u16, usize> = BTreeMap::new();
    for at in found.iter().filter(|at| at.is_ipv4()) {
        *counts.entry(at.port()).or_default() += 1;
    }
    counts.retain(|_, count| *count > MOST_AT_A_PORT);
    counts.into_keys().collect()
}

impl Decide for AllowList {
    fn name(&mut self, name: &str) -> Option<Ipv4Addr> {
        let is_local = name == LOCALHOST || name.ends_with(".localhost");
        if is_local {
            return Some(Ipv4Addr::LOCALHOST);
        }
        let is_allowed = self.entries.iter().any(|entry| entry.host.is_named(name));
        is_allowed.then(|| self.addresses.assign(name)).flatten()
    }

    fn connection(&mut self, to: SocketAddr) -> Verdict {
        let port = to.port();
        match self.host(to.ip().to_canonical(), port) {
            Some(host) => Verdict::PassOn {
                host,
                port,
                greeting: Vec::new(),
            },
            None => Verdict::Refuse,
        }
    }
}

/// Forwards every allowed connection to one server of this machine, which gets a line with the host and
/// the port before the bytes of the child.
#[derive(Clone, Debug)]
pub(crate) struct Emulated {
    /// The hosts that may be reached; all without it.
    only: Option<AllowList>,
    addresses: Addresses,
    server: Server,
}

impl Emulated {
    pub(crate) fn new(only: Option<AllowList>, server: Server) -> Self {
        Self {
            only,
            addresses: Addresses::default(),
            server,
        }
    }

    /// Returns the host that an address represents.
    fn host(&mut self, to: SocketAddr) -> Option<String> {
        let address = to.ip().to_canonical();
        match &self.only {
            Some(only) => only.host(address, to.port()),
            None => {
                let name = self.addresses.name(address);
                Some(name.map_or_else(|| address.to_string(), str::to_owned))
            }
        }
    }
}

impl Decide for Emulated {
    fn name(&mut self, name: &str) -> Option<Ipv4Addr> {
        match &mut self.only {
            Some(only) => only.name(name),
            None if name.is_empty() => None,
            None if name.ends_with(".localhost") => Some(Ipv4Addr::LOCALHOST),
            None => self.addresses.assign(name),
        }
    }

    fn connection(&mut self, to: SocketAddr) -> Verdict {
        let Some(host) = self.host(to) else {
            return Verdict::Refuse;
        };
        let Server { port, mark } = &self.server;
        Verdict::PassOn {
            host: Ipv4Addr::LOCALHOST.to_string(),
            port: *port,
            greeting: format!("{mark} {host} {}\n", to.port()).into_bytes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(text: &str) -> HostPort {
        let (host, port) = text.rsplit_once(':').unwrap();
        let host = match (host.strip_prefix("*."), host.parse()) {
            (Some(domain), _) => Host::Below(domain.to_owned()),
            (None, Ok(address)) => Host::Address(address),
            (None, Err(_)) => Host::Name(host.to_owned()),
        };
        HostPort {
            host,
            port: port.parse().unwrap(),
        }
    }

    const LIST: [&str; 6] = [
        "a.example:443",
        "b.example:8443",
        "*.c.example:443",
        "192.0.2.7:25",
        "localhost:5432",
        "127.0.0.2:80",
    ];

    /// Checks the target of a connection to a name, or to an address that was not looked up.
    #[track_caller]
    fn check(host: &str, port: u16, expected: Option<&str>) {
        let mut list = AllowList::new(&LIST.map(entry));
        let literal = host.parse().ok();
        let address = literal.or_else(|| list.name(host).map(IpAddr::V4));
        let found = address.map(|address| list.connection((address, port).into()));
        let found = match found {
            Some(Verdict::PassOn { host, port, .. }) => Some(format!("{host}:{port}")),
            Some(Verdict::Refuse) | None => None,
        };
        assert_eq!(found.as_deref(), expected, "{host}:{port}");
    }

    #[test]
    fn hosts_and_ports_are_told_apart() {
        check("a.example", 443, Some("a.example:443"));
        check("a.example", 8443, None);
        check("b.example", 8443, Some("b.example:8443"));
        check("b.example", 443, None);
        check("x.c.example", 443, Some("x.c.example:443"));
        check("x.y.c.example", 443, Some("x.y.c.example:443"));
        check("c.example", 443, None);
        check("notc.example", 443, None);
        check("evil.example", 443, None);
        check("192.0.2.7", 25, Some("192.0.2.7:25"));
        check("192.0.2.7", 443, None);
        check("192.0.2.8", 25, None);
    }

    /// Checks the greeting that a server gets for a connection to a name or an address.
    #[track_caller]
    fn check_emulated(only: Option<&[&str]>, host: &str, port: u16, expected: Option<&str>) {
        let entries = |list: &[&str]| list.iter().map(|text| entry(text)).collect::<Vec<_>>();
        let only = only.map(|list| AllowList::new(&entries(list)));
        let mark = "m".to_owned();
        let mut emulated = Emulated::new(only, Server { port: 7, mark });
        let literal = host.parse().ok();
        let address = literal.or_else(|| emulated.name(host).map(IpAddr::V4));
        let verdict = address.map(|address| emulated.connection((address, port).into()));
        let greeting = match verdict {
            Some(Verdict::PassOn { greeting, .. }) => Some(String::from_utf8(greeting).unwrap()),
            Some(Verdict::Refuse) | None => None,
        };
        assert_eq!(greeting.as_deref(), expected, "{host}:{port}");
    }

    #[test]
    fn every_connection_has_a_greeting() {
        check_emulated(None, "a.example", 443, Some("m a.example 443\n"));
        check_emulated(None, "192.0.2.7", 25, Some("m 192.0.2.7 25\n"));
        check_emulated(None, "127.0.0.1", 80, Some("m localhost 80\n"));
        let only = Some(&LIST[..3]);
        check_emulated(only, "a.example", 443, Some("m a.example 443\n"));
        check_emulated(only, "x.c.example", 443, Some("m x.c.example 443\n"));
        check_emulated(only, "a.example", 80, None);
        check_emulated(only, "d.example", 443, None);
    }

    #[test]
    fn the_own_machine_is_named() {
        check("localhost", 5432, Some("localhost:5432"));
        check("127.0.0.1", 5432, Some("localhost:5432"));
        check("::1", 5432, Some("localhost:5432"));
        check("::ffff:127.0.0.1", 5432, Some("localhost:5432"));
        check("x.localhost", 80, None);
        check("127.0.0.2", 80, Some("127.0.0.2:80"));
        check("127.0.0.2", 5432, None);
        check("127.0.0.1", 80, None);
    }

    /// There are no listeners for addresses that the list does not allow.
    #[test]
    fn nobody_listens_for_what_is_refused() {
        let listened = |list: &[&str]| {
            let entries: Vec<_> = list.iter().map(|text| entry(text)).collect();
            let found = AllowList::new(&entries).listened();
            found
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(listened(&LIST[..2]), "198.18.0.1:443 198.18.0.2:8443");
        assert_eq!(
            listened(&LIST[3..]),
            "127.0.0.1:5432 127.0.0.2:80 192.0.2.7:25 [::1]:5432"
        );
        // The hosts of a domain are not known in advance.
        assert_eq!(listened(&LIST[..3]), "0.0.0.0:443 198.18.0.2:8443");
    }

    #[test]
    fn names_of_a_domain_are_bounded() {
        let mut list = AllowList::new(&[entry("*.c.example:443")]);
        let most = (0..5000).filter_map(|n| list.name(&format!("n{n}.c.example")));
        assert_eq!(most.count(), MOST_NAMES as usize);
        assert_eq!(
            list.name("n1.c.example"),
            Some(Ipv4Addr::new(198, 18, 0, 2))
        );
    }
}
