//! A network of its own, with the relay as the only way out.
//!
//! No interface leads out of the namespace. `lo` has the addresses that stand for hosts, and nobody
//! listens there but us, so whatever a program connects by (`connect`, `MSG_FASTOPEN`, MPTCP, UDP, raw
//! sockets) ends there too. Connections to other addresses have no route.

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
use crate::hosts::{Host, HostPort};
use crate::policy::Network;
use crate::relay::{AllowList, DNS, Gates, NAMES, Relay};

/// The network as it was put up, for the walls that come after.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Standing {
    /// None; there is no namespace either, because making and ending one costs as much as all other
    /// walls together, and seccomp refuses the sockets.
    None,
    /// One of its own with a relay.
    Relay,
    /// That of the machine, bounded by port.
    Ports {
        /// Where TCP connections may go, on any host.
        tcp: Vec<u16>,
        /// UDP sockets too, which no port bounds: names are looked up through them.
        udp: bool,
    },
    /// That of the machine.
    Any,
}

/// What stands.
#[derive(Debug)]
pub(crate) struct Entered {
    pub(crate) standing: Standing,
    pub(crate) relay: Option<Relay>,
    pub(crate) missing: Vec<String>,
}

impl Entered {
    fn only(standing: Standing) -> Self {
        Self {
            standing,
            relay: None,
            missing: Vec::new(),
        }
    }
}

/// Starts what stays outside. To be called before any namespace is entered.
pub(crate) fn begin(network: &Network) -> Option<io::Result<Relay>> {
    match network {
        Network::Hosts(allow) => Some(Relay::begin(allow)),
        Network::None | Network::Any => None,
    }
}

/// Enters the network that the policy gives. To be called when the files are what they will be.
/// `has_mounts`: we are in a mount namespace of our own; without, the settings of names that the relay
/// needs would cover those of the machine.
pub(crate) fn enter(
    network: &Network,
    relay: Option<io::Result<Relay>>,
    has_mounts: bool,
) -> Entered {
    match network {
        Network::None => Entered::only(Standing::None),
        Network::Any => Entered::only(Standing::Any),
        Network::Hosts(allow) => {
            let relay = relay.unwrap_or_else(|| Relay::begin(allow));
            let relay = relay.and_then(|relay| {
                if !has_mounts {
                    return Err(io::Error::other("no mount namespace"));
                }
                unshare(UnshareFlags::NEWNET)?;
                Ok(relay)
            });
            relay.map_or_else(
                |error| by_port(allow, &error),
                |relay| arrange(allow, relay),
            )
        }
    }
}

/// What can be done without a namespace.
fn by_port(allow: &[HostPort], reason: &io::Error) -> Entered {
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
        "hosts are not told apart, because there is no network namespace ({reason}): of every host \
         these TCP ports can be reached: {ports}{names}"
    );
    Entered {
        missing: vec![sentence],
        ..Entered::only(Standing::Ports { tcp, udp })
    }
}

/// Arranges the namespace that was entered, and has the relay serve it. What fails here leaves the
/// child without some of its hosts, never with more.
fn arrange(allow: &[HostPort], relay: Relay) -> Entered {
    let list = AllowList::new(allow);
    let mut entered = Entered::only(Standing::Relay);
    match gates(&list) {
        Ok(gates) => {
            entered.missing.extend(show_settings(allow));
            entered.missing.extend(relay.open(gates, list));
            entered.relay = Some(relay);
        }
        Err(error) => {
            let sentence = format!("no host can be reached: the network is not set up: {error}");
            entered.missing.push(sentence);
        }
    }
    entered
}

/// The sockets at which the relay is reached.
fn gates(list: &AllowList) -> io::Result<Gates> {
    let netlink = Netlink::open()?;
    netlink.bring_up()?;
    let last = u32::from(NAMES.0) | (u32::MAX >> NAMES.1);
    // Any address of the network will do but its first and last ones.
    netlink.add(IpAddr::V4(Ipv4Addr::from(last - 1)), NAMES.1)?;
    for address in list.literals() {
        match address {
            IpAddr::V4(_) => netlink.add(address, 32)?,
            // A machine without IPv6 reaches that host neither way.
            IpAddr::V6(_) => drop(netlink.add(address, 128)),
        }
    }
    let questions = UdpSocket::bind(DNS)?;
    questions.set_nonblocking(true)?;
    Ok(Gates {
        talks: listen(DNS)?,
        listeners: listeners(list)?,
        questions,
    })
}

fn listeners(list: &AllowList) -> io::Result<Vec<TcpListener>> {
    let mut listeners = Vec::new();
    // Questions are answered where they are asked, whatever else is to be found there.
    for at in list.listened().into_iter().filter(|at| *at != DNS) {
        match listen(at) {
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

/// Shows the settings of a machine that asks the relay for names.
fn show_settings(allow: &[HostPort]) -> Option<String> {
    let settings = [
        ("/etc/resolv.conf", format!("nameserver {}\n", DNS.ip())),
        ("/etc/hosts", hosts(allow)),
    ];
    let error = show(&settings).err()?;
    Some(format!("names of hosts are not found: {error}"))
}

/// The names of the child's own machine.
fn hosts(allow: &[HostPort]) -> String {
    let own = rustix::system::uname();
    let own = own.nodename().to_str().unwrap_or_default();
    let is_meant = allow.iter().any(|entry| entry.host.is_named(own));
    // A name that may be connected to is that of the machine outside.
    let own = if is_meant { "" } else { own };
    format!("127.0.0.1 localhost {own}\n::1 localhost ip6-localhost\n")
}

/// A directory that is covered for a moment, to make files in that belong to nobody else.
const SCRATCH: &str = "/dev/shm";

/// Shows files with these texts at these paths.
fn show(files: &[(&str, String)]) -> Result<(), Errno> {
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    mount("tmpfs", SCRATCH, "tmpfs", flags, Some(c"mode=0700"))?;
    let shown = files.iter().try_for_each(|(path, text)| cover(path, text));
    // What was mounted elsewhere keeps the files; the directory is what it was.
    unmount(SCRATCH, UnmountFlags::DETACH)?;
    shown
}

/// Mounts a file with this text over another one. Where there is none, libraries find out by themselves
/// what it would say.
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
