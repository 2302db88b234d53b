//! A private network with the relay as the only way out.
//!
//! No interface leads out of the namespace. `lo` has the addresses that represent hosts, and only
//! we listen there. So every way to connect (`connect`, `MSG_FASTOPEN`, MPTCP, UDP, raw sockets)
//! ends there too. Other addresses have no route.

use std::collections::BTreeSet;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, UdpSocket};
use std::path::Path;

use rustix::fs::{CWD, Mode, OFlags, open};
use rustix::io::Errno;
use rustix::mount::{
    MountFlags, MoveMountFlags, OpenTreeFlags, UnmountFlags, mount, mount_remount, move_mount,
    open_tree, unmount,
};
use rustix::thread::UnshareFlags;

use super::namespaces::unshare;
use super::netlink::Netlink;
use super::network_access::NetworkAccess;
use crate::hosts::{Host, HostPort};
use crate::linux::relay::{AllowList, DNS, Decide, Emulated, NAMES, Relay, RelaySockets};
use crate::policy::{Emulation, Network};

/// The result of setting up the network.
#[derive(Debug)]
pub(crate) struct NetworkSetup {
    pub(crate) access: NetworkAccess,
    pub(crate) relay: Option<Relay>,
    pub(crate) missing: Vec<String>,
}

impl NetworkSetup {
    fn only(access: NetworkAccess) -> Self {
        Self {
            access,
            relay: None,
            missing: Vec::new(),
        }
    }
}

/// Starts the relay, which stays outside. To be called before any namespace is entered.
pub(crate) fn begin(network: &Network) -> Option<io::Result<Relay>> {
    let ports = match network {
        Network::Hosts(allow) => allow.iter().map(|entry| entry.port).collect(),
        Network::Emulated(emulation) => BTreeSet::from([emulation.server.port]),
        Network::None | Network::Any => return None,
    };
    Some(Relay::begin(ports))
}

/// Enters the network that the policy grants. To be called after the file system is set up.
/// `has_mounts`: we are in our own mount namespace; without it, the DNS settings for the relay
/// would cover those of the machine.
pub(crate) fn enter(
    network: &Network,
    relay: Option<io::Result<Relay>>,
    has_mounts: bool,
) -> NetworkSetup {
    let inside = match network {
        Network::None => return NetworkSetup::only(NetworkAccess::None),
        Network::Any => return NetworkSetup::only(NetworkAccess::Any),
        Network::Hosts(allow) => Inside::of_hosts(allow),
        Network::Emulated(emulation) => Inside::of_emulation(emulation),
    };
    let relay = relay.or_else(|| begin(network));
    let relay = relay.unwrap_or_else(|| Err(io::Error::other("no relay")));
    let relay = relay.and_then(|relay| {
        if !has_mounts {
            return Err(io::Error::other("no mount namespace"));
        }
        unshare(UnshareFlags::NEWNET)?;
        Ok(relay)
    });
    match (relay, network) {
        (Ok(relay), _) => arrange(inside, relay),
        (Err(error), Network::Hosts(allow)) => by_port(allow, &error),
        (Err(error), _) => NetworkSetup {
            missing: vec![format!(
                "the internet is not emulated, because there is no network namespace ({error}): no host \
                 can be reached"
            )],
            ..NetworkSetup::only(NetworkAccess::None)
        },
    }
}

/// A private network as the child sees it.
struct Inside {
    /// The networks whose addresses are ours, each with the length of its prefix.
    addresses: Vec<(IpAddr, u8)>,
    listened: BTreeSet<SocketAddr>,
    /// The hosts file.
    hosts: String,
    decide: Box<dyn Decide>,
}

impl Inside {
    fn of_hosts(allow: &[HostPort]) -> Self {
        let list = AllowList::new(allow);
        Self {
            addresses: addresses(&list),
            listened: list.listened(),
            hosts: hosts(allow),
            decide: Box::new(list),
        }
    }

    fn of_emulation(emulation: &Emulation) -> Self {
        let server = emulation.server.clone();
        let Some(only) = &emulation.only else {
            let listened = emulation.ports.iter();
            return Self {
                addresses: all_of_ipv4().collect(),
                listened: listened
                    .map(|port| SocketAddr::from((Ipv4Addr::UNSPECIFIED, *port)))
                    .collect(),
                hosts: hosts(&[]).replace(IPV6_NAMES, ""),
                decide: Box::new(Emulated::new(None, server)),
            };
        };
        let list = AllowList::new(only);
        Self {
            addresses: addresses(&list),
            listened: list.listened(),
            hosts: hosts(only),
            decide: Box::new(Emulated::new(Some(list), server)),
        }
    }
}

/// Returns networks that together are all addresses of IPv4 but those that mean "this network"
/// (0.0.0.0/8): the kernel gives no interface a network that begins there.
fn all_of_ipv4() -> impl Iterator<Item = (IpAddr, u8)> {
    (1..=8).map(|bits| (IpAddr::V4(Ipv4Addr::new(1 << (8 - bits), 0, 0, 1)), bits))
}

/// Returns the networks of an allow-list: those of names, and the addresses that it lists.
fn addresses(list: &AllowList) -> Vec<(IpAddr, u8)> {
    let last = u32::from(NAMES.0) | (u32::MAX >> NAMES.1);
    // Any address of the network works except its first and last one.
    let names = IpAddr::V4(Ipv4Addr::from(last - 1));
    let literals = list.literals().into_iter();
    let bits = |address: &IpAddr| if address.is_ipv4() { 32 } else { 128 };
    let literals = literals.map(|address| (address, bits(&address)));
    std::iter::once((names, NAMES.1)).chain(literals).collect()
}

/// Restricts the network by port, without a namespace.
fn by_port(allow: &[HostPort], reason: &io::Error) -> NetworkSetup {
    let is_name = |host: &Host| match host {
        Host::Name(name) => name != "localhost",
        Host::Below(_) => true,
        Host::Address(_) => false,
    };
    let udp = allow.iter().any(|entry| is_name(&entry.host));
    let names = udp.then_some(DNS.port());
    let mut tcp: Vec<u16> = allow.iter().map(|entry| entry.port).chain(names).collect();
    tcp.sort_unstable();
    tcp.dedup();
    let ports = tcp
        .iter()
        .map(u16::to_string)
        .collect::<Vec<_>>()
        .join(", ");
    let names = if udp { ", and over UDP every port" } else { "" };
    let sentence = format!(
        "hosts are not distinguished, because there is no network namespace ({reason}): of every host \
         these TCP ports can be reached: {ports}{names}"
    );
    NetworkSetup {
        missing: vec![sentence],
        ..NetworkSetup::only(NetworkAccess::Ports { tcp, udp })
    }
}

/// Sets up the namespace that was entered and lets the relay serve it. A failure here leaves the
/// child with fewer hosts, never with more.
fn arrange(inside: Inside, relay: Relay) -> NetworkSetup {
    let mut setup = NetworkSetup::only(NetworkAccess::Relay);
    match sockets(&inside) {
        Ok(sockets) => {
            setup.missing.extend(show_settings(inside.hosts));
            setup.missing.extend(relay.open(sockets, inside.decide));
            setup.relay = Some(relay);
        }
        Err(error) => {
            let sentence = format!("no host can be reached: the network is not set up: {error}");
            setup.missing.push(sentence);
        }
    }
    setup
}

/// Creates the sockets through which the relay is reached.
fn sockets(inside: &Inside) -> io::Result<RelaySockets> {
    let netlink = Netlink::open()?;
    netlink.bring_up()?;
    for &(address, bits) in &inside.addresses {
        match address {
            IpAddr::V4(_) => netlink.add(address, bits)?,
            // A machine without IPv6 cannot reach that host in any case.
            IpAddr::V6(_) => drop(netlink.add(address, bits)),
        }
    }
    let queries = UdpSocket::bind(DNS)?;
    queries.set_nonblocking(true)?;
    Ok(RelaySockets {
        dns_listener: listen(DNS)?,
        listeners: listeners(&inside.listened)?,
        queries,
    })
}

fn listeners(listened: &BTreeSet<SocketAddr>) -> io::Result<Vec<TcpListener>> {
    let mut listeners = Vec::new();
    // The relay itself answers queries at the DNS address, whatever is allowed there.
    for at in listened.iter().filter(|at| **at != DNS) {
        match listen(*at) {
            Ok(listener) => listeners.push(listener),
            Err(_) if at.is_ipv6() => {}
            Err(error) => return Err(error),
        }
    }
    Ok(listeners)
}

fn listen(at: SocketAddr) -> io::Result<TcpListener> {
    let listener = TcpListener::bind(at)?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

/// Replaces the DNS settings by those of a machine that asks the relay.
fn show_settings(hosts: String) -> Option<String> {
    let settings = [
        ("/etc/resolv.conf", format!("nameserver {}\n", DNS.ip())),
        ("/etc/hosts", hosts),
    ];
    let error = show(&settings).err()?;
    Some(format!("host names cannot be resolved: {error}"))
}

/// Returns the hosts file of the child.
fn hosts(allow: &[HostPort]) -> String {
    let own = rustix::system::uname();
    let own = own.nodename().to_str().unwrap_or_default();
    let is_meant = allow.iter().any(|entry| entry.host.is_named(own));
    // A name on the allow-list means the machine outside.
    let own = if is_meant { "" } else { own };
    format!("127.0.0.1 localhost {own}\n{IPV6_NAMES}")
}

/// The names of the loopback address of IPv6. An emulated internet has none: it answers at IPv4 alone.
const IPV6_NAMES: &str = "::1 localhost ip6-localhost\n";

/// A directory over which a file system is mounted briefly, to create private files in it.
const SCRATCH: &str = "/dev/shm";

/// Mounts files with these texts over these paths.
fn show(files: &[(&str, String)]) -> Result<(), Errno> {
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    mount("tmpfs", SCRATCH, "tmpfs", flags, Some(c"mode=0700"))?;
    let shown = files.iter().try_for_each(|(path, text)| cover(path, text));
    // The mounts elsewhere keep the files; the directory is restored.
    unmount(SCRATCH, UnmountFlags::DETACH)?;
    shown
}

/// Mounts a file with this text over another one. If there is none, the defaults of libraries are
/// the same.
fn cover(path: &str, text: &str) -> Result<(), Errno> {
    let name = Path::new(SCRATCH).join(path.rsplit('/').next().unwrap_or(path));
    let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::CLOEXEC;
    let file = open(&name, flags, Mode::RUSR | Mode::RGRP | Mode::ROTH)?;
    rustix::io::write(&file, text.as_bytes())?;
    drop(file);
    let clone = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC;
    let tree = open_tree(CWD, &name, clone)?;
    let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH | MoveMountFlags::MOVE_MOUNT_T_SYMLINKS;
    match move_mount(&tree, "", CWD, path, flags) {
        Err(Errno::NOENT) => return Ok(()),
        moved => moved?,
    }
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    mount_remount(path, MountFlags::BIND | MountFlags::RDONLY | flags, "")
}
